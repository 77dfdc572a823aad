import numpy as np
import torch.nn.functional as F
import torch.utils.data as data
import torch


def smooth_image(seed, size):
    rng = np.random.RandomState(seed)
    yy, xx = np.mgrid[0:size, 0:size] / size
    image = np.zeros((size, size))
    for _ in range(4):
        fy, fx, phase = rng.uniform(2, 12), rng.uniform(2, 12), rng.uniform(0, 6.28)
        image += np.sin(fy * yy + fx * xx + phase)
    return (image - image.min()) / (image.max() - image.min())


class SyntheticSuperResolution(data.Dataset):
    """Pairs of a small picture and the one it was made from."""

    def __init__(self, count, size, upscale_factor, first_seed=0):
        super(SyntheticSuperResolution, self).__init__()
        self.upscale_factor = upscale_factor
        self.images = [smooth_image(first_seed + n, size) for n in range(count)]

    def __getitem__(self, index):
        target = torch.tensor(self.images[index], dtype=torch.float32).unsqueeze(0)
        input = F.avg_pool2d(target.unsqueeze(0), self.upscale_factor).squeeze(0)
        return input, target

    def __len__(self):
        return len(self.images)


def get_training_set(upscale_factor):
    return SyntheticSuperResolution(16, 24, upscale_factor)


def get_test_set(upscale_factor):
    return SyntheticSuperResolution(6, 24, upscale_factor, first_seed=100)
