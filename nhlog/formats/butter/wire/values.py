"""The values of a frame of an Echo VR session, for both kinds of file.

Numbers that are float32 in the recording are floats with exactly that value.  Rotations (see
:mod:`nhlog.formats.butter.wire.rotations`) and bones are kept as they are stored until they are needed.
"""

from typing import Final

from nhlog.values import NamedTuple

__all__ = [
    "ARENA",
    "BONES",
    "COMBAT",
    "IDENTITY",
    "MAPS",
    "NOBODY",
    "NO_STATS",
    "TEAMS",
    "Axes",
    "BonePlayer",
    "Bones",
    "Disc",
    "Frame",
    "Loadout",
    "Pause",
    "Payload",
    "Person",
    "Player",
    "Pose",
    "Rotation",
    "Rules",
    "Score",
    "Stats",
    "Team",
    "Throw",
    "Vector",
]

Vector = tuple[float, float, float]  # x across the arena, y up, z along it; metres, or metres per second
Axes = tuple[Vector, Vector, Vector]  # forward, left, up
Rotation = int | Axes  # the 32 bits of spec 4, or what the interface of the game said

IDENTITY: Final[Axes] = ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
TEAMS: Final = ("blue", "orange", "spectator", "none")
MAPS: Final = (
    "uncoded",
    "mpl_lobby_b2",
    "mpl_arena_a",
    "mpl_combat_fission",
    "mpl_combat_combustion",
    "mpl_combat_dyson",
    "mpl_combat_gauss",
    "mpl_tutorial_arena",
)
ARENA: Final = frozenset({"mpl_arena_a"})
COMBAT: Final = frozenset(MAPS[3:7])
BONES: Final = 23  # of a player


class Pose(NamedTuple):
    """A position and a rotation."""

    position: Vector
    rotation: Rotation


class Disc(NamedTuple):
    """The disc; the number of its bounces is not stored."""

    position: Vector
    rotation: Rotation
    velocity: Vector


class Stats(NamedTuple):
    """The statistics of a player or a team, in the order of the file; `possession_time` in seconds."""

    assists: int
    blocks: int
    catches: int
    goals: int
    interceptions: int
    passes: int
    points: int
    saves: int
    steals: int
    shots_taken: int
    possession_time: float
    stuns: int


NO_STATS: Final = Stats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.0, 0)


class Person(NamedTuple):
    """A row of the table of players; `row` counts from 1, 0 stands for nobody."""

    row: int
    name: str
    userid: int
    number: int
    level: int


NOBODY: Final = Person(0, "[INVALID]", 0, -1, -1)


class Loadout(NamedTuple):
    """The equipment of a player on a combat map."""

    weapon: str
    ordnance: str
    tac_mod: str
    arm: str


class Player(NamedTuple):
    """A player in one frame.

    `flags` bits: 0 possession, 1 blocking, 2 stunned, 3 invulnerable, 4 emote.  `ping` in ms, `loss` a ratio.
    `holding` is what the left and the right hand hold: ``none geo disc``, a player's number, or None if not recorded.
    `places` are the 12 coordinates of head, body, left and right hand in metres, `rotations` their rotations.
    """

    who: Person
    playerid: int
    flags: int
    stats: Stats
    ping: int
    loss: float
    holding: tuple[str | None, str | None]
    velocity: Vector
    places: tuple[float, ...]
    rotations: tuple[Rotation, ...]
    loadout: Loadout | None

    @property
    def possession(self) -> bool:
        """Whether the player has the disc."""
        return bool(self.flags & 1)

    @property
    def blocking(self) -> bool:
        """Whether the player is blocking."""
        return bool(self.flags & 2)

    @property
    def stunned(self) -> bool:
        """Whether the player is stunned."""
        return bool(self.flags & 4)

    @property
    def invulnerable(self) -> bool:
        """Whether the player cannot be stunned."""
        return bool(self.flags & 8)

    @property
    def emote(self) -> bool:
        """Whether an emote is playing."""
        return bool(self.flags & 16)

    @property
    def head(self) -> Pose:
        """The pose of the head."""
        x, y, z, *_ = self.places
        return Pose((x, y, z), self.rotations[0])

    @property
    def body(self) -> Pose:
        """The pose of the body."""
        x, y, z = self.places[3:6]
        return Pose((x, y, z), self.rotations[1])

    @property
    def left_hand(self) -> Pose:
        """The pose of the left hand."""
        x, y, z = self.places[6:9]
        return Pose((x, y, z), self.rotations[2])

    @property
    def right_hand(self) -> Pose:
        """The pose of the right hand."""
        x, y, z = self.places[9:12]
        return Pose((x, y, z), self.rotations[3])


class Team(NamedTuple):
    """A team in one frame; `name` is None if it is not recorded."""

    possession: bool
    stats: Stats
    players: tuple[Player, ...]
    name: str | None = None


class Pause(NamedTuple):
    """Whether the game is paused, and by which team; timers in seconds."""

    paused_state: str
    paused_requested_team: str
    unpaused_team: str
    paused_timer: float
    unpaused_timer: float


class Score(NamedTuple):
    """The latest goal; speed in metres per second, distance in metres."""

    team: str
    point_amount: int
    goal_type: str
    person_scored: str
    assist_scored: str
    disc_speed: float
    distance_thrown: float


class Throw(NamedTuple):
    """The measurements of the latest throw, in the order of the file, named as in the game's HTTP API."""

    arm_speed: float
    total_speed: float
    off_axis_spin_deg: float
    wrist_throw_penalty: float
    rot_per_sec: float
    pot_speed_from_rot: float
    speed_from_arm: float
    speed_from_movement: float
    speed_from_wrist: float
    wrist_align_to_throw_deg: float
    throw_align_to_movement_deg: float
    off_axis_penalty: float
    throw_move_penalty: float


class Payload(NamedTuple):
    """The payload of a combat map; distance in metres, speed in metres per second."""

    contested: bool
    checkpoint: int
    defenders: int
    distance: float
    speed: float


class Rules(NamedTuple):
    """When the rules of a private match were changed (as the game's HTTP API gives it), and by whom."""

    changed_at: int
    changed_by: str | None


class BonePlayer(NamedTuple):
    """The bones of one player: 23 positions (x, y, z) in metres and 23 quaternions (x, y, z, w), each flattened."""

    positions: tuple[float, ...]
    rotations: tuple[float, ...]


Bones = tuple[BonePlayer, ...]


class Frame(NamedTuple):
    """The session at one moment.

    `time` is ms since 1970, taking the recorded time as UTC; `clock` the game clock in seconds.  `points` and
    `restarts` (restart requests) are those of blue and orange.  `inputs` bits 0 to 3 are the shoulder buttons left,
    right, left 2, right 2.  `vr` is the camera.  `teams` are blue, orange and spectators.  `bones` are None, the bytes
    of the file (see :mod:`nhlog.formats.butter.wire.bones`), or decoded.
    """

    time: int
    clock: float
    status: str | None
    points: tuple[float, float]
    inputs: int
    restarts: tuple[bool, bool]
    pause: Pause
    last_score: Score | None
    last_throw: Throw
    vr: Pose
    disc: Disc | None
    payload: Payload | None
    rules: Rules
    teams: tuple[Team, Team, Team]
    bones: bytes | Bones | None

    @property
    def players(self) -> tuple[Player, ...]:
        """All players, team by team."""
        blue, orange, spectators = self.teams
        return blue.players + orange.players + spectators.players
