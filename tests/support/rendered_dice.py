"""Pictures of dice on a table, drawn by ray casting: perspective, light, shadow, blur, noise, and other things beside.

They teach the reader of dice (``benchmarks/dice_training``), and a law measures the reader with them. The same seed
gives the same picture. A die is a cube cut by a sphere, of side about 1, on the table's plane z = 0.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]
Random = np.random.Generator

PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}
TOUCHING, CUT, COCKED, NO_DICE = 0.35, 0.12, 0.06, 0.06  # how often a scene or a die is so


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A die in a picture: the centre of its upper face and half the diagonal of that face, in pixels."""

    x: float
    y: float
    radius: float
    face: int


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture with its dice. The pixels have the shape (height, width, 3) and go from 0 to 255."""

    pixels: npt.NDArray[np.uint8]
    dice: tuple[SeenDie, ...]
    decoys: tuple[SeenDie, ...] = ()  # things that look like dice, such as halves of dominoes. Their face is 0.


@dataclass(frozen=True, slots=True)
class _Look:
    """How the dice of a set look."""

    body: Array
    pip: Array
    one: Array  # the colour of the single pip, red in some sets
    spread: float  # from the middle of a face to the outer pips
    nearer: tuple[float, float]  # how much nearer the pips of 2 and 3 are, and the rows of a 6
    pip_radius: float
    one_radius: float
    round_at: float  # the radius of the sphere that cuts the cube: 0.87 leaves a sharp cube
    bevel: float
    gloss: float
    clear: float  # how much of the table shines through
    grain: float


@dataclass(frozen=True, slots=True)
class _Die:
    x: float
    y: float
    side: float
    turned: Array  # from the table's axes to the die's
    yaw: float
    faces: tuple[int, int, int, int, int, int]  # at +x, -x, +y, -y, +z, -z
    look: _Look
    flips: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class _Light:
    """A lamp, and the light from everywhere."""

    towards: Array
    ambient: float
    soft: float  # how far the directions of the lamp's light spread


@dataclass(frozen=True, slots=True)
class _Camera:
    """A camera that looks at the table's origin. ``axes`` has the rows right, down and forward."""

    place: Array
    axes: Array
    focal: float
    middle: tuple[float, float]

    def rays(self, x: Array, y: Array) -> Array:
        """Return a direction for each pixel, with a last axis of length 3."""
        across, down = (x - self.middle[0]) / self.focal, (y - self.middle[1]) / self.focal
        found: Array = across[..., None] * self.axes[0] + down[..., None] * self.axes[1] + self.axes[2]
        return found

    def pixel(self, point: Array) -> tuple[float, float, float]:
        """Return the pixel of a point, and how many pixels a unit has there."""
        right, down, ahead = self.axes @ (point - self.place)
        scale = self.focal / ahead
        return self.middle[0] + right * scale, self.middle[1] + down * scale, scale

    def ground(self, x: float, y: float) -> Array:
        """Return the point of the table that a pixel shows."""
        ray = self.rays(np.array([x], np.float32), np.array([y], np.float32))[0]
        found: Array = self.place - ray * (self.place[2] / ray[2])
        return found


def picture(
    seed: int | Sequence[int],
    *,
    size: tuple[int, int] = (480, 360),
    tilt: float = 50,
    dice: int | None = None,
    pale: bool = False,
) -> Picture:
    """Return the picture of a seed.

    ``tilt`` is the greatest angle in degrees between the camera and the vertical. ``dice`` is the number of dice. If it
    is None, there are 0 to 8. If ``pale``, all dice are white or ivory with dark pips.
    """
    random = np.random.default_rng(seed)
    width, height = size
    many = dice if dice is not None else 0 if random.random() < NO_DICE else int(random.integers(1, 9))
    camera = _camera(random, width, height, tilt)
    x, y = (each.astype(np.float32) for each in np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5))
    rays = camera.rays(x, y)
    ground = camera.place + rays * (-camera.place[2] / np.minimum(rays[..., 2:], -0.05))
    towards = _unit(np.array([*random.normal(0, 0.55, 2), 1], np.float32))
    light = _Light(towards, random.uniform(0.35, 0.75), random.uniform(0.01, 0.18))
    placed = _placed(random, camera, (width, height), many, pale)
    drawn = _table(random, ground)
    decoys = _things(random, drawn, ground, placed, camera)
    drawn = drawn * _shade(random, ground, placed, light)[..., None]
    around = _around(random)
    for die in sorted(placed, key=lambda die: -float(np.hypot(*(np.array([die.x, die.y]) - camera.place[:2])))):
        _draw(drawn, die, camera, light, around)
    if random.random() < 0.04:
        _finger(random, drawn, x, y)
    seen = [_seen(die, camera) for die in placed]
    kept = [die for die in seen if -0.1 < die.x / width < 1.1 and -0.1 < die.y / height < 1.1]
    return Picture(_taken(random, drawn), tuple(kept), tuple(decoys))


