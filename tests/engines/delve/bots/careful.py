"""The careful bot: ready before it goes deeper, it rests, and knows what helps."""

from typing import Final

from nhlog.engines.delve.commands.ways import CAN_WALK
from nhlog.engines.delve.perception import inventory
from nhlog.engines.delve.world.board import OFFSETS, SIZE
from nhlog.engines.delve.world.kinds import EMBER
from nhlog.engines.delve.world.state import KIND_MEMORY
from nhlog.engines.delve.world.terrain import STAIRS_UP
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import Argument, Command
from tests.engines.delve.bots.seeing import BOTTOM, FOOD, SHOOTERS, Bot, Foe, towards, travel, with_item

__all__ = ["CarefulBot"]

WEAK: Final = ("cave rat", "bat", "tunnel imp", "pale lichen", "dust beetle", "goblin miner", "gaunt hound", "packrat")
STRONG: Final = (
    "stone toad",
    "cave ogre",
    "stone giant",
    "troll of the deep",
    "wight",
    "berserker",
    "hill orc",
    "ember hound",
    "ash drake",
    "lurking ghoul",
    "blinking hound",
    "rattling bones",
)
FAR_SHOT: Final = 15  # turns without rest after a shot out of the dark
AUD: Final = "AUD"
_SLOTS: Final = (
    ("plate mail", "chain mail", "ring mail", "leather jerkin"),
    ("cloak of warding", "wool cloak"),
    ("tower shield", "small shield"),
    ("miner's helm", "iron cap"),
    ("gauntlets of might", "leather gloves"),
    ("felt boots", "leather boots"),
)  # the better first
_WEAPONS: Final = ("moon blade", "long sword", "great maul", "mace", "spear", "hand axe", "short sword", "dagger")
_WANDS: Final = ("wand of striking", "wand of fire", "wand of frost", "wand of sparks", "wand of slumber")
_KEPT: Final = (
    *("healing", "great healing", "teleportation", "terror", "fire", "beckoning", "rust", "venom", "sleep"),
    *("blindness", "confusion", "floating", "return", "swiftness", "remove curse"),
)  # for need, or for never


