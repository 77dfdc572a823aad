import math

import torch
from torch.utils.data import DataLoader, Dataset

from .transforms import Compose, Normalize, ToTensor


class Flowers(Dataset):
    def __init__(self, count, size=16, transform=None, offset=0):
        self.count, self.size, self.transform, self.offset = count, size, transform, offset

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        number = index + self.offset
        petals = 3 + number % 4
        pixels = [[self.draw(petals, number * 0.37, y, x) for x in range(self.size)] for y in range(self.size)]
        if self.transform is not None:
            pixels = self.transform(pixels)
        return pixels, number % 4

    def draw(self, petals, phase, y, x):
        half = (self.size - 1) / 2
        dy, dx = (y - half) / half, (x - half) / half
        radius = math.hypot(dx, dy)
        return 1.0 if radius < 0.5 + 0.3 * math.cos(petals * math.atan2(dy, dx) + phase) else 0.0


def build_dataloaders(count, batch_size):
    transform = Compose([ToTensor(), Normalize([0.3], [0.5])])
    train_set = Flowers(count, transform=transform)
    val_set = Flowers(count // 4, transform=transform, offset=10_000)
    generator = torch.Generator()
    generator.manual_seed(0)
    train_loader = DataLoader(train_set, batch_size=batch_size, shuffle=True, drop_last=True, generator=generator)
    val_loader = DataLoader(val_set, batch_size=batch_size * 2, shuffle=False)
    return train_loader, val_loader