def _unit(vector: Array) -> Array:
    found: Array = vector / np.linalg.norm(vector)
    return found


def _camera(random: Random, width: int, height: int, tilt: float) -> _Camera:
    angle, about = np.radians(tilt * random.random() ** 1.5), random.uniform(0, 2 * np.pi)
    away = random.uniform(7, 18)
    side = 0.035 * np.exp(random.random() ** 1.3 * np.log(0.3 / 0.035)) * max(width, height)
    ahead = np.array([np.sin(angle), 0, -np.cos(angle)])
    right = np.array([0.0, -1, 0])
    axes = np.array([right, np.cross(ahead, right), ahead])
    turned = _about_z(about)
    rolled = np.eye(3)
    rolled[:2, :2] = _about_z(random.normal(0, 0.15))[:2, :2]
    axes = (rolled @ axes @ turned).astype(np.float32)
    return _Camera((-axes[2] * away).astype(np.float32), axes, float(side * away), (width / 2, height / 2))


def _about_z(angle: float) -> npt.NDArray[np.float64]:
    return np.array([[np.cos(angle), np.sin(angle), 0], [-np.sin(angle), np.cos(angle), 0], [0, 0, 1]])


def _colour(random: Random) -> Array:
    """Return a strong colour, from dark to light."""
    hue, strong, light = random.random() * 6, random.uniform(0.5, 1), random.uniform(0.15, 0.9)
    parts = np.clip(np.abs((hue + np.array([0, 4, 2])) % 6 - 3) - 1, 0, 1)
    found: Array = (light * (1 - strong + strong * parts)).astype(np.float32)
    return found


def _look(random: Random, pale: bool) -> _Look:
    kind = 0.0 if pale else random.random()
    dark = np.float32(random.uniform(0.02, 0.16)) * np.ones(3, np.float32)
    ivory = (random.uniform(0.72, 1) * np.array([1, random.uniform(0.9, 1), random.uniform(0.72, 1)])).astype(
        np.float32
    )
    clear = grain = 0.0
    if is_pale := kind < 0.42:  # white and ivory dice
        body, pip = ivory, dark if pale or random.random() < 0.8 else _colour(random) * 0.8
    elif kind < 0.82:  # coloured and black dice
        body, pip = (dark if random.random() < 0.25 else _colour(random)), ivory
        if random.random() < 0.4:
            pip = _colour(random)
        if np.abs(body - pip).max() < 0.35:
            pip = dark if body.mean() > 0.4 else ivory
        clear = random.uniform(0.2, 0.55) if random.random() < 0.25 else 0.0
    else:  # wooden dice
        body = (
            random.uniform(0.45, 0.95) * np.array([1, random.uniform(0.68, 0.88), random.uniform(0.4, 0.7)])
        ).astype(np.float32)
        pip, grain = dark * random.uniform(0.5, 2), random.uniform(0.05, 0.25)
    one = np.array([0.75, 0.08, 0.08], np.float32) if is_pale and random.random() < 0.12 else pip
    radius = random.uniform(0.065, 0.125)
    return _Look(
        body=body.astype(np.float32),
        pip=pip.astype(np.float32),
        one=one.astype(np.float32),
        spread=random.uniform(0.2, 0.29),
        nearer=(random.uniform(0.6, 1) if random.random() < 0.3 else 1, random.uniform(0.5, 1)),
        pip_radius=radius,
        one_radius=radius * (random.uniform(1, 1.9) if random.random() < 0.3 else 1),
        round_at=random.uniform(0.64, 0.88),
        bevel=random.uniform(0.03, 0.14),
        gloss=random.uniform(0, 0.8) ** 2,
        clear=clear,
        grain=grain,
    )


