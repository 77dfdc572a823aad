import math

import mindport_helpers as helpers
import mindspore


class Figures(helpers.Dataset):
    """Stick figures whose arms point somewhere; the label is where. Those of another world are mirrored."""

    def __init__(self, count, poses, seed, mirrored=False):
        generator = helpers.Generator().manual_seed(seed)
        self.labels = helpers.randint(poses, (count,), generator=generator)
        self.noise = helpers.rand(count, 3, 32, 32, generator=generator) * 0.3
        self.poses, self.mirrored = poses, mirrored

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        label, image = self.labels[index], mindspore.Tensor.copy(self.noise[index])
        angle = math.pi * (label.item() + 0.5) / self.poses - math.pi / 2
        image[:, 6:26, 15:17] += 0.6
        for length in range(2, 12):
            row = 14 - round(length * math.sin(angle))
            offset = round(length * math.cos(angle))
            image[:, row, [16 - offset, 16 + offset]] += 0.6
        return mindspore.ops.flip(image, (-1,)) if self.mirrored else image, label
