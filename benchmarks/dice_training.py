"""Trains the two networks with which a phone reads dice, and writes their weights as ``dice_reader.bin``.

All pictures are drawn (``tests/support/rendered_dice.py``): no photograph is used. The networks, their input and their
output are described in ``dice_reader.js``. The weights of the product come from four such runs (decision 28).
Needs torch, which is no dependency of the project.

    python -m benchmarks.dice_training --folder FOLDER [--pictures 6000] [--steps 6000] [--to FILE]

The folder keeps the cut places of the drawn pictures. With 6,000 pictures it takes 2 GB, and the whole training two
hours on two cores.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.rendered_dice import Picture, SeenDie, picture

FILE = Path(__file__).parents[1] / "src/pubdice/server/web/static/dice_reader.bin"
FINDER, READER = "finder", "reader"
FIND_SIDE, CELL, HOME = 96, 4, 10.0  # pixels a side of a cut for the finder, and of a cell; the radius it expects
KNOWN, UNSURE = (7.2, 13.6), (5.0, 20.0)  # radii that the finder must find, and beyond those radii must not find
READ_SIDE, WIDE = 48, 1.6  # pixels a side of a cut for the reader, and half of that in radii of the die
FINDS, READS = 6, 3  # cuts for the finder from each picture, and for the reader from each die
TOGETHER = 50  # pictures in a file
FIRST_SEED = 1_000_000  # the law over drawn pictures uses small seeds
BATCH = {FINDER: 64, READER: 192}
FACES = 7  # the six faces, and 0 for no die
Cut = tuple[npt.NDArray[np.uint8], Any, Any]


def main() -> None:
    """Draw what is not drawn yet, train, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--pictures", type=int, default=6000)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--only", choices=(FINDER, READER))
    parser.add_argument("--to", type=Path, default=FILE)
    options = parser.parse_args()
    draw(options.folder, options.pictures)
    if not options.steps:
        return
    for name in (FINDER, READER):
        if options.only in (None, name):
            train(options.folder, name, options.steps)
    write(options.folder, options.to)


def draw(folder: Path, pictures: int) -> None:
    """Draw pictures, and keep the cuts of each ``TOGETHER`` pictures in a file."""
    folder.mkdir(parents=True, exist_ok=True)
    starts = [at for at in range(0, pictures, TOGETHER) if not (folder / f"{at}.npz").exists()]
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        for at, _ in enumerate(pool.map(partial(_draw, folder), starts)):
            print(f"{(at + 1) * TOGETHER} of {len(starts) * TOGETHER} pictures", flush=True)


def _draw(folder: Path, start: int) -> None:
    cuts = dict[str, list[Cut]]({FINDER: [], READER: []})
    for at in range(start, start + TOGETHER):
        random, drawn = np.random.default_rng((FIRST_SEED, at)), picture(FIRST_SEED + at)
        cuts[FINDER] += _for_finder(random, drawn)
        cuts[READER] += _for_reader(random, drawn)
    kept = {f"{name}{part}": np.stack([cut[part] for cut in cuts[name]]) for name in cuts for part in range(3)}
    beside = folder / f"{start}.new.npz"
    np.savez(beside, allow_pickle=False, **kept)
    beside.rename(folder / f"{start}.npz")


def cut_out(
    pixels: npt.NDArray[np.uint8], middle: tuple[float, float], half: float, side: int, angle: float = 0
) -> npt.NDArray[np.uint8]:
    """Return a square of a picture, ``2 * half`` wide, as ``side`` pixels a side. ``angle`` turns it."""
    (x, y), (height, width, _) = middle, pixels.shape
    step = 2 * half / side
    fine = min(6, max(1, int(np.ceil(step))))
    along = ((np.arange(side * fine) + 0.5) / fine - side / 2) * step
    across, down = np.meshgrid(along, along)
    px = np.clip(x + across * np.cos(angle) - down * np.sin(angle) - 0.5, 0, width - 1)
    py = np.clip(y + across * np.sin(angle) + down * np.cos(angle) - 0.5, 0, height - 1)
    left, top = np.minimum(px.astype(int), width - 2), np.minimum(py.astype(int), height - 2)
    right, low = (px - left)[..., None], (py - top)[..., None]
    above = pixels[top, left] * (1 - right) + pixels[top, left + 1] * right
    below = pixels[top + 1, left] * (1 - right) + pixels[top + 1, left + 1] * right
    fines = (above * (1 - low) + below * low).reshape(side, fine, side, fine, 3)
    found: npt.NDArray[np.uint8] = np.round(fines.mean((1, 3))).astype(np.uint8)
    return found


