import mindport_helpers as helpers
import mindspore
import numpy as np

SEGMENTS = {  # the bars of a seven-segment display: rows and columns
    "top": (slice(2, 4), slice(4, 12)),
    "upper left": (slice(2, 8), slice(4, 6)),
    "upper right": (slice(2, 8), slice(10, 12)),
    "middle": (slice(7, 9), slice(4, 12)),
    "lower left": (slice(8, 14), slice(4, 6)),
    "lower right": (slice(8, 14), slice(10, 12)),
    "bottom": (slice(12, 14), slice(4, 12)),
}
DIGITS = ["1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010", "1111111", "1111011"]


class Digits(helpers.Dataset):
    """Noisy digits of 16 x 16 pixels, drawn on the fly."""

    def __init__(self, length, seed=0, transform=None):
        rng = np.random.default_rng(seed)
        self.labels = rng.integers(0, 10, length)
        self.noise = rng.uniform(0, 0.4, (length, 16, 16))
        self.transform = transform

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        label = int(self.labels[index])
        image = self.noise[index].copy()
        for lit, (rows, columns) in zip(DIGITS[label], SEGMENTS.values()):
            if lit == "1":
                image[rows, columns] += 0.6
        image = mindspore.from_numpy(image).float().unsqueeze(0)
        if self.transform is not None:
            image = self.transform(image)
        return image, label


def normalize(image):
    return (image - 0.3) / 0.25


def build_loaders(batch_size, length):
    train_loader = helpers.DataLoader(Digits(length, transform=normalize), batch_size=batch_size, shuffle=True)
    test_loader = helpers.DataLoader(Digits(length // 4, seed=1, transform=normalize), batch_size=batch_size)
    return train_loader, test_loader
