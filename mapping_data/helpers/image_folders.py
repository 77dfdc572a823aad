"""torchvision.datasets: the files that its downloads leave, and folders of images. Nothing is downloaded."""

import gzip
import os
from pathlib import Path

import mindspore
import numpy as np
from PIL import Image


class VisionDataset(Dataset):
    """torchvision.datasets.VisionDataset."""

    _repr_indent = 4

    def __init__(self, root=None, transforms=None, transform=None, target_transform=None):
        if transforms is not None and (transform is not None or target_transform is not None):
            raise ValueError("either transforms or transform and target_transform are given")
        self.root = os.path.expanduser(root) if isinstance(root, str) else root
        self.transform = transform
        self.target_transform = target_transform
        if transform is not None or target_transform is not None:
            transforms = StandardTransform(transform, target_transform)
        self.transforms = transforms

    def __getitem__(self, index):
        raise NotImplementedError("a data set defines __getitem__")

    def __len__(self):
        raise NotImplementedError("a data set defines __len__")

    def transformed(self, image, target):
        """A sample, after the transforms."""
        if self.transform is not None:
            image = self.transform(image)
        return image, target if self.target_transform is None else self.target_transform(target)

    def extra_repr(self):
        return ""

    def __repr__(self):
        lines = [
            f"Number of datapoints: {len(self)}",
            f"Root location: {self.root}",
            *self.extra_repr().splitlines(),
        ]
        return "\n".join([f"Dataset {type(self).__name__}", *(" " * 4 + line for line in lines)])


class StandardTransform:
    """torchvision.datasets.vision.StandardTransform: one for images, one for targets."""

    def __init__(self, transform=None, target_transform=None):
        self.transform = transform
        self.target_transform = target_transform

    def __call__(self, input, target):
        if self.transform is not None:
            input = self.transform(input)
        return input, target if self.target_transform is None else self.target_transform(target)


def expected_files(folder, names, download):
    """Raises RuntimeError where a folder lacks files of a data set."""
    missing = [name for name in names if not (Path(folder) / name).exists()]
    if missing:
        hint = "; nothing is downloaded here, put them there" if download else ""
        raise RuntimeError(f"Dataset not found: {folder} lacks {', '.join(missing)}{hint}")


