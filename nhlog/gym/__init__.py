"""NLE's environments, each episode of which is a game in a log: watched live, restored anywhere, played on by a person.

What an agent is told and earns is what NLE's own environment gives it for the same seeds, clock and actions: nothing of
nle is done again here, its library only gets a clock that stands (`core`), and its keys are written down (`episode`).

The rule of all games, that a key is in the log before it takes effect, costs a hundred times what a step of NLE takes.
An agent's keys can be given again by whoever has the agent, so they are logged together, a thousand at a time, and
each second: an agent that is killed loses these, and nothing of what is logged.

Needs nle (extra `nethack`); only who imports this imports gymnasium and numpy.
"""

from nhlog.gym.environment import LoggedNetHack, restore

__all__ = ["LoggedNetHack", "restore"]
