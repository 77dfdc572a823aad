"""Synthetic flower pictures: drawn on the fly, so nothing has to be downloaded."""

import math
import random
from typing import Callable, List, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.utils.data import DataLoader, Dataset, WeightedRandomSampler, random_split

MEAN = [0.485, 0.456, 0.406]
STD = [0.229, 0.224, 0.225]


class FlowerDataset(Dataset):
    """Each class is a flower with its own number of petals."""

    def __init__(self, length: int = 256, num_classes: int = 6, image_size: int = 64,
                 transform: Optional[Callable[[Tensor], Tensor]] = None, seed: int = 0):
        super().__init__()
        self.length = length
        self.num_classes = num_classes
        self.image_size = image_size
        self.transform = transform
        generator = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, num_classes, (length,), generator=generator)
        self.phases = torch.rand(length, generator=generator) * 2 * math.pi

        axis = torch.linspace(-1.0, 1.0, image_size)
        yy, xx = torch.meshgrid(axis, axis, indexing="ij")
        self.radius = torch.sqrt(xx ** 2 + yy ** 2)
        self.angle = torch.atan2(yy, xx)

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> Tuple[Tensor, int]:
        label = int(self.labels[index].item())
        image = self._draw(label + 3, self.phases[index])
        if self.transform is not None:
            image = self.transform(image)
        return image, label

    def _draw(self, petals: int, phase: Tensor) -> Tensor:
        # 花瓣的轮廓是极坐标下的一条曲线 r = a + b·cos(kθ)
        outline = 0.55 + 0.3 * torch.cos(petals * self.angle + phase)
        petal = torch.sigmoid((outline - self.radius) * 20)
        heart = (self.radius < 0.18).float()
        red = petal.clamp(0, 1)
        green = torch.where(heart > 0, torch.full_like(heart, 0.8), petal * 0.3)
        blue = torch.maximum(petal * 0.6, heart * 0.1)
        image = torch.stack([red, green, blue], dim=0)
        return (image + torch.randn_like(image) * 0.05).clamp_(0.0, 1.0)


class Compose:
    def __init__(self, transforms: List[Callable[[Tensor], Tensor]]):
        self.transforms = transforms

    def __call__(self, image: Tensor) -> Tensor:
        for transform in self.transforms:
            image = transform(image)
        return image


class RandomCrop:
    def __init__(self, size: int, padding: int = 4):
        self.size = size
        self.padding = padding

    def __call__(self, image: Tensor) -> Tensor:
        image = F.pad(image, [self.padding] * 4, mode="reflect")
        _, height, width = image.shape
        top = torch.randint(0, height - self.size + 1, (1,)).item()
        left = torch.randint(0, width - self.size + 1, (1,)).item()
        return image[:, top:top + self.size, left:left + self.size]


class RandomFlip:
    def __init__(self, p: float = 0.5):
        self.p = p

    def __call__(self, image: Tensor) -> Tensor:
        return image.flip(-1) if random.random() < self.p else image


class RandomErase:
    """随机擦除一块矩形区域"""

    def __init__(self, p: float = 0.25, scale: float = 0.2):
        self.p, self.scale = p, scale

    def __call__(self, image: Tensor) -> Tensor:
        if torch.rand(1).item() > self.p:
            return image
        image = image.clone()
        side = max(1, int(image.size(-1) * self.scale))
        top, left = (torch.randint(image.size(-1) - side + 1, (2,))).tolist()
        image[:, top:top + side, left:left + side] = torch.empty(3, side, side).uniform_()
        return image


class Normalize:
    def __init__(self, mean: List[float] = MEAN, std: List[float] = STD):
        self.mean = torch.tensor(mean).view(-1, 1, 1)
        self.std = torch.tensor(std).view(-1, 1, 1)

    def __call__(self, image: Tensor) -> Tensor:
        return image.sub(self.mean).div_(self.std)


class MixupCollate:
    """Mixes the pictures of a batch in pairs; labels become probabilities."""

    def __init__(self, num_classes: int, alpha: float = 0.2):
        self.num_classes = num_classes
        self.beta = torch.distributions.Beta(alpha, alpha)

    def __call__(self, batch: List[Tuple[Tensor, int]]) -> Tuple[Tensor, Tensor]:
        images = torch.stack([image for image, _ in batch])
        labels = torch.as_tensor([label for _, label in batch], dtype=torch.long)
        targets = F.one_hot(labels, self.num_classes).to(images.dtype)
        weight = self.beta.sample()
        order = torch.randperm(images.size(0))
        images = torch.lerp(images[order], images, weight)
        return images, weight * targets + (1 - weight) * targets[order]


def balanced_sampler(labels: Tensor) -> WeightedRandomSampler:
    counts = torch.bincount(labels).clamp(min=1)
    weights = counts.double().reciprocal()
    return WeightedRandomSampler(weights[labels].tolist(), num_samples=len(labels), replacement=True)


def build_loaders(batch_size: int, num_classes: int = 6, image_size: int = 64, length: int = 256,
                  workers: int = 0, mixup: bool = True) -> Tuple[DataLoader, DataLoader]:
    train_transform = Compose([RandomCrop(image_size), RandomFlip(), RandomErase(), Normalize()])
    train_set = FlowerDataset(length, num_classes, image_size, transform=train_transform)
    held_out = FlowerDataset(length // 2, num_classes, image_size, transform=Normalize(), seed=1)
    val_length = len(held_out) // 2
    val_set, _ = random_split(held_out, [val_length, len(held_out) - val_length])

    pin = torch.cuda.is_available()
    train_loader = DataLoader(
        train_set, batch_size=batch_size, sampler=balanced_sampler(train_set.labels), num_workers=workers,
        collate_fn=MixupCollate(num_classes) if mixup else None, pin_memory=pin, drop_last=True,
    )
    val_loader = DataLoader(val_set, batch_size=batch_size, shuffle=False, num_workers=workers, pin_memory=pin)
    return train_loader, val_loader
