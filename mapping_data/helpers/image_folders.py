"""torchvision.datasets: what all have in common, and folders of images. Nothing is downloaded."""

import os
from pathlib import Path

import mindspore
from PIL import Image

# What get_image_backend says
image_reader = {"name": "PIL"}


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

    def transformed_together(self, image, target):
        """A sample, after the transforms of both."""
        return (image, target) if self.transforms is None else self.transforms(image, target)

    def extra_repr(self):
        return ""

    def __repr__(self):
        lines = [
            f"Number of datapoints: {len(self)}",
            *([] if self.root is None else [f"Root location: {self.root}"]),
            *self.extra_repr().splitlines(),
            *([] if self.transforms is None else [repr(self.transforms)]),
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

    def __repr__(self):
        parts = {"Transform: ": self.transform, "Target transform: ": self.target_transform}
        given = [(head, repr(part)) for head, part in parts.items() if part is not None]
        indented = [head + text.replace("\n", "\n" + " " * len(head)) for head, text in given]
        return "\n".join([type(self).__name__, *indented])


def expected_files(folder, names, download):
    """Raises RuntimeError where a folder lacks files of a data set."""
    missing = [name for name in names if not (Path(folder) / name).exists()]
    if missing:
        hint = "; nothing is downloaded here, put them there" if download else ""
        raise RuntimeError(f"Dataset not found: {folder} lacks {', '.join(missing)}{hint}")


def numbered(names):
    """The number of each name, in their order."""
    return {name: number for number, name in enumerate(names)}


# The endings of files that ImageFolder reads
IMG_EXTENSIONS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")


def get_image_backend():
    """torchvision.get_image_backend: what images are read with."""
    return image_reader["name"]


def set_image_backend(backend):
    """torchvision.set_image_backend: images are read with PIL all the same."""
    if backend not in ("PIL", "accimage"):
        raise ValueError(f"Invalid backend '{backend}'. Options are 'PIL' and 'accimage'")
    image_reader["name"] = backend


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
    return classes, numbered(classes)


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