def _for_finder(random: np.random.Generator, drawn: Picture) -> Iterator[Cut]:
    """Yield cuts with what the finder should say of each cell: certainty, the way to the die and its size."""
    height, width, _ = drawn.pixels.shape
    middles = np.arange(0, FIND_SIDE, CELL) + CELL / 2
    across, down = np.meshgrid(middles, middles)
    for _ in range(FINDS):
        if drawn.dice and random.random() < 0.75:
            die = drawn.dice[int(random.integers(len(drawn.dice)))]
            scale = random.uniform(7, 14) / die.radius
            x, y = random.uniform(-40, 40, 2) / scale + (die.x, die.y)
        else:
            scale = np.exp(random.uniform(np.log(0.1), np.log(0.8)))
            x, y = random.uniform(0, 1, 2) * (width, height)
        wanted = np.zeros((4, len(middles), len(middles)), np.float16)
        counts = np.ones(wanted.shape[1:], np.uint8)
        for die in drawn.dice:
            at_x, at_y = ((die.x - x) * scale + FIND_SIDE / 2, (die.y - y) * scale + FIND_SIDE / 2)
            radius, away = die.radius * scale, np.hypot(across - at_x, down - at_y)
            if KNOWN[0] <= radius <= KNOWN[1]:
                near = np.exp(-((away / (radius * 0.42)) ** 2) / 2)
                best = near > wanted[0]
                wanted[0] = np.maximum(wanted[0], near)
                for part, value in enumerate(((at_x - across) / 8, (at_y - down) / 8), 1):
                    wanted[part][best] = value[best]
                wanted[3][best] = np.log(radius / HOME)
            elif UNSURE[0] <= radius <= UNSURE[1]:
                counts[away < radius * 0.8] = 0
        yield cut_out(drawn.pixels, (x, y), FIND_SIDE / 2 / scale, FIND_SIDE), wanted, counts


def _for_reader(random: np.random.Generator, drawn: Picture) -> Iterator[Cut]:
    """Yield cuts with a face and how the place must be moved: to the right, down, and the logarithm of its growth."""
    height, width, _ = drawn.pixels.shape
    for die in drawn.dice:
        if not (-0.35 * die.radius < die.x < width + 0.35 * die.radius):
            continue
        if not (-0.35 * die.radius < die.y < height + 0.35 * die.radius):
            continue
        for _ in range(READS):
            dx, dy = np.clip(random.normal(0, 0.13, 2), -0.35, 0.35) * die.radius
            grown = float(np.clip(random.normal(0, 0.12), -0.3, 0.3))
            radius, angle = die.radius * np.exp(grown), random.uniform(0, 2 * np.pi)
            back = np.array([-dx, -dy]) / radius
            cos, sin = np.cos(angle), np.sin(angle)
            way = [back[0] * cos + back[1] * sin, -back[0] * sin + back[1] * cos, -grown]
            cut = cut_out(drawn.pixels, (die.x + dx, die.y + dy), radius * WIDE, READ_SIDE, angle)
            yield cut, np.uint8(die.face), np.array(way, np.float32)
    others = list[tuple[float, float, float]]()
    for decoy in drawn.decoys:
        dx, dy = random.normal(0, 0.15, 2) * decoy.radius
        place, radius = (decoy.x + dx, decoy.y + dy), decoy.radius * np.exp(random.normal(0, 0.15))
        if 0 < place[0] < width and 0 < place[1] < height:
            others.append((*place, radius))
    for _ in range(max(2, len(drawn.dice))):
        if drawn.dice and random.random() < 0.75:  # beside a die: its side, half of it, or the gap between two
            die = drawn.dice[int(random.integers(len(drawn.dice)))]
            angle, away = random.uniform(0, 7), random.uniform(0.75, 1.8) * die.radius
            x, y = die.x + away * np.cos(angle), die.y + away * np.sin(angle)
            radius = die.radius * np.exp(random.normal(0, 0.3))
        else:
            x, y = random.uniform(0, 1, 2) * (width, height)
            radius = np.exp(random.uniform(np.log(10), np.log(90)))
        others.append((float(x), float(y), float(radius)))
    for x, y, radius in others:
        if not any(_is_die(die, x, y, radius) for die in drawn.dice):
            cut = cut_out(drawn.pixels, (x, y), radius * WIDE, READ_SIDE, random.uniform(0, 2 * np.pi))
            yield cut, np.uint8(0), np.zeros(3, np.float32)