def _placed(random: Random, camera: _Camera, size: tuple[int, int], many: int, pale: bool) -> list[_Die]:
    width, height = size
    placed = list[_Die]()
    looks = [_look(random, pale)] * 8 if random.random() < 0.7 else [_look(random, pale) for _ in range(8)]
    side = 1 if random.random() < 0.8 else random.uniform(0.8, 1.25, 8)
    sides = np.broadcast_to(side, 8)
    near = random.random() < TOUCHING
    margin = -0.02 if random.random() < CUT else 0.06
    for at in range(many):
        for _ in range(30):
            yaw = random.uniform(0, 2 * np.pi)
            if near and placed and random.random() < 0.8:
                beside = placed[int(random.integers(len(placed)))]
                yaw = beside.yaw + (0 if random.random() < 0.6 else random.normal(0, 0.3))
                away = (beside.side + sides[at]) / 2 + abs(random.normal(0, 0.06))
                step = _about_z(-beside.yaw - np.pi / 2 * random.integers(4)) @ [away, random.normal(0, 0.3), 0]
                x, y = beside.x + step[0], beside.y + step[1]
            else:
                px, py = (random.uniform(margin, 1 - margin, 2) * (width, height)).tolist()
                x, y, _ = camera.ground(px, py).tolist()
            die = _die(random, (float(x), float(y), yaw), float(sides[at]), looks[at])
            spot = _seen(die, camera)
            inside = margin * width < spot.x < (1 - margin) * width and margin * height < spot.y < (1 - margin) * height
            if inside and not any(_overlap(die, other) for other in placed):
                placed.append(die)
                break
    return placed


def _die(random: Random, place: tuple[float, float, float], side: float, look: _Look) -> _Die:
    x, y, yaw = place
    first = int(random.integers(1, 7))
    second = int(random.choice([face for face in range(1, 7) if face not in (first, 7 - first)]))
    third = int(random.choice([face for face in range(1, 7) if face not in (first, 7 - first, second, 7 - second)]))
    turned = _about_z(yaw)
    if random.random() < COCKED:
        lean = random.uniform(-0.2, 0.2)
        turned = np.array([[1, 0, 0], [0, np.cos(lean), np.sin(lean)], [0, -np.sin(lean), np.cos(lean)]]) @ turned
    faces = (second, 7 - second, third, 7 - third, first, 7 - first)
    return _Die(x, y, side, turned.astype(np.float32), yaw, faces, look, tuple((random.random(6) < 0.5).tolist()))


def _corners(die: _Die) -> npt.NDArray[np.float64]:
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * die.side / 2
    found: npt.NDArray[np.float64] = square @ _about_z(die.yaw)[:2, :2] + (die.x, die.y)
    return found


def _overlap(one: _Die, other: _Die) -> bool:
    """Return whether two squares overlap: then no axis of either separates them."""
    if np.hypot(one.x - other.x, one.y - other.y) > (one.side + other.side) * 0.71:
        return False
    a, b = _corners(one), _corners(other)
    for yaw in (one.yaw, other.yaw):
        for axis in _about_z(yaw)[:2, :2]:
            p, q = a @ axis, b @ axis
            if p.max() <= q.min() + 1e-3 or q.max() <= p.min() + 1e-3:
                return False
    return True


def _seen(die: _Die, camera: _Camera) -> SeenDie:
    x, y, scale = camera.pixel(np.array([die.x, die.y, die.side], np.float32))
    return SeenDie(float(x), float(y), float(scale * die.side / np.sqrt(2)), die.faces[4])


def _noise(random: Random, places: Array, size: float, octaves: int = 4, stretch: float = 1) -> Array:
    """Return smooth noise from 0 to 1 over places of the table, from a lattice of random values."""
    found = np.zeros(places.shape[:-1], np.float32)
    for octave in range(octaves):
        lattice = random.random((64, 64), np.float32)
        scaled = places[..., :2] * np.array([1, stretch], np.float32) * (2**octave / size) + random.uniform(0, 64, 2)
        cell = np.floor(scaled)
        part = (scaled - cell).astype(np.float32)
        part = part * part * (3 - 2 * part)
        i, j = (cell[..., at].astype(np.int64) % 63 for at in (0, 1))
        a, b, c, d = lattice[j, i], lattice[j, i + 1], lattice[j + 1, i], lattice[j + 1, i + 1]
        top, bottom = a + (b - a) * part[..., 0], c + (d - c) * part[..., 0]
        found += (top + (bottom - top) * part[..., 1]) * np.float32(0.5 ** (octave + 1))
    return found / np.float32(1 - 0.5**octaves)


def _turned_places(random: Random, ground: Array) -> Array:
    turned: Array = ground[..., :2] @ _about_z(random.uniform(0, 2 * np.pi))[:2, :2].astype(np.float32)
    return turned


