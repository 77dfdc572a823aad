"""torchvision.datasets: small images, of which a few files have all. Nothing is downloaded."""

import bz2
import csv
import gzip
import lzma
import os
import string
from pathlib import Path

import mindspore
import numpy as np
from PIL import Image

# What reads compressed files, by their endings
UNPACKED = {"": bytes, ".gz": gzip.decompress, ".xz": lzma.decompress}


def idx_file(path):
    """Whether a file is there, as it is or compressed: its ending, or None."""
    return next((ending for ending in UNPACKED if os.path.exists(f"{path}{ending}")), None)


def read_idx(path):
    """The array in a file of the format IDX, which MNIST has; also of one that is compressed."""
    ending = idx_file(path)
    data = UNPACKED[ending](Path(f"{path}{ending}").read_bytes())
    kinds = {8: "u1", 9: "i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}
    kind, axes = kinds[data[2]], data[3]
    sizes = np.frombuffer(data, ">u4", axes, 4)
    values = np.frombuffer(data, kind, offset=4 + 4 * axes).reshape(tuple(map(int, sizes)))
    return values.astype(values.dtype.newbyteorder("="))


def part_of(values, index):
    """What a list or a Tensor has at a place, now that it may have been changed: of a Tensor an array."""
    return (values.asnumpy() if isinstance(values, mindspore.Tensor) else values)[index]


class MNIST(VisionDataset):
    """torchvision.datasets.MNIST."""

    training_file = "training.pt"
    test_file = "test.pt"
    classes = [
        f"{digit} - {name}"
        for digit, name in enumerate(
            ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
        )
    ]

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.train = train
        files = [self.images_file, self.labels_file]
        expected_files(self.raw_folder, [file for file in files if idx_file(file) is None], download)
        self.data, self.targets = map(mindspore.Tensor, self.arrays_of_files())

    def arrays_of_files(self):
        """Images and labels as the files have them."""
        return read_idx(self.images_file), read_idx(self.labels_file).astype(np.int64)

    @property
    def images_file(self):
        return os.path.join(self.raw_folder, f"{'train' if self.train else 't10k'}-images-idx3-ubyte")

    @property
    def labels_file(self):
        return os.path.join(self.raw_folder, f"{'train' if self.train else 't10k'}-labels-idx1-ubyte")

    @property
    def train_data(self):
        """The old name of the images, as are the three others of images and labels."""
        return self.data

    test_data = train_data

    @property
    def train_labels(self):
        return self.targets

    test_labels = train_labels

    @property
    def raw_folder(self):
        return os.path.join(self.root, type(self).__name__, "raw")

    @property
    def processed_folder(self):
        return os.path.join(self.root, type(self).__name__, "processed")

    @property
    def class_to_idx(self):
        return numbered(self.classes)

    def __getitem__(self, index):
        image = Image.fromarray(part_of(self.data, index))
        return self.transformed(image, int(part_of(self.targets, index)))

    def __len__(self):
        return len(self.data)

    def extra_repr(self):
        return f"Split: {'Train' if self.train else 'Test'}"


class FashionMNIST(MNIST):
    """torchvision.datasets.FashionMNIST."""

    classes = [
        "T-shirt/top",
        "Trouser",
        "Pullover",
        "Dress",
        "Coat",
        "Sandal",
        "Shirt",
        "Sneaker",
        "Bag",
        "Ankle boot",
    ]


class KMNIST(MNIST):
    """torchvision.datasets.KMNIST."""

    classes = ["o", "ki", "su", "tsu", "na", "ha", "ma", "ya", "re", "wo"]


# The characters where lower case is apart only if it looks different
MERGED_CHARACTERS = sorted(f"{string.digits}{string.ascii_uppercase}abdefghnqrt")


class EMNIST(MNIST):
    """torchvision.datasets.EMNIST: of letters, too."""

    splits = ("byclass", "bymerge", "balanced", "letters", "digits", "mnist")
    classes_split_dict = {
        "byclass": sorted(string.digits + string.ascii_letters),
        "bymerge": MERGED_CHARACTERS,
        "balanced": MERGED_CHARACTERS,
        "letters": ["N/A", *string.ascii_lowercase],
        "digits": list(string.digits),
        "mnist": list(string.digits),
    }

    def __init__(self, root, split, **kwargs):
        self.split = verify_str_arg(split, "split", self.splits)
        self.training_file = f"training_{split}.pt"
        self.test_file = f"test_{split}.pt"
        super().__init__(root, **kwargs)
        self.classes = self.classes_split_dict[split]

    @property
    def _file_prefix(self):
        return f"emnist-{self.split}-{'train' if self.train else 'test'}"

    @property
    def images_file(self):
        return os.path.join(self.raw_folder, f"{self._file_prefix}-images-idx3-ubyte")

    @property
    def labels_file(self):
        return os.path.join(self.raw_folder, f"{self._file_prefix}-labels-idx1-ubyte")


class QMNIST(MNIST):
    """torchvision.datasets.QMNIST: with more of what is known of each digit."""

    subsets = {"train": "train", "test": "test", "test10k": "test", "test50k": "test", "nist": "nist"}

    def __init__(self, root, what=None, compat=True, train=True, **kwargs):
        what = ("train" if train else "test") if what is None else what
        self.what = verify_str_arg(what, "what", self.subsets)
        self.compat = compat
        self.data_file = self.training_file = self.test_file = f"{what}.pt"
        super().__init__(root, train, **kwargs)

    @property
    def _file_prefix(self):
        part = self.subsets[self.what]
        return "xnist" if part == "nist" else f"qmnist-{part}"

    @property
    def images_file(self):
        return os.path.join(self.raw_folder, f"{self._file_prefix}-images-idx3-ubyte")

    @property
    def labels_file(self):
        return os.path.join(self.raw_folder, f"{self._file_prefix}-labels-idx2-int")

    def arrays_of_files(self):
        parts = {"test10k": slice(0, 10000), "test50k": slice(10000, None)}
        chosen = parts.get(self.what, slice(None))
        return [values[chosen] for values in super().arrays_of_files()]

    def __getitem__(self, index):
        image, target = Image.fromarray(part_of(self.data, index)), part_of(self.targets, index)
        return self.transformed(image, int(target[0]) if self.compat else mindspore.Tensor(target))

    def extra_repr(self):
        return f"Split: {self.what}"


class MovingMNIST(VisionDataset):
    """torchvision.datasets.MovingMNIST: sequences of 20 images."""

    def __init__(self, root, split=None, split_ratio=10, download=False, transform=None):
        super().__init__(root, transform=transform)
        if split is not None:
            verify_str_arg(split, "split", ("train", "test"))
        if not isinstance(split_ratio, int):
            raise TypeError(f"split_ratio is a whole number, not {type(split_ratio).__name__}")
        if not 1 <= split_ratio <= 19:
            raise ValueError(f"split_ratio is from 1 to 19, not {split_ratio}")
        self.split = split
        self.split_ratio = split_ratio
        self._base_folder = os.path.join(self.root, type(self).__name__)
        self._filename = "mnist_test_seq.npy"
        expected_files(self._base_folder, [self._filename], download)
        frames = np.load(os.path.join(self._base_folder, self._filename))
        parts = {"train": slice(split_ratio), "test": slice(split_ratio, None)}
        frames = frames[parts.get(split, slice(None))].swapaxes(0, 1)[:, :, None]
        self.data = mindspore.Tensor(np.ascontiguousarray(frames))

    def __getitem__(self, index):
        frames = mindspore.Tensor(part_of(self.data, index))
        return frames if self.transform is None else self.transform(frames)

    def __len__(self):
        return len(self.data)


class ArrayImages(VisionDataset):
    """Images that an array has, `data`, with a label for each."""

    labels_name = "labels"

    def __getitem__(self, index):
        return self.transformed(
            Image.fromarray(self.data[index]), int(getattr(self, self.labels_name)[index])
        )

    def __len__(self):
        return len(self.data)


class USPS(ArrayImages):
    """torchvision.datasets.USPS."""

    labels_name = "targets"
    split_list = {"train": ["", "usps.bz2", ""], "test": ["", "usps.t.bz2", ""]}

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        name = self.split_list["train" if train else "test"][1]
        if download:
            expected_files(self.root, [name], download)
        with bz2.open(os.path.join(self.root, name), "rt", encoding="utf-8") as file:
            rows = [line.split() for line in file]
        values = [[value.rpartition(":")[2] for value in row[1:]] for row in rows]
        images = np.asarray(values, np.float32).reshape((-1, 16, 16))
        self.data = ((images + 1) / 2 * 255).astype(np.uint8)
        self.targets = [int(row[0]) - 1 for row in rows]


class SEMEION(ArrayImages):
    """torchvision.datasets.SEMEION."""

    filename = "semeion.data"

    def __init__(self, root, transform=None, target_transform=None, download=True):
        super().__init__(root, transform=transform, target_transform=target_transform)
        expected_files(self.root, [self.filename], download)
        values = np.loadtxt(os.path.join(self.root, self.filename))
        self.data = (values[:, :256] * 255).astype(np.uint8).reshape((-1, 16, 16))
        self.labels = np.nonzero(values[:, 256:])[1]


class FER2013(VisionDataset):
    """torchvision.datasets.FER2013: faces in tables, of which the first one that is there is read."""

    def __init__(self, root, split="train", transform=None, target_transform=None):
        self._split = verify_str_arg(split, "split", ("train", "test"))
        super().__init__(root, transform=transform, target_transform=target_transform)
        folder = Path(self.root, "fer2013")
        whole = [name for name in ("fer2013.csv", "icml_face_data.csv") if (folder / name).exists()]
        name = whole[0] if whole else f"{split}.csv"
        expected_files(folder, [name], False)
        uses = ("Training",) if split == "train" else ("PublicTest", "PrivateTest")
        with open(folder / name, newline="", encoding="utf-8") as file:
            rows = [{key.strip(): value for key, value in row.items()} for row in csv.DictReader(file)]
        self._samples = [
            (self.image_of(row["pixels"]), int(row["emotion"]) if whole or split == "train" else None)
            for row in rows
            if not whole or row["Usage"] in uses
        ]

    @staticmethod
    def image_of(pixels):
        """The image that a text of numbers has."""
        return mindspore.Tensor(np.array(pixels.split(), np.uint8).reshape((48, 48)))

    def __getitem__(self, index):
        image, target = self._samples[index]
        return self.transformed(Image.fromarray(array_of(image)), target)

    def __len__(self):
        return len(self._samples)

    def extra_repr(self):
        return f"split={self._split}"


class CIFAR10(VisionDataset):
    """torchvision.datasets.CIFAR10."""

    base_folder = "cifar-10-batches-py"
    train_list = [[f"data_batch_{number}"] for number in range(1, 6)]
    test_list = [["test_batch"]]
    meta = {"filename": "batches.meta", "key": "label_names"}

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.train = train
        folder = os.path.join(self.root, self.base_folder)
        names = [entry[0] for entry in (self.train_list if train else self.test_list)]
        expected_files(folder, [*names, self.meta["filename"]], download)
        batches = [read_plain_pickle(os.path.join(folder, name)) for name in names]
        self.targets = [label for batch in batches for label in batch.get("labels", batch.get("fine_labels"))]
        images = np.concatenate([batch["data"] for batch in batches]).reshape((-1, 3, 32, 32))
        self.data = np.ascontiguousarray(images.transpose((0, 2, 3, 1)))
        self.classes = read_plain_pickle(os.path.join(folder, self.meta["filename"]))[self.meta["key"]]
        self.class_to_idx = numbered(self.classes)

    def __getitem__(self, index):
        return self.transformed(Image.fromarray(self.data[index]), self.targets[index])

    def __len__(self):
        return len(self.data)

    def extra_repr(self):
        return f"Split: {'Train' if self.train else 'Test'}"


class CIFAR100(CIFAR10):
    """torchvision.datasets.CIFAR100."""

    base_folder = "cifar-100-python"
    train_list = [["train"]]
    test_list = [["test"]]
    meta = {"filename": "meta", "key": "fine_label_names"}


class STL10(VisionDataset):
    """torchvision.datasets.STL10."""

    base_folder = "stl10_binary"
    splits = ("train", "train+unlabeled", "unlabeled", "test")

    def __init__(
        self, root, split="train", folds=None, transform=None, target_transform=None, download=False
    ):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.split = verify_str_arg(split, "split", self.splits)
        self.folds = folds
        folder = Path(self.root, self.base_folder)
        parts = split.split("+")
        labelled = [part for part in parts if part != "unlabeled"]
        names = [f"{part}_X.bin" for part in parts] + [f"{part}_y.bin" for part in labelled]
        expected_files(folder, names, download)
        images = [np.fromfile(folder / f"{part}_X.bin", np.uint8).reshape((-1, 3, 96, 96)) for part in parts]
        self.data = np.ascontiguousarray(np.concatenate(images).transpose((0, 1, 3, 2)))
        labels = [np.fromfile(folder / f"{part}_y.bin", np.uint8) - np.uint8(1) for part in labelled]
        if "unlabeled" in parts:
            labels.append(np.full(len(self.data) - sum(map(len, labels)), -1, np.int64))
        self.labels = np.concatenate(labels)
        if folds is not None:
            lines = (folder / "fold_indices.txt").read_text(encoding="utf-8").splitlines()
            chosen = np.array(lines[folds].split(), np.int64)
            self.data, self.labels = self.data[chosen], self.labels[chosen]
        names_file = folder / "class_names.txt"
        if names_file.exists():
            self.classes = names_file.read_text(encoding="utf-8").split()

    def __getitem__(self, index):
        image = Image.fromarray(np.transpose(self.data[index], (1, 2, 0)))
        return self.transformed(image, int(self.labels[index]))

    def __len__(self):
        return len(self.data)

    def extra_repr(self):
        return f"Split: {self.split}"


class SVHN(VisionDataset):
    """torchvision.datasets.SVHN."""

    split_list = {split: ["", f"{split}_32x32.mat", ""] for split in ("train", "test", "extra")}

    def __init__(self, root, split="train", transform=None, target_transform=None, download=False):
        from scipy.io import loadmat  # takes long to import

        super().__init__(root, transform=transform, target_transform=target_transform)
        self.split = verify_str_arg(split, "split", self.split_list)
        self.filename = self.split_list[split][1]
        expected_files(self.root, [self.filename], download)
        loaded = loadmat(os.path.join(self.root, self.filename))
        self.data = loaded["X"].transpose((3, 2, 0, 1))
        self.labels = loaded["y"].astype(np.int64).squeeze()
        self.labels[self.labels == 10] = 0

    def __getitem__(self, index):
        image = Image.fromarray(np.transpose(self.data[index], (1, 2, 0)))
        return self.transformed(image, int(self.labels[index]))

    def __len__(self):
        return len(self.data)

    def extra_repr(self):
        return f"Split: {self.split}"