class CarefulBot(Bot):
    """Explores each level, rests, uses what it finds, prays in need, and writes in the dust what they fear."""

    unseen = False  # whether somebody strikes who is not seen
    rounds = way = 0
    prayed = shot = -1000
    written = (0, 0)  # at that depth, on that square

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.full: set[int] = set()  # the depths whose dust holds no more words

    def _choose(self) -> Command:
        told = " ".join(self.game.messages)
        self.unseen = "It hits" in told or "It misses" in told
        if "full of words" in told:
            self.full.add(self.depth)
        if self.unseen and not self.foes and not self._upwards():
            return self._survive() or self._write() or self._strike_around(told)
        if "It shoots" in told:
            self.shot = self.now.turn
        if self.now.turn - self.shot < FAR_SHOT and not self.foes and not self._upwards():
            return self._leave() or self._go()
        return (
            self._survive()
            or self._dash()
            or self._flee()
            or self._retreat()
            or self._battle()
            or self._tend()
            or self._go()
        )

    def _strike_around(self, told: str) -> Command:
        """Strike where somebody may be who is not seen: where somebody was, or anywhere."""
        places = [number for number, offset in enumerate(OFFSETS) if CAN_WALK[self._code(self.sight.hero + offset)]]
        if "You hit it" not in told and "You miss it" not in told:
            self.way = self.random.choice(places or [0])
        return towards("fight", self.way)

    def _leave(self) -> Command | None:
        """Up the stairs, if they are near."""
        stairs = [at for at, code in enumerate(self.sight.codes) if code - 1 == STAIRS_UP]
        near = bool(stairs) and self._steps(stairs[0])[self.sight.hero] < 25
        return Command("up") if near and self.depth < BOTTOM and not self.barred else None

    def _dash(self) -> Command | None:
        """To the Ember as soon as it is seen, and away with it: nobody there is fought who does not bar the way."""
        if self.depth != BOTTOM or self.barred or self._low(0.3):
            return None
        if self._upwards():
            return self._wanted()
        codes, here = self.sight.codes, self.sight.hero
        if self._thing_here():
            return Command("pickup")
        seen = [at for at, code in enumerate(codes) if code == KIND_MEMORY + EMBER]
        return travel(seen[0]) if seen and not self._low(0.5) and self._steps(seen[0])[here] < 20 else None

    def _flee(self) -> Command | None:
        """Up from the hearth, when it gets too hot: the Warden does not follow."""
        here = self.sight.hero
        if self.depth != BOTTOM or self.barred or self._upwards() or not self._low(0.5):
            return None
        stairs = [at for at, code in enumerate(self.sight.codes) if code - 1 == STAIRS_UP]
        return Command("up") if stairs and self._steps(stairs[0])[here] < SIZE else None

    def _retreat(self) -> Command | None:
        """Up, to rest there, from those who are not near enough to strike or to come along."""
        if self._upwards() or not self.foes or self.foes[0].far < 2:
            return None
        return self._leave() if self._low(0.5) else None

    def _low(self, part: float) -> bool:
        return self.now.hp < self.now.hp_most * part or self.now.hp < 7

    def _survive(self) -> Command | None:
        now = self.now
        near = [foe for foe in self.foes if foe.far <= 2 or foe.name in SHOOTERS]
        if {"Weak", "Fainting"} & set(now.conditions):
            return self._eat() or self._pray()
        if not self._low(0.35):
            return None
        if (now.hp * 5 <= now.hp_most or now.hp < 6) and (prayer := self._pray()):
            return prayer
        if letter := self._has("of great healing", "potion of healing", "potions of healing"):
            return with_item("quaff", letter)
        if now.pw >= 5 and self._knows("healing"):
            return Command("cast", (Argument("S", "a"), Argument("D", 10)))
        if not near and not self.unseen:
            return None
        beside = self.unseen or near[0].far == 1
        if beside and (word := self._write()):
            return word
        if self._low(0.25):
            if letter := self._has("scroll of teleportation", "scrolls of teleportation"):
                return with_item("read", letter)
            if self._code(self.sight.hero) - 1 in (STAIRS_UP,) and not beside:
                return Command("up")
            if letter := self._has(" potion", "potion"):
                return with_item("quaff", letter)
            if letter := self._has("scroll"):
                return with_item("read", letter)
        return None

    def _knows(self, spell: str) -> bool:
        role = self.game.world.person.role
        return (role, spell) in (("Priest", "healing"), ("Wizard", "force bolt"))

    def _pray(self) -> Command | None:
        if self.now.turn - self.prayed < 620:
            return None
        self.prayed = self.now.turn
        return Command("pray")

    def _write(self) -> Command | None:
        """Write what they fear where one stands, unless it is there."""
        here = (self.depth, self.sight.hero)
        warden = any(foe.name == "Warden of Ash" for foe in self.foes)  # who fears nothing
        if self.written == here or self.depth in self.full or warden or "Float" in self.now.conditions:
            return None
        self.written = here
        return Command("engrave", (Argument("T", Blob.of(AUD.encode() + b"\0")),))

    def _battle(self) -> Command | None:
        if not self.foes:
            self.waits = self.rounds = 0
            return None
        foe = self.foes[0]
        self.rounds += 1
        warden = any(other.name == "Warden of Ash" for other in self.foes)
        if self.rounds % 120 > 90 or (self._upwards() and warden):  # that leads nowhere: on, as far as they let one
            return None
        aim = self._aim(foe)
        strong = [other for other in self.foes if other.far <= 2 and other.name not in WEAK]
        feared = any(other.name in STRONG for other in strong)
        if strong and (len(strong) > 1 or feared or self._low(0.8)) and (word := self._write()):
            return word
        if aim >= 0 and (shot := self._shoot(foe, aim)):
            return shot
        if foe.far == 1:
            return self._fight(foe)
        if self.written == (self.depth, self.sight.hero) and self._low(0.7) and foe.name not in SHOOTERS:
            return Command("search", (Argument("L", 5),))
        if self._upwards():
            return None
        return self._approach(foe)

    def _shoot(self, foe: Foe, aim: int) -> Command | None:
        if self.now.pw >= 5 and self._knows("force bolt"):
            return Command("cast", (Argument("S", "a"), Argument("D", aim)))
        if foe.name not in WEAK and (letter := self._has(*_WANDS)):
            caption = next(caption for caption, other in self.pack.items() if other == letter)
            if "(0)" not in caption:
                return Command("zap", (Argument("I", letter), Argument("D", aim)))
        pack = " ".join(self.pack)
        bow = "bow (wielded)" in pack
        if (bow and self._has(" arrow", "arrows")) or (
            not bow and foe.far > 1 and ("dart" in pack or "throwing star" in pack or "daggers" in pack)
        ):
            return towards("fire", aim)
        return None

    def _tend(self) -> Command | None:
        if eaten := self._eat():
            return eaten
        if self._upwards():
            return None
        rested = 0.95 if self.depth == BOTTOM - 1 else 0.85
        fed = self.now.turn < 3000 or self._low(0.4) or bool(self._has(*FOOD))
        if not self.foes and self._low(rested) and fed and self.depth < BOTTOM:
            return Command("search", (Argument("L", 20),))
        return self._pick_up() or (None if self.foes else self._equip())

    def _equip(self) -> Command | None:
        """Wear, wield, read, drink or light what may help; each thing once."""
        for row in inventory(self.game):
            key = (row.letter, row.caption.partition(" (")[0])
            if row.letter and not row.in_use and not row.cursed and key not in self.done:
                doing = self._used(row.caption)
                if doing:
                    self.done.add(key)
                    return with_item(doing, row.letter)
        return self._change()

    def _used(self, caption: str) -> str:
        """The command that a thing of the pack is for now; empty for none."""
        if " scroll" in caption or " potion" in caption:
            return ("read" if "scroll" in caption else "quaff") if self._worth_trying(caption) else ""
        if any(name in caption for names in _SLOTS for name in names):
            names = next(names for names in _SLOTS if any(name in caption for name in names))
            return "" if self._worn(names) else "wear"
        if any(name in caption for name in _WEAPONS):
            return "wield" if self._better(caption) else ""
        lights = "torch" in caption or "lantern" in caption
        return "apply" if lights and self.depth > 1 and "(lit)" not in " ".join(self.pack) else ""

    def _worn(self, names: tuple[str, ...]) -> str:
        """The one of these that is worn, or empty."""
        worn = [caption for caption in self.pack if "being worn" in caption]
        return next((name for name in names if any(name in caption for caption in worn)), "")

    def _change(self) -> Command | None:
        """Take off what there is something better for, which is worn next."""
        for names in _SLOTS:
            worn = self._worn(names)
            for name in names[: names.index(worn)] if worn else ():
                letter = self._has(name)
                if letter and (letter, name) not in self.done:
                    self.done.add((letter, name))
                    return with_item(
                        "takeoff",
                        next(self.pack[caption] for caption in self.pack if worn in caption and "worn" in caption),
                    )
        return None

    def _better(self, caption: str) -> bool:
        """Whether this weapon is better than the one in hand."""
        held = next((other for other in self.pack if "(wielded)" in other), "")
        if "bow" in held and self._has(" arrow", "arrows"):
            return False
        ranks = [next((rank for rank, name in enumerate(_WEAPONS) if name in of), 99) for of in (caption, held)]
        return ranks[0] < ranks[1]

    def _worth_trying(self, caption: str) -> bool:
        """Whether to use a potion or a scroll while all is well: what is unknown, and what always helps."""
        well = self.now.hp * 4 > self.now.hp_most * 3
        return well and not any(f"of {name}" in caption for name in _KEPT)

    def _ready(self) -> bool:
        if self.depth in self.explored:
            return True
        if not self._is_left() or self.now.turn > 700 * self.depth + 600:
            self.explored.add(self.depth)
        return self.depth in self.explored
