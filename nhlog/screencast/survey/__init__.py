"""What is found out about a recorded terminal by playing it: who plays which game, the turns, and what happened.

`playing` looks at the screen as the recording goes on, `journal` notes down what the games tell there, `ending` finds
what they told last from the end alone.  Must not import the replay, nor a format.
"""

from nhlog.screencast.survey.journal import Game, Journal
from nhlog.screencast.survey.playing import Survey, status_before

__all__ = ["Game", "Journal", "Survey", "status_before"]