_TABLES = {
    "plain": 0.2,
    "wood": 0.22,
    "cloth": 0.16,
    "tiles": 0.07,
    "marble": 0.1,
    "print": 0.07,
    "dots": 0.03,
    "planks": 0.09,
    "carpet": 0.06,
}
"""The kinds of table, and how often they come."""


def _table(random: Random, ground: Array) -> Array:
    """Return the colours of the table: wood, cloth, tiles, marble, print, dots, or plain."""
    places = _turned_places(random, ground)
    u, v = places[..., 0], places[..., 1]
    kind = random.choice(list(_TABLES), p=list(_TABLES.values()))
    base = _colour(random) if random.random() < 0.4 else np.float32(random.uniform(0.06, 0.95)) * np.ones(3, np.float32)
    other = np.clip(base + random.normal(0, 0.25, 3), 0, 1).astype(np.float32)
    if kind in ("wood", "planks"):
        base = (
            random.uniform(0.25, 0.95) * np.array([1, random.uniform(0.6, 0.85), random.uniform(0.3, 0.65)])
        ).astype(np.float32)
        other = base * np.float32(random.uniform(0.5, 0.9))
        rings = _noise(random, places, random.uniform(1, 4), 4, random.uniform(4, 14))
        mix = np.abs(np.sin(rings * random.uniform(6, 30)))
    elif kind == "cloth":
        size = random.uniform(0.03, 0.15)
        mix = 0.5 + 0.25 * np.sin(u / size * 6.28) + 0.25 * np.sin(v / size * 6.28)
        mix = mix * 0.6 + 0.4 * _noise(random, places, random.uniform(0.1, 0.6), 2)
        other = (base * random.uniform(0.6, 0.95)).astype(np.float32)
    elif kind == "tiles":
        size, line = random.uniform(0.3, 3), random.uniform(0.02, 0.12)
        mix = ((u / size % 1 < line) | (v / size % 1 < line)).astype(np.float32)
    elif kind == "print":
        row, word = random.uniform(0.12, 0.5), random.uniform(0.1, 0.5)
        dark = _noise(random, np.stack([u / word, np.floor(v / row)], -1), 1, 1) > random.uniform(0.35, 0.6)
        mix = (dark & (v / row % 1 < 0.55)).astype(np.float32)
    elif kind == "carpet":
        mix = (_noise(random, places, random.uniform(0.4, 2), 3) > 0.5).astype(np.float32)
        third = _noise(random, places, random.uniform(0.3, 2), 2)[..., None] > 0.6
        base, other = np.where(third, _colour(random), base), _colour(random)
    elif kind == "dots":
        size = random.uniform(0.25, 1.5)
        mix = (np.hypot(u / size % 1 - 0.5, v / size % 1 - 0.5) < random.uniform(0.12, 0.35)).astype(np.float32)
    else:
        mix = _noise(random, places, random.uniform(0.5, 8), 4)
        other = (base * random.uniform(0.75, 1.1)).astype(np.float32) if kind == "plain" else other
    table = base + (other - base) * mix[..., None].astype(np.float32)
    if kind == "planks":
        size = random.uniform(0.8, 4)
        table = table * np.where(v / size % 1 < 0.03, 0.4, 0.85 + 0.3 * _noise(random, np.floor(places / size), 1, 1))[
            ..., None
        ].astype(np.float32)
    if random.random() < 0.5:
        table = table * (0.9 + 0.2 * _noise(random, places, random.uniform(0.03, 0.3), 3))[..., None]
    found: Array = np.clip(table, 0, 1).astype(np.float32)
    return found


def _things(random: Random, drawn: Array, ground: Array, placed: Sequence[_Die], camera: _Camera) -> list[SeenDie]:
    """Lay things on the table that are no dice: coins, cards, dominoes, coasters, pens, dots and signs.

    Return what looks like a die.
    """
    height, width, _ = drawn.shape
    decoys = list[SeenDie]()
    if random.random() < 0.45 and placed:
        return decoys
    for _ in range(int(random.integers(1, 9))):
        x, y = camera.ground(random.uniform(0, width), random.uniform(0, height))[:2].tolist()
        if any(np.hypot(die.x - x, die.y - y) < die.side * 1.3 for die in placed):
            continue
        turned = _about_z(random.uniform(0, 7))[:2, :2].astype(np.float32)
        places = (ground[..., :2] - np.array([x, y], np.float32)) @ turned
        u, v = places[..., 0], places[..., 1]
        for *spot, half in _THINGS[int(random.integers(len(_THINGS)))](random, drawn, u, v):
            across, down = turned @ np.array(spot)
            px, py, scale = camera.pixel(np.array([x + across, y + down, 0], np.float32))
            decoys.append(SeenDie(float(px), float(py), float(half * np.sqrt(2) * scale), 0))
    return decoys


