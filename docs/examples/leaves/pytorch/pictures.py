"""Draws pictures of leaves into a folder for each kind, as if they had been collected."""
import math
import random
from pathlib import Path

from PIL import Image, ImageDraw

KINDS = {"birch": (1.4, 0), "ginkgo": (0.8, 2), "maple": (1.0, 5), "willow": (3.2, 0)}  # how long, how many lobes


def draw(kind, rng):
    length, lobes = KINDS[kind]
    width, height = rng.randint(30, 44), rng.randint(30, 44)
    image = Image.new("RGB", (width, height), (rng.randint(190, 240),) * 3)
    turn, radius = rng.uniform(0, 2 * math.pi), 0.4 * min(width, height)
    points = []
    for step in range(48):
        angle = 2 * math.pi * step / 48
        r = radius * (1 - 0.35 * abs(math.sin(lobes * angle / 2)) if lobes else 1)
        x, y = r * math.cos(angle), r * math.sin(angle) / length
        points.append((
            width / 2 + x * math.cos(turn) - y * math.sin(turn),
            height / 2 + x * math.sin(turn) + y * math.cos(turn),
        ))
    ImageDraw.Draw(image).polygon(points, fill=(rng.randint(20, 90), rng.randint(110, 180), rng.randint(20, 70)))
    return image


def collect(root, count, seed=0):
    rng = random.Random(seed)
    for number in range(count):
        kind = rng.choice(sorted(KINDS))
        folder = Path(root) / kind
        folder.mkdir(parents=True, exist_ok=True)
        draw(kind, rng).save(folder / f"{number:04d}.png")
    return Path(root)