def read_idx(path):
    """The array in a file of the format IDX, which MNIST has; also of one that is compressed."""
    path = Path(path)
    packed = not path.exists()
    data = gzip.decompress(Path(f"{path}.gz").read_bytes()) if packed else path.read_bytes()
    kinds = {8: "u1", 9: "i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}
    kind, axes = kinds[data[2]], data[3]
    sizes = np.frombuffer(data, ">u4", axes, 4)
    values = np.frombuffer(data, kind, offset=4 + 4 * axes).reshape(tuple(map(int, sizes)))
    return values.astype(values.dtype.newbyteorder("="))


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
        start = "train" if train else "t10k"
        names = [f"{start}-images-idx3-ubyte", f"{start}-labels-idx1-ubyte"]
        lacking = [name for name in names if not os.path.exists(os.path.join(self.raw_folder, f"{name}.gz"))]
        expected_files(self.raw_folder, lacking, download)
        images, labels = (read_idx(os.path.join(self.raw_folder, name)) for name in names)
        self.data = mindspore.Tensor(images)
        self.targets = mindspore.Tensor(labels.astype(np.int64))
        self._arrays = None

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
        return {name: number for number, name in enumerate(self.classes)}

    def arrays(self):
        """Images and targets as arrays, which are made once."""
        if self._arrays is None or self._arrays[0] is not self.data or self._arrays[1] is not self.targets:
            self._arrays = self.data, self.targets, array_of(self.data), array_of(self.targets)
        return self._arrays[2:]

    def __getitem__(self, index):
        images, targets = self.arrays()
        return self.transformed(Image.fromarray(images[index]), int(targets[index]))

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
        self.class_to_idx = {name: number for number, name in enumerate(self.classes)}

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
        if split not in self.splits:
            raise ValueError(f"split is one of {self.splits}, not {split}")
        self.split = split
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
        if split not in self.split_list:
            raise ValueError(f"split is one of {tuple(self.split_list)}, not {split}")
        self.split = split
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


# The endings of files that ImageFolder reads
IMG_EXTENSIONS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")


def pil_loader(path):
    """torchvision.datasets.folder.default_loader: an image of three channels."""
    with open(path, "rb") as file:
        return Image.open(file).convert("RGB")


def has_file_allowed_extension(filename, extensions):
    """torchvision.datasets.folder.has_file_allowed_extension."""
    return filename.lower().endswith(extensions if isinstance(extensions, str) else tuple(extensions))


def is_image_file(filename):
    """torchvision.datasets.folder.is_image_file."""
    return has_file_allowed_extension(filename, IMG_EXTENSIONS)


def find_classes(directory):
    """torchvision.datasets.folder.find_classes: the folders in a folder."""
    classes = sorted(entry.name for entry in os.scandir(directory) if entry.is_dir())
    if not classes:
        raise FileNotFoundError(f"{directory} has no folders, one for each class")
    return classes, {name: number for number, name in enumerate(classes)}


def make_dataset(directory, class_to_idx=None, extensions=None, is_valid_file=None, allow_empty=False):
    """torchvision.datasets.folder.make_dataset: the files of each class, with its number."""
    if (extensions is None) == (is_valid_file is None):
        raise ValueError("either extensions or is_valid_file is given")
    class_to_idx = find_classes(directory)[1] if class_to_idx is None else class_to_idx
    is_valid = is_valid_file or (lambda path: has_file_allowed_extension(path, extensions))
    found, empty = [], set(class_to_idx)
    for name in sorted(class_to_idx):
        for folder, _, files in sorted(os.walk(os.path.join(directory, name), followlinks=True)):
            paths = [os.path.join(folder, file) for file in sorted(files)]
            chosen = [(path, class_to_idx[name]) for path in paths if is_valid(path)]
            found += chosen
            empty -= {name} if chosen else set()
    if empty and not allow_empty:
        raise FileNotFoundError(f"no valid file for {', '.join(sorted(empty))} in {directory}")
    return found


class DatasetFolder(VisionDataset):
    """torchvision.datasets.DatasetFolder."""

    def __init__(
        self,
        root,
        loader,
        extensions=None,
        transform=None,
        target_transform=None,
        is_valid_file=None,
        allow_empty=False,
    ):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.classes, self.class_to_idx = self.find_classes(self.root)
        self.samples = self.make_dataset(self.root, self.class_to_idx, extensions, is_valid_file, allow_empty)
        self.targets = [sample[1] for sample in self.samples]
        self.loader = loader
        self.extensions = extensions

    @staticmethod
    def make_dataset(directory, class_to_idx, extensions=None, is_valid_file=None, allow_empty=False):
        return make_dataset(directory, class_to_idx, extensions, is_valid_file, allow_empty)

    def find_classes(self, directory):
        return find_classes(directory)

    def __getitem__(self, index):
        path, target = self.samples[index]
        return self.transformed(self.loader(path), target)

    def __len__(self):
        return len(self.samples)


class ImageFolder(DatasetFolder):
    """torchvision.datasets.ImageFolder."""

    def __init__(
        self,
        root,
        transform=None,
        target_transform=None,
        loader=pil_loader,
        is_valid_file=None,
        allow_empty=False,
    ):
        extensions = IMG_EXTENSIONS if is_valid_file is None else None
        super().__init__(root, loader, extensions, transform, target_transform, is_valid_file, allow_empty)
        self.imgs = self.samples


class FakeData(VisionDataset):
    """torchvision.datasets.FakeData: random images, those of torchvision."""

    def __init__(
        self,
        size=1000,
        image_size=(3, 224, 224),
        num_classes=10,
        transform=None,
        target_transform=None,
        random_offset=0,
    ):
        super().__init__(transform=transform, target_transform=target_transform)
        self.size = size
        self.num_classes = num_classes
        self.image_size = image_size
        self.random_offset = random_offset

    def __getitem__(self, index):
        if index >= len(self):
            raise IndexError(f"there are {len(self)} samples: {index}")
        generator = Generator().manual_seed(index + self.random_offset)
        image = to_pil_image(mindspore.Tensor(generator.normal(self.image_size)))
        return self.transformed(image, int(generator.integers(0, self.num_classes, 1)[0]))

    def __len__(self):
        return self.size