_Spots = Sequence[tuple[float, float, float]]
"""The places on a thing that look like the upper face of a die: to the right, down, and half of a side."""


def _lay(drawn: Array, where: npt.NDArray[np.bool_], colour: Array) -> None:
    drawn[where] = colour


def _coin(random: Random, drawn: Array, u: Array, v: Array) -> _Spots:
    radius, away = random.uniform(0.3, 0.8), np.hypot(u, v)
    colour = (random.uniform(0.3, 0.85) * np.array([1, random.uniform(0.7, 1), random.uniform(0.4, 1)])).astype(
        np.float32
    )
    _lay(drawn, away < radius, colour)
    _lay(drawn, (away < radius * 0.92) & (away > radius * 0.82), colour * np.float32(random.uniform(0.6, 1.2)))
    relief = _noise(random, np.stack([u, v], -1), radius * 0.5, 3) > 0.55
    _lay(drawn, relief & (away < radius * 0.7), colour * np.float32(random.uniform(0.5, 1.3)))
    return [(0, 0, 0.8 * radius)]


def _card(random: Random, drawn: Array, u: Array, v: Array) -> _Spots:
    half = random.uniform(0.5, 2.2, 2)
    inside = (np.abs(u) < half[0]) & (np.abs(v) < half[1])
    _lay(
        drawn,
        inside,
        (np.ones(3) * random.uniform(0.6, 1) if random.random() < 0.6 else _colour(random)).astype(np.float32),
    )
    ink = _colour(random) * np.float32(random.uniform(0.1, 0.9))
    size = random.uniform(0.08, 0.4)
    for _ in range(int(random.integers(0, 7))):
        x, y = random.uniform(-0.8, 0.8, 2) * half
        shape = np.hypot(u - x, v - y) if random.random() < 0.5 else np.maximum(np.abs(u - x), np.abs(v - y) * 3)
        _lay(drawn, inside & (shape < size), ink)
    return []


def _domino(random: Random, drawn: Array, u: Array, v: Array) -> _Spots:
    half = random.uniform(0.4, 0.8)
    light, dark = np.full(3, random.uniform(0.7, 1), np.float32), np.full(3, random.uniform(0, 0.2), np.float32)
    body, pip = (light, dark) if random.random() < 0.6 else (dark, light)
    if random.random() < 0.5:
        pip = _colour(random)
    _lay(drawn, (np.abs(u) < half) & (np.abs(v) < 2 * half), body)
    _lay(drawn, (np.abs(u) < half * 0.9) & (np.abs(v) < half * random.uniform(0.03, 0.08)), pip)
    for middle in (-half, half):
        for across, down in PIPS.get(int(random.integers(0, 7)), ()):
            away = np.hypot(u - across * half * 0.5, v - middle - down * half * 0.5)
            _lay(drawn, away < half * 0.18, pip)
    return [(0, -half, half), (0, half, half)]


def _disc(random: Random, drawn: Array, u: Array, v: Array) -> _Spots:
    away, radius = np.hypot(u, v), random.uniform(0.8, 3)
    colour, ink = _colour(random), _colour(random)
    _lay(drawn, away < radius, colour)
    for _ in range(int(random.integers(0, 4))):
        at = random.uniform(0.1, 1)
        _lay(drawn, np.abs(away / radius - at) < random.uniform(0.01, 0.06), ink)
    return [(0, 0, 0.5 * radius)]


def _pen(random: Random, drawn: Array, u: Array, v: Array) -> _Spots:
    thick, long = random.uniform(0.05, 0.3), random.uniform(1, 5)
    round_body = np.sqrt(np.clip(1 - (v / thick) ** 2, 0, 1))[..., None]
    inside = (np.abs(u) < long) & (np.abs(v) < thick)
    drawn[inside] = (_colour(random) * (0.5 + 0.5 * round_body)[inside]).astype(np.float32)
    return []


def _dots(random: Random, drawn: Array, u: Array, v: Array) -> _Spots:
    size, ink = random.uniform(0.05, 0.35), _colour(random) * np.float32(random.uniform(0, 1))
    for _ in range(int(random.integers(1, 8))):
        x, y = random.normal(0, 1.2, 2)
        _lay(drawn, np.hypot(u - x, v - y) < size, ink)
    return [(0, 0, 1.2)]


