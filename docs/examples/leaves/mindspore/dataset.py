from pathlib import Path

import mindport_helpers as helpers
import mindspore
import numpy as np
from PIL import Image

MEAN, STD = (0.73, 0.76, 0.72), (0.24, 0.17, 0.26)


class LeafDataset(helpers.Dataset):
    """Pictures in a folder for each kind."""

    def __init__(self, root, transform=None, target_transform=None):
        self.classes = sorted(path.name for path in Path(root).iterdir() if path.is_dir())
        self.class_to_idx = {name: index for index, name in enumerate(self.classes)}
        self.samples = [
            (path, self.class_to_idx[name]) for name in self.classes for path in sorted((Path(root) / name).glob("*.png"))
        ]
        self.transform = transform
        self.target_transform = target_transform

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, index):
        path, label = self.samples[index]
        with Image.open(path) as image:
            image = image.convert("RGB")
        if self.transform:
            image = self.transform(image)
        if self.target_transform:
            label = self.target_transform(label)
        return {"image": image, "label": label, "name": path.stem}


class Mixup:
    """Collates samples, and mixes each with another of the batch."""

    def __init__(self, num_classes, alpha):
        self.num_classes, self.alpha = num_classes, alpha

    def __call__(self, samples):
        images = helpers.stack([sample["image"] for sample in samples])
        labels = helpers.tensor([sample["label"] for sample in samples])
        targets = mindspore.ops.one_hot(labels, self.num_classes).float()
        share = float(np.random.beta(self.alpha, self.alpha))
        order = helpers.randperm(len(samples))
        return share * images + (1 - share) * images[order], share * targets + (1 - share) * targets[order]


def collate(samples):
    images, labels, names = zip(*(sample.values() for sample in samples))
    return helpers.stack(images), helpers.as_tensor(labels), list(names)


def build_loaders(root, batch_size, size=24, alpha=0.4, seed=0, **kwargs):
    normalize = helpers.NormalizeImage(MEAN, STD)
    augment = helpers.Compose([
        helpers.RandomResizedCrop(size, scale=(0.6, 1.0)),
        helpers.RandomHorizontalFlip(),
        helpers.RandomApply([helpers.ColorJitter(0.2, 0.2, 0.1)], p=0.5),
        helpers.ToTensor(),
        normalize,
        helpers.RandomErasing(p=0.25),
    ])
    plain = helpers.Compose([helpers.Resize((size, size)), helpers.ToTensor(), normalize])
    train, valid = LeafDataset(root, augment), LeafDataset(root, plain)
    order = np.random.default_rng(seed).permutation(len(train)).tolist()
    held_out = len(order) // 4
    loader = helpers.DataLoader(
        helpers.Subset(train, order[held_out:]), batch_size, shuffle=True, drop_last=True,
        collate_fn=Mixup(len(train.classes), alpha), pin_memory=mindspore.get_context('device_target') != 'CPU',
        **kwargs,
    )
    valid_loader = helpers.DataLoader(helpers.Subset(valid, order[:held_out]), batch_size, collate_fn=collate, **kwargs)
    return loader, valid_loader, train.classes