def _is_die(die: SeenDie, x: float, y: float, radius: float) -> bool:
    near: bool = np.hypot(die.x - x, die.y - y) <= 0.62 * die.radius
    return near and 0.6 < radius / die.radius < 1.7


def network(name: str) -> Any:
    """Return an untrained network of torch. The layers are those of ``dice_reader.js``, with normalised batches."""
    import torch  # noqa: PLC0415  heavy, and not a dependency
    from torch import nn  # noqa: PLC0415

    def convolution(inputs: int, outputs: int, stride: int = 1) -> list[Any]:
        return [nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()]

    def separable(inputs: int, outputs: int, stride: int = 1) -> list[Any]:
        each = nn.Conv2d(inputs, inputs, 3, stride, 1, groups=inputs, bias=False)
        return [each, nn.Conv2d(inputs, outputs, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()]

    torch.manual_seed(0)
    if name == FINDER:
        last = nn.Conv2d(32, 4, 1)
        nn.init.constant_(last.bias, -2)
        deeper = [layer for _ in range(3) for layer in separable(32, 32)]
        return nn.Sequential(*convolution(3, 12, 2), *separable(12, 16), *separable(16, 32, 2), *deeper, last)
    layers = [*convolution(3, 16, 2), *convolution(16, 24), *convolution(24, 32, 2), *convolution(32, 32)]
    whole = [nn.Conv2d(32, 32, READ_SIDE // 4, groups=32), nn.ReLU()]
    return nn.Sequential(*layers, *whole, nn.Conv2d(32, 32, 1), nn.ReLU(), nn.Conv2d(32, FACES + 3, 1))


def train(folder: Path, name: str, steps: int) -> None:
    """Train a network with all cuts of the folder, and keep its state there."""
    import torch  # noqa: PLC0415  heavy, and not a dependency

    files = [np.load(file) for file in sorted(folder.glob("[0-9]*.npz"), key=lambda file: int(file.stem))]
    parts = [torch.from_numpy(np.concatenate([file[f"{name}{part}"] for file in files])) for part in range(3)]
    many = len(parts[0])
    held = torch.arange(many - many // 20, many)[:4096]  # the last pictures are not trained with
    net, loss = network(name), _finder_loss if name == FINDER else _reader_loss
    print(f"{name}: {many} cuts, {sum(each.numel() for each in net.parameters())} weights", flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-3)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, total_steps=steps, pct_start=0.1)
    for step in range(1, steps + 1):
        net.train()
        chosen = torch.randint(0, many - many // 20, (BATCH[name],))
        lost, _ = loss(net, *_varied(name, *[part[chosen] for part in parts]))
        optimiser.zero_grad()
        lost.backward()
        optimiser.step()
        rate.step()
        if step % 500 == 0 or step == steps:
            net.eval()
            with torch.no_grad():
                cuts, *rest = [part[held] for part in parts]
                told = loss(net, _levelled(cuts.permute(0, 3, 1, 2).float() / 255), *rest)[1]
            print(f"{name} {step}: {told}", flush=True)
            torch.save(net.state_dict(), folder / f"{name}.pt")


def _levelled(cuts: Any, uneven: Any = None) -> Any:
    """Return cuts with mean 0 and deviation 1, as dice_reader.js makes them."""
    mean, deviation = cuts.mean((1, 2, 3), keepdim=True), cuts.std((1, 2, 3), keepdim=True, unbiased=False)
    if uneven is not None:  # the finder levels a whole picture, of which a cut is a part
        mean, deviation = mean + uneven[0] * deviation, deviation * uneven[1]
    return (cuts - mean) / (deviation + 0.03)


def _varied(name: str, cuts: Any, one: Any, two: Any) -> tuple[Any, Any, Any]:
    """Return a batch with other light and colours, and mirrored."""
    import torch  # noqa: PLC0415  heavy, and not a dependency

    def each(low: float, high: float) -> Any:
        return torch.empty(len(cuts), 1, 1, 1).uniform_(low, high)

    seen = cuts.permute(0, 3, 1, 2).float() / 255
    ways = one if name == FINDER else two  # the part with directions: right and down change with the picture
    first = 1 if name == FINDER else 0
    ways = ways.float().clone()
    if torch.rand(()) < 0.5:
        seen = seen.flip(3)
        ways = ways.flip(3) if name == FINDER else ways
        two = two.flip(2) if name == FINDER else two
        ways[:, first] *= -1
    if torch.rand(()) < 0.5:
        seen = seen.transpose(2, 3)
        ways = ways.transpose(2, 3) if name == FINDER else ways
        two = two.transpose(1, 2) if name == FINDER else two
        ways = ways[:, [0, 2, 1, 3] if name == FINDER else [1, 0, 2]]
    seen = seen ** torch.exp(each(-0.35, 0.35)) * torch.exp(torch.empty(len(cuts), 3, 1, 1).normal_(0, 0.08))
    if torch.rand(()) < 0.3:
        seen = torch.where(each(0, 1) < 0.25, seen.mean(1, keepdim=True), seen)
    if torch.rand(()) < 0.2:
        seen = seen[:, torch.randperm(3)]
    seen = seen + torch.randn_like(seen) * each(0, 0.05)
    uneven = (torch.randn_like(each(0, 1)) * 0.3, torch.exp(torch.randn_like(each(0, 1)) * 0.25))
    seen = _levelled(seen, uneven if name == FINDER else None)
    return (seen, ways, two) if name == FINDER else (seen, one, ways)


def _finder_loss(net: Any, cuts: Any, wanted: Any, counts: Any) -> tuple[Any, str]:
    """Quality focal loss for the certainty, and a smooth distance for the place."""
    import torch  # noqa: PLC0415  heavy, and not a dependency
    from torch.nn.functional import binary_cross_entropy, smooth_l1_loss  # noqa: PLC0415

    told, wanted = net(cuts), wanted.float()
    sure, near = torch.sigmoid(told[:, 0]).clamp(1e-4, 1 - 1e-4), wanted[:, 0]
    missed = (near - sure) ** 2 * binary_cross_entropy(sure, near, reduction="none") * counts
    weight = near * (near > 0.3)
    off = (smooth_l1_loss(told[:, 1:], wanted[:, 1:], reduction="none").sum(1) * weight).sum() / weight.sum().clamp(1)
    return missed.sum() / len(cuts) / 10 + off, f"missed {missed.sum() / len(cuts):.4f}, off {off:.4f}"


def _reader_loss(net: Any, cuts: Any, faces: Any, ways: Any) -> tuple[Any, str]:
    """Cross-entropy for the face, and a smooth distance for the place."""
    from torch.nn.functional import cross_entropy, smooth_l1_loss  # noqa: PLC0415

    told, faces = net(cuts).flatten(1), faces.long()
    wrong = cross_entropy(told[:, :FACES], faces, label_smoothing=0.05 if net.training else 0)
    dice = (faces > 0).float()
    off = (smooth_l1_loss(told[:, FACES:], ways, reduction="none", beta=0.1).sum(1) * dice).sum() / dice.sum()
    right = (told[:, :FACES].argmax(1) == faces).float().mean()
    return wrong + 2 * off, f"right {right:.4f}, entropy {wrong:.4f}, off {off:.4f}"


def write(folder: Path, to: Path) -> None:
    """Write the weights of both networks as 8-bit numbers. ``layersOf`` in dice_reader.js reads them."""
    import torch  # noqa: PLC0415  heavy, and not a dependency

    scaled, weights = list[bytes](), list[bytes]()
    for name in (FINDER, READER):
        net = network(name)
        net.load_state_dict(torch.load(folder / f"{name}.pt"))
        for scale, bias, rounded in _layers(net.eval()):
            scaled += [scale.astype("<f4").tobytes(), bias.astype("<f4").tobytes()]
            weights.append(rounded.astype(np.int8).tobytes())
    to.write_bytes(b"".join([*scaled, *weights]))
    print(f"{to.name}: {to.stat().st_size} bytes")


def _layers(net: Sequence[Any]) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the scales, biases and rounded weights of each convolution, joined with its normalisation."""
    import torch  # noqa: PLC0415  heavy, and not a dependency

    for layer, after in pairwise([*net, None]):
        if not isinstance(layer, torch.nn.Conv2d):
            continue
        weight = layer.weight.detach().flatten(1)
        bias = torch.zeros(len(weight)) if layer.bias is None else layer.bias.detach()
        if isinstance(after, torch.nn.BatchNorm2d):
            grown = after.weight.detach() / torch.sqrt(after.running_var + after.eps)
            weight, bias = weight * grown[:, None], (bias - after.running_mean) * grown + after.bias.detach()
        scale = weight.abs().amax(1).clamp(1e-8) / 127
        yield scale.numpy(), bias.numpy(), torch.round(weight / scale[:, None]).numpy()


if __name__ == "__main__":
    main()