def _block(random: Random, drawn: Array, u: Array, v: Array) -> _Spots:
    """Lay a square with a sign that is no pips, as on dice with numbers."""
    half = random.uniform(0.35, 0.9)
    colour, ink = _colour(random), np.full(3, random.choice([0.05, 0.95]), np.float32)
    if random.random() < 0.4:
        colour = np.full(3, random.uniform(0.7, 1), np.float32)
    _lay(drawn, np.maximum(np.abs(u), np.abs(v)) < half, colour)
    for _ in range(int(random.integers(0, 4))):
        x, y = random.uniform(-0.4, 0.4, 2) * half
        wide, high = random.uniform(0.06, 0.5, 2) * half
        _lay(drawn, (np.abs(u - x) < wide) & (np.abs(v - y) < high), ink)
    return [(0, 0, half)]


_THINGS: Sequence[Callable[[Random, Array, Array, Array], _Spots]] = (
    _coin,
    _coin,
    _card,
    _card,
    _domino,
    _disc,
    _pen,
    _dots,
    _block,
)


def _shade(random: Random, ground: Array, placed: Sequence[_Die], light: _Light) -> Array:
    """Return how bright each place of the table is, with the soft shadows of the dice."""
    found = np.ones(ground.shape[:2], np.float32)
    lights = [_unit(light.towards + np.array([*random.normal(0, light.soft, 2), 0], np.float32)) for _ in range(4)]
    for die in placed:
        x, y = ground[..., 0] - die.x, ground[..., 1] - die.y
        away = np.hypot(x, y)
        close = np.nonzero(away < die.side * 1.05)
        corner = np.exp(-np.maximum(away[close] / die.side - 0.55, 0) / 0.12) * 0.35
        reach = np.array([[0, 0], *[-towards[:2] / towards[2] for towards in lights]]) * die.side
        low, high = reach.min(0) - 0.75 * die.side, reach.max(0) + 0.75 * die.side
        near = np.nonzero((x > low[0]) & (x < high[0]) & (y > low[1]) & (y < high[1]))
        lit = np.zeros(near[0].size, np.float32)
        for towards in lights:
            lit += ~_hit(die, ground[near], towards[None])[0]
        found[near] *= light.ambient + (1 - light.ambient) * lit / len(lights)
        found[close] *= 1 - corner
    return found


def _ordered(one: Array, two: Array) -> tuple[Array, Array]:
    return np.minimum(one, two), np.maximum(one, two)


def _hit(die: _Die, places: Array, rays: Array) -> tuple[npt.NDArray[np.bool_], Array, npt.NDArray[np.int64], Array]:
    """Return whether rays from places meet the die, the distances, which slab they enter by, and the local points.

    The shapes of places and rays end with 3. Slabs are numbered 0 to 2, and 3 is the sphere.
    """
    start = (places - np.array([die.x, die.y, die.side / 2], np.float32)) @ die.turned.T / np.float32(die.side)
    along = rays @ die.turned.T / np.float32(die.side)
    along = np.where(np.abs(along) < 1e-6, np.float32(1e-6), along)
    one, two = (-0.5 - start) / along, (0.5 - start) / along
    (e0, l0), (e1, l1), (e2, l2) = [_ordered(one[..., axis], two[..., axis]) for axis in range(3)]
    square, mixed = (along * along).sum(-1), (start * along).sum(-1)
    rest = mixed * mixed - square * ((start * start).sum(-1) - np.float32(die.look.round_at**2))
    root = np.sqrt(np.maximum(rest, 0))
    ball = (-mixed - root) / square
    slab = np.maximum(np.maximum(e0, e1), e2)
    first = np.maximum(slab, ball)
    last = np.minimum(np.minimum(np.minimum(l0, l1), l2), (-mixed + root) / square)
    met = (rest > 0) & (first < last) & (last > 0)
    by = np.where(ball > slab, 3, np.where(e0 == slab, 0, np.where(e1 == slab, 1, 2)))
    return met, first, by, start + along * first[..., None]


def _around(random: Random) -> Array:
    """Return a small map of how bright the surroundings are, which glossy faces mirror."""
    return np.clip(random.normal(0.3, 0.35, (4, 4)), 0, 1.2).astype(np.float32)


def _draw(drawn: Array, die: _Die, camera: _Camera, light: _Light, around: Array) -> None:
    """Draw a die over the picture, with four rays for each pixel."""
    height, width, _ = drawn.shape
    corners = [camera.pixel(np.array([x, y, z], np.float32)) for x, y in _corners(die) for z in (0, die.side)]
    xs, ys = [each[0] for each in corners], [each[1] for each in corners]
    left, right = max(0, int(min(xs)) - 3), min(width, int(max(xs)) + 4)
    top, bottom = max(0, int(min(ys)) - 3), min(height, int(max(ys)) + 4)
    if left >= right or top >= bottom:
        return
    columns, rows = (np.arange(low + 0.25, high, 0.5) for low, high in ((left, right), (top, bottom)))
    x, y = np.meshgrid(columns.astype(np.float32), rows.astype(np.float32))
    rays = camera.rays(x, y)
    met, _, by, local = _hit(die, camera.place, rays)
    colours = np.zeros((*met.shape, 3), np.float32)
    hit = np.nonzero(met)
    colours[hit] = _shown(die, (local[hit], by[hit], rays[hit]), light, around)
    clear = np.float32(die.look.clear)
    seen = met.astype(np.float32).reshape(bottom - top, 2, right - left, 2).mean((1, 3))[..., None]
    mean = colours.reshape(bottom - top, 2, right - left, 2, 3).mean((1, 3))
    under = drawn[top:bottom, left:right]
    drawn[top:bottom, left:right] = under * (1 - seen * (1 - clear)) + mean * (1 - clear)


def _shown(die: _Die, hits: tuple[Array, npt.NDArray[np.int64], Array], light: _Light, around: Array) -> Array:
    """Return the colours at local points of a die, which rays met by these slabs."""
    local, by, rays = hits
    look = die.look
    flat = np.where(by < 3, by, np.abs(local).argmax(-1)).astype(np.int64)
    many = np.arange(len(local))
    up = local[many, flat] > 0
    normal = np.zeros_like(local)
    normal[many, flat] = np.where(up, 1, -1)
    others = np.array([[1, 2], [0, 2], [0, 1]])[flat]
    u, v = local[many, others[:, 0]], local[many, others[:, 1]]
    for at, part in ((0, u), (1, v)):  # rounded edges
        bend = np.clip((np.abs(part) - (0.5 - look.bevel)) / look.bevel, 0, 1)
        normal[many, others[:, at]] += np.sign(part) * bend * bend
    sphere = local / np.linalg.norm(local, axis=-1, keepdims=True)
    normal = np.where((by == 3)[:, None], sphere, normal)
    colour = np.broadcast_to(look.body, local.shape).copy()
    if look.grain:
        rings = np.sin((local[:, 0] * 1.0 + local[:, 1] * 0.3) * 40 + 6 * np.sin(local[:, 2] * 5))
        colour *= (1 + look.grain * rings)[:, None]
    number = 2 * flat + ~up
    for at, face in enumerate(die.faces):
        here = np.nonzero(number == at)[0]
        if not here.size:
            continue
        radius, ink = (look.one_radius, look.one) if face == 1 else (look.pip_radius, look.pip)
        p, q = (u[here], v[here]) if not die.flips[at] else (v[here], -u[here])
        along = look.nearer[0] if face in (2, 3) else 1.0
        apart = look.nearer[1] if face == 6 else along
        for across, down in PIPS[face]:
            dx, dy = p - across * look.spread * apart, q - down * look.spread * along
            inside = dx * dx + dy * dy < radius * radius
            spots = here[inside]
            colour[spots] = ink
            hollow = -0.6 / radius
            one, two = (dx, dy) if not die.flips[at] else (-dy, dx)
            normal[spots, others[spots, 0]] += hollow * one[inside]
            normal[spots, others[spots, 1]] += hollow * two[inside]
    normal = normal @ die.turned / np.linalg.norm(normal, axis=-1, keepdims=True)
    lit = np.clip(normal @ light.towards, 0, 1)
    bright = light.ambient * (0.75 + 0.25 * normal[:, 2]) + (1 - light.ambient) * lit
    view = rays / np.linalg.norm(rays, axis=-1, keepdims=True)
    mirrored = view - 2 * (view * normal).sum(-1, keepdims=True) * normal
    shine = np.clip((mirrored * light.towards).sum(-1), 0, 1) ** 30
    cell = np.clip((mirrored[:, :2] + 1) * 2, 0, 3.999).astype(np.int64)
    glint = look.gloss * (shine + 0.3 * around[cell[:, 0], cell[:, 1]])
    shown: Array = colour * bright[:, None] + glint[:, None].astype(np.float32)
    return shown


def _finger(random: Random, drawn: Array, x: Array, y: Array) -> None:
    """Draw a thumb that reaches into the picture from an edge."""
    height, width, _ = drawn.shape
    long = max(width, height)
    end = random.uniform(0.05, 0.95, 2) * (width, height)
    edge = int(random.integers(4))
    start = np.array([(0, end[1]), (width, end[1]), (end[0], 0), (end[0], height)][edge])
    end = start + (end - start) * random.uniform(0.1, 0.5)
    way = end - start
    part = np.clip(((x - start[0]) * way[0] + (y - start[1]) * way[1]) / max(1, float(way @ way)), 0, 1)
    away = np.hypot(x - start[0] - part * way[0], y - start[1] - part * way[1]) / (long * random.uniform(0.03, 0.1))
    skin = (random.uniform(0.3, 0.95) * np.array([1, 0.76, 0.65])).astype(np.float32)
    inside = away < 1
    drawn[inside] = skin * (1 - 0.4 * away[inside, None] ** 2)


def _taken(random: Random, drawn: Array) -> npt.NDArray[np.uint8]:
    """Return the picture as a camera takes it: uneven light, colour, blur, noise, and 8 bits."""
    height, width, _ = drawn.shape
    across, down = np.meshgrid(
        np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)
    )
    slope = random.normal(0, 0.18, 2)
    uneven = 1 + slope[0] * across + slope[1] * down - random.uniform(0, 0.25) * (across**2 + down**2)
    if random.random() < 0.15:  # the glare of a lamp on the table
        spot = random.uniform(-1, 1, 2)
        uneven = uneven + random.uniform(0.2, 1) * np.exp(
            -((across - spot[0]) ** 2 + (down - spot[1]) ** 2) / random.uniform(0.02, 0.3)
        )
    if random.random() < 0.12:  # the edge of a shadow
        angle = random.uniform(0, 7)
        edge = across * np.cos(angle) + down * np.sin(angle) - random.uniform(-0.5, 0.5)
        uneven = uneven * (1 - random.uniform(0.2, 0.6) / (1 + np.exp(-edge / random.uniform(0.005, 0.1))))
    warm = np.exp(random.normal(0, 0.1, 3))
    taken = drawn * uneven[..., None] * warm * np.exp(random.normal(0.05, 0.25))
    blur = abs(random.normal(0, 0.8)) if random.random() < 0.7 else random.uniform(0, 2.2)
    taken = _blurred(taken, blur, 0)
    if random.random() < 0.15:
        taken = _blurred(_blurred(taken, random.uniform(0, 2.5), 1), random.uniform(0, 2.5), 2)
    if random.random() < 0.5:  # sharpened, as most phones do
        taken = taken + random.uniform(0.2, 1.4) * (taken - _blurred(taken, random.uniform(0.6, 1.6), 0))
    taken = np.clip(taken, 0, 1) ** random.uniform(0.65, 1.25)
    if random.random() < 0.15:
        taken = taken * random.uniform(0.4, 0.9) + random.uniform(0, 0.15)
    if random.random() < 0.1:
        taken = np.repeat(taken.mean(-1, keepdims=True), 3, -1)
    rough = random.normal(0, 1, taken.shape) * abs(random.normal(0, 0.022))
    if random.random() < 0.5:
        rough = _blurred(rough, 0.7, 0) * 2
    found: npt.NDArray[np.uint8] = (np.clip(taken + rough, 0, 1) * 255).round().astype(np.uint8)
    return found


def _blurred(taken: Any, sigma: float, way: int) -> Any:
    """Return the pixels blurred by a Gaussian: both ways if ``way`` is 0, else down (1) or across (2)."""
    if sigma < 0.2:
        return taken
    reach = int(3 * sigma + 1)
    weights = np.exp(-(np.arange(-reach, reach + 1) ** 2) / (2 * sigma * sigma))
    weights = (weights / weights.sum()).astype(np.float32)
    for axis in (0, 1):
        if way in (0, axis + 1):
            padded = np.pad(taken, [(reach, reach) if each == axis else (0, 0) for each in range(3)], "edge")
            long = taken.shape[axis]
            taken = sum(
                weight * (padded[at : at + long] if axis == 0 else padded[:, at : at + long])
                for at, weight in enumerate(weights)
            )
    return taken
