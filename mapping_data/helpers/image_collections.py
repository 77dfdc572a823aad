"""torchvision.datasets: published collections of images with a label for each. Nothing is downloaded."""

import csv
import io
import json
import os
import tarfile
from pathlib import Path

from PIL import Image


class LabelledSamples(VisionDataset):
    """Pairs of an image's path and its label, `_samples`."""

    _shown = ()

    def __init__(self, root, transform, target_transform, loader=pil_loader):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.loader = loader

    def __getitem__(self, index):
        path, label = self._samples[index]
        return self.transformed(self.loader(path), label)

    def __len__(self):
        return len(self._samples)

    def extra_repr(self):
        return ", ".join(f"{name}={getattr(self, f'_{name}')}" for name in self._shown)


class LabelledFiles(LabelledSamples):
    """Paths of images, `_image_files`, and a label for each, `_labels`."""

    def __getitem__(self, index):
        return self.transformed(self.loader(self._image_files[index]), self._labels[index])

    def __len__(self):
        return len(self._image_files)


def lines_of(path):
    """The lines of a file, without what is around them."""
    with open(path, encoding="utf-8") as file:
        return [line.strip() for line in file]


def joined_targets(found):
    """Several targets as a tuple, one as it is, none as None."""
    return tuple(found) if len(found) > 1 else found[0] if found else None


class Flowers102(LabelledFiles):
    """torchvision.datasets.Flowers102."""

    _shown = ("split",)
    classes = names_in(
        """
pink primrose; hard-leaved pocket orchid; canterbury bells; sweet pea; english marigold; tiger lily;
moon orchid; bird of paradise; monkshood; globe thistle; snapdragon; colt's foot; king protea; spear
thistle; yellow iris; globe-flower; purple coneflower; peruvian lily; balloon flower; giant white
arum lily; fire lily; pincushion flower; fritillary; red ginger; grape hyacinth; corn poppy; prince
of wales feathers; stemless gentian; artichoke; sweet william; carnation; garden phlox; love in the
mist; mexican aster; alpine sea holly; ruby-lipped cattleya; cape flower; great masterwort; siam
tulip; lenten rose; barbeton daisy; daffodil; sword lily; poinsettia; bolero deep blue; wallflower;
marigold; buttercup; oxeye daisy; common dandelion; petunia; wild pansy; primula; sunflower;
pelargonium; bishop of llandaff; gaura; geranium; orange dahlia; pink-yellow dahlia?; cautleya
spicata; japanese anemone; black-eyed susan; silverbush; californian poppy; osteospermum; spring
crocus; bearded iris; windflower; tree poppy; gazania; azalea; water lily; rose; thorn apple;
morning glory; passion flower; lotus; toad lily; anthurium; frangipani; clematis; hibiscus;
columbine; desert-rose; tree mallow; magnolia; cyclamen; watercress; canna lily; hippeastrum; bee
balm; ball moss; foxglove; bougainvillea; camellia; mallow; mexican petunia; bromelia; blanket
flower; trumpet creeper; blackberry lily
"""
    )

    def __init__(
        self,
        root,
        split="train",
        transform=None,
        target_transform=None,
        download=False,
        loader=pil_loader,
    ):
        from scipy.io import loadmat  # takes long to import

        super().__init__(root, transform, target_transform, loader)
        self._split = verify_str_arg(split, "split", ("train", "val", "test"))
        self._base_folder = Path(self.root, "flowers-102")
        self._images_folder = self._base_folder / "jpg"
        expected_files(self._base_folder, ["jpg", "imagelabels.mat", "setid.mat"], download)
        part = {"train": "trnid", "val": "valid", "test": "tstid"}[split]
        numbers = loadmat(self._base_folder / "setid.mat", squeeze_me=True)[part].tolist()
        labels = loadmat(self._base_folder / "imagelabels.mat", squeeze_me=True)["labels"].tolist()
        self._labels = [labels[number - 1] - 1 for number in numbers]
        self._image_files = [self._images_folder / f"image_{number:05d}.jpg" for number in numbers]


class Food101(LabelledFiles):
    """torchvision.datasets.Food101."""

    _shown = ("split",)

    def __init__(
        self,
        root,
        split="train",
        transform=None,
        target_transform=None,
        download=False,
        loader=pil_loader,
    ):
        super().__init__(root, transform, target_transform, loader)
        self._split = verify_str_arg(split, "split", ("train", "test"))
        self._base_folder = Path(self.root, "food-101")
        self._meta_folder = self._base_folder / "meta"
        self._images_folder = self._base_folder / "images"
        expected_files(self._base_folder, ["meta", "images"], download)
        listed = json.loads((self._meta_folder / f"{split}.json").read_text(encoding="utf-8"))
        self.classes = sorted(listed)
        self.class_to_idx = numbered(self.classes)
        self._labels = [self.class_to_idx[name] for name, paths in listed.items() for _ in paths]
        self._image_files = [
            self._images_folder.joinpath(*f"{path}.jpg".split("/"))
            for paths in listed.values()
            for path in paths
        ]


class DTD(LabelledFiles):
    """torchvision.datasets.DTD: textures."""

    _shown = ("split", "partition")

    def __init__(
        self,
        root,
        split="train",
        partition=1,
        transform=None,
        target_transform=None,
        download=False,
        loader=pil_loader,
    ):
        self._split = verify_str_arg(split, "split", ("train", "val", "test"))
        if not isinstance(partition, int) and not 1 <= partition <= 10:
            raise ValueError(f"partition is a whole number from 1 to 10, not {partition}")
        self._partition = partition
        super().__init__(root, transform, target_transform, loader)
        self._base_folder = Path(self.root, type(self).__name__.lower())
        self._data_folder = self._base_folder / "dtd"
        self._meta_folder = self._data_folder / "labels"
        self._images_folder = self._data_folder / "images"
        expected_files(self._base_folder, ["dtd"], download)
        named = [line.split("/") for line in lines_of(self._meta_folder / f"{split}{partition}.txt")]
        self.classes = sorted({name for name, _ in named})
        self.class_to_idx = numbered(self.classes)
        self._labels = [self.class_to_idx[name] for name, _ in named]
        self._image_files = [self._images_folder.joinpath(*parts) for parts in named]


class FGVCAircraft(LabelledFiles):
    """torchvision.datasets.FGVCAircraft."""

    def __init__(
        self,
        root,
        split="trainval",
        annotation_level="variant",
        transform=None,
        target_transform=None,
        download=False,
        loader=pil_loader,
    ):
        super().__init__(root, transform, target_transform, loader)
        self._split = verify_str_arg(split, "split", ("train", "val", "trainval", "test"))
        levels = {"variant": "variants", "family": "families", "manufacturer": "manufacturers"}
        self._annotation_level = verify_str_arg(annotation_level, "annotation_level", levels)
        self._data_path = os.path.join(self.root, "fgvc-aircraft-2013b")
        expected_files(self.root, ["fgvc-aircraft-2013b"], download)
        folder = os.path.join(self._data_path, "data")
        self.classes = lines_of(os.path.join(folder, f"{levels[annotation_level]}.txt"))
        self.class_to_idx = numbered(self.classes)
        lines = lines_of(os.path.join(folder, f"images_{annotation_level}_{split}.txt"))
        named = [line.split(" ", 1) for line in lines]
        self._labels = [self.class_to_idx[name] for _, name in named]
        self._image_files = [os.path.join(folder, "images", f"{image}.jpg") for image, _ in named]


class SUN397(LabelledFiles):
    """torchvision.datasets.SUN397."""

    def __init__(self, root, transform=None, target_transform=None, download=False, loader=pil_loader):
        super().__init__(root, transform, target_transform, loader)
        self._data_dir = Path(self.root, "SUN397")
        expected_files(self.root, ["SUN397"], download)
        self.classes = [line[3:] for line in lines_of(self._data_dir / "ClassName.txt")]
        self.class_to_idx = numbered(self.classes)
        self._image_files = list(self._data_dir.rglob("sun_*.jpg"))
        places = [path.relative_to(self._data_dir).parts[1:-1] for path in self._image_files]
        self._labels = [self.class_to_idx["/".join(parts)] for parts in places]


class CLEVRClassification(LabelledFiles):
    """torchvision.datasets.CLEVRClassification: how many things an image shows."""

    _shown = ("split",)

    def __init__(
        self,
        root,
        split="train",
        transform=None,
        target_transform=None,
        download=False,
        loader=pil_loader,
    ):
        self._split = verify_str_arg(split, "split", ("train", "val", "test"))
        super().__init__(root, transform, target_transform, loader)
        self._base_folder = Path(self.root, "clevr")
        self._data_folder = self._base_folder / "CLEVR_v1.0"
        expected_files(self._base_folder, ["CLEVR_v1.0"], download)
        self._image_files = sorted((self._data_folder / "images" / split).glob("*"))
        self._labels = [None] * len(self._image_files)
        if split != "test":
            file = self._data_folder / "scenes" / f"CLEVR_{split}_scenes.json"
            scenes = json.loads(file.read_text(encoding="utf-8"))["scenes"]
            counts = {scene["image_filename"]: len(scene["objects"]) for scene in scenes}
            self._labels = [counts[path.name] for path in self._image_files]


class StanfordCars(LabelledSamples):
    """torchvision.datasets.StanfordCars."""

    def __init__(
        self,
        root,
        split="train",
        transform=None,
        target_transform=None,
        download=False,
        loader=pil_loader,
    ):
        from scipy.io import loadmat  # takes long to import

        super().__init__(root, transform, target_transform, loader)
        self._split = verify_str_arg(split, "split", ("train", "test"))
        self._base_folder = Path(self.root, "stanford_cars")
        train = split == "train"
        listed = "devkit/cars_train_annos.mat" if train else "cars_test_annos_withlabels.mat"
        self._annotations_mat_path = self._base_folder / listed
        self._images_base_path = self._base_folder / f"cars_{split}"
        expected_files(self._base_folder, ["devkit", listed, f"cars_{split}"], download)
        rows = loadmat(self._annotations_mat_path, squeeze_me=True)["annotations"]
        self._samples = [(str(self._images_base_path / row["fname"]), row["class"] - 1) for row in rows]
        names = loadmat(self._base_folder / "devkit" / "cars_meta.mat", squeeze_me=True)["class_names"]
        self.classes = names.tolist()
        self.class_to_idx = numbered(self.classes)


class GTSRB(LabelledSamples):
    """torchvision.datasets.GTSRB: traffic signs."""

    def __init__(self, root, split="train", transform=None, target_transform=None, download=False):
        super().__init__(root, transform, target_transform)
        self._split = verify_str_arg(split, "split", ("train", "test"))
        self._base_folder = Path(self.root, "gtsrb")
        part = "Training" if split == "train" else "Final_Test/Images"
        self._target_folder = self._base_folder / "GTSRB" / part
        expected_files(self._base_folder, [f"GTSRB/{part}"], download)
        if split == "train":
            self._samples = make_dataset(str(self._target_folder), extensions=(".ppm",))
            return
        with open(self._base_folder / "GT-final_test.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file, delimiter=";", skipinitialspace=True))
        self._samples = [(str(self._target_folder / row["Filename"]), int(row["ClassId"])) for row in rows]


class RenderedSST2(LabelledSamples):
    """torchvision.datasets.RenderedSST2: images of sentences, of praise or blame."""

    _shown = ("split",)

    def __init__(
        self,
        root,
        split="train",
        transform=None,
        target_transform=None,
        download=False,
        loader=pil_loader,
    ):
        super().__init__(root, transform, target_transform, loader)
        self._split = verify_str_arg(split, "split", ("train", "val", "test"))
        self._split_to_folder = {"train": "train", "val": "valid", "test": "test"}
        self._base_folder = Path(self.root, "rendered-sst2")
        self.classes = ["negative", "positive"]
        self.class_to_idx = numbered(self.classes)
        folder = self._base_folder / self._split_to_folder[split]
        expected_files(folder, self.classes, download)
        self._samples = make_dataset(str(folder), extensions=("png",))


class Imagenette(LabelledSamples):
    """torchvision.datasets.Imagenette: ten of the classes of ImageNet."""

    _WNID_TO_CLASS = {
        "n01440764": ("tench", "Tinca tinca"),
        "n02102040": ("English springer", "English springer spaniel"),
        "n02979186": ("cassette player",),
        "n03000684": ("chain saw", "chainsaw"),
        "n03028079": ("church", "church building"),
        "n03394916": ("French horn", "horn"),
        "n03417042": ("garbage truck", "dustcart"),
        "n03425413": ("gas pump", "gasoline pump", "petrol pump", "island dispenser"),
        "n03445777": ("golf ball",),
        "n03888257": ("parachute", "chute"),
    }

    def __init__(
        self,
        root,
        split="train",
        size="full",
        download=False,
        transform=None,
        target_transform=None,
        loader=pil_loader,
    ):
        super().__init__(root, transform, target_transform, loader)
        self._split = verify_str_arg(split, "split", ("train", "val"))
        self._size = verify_str_arg(size, "size", ("full", "320px", "160px"))
        name = {"full": "imagenette2", "320px": "imagenette2-320", "160px": "imagenette2-160"}[size]
        self._size_root = Path(self.root, name)
        self._image_root = str(self._size_root / split)
        expected_files(self.root, [name], download)
        self.wnids, self.wnid_to_idx = find_classes(self._image_root)
        self.classes = [self._WNID_TO_CLASS[wnid] for wnid in self.wnids]
        self.class_to_idx = numbers_of_all_names(self.classes)
        self._samples = make_dataset(self._image_root, self.wnid_to_idx, extensions=".jpeg")


def numbers_of_all_names(classes):
    """The number of each class by each of its names."""
    return {name: number for number, names in enumerate(classes) for name in names}


def names_of_imagenet(root):
    """The names of each class by its folder, from the file that torchvision has made or from the archive that
    it makes that of."""
    made, archive = Path(root, "meta.bin"), "ILSVRC2012_devkit_t12.tar.gz"
    if made.exists():
        return load(made, weights_only=True)[0]
    from scipy.io import loadmat  # takes long to import

    expected_files(root, [archive], False)
    with tarfile.open(Path(root, archive)) as packed:
        file = packed.extractfile("ILSVRC2012_devkit_t12/data/meta.mat")
        rows = loadmat(io.BytesIO(file.read()), squeeze_me=True)["synsets"]
    return {row[1]: tuple(row[2].split(", ")) for row in rows if row[4] == 0}


class ImageNet(ImageFolder):
    """torchvision.datasets.ImageNet: of its folders; archives of images are not unpacked."""

    def __init__(self, root, split="train", **kwargs):
        root = self.root = os.path.expanduser(root)
        self.split = verify_str_arg(split, "split", ("train", "val"))
        names = names_of_imagenet(root)
        expected_files(root, [split], False)
        super().__init__(self.split_folder, **kwargs)
        self.root = root
        self.wnids = self.classes
        self.wnid_to_idx = self.class_to_idx
        self.classes = [names[wnid] for wnid in self.wnids]
        self.class_to_idx = numbers_of_all_names(self.classes)

    @property
    def split_folder(self):
        return os.path.join(self.root, self.split)

    def extra_repr(self):
        return f"Split: {self.split}"


class EuroSAT(ImageFolder):
    """torchvision.datasets.EuroSAT: images of satellites."""

    def __init__(self, root, transform=None, target_transform=None, download=False, loader=pil_loader):
        root = os.path.expanduser(root)
        self._base_folder = os.path.join(root, "eurosat")
        self._data_folder = os.path.join(self._base_folder, "2750")
        expected_files(self._base_folder, ["2750"], download)
        super().__init__(self._data_folder, transform, target_transform, loader)
        self.root = root


class Country211(ImageFolder):
    """torchvision.datasets.Country211: photos by country."""

    def __init__(
        self,
        root,
        split="train",
        transform=None,
        target_transform=None,
        download=False,
        loader=pil_loader,
    ):
        self._split = verify_str_arg(split, "split", ("train", "valid", "test"))
        root = os.path.expanduser(root)
        self._base_folder = Path(root, "country211")
        expected_files(root, ["country211"], download)
        super().__init__(str(self._base_folder / split), transform, target_transform, loader)
        self.root = root


class Places365(VisionDataset):
    """torchvision.datasets.Places365."""

    _SPLITS = ("train-standard", "train-challenge", "val", "test")

    def __init__(
        self,
        root,
        split="train-standard",
        small=False,
        download=False,
        transform=None,
        target_transform=None,
        loader=pil_loader,
    ):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.split = verify_str_arg(split, "split", self._SPLITS)
        self.small = small
        self.loader = loader
        self.classes, self.class_to_idx = self.load_categories(download)
        self.imgs, self.targets = self.load_file_list(download)
        if download:
            expected_files(self.root, [os.path.basename(self.images_dir)], download)

    def load_categories(self, download=True):
        """The names of classes, and their numbers."""
        rows = [line.split() for line in self.lines_of_list("categories_places365.txt", download)]
        numbers = {name: int(number) for name, number in rows}
        return sorted(numbers), numbers

    def load_file_list(self, download=True):
        """The paths of images with their classes, and the classes."""
        name = f"places365_{self.split.replace('-', '_')}.txt"
        rows = [line.split() for line in self.lines_of_list(name, download)]
        targets = [int(row[1]) if len(row) > 1 else None for row in rows]
        paths = [os.path.join(self.images_dir, *row[0].lstrip("/").split("/")) for row in rows]
        return list(zip(paths, targets)), targets

    def lines_of_list(self, name, download):
        """The lines of a file that has to be there."""
        expected_files(self.root, [name], download)
        return lines_of(os.path.join(self.root, name))

    @property
    def variant(self):
        return "challenge" if "challenge" in self.split else "standard"

    @property
    def images_dir(self):
        size = "256" if self.small else "large"
        train = self.split.startswith("train")
        return os.path.join(self.root, f"data_{size}_{self.variant}" if train else f"{self.split}_{size}")

    def __getitem__(self, index):
        path, target = self.imgs[index]
        return self.transformed_together(self.loader(path), target)

    def __len__(self):
        return len(self.imgs)

    def extra_repr(self):
        return f"Split: {self.split}\nSmall: {self.small}"


class Omniglot(VisionDataset):
    """torchvision.datasets.Omniglot: written characters of many alphabets."""

    folder = "omniglot-py"

    def __init__(
        self, root, background=True, transform=None, target_transform=None, download=False, loader=None
    ):
        super().__init__(os.path.join(root, self.folder), None, transform, target_transform)
        self.background = background
        self.loader = loader
        part = "images_background" if background else "images_evaluation"
        expected_files(self.root, [part], download)
        self.target_folder = os.path.join(self.root, part)
        self._alphabets = list_dir(self.target_folder)
        self._characters = [
            os.path.join(alphabet, character)
            for alphabet in self._alphabets
            for character in list_dir(os.path.join(self.target_folder, alphabet))
        ]
        self._character_images = [
            [(name, number) for name in list_files(os.path.join(self.target_folder, character), ".png")]
            for number, character in enumerate(self._characters)
        ]
        self._flat_character_images = [pair for pairs in self._character_images for pair in pairs]

    def __getitem__(self, index):
        name, number = self._flat_character_images[index]
        path = os.path.join(self.target_folder, self._characters[number], name)
        image = Image.open(path).convert("L") if self.loader is None else self.loader(path)
        return self.transformed(image, number)

    def __len__(self):
        return len(self._flat_character_images)


class NumberedImages(VisionDataset):
    """Images that have a number in the folder of their class: `y` has the classes, `index` the numbers."""

    def set_counts(self, counts):
        """Numbers the images of each class, from how many it has."""
        self.index = [number for count in counts for number in range(1, count + 1)]
        self.y = [label for label, count in enumerate(counts) for _ in range(count)]

    def __len__(self):
        return len(self.index)


class Caltech101(NumberedImages):
    """torchvision.datasets.Caltech101."""

    def __init__(self, root, target_type="category", transform=None, target_transform=None, download=False):
        super().__init__(os.path.join(root, "caltech101"), None, transform, target_transform)
        kinds = [target_type] if isinstance(target_type, str) else target_type
        self.target_type = [verify_str_arg(kind, "target_type", ("category", "annotation")) for kind in kinds]
        expected_files(self.root, ["101_ObjectCategories"], download)
        folder = os.path.join(self.root, "101_ObjectCategories")
        self.categories = sorted(os.listdir(folder))
        self.categories.remove("BACKGROUND_Google")
        others = {
            "Faces": "Faces_2",
            "Faces_easy": "Faces_3",
            "Motorbikes": "Motorbikes_16",
            "airplanes": "Airplanes_Side_2",
        }
        self.annotation_categories = [others.get(name, name) for name in self.categories]
        self.set_counts([len(os.listdir(os.path.join(folder, name))) for name in self.categories])

    def outline(self, label, number):
        """The outline of what an image shows."""
        from scipy.io import loadmat  # takes long to import

        name = f"annotation_{number:04d}.mat"
        path = os.path.join(self.root, "Annotations", self.annotation_categories[label], name)
        return loadmat(path)["obj_contour"]

    def __getitem__(self, index):
        label, number = self.y[index], self.index[index]
        path = os.path.join(self.root, "101_ObjectCategories", self.categories[label])
        image = Image.open(os.path.join(path, f"image_{number:04d}.jpg"))
        kinds = self.target_type
        found = [label if kind == "category" else self.outline(label, number) for kind in kinds]
        return self.transformed(image, joined_targets(found))

    def extra_repr(self):
        return f"Target type: {self.target_type}"


class Caltech256(NumberedImages):
    """torchvision.datasets.Caltech256."""

    def __init__(self, root, transform=None, target_transform=None, download=False):
        super().__init__(os.path.join(root, "caltech256"), None, transform, target_transform)
        expected_files(self.root, ["256_ObjectCategories"], download)
        folder = os.path.join(self.root, "256_ObjectCategories")
        self.categories = sorted(os.listdir(folder))
        names = [os.listdir(os.path.join(folder, category)) for category in self.categories]
        self.set_counts([sum(name.endswith(".jpg") for name in found) for found in names])

    def __getitem__(self, index):
        label, number = self.y[index], self.index[index]
        path = os.path.join(self.root, "256_ObjectCategories", self.categories[label])
        return self.transformed(Image.open(os.path.join(path, f"{label + 1:03d}_{number:04d}.jpg")), label)


class INaturalist(VisionDataset):
    """torchvision.datasets.INaturalist: species, with the groups that they belong to."""

    def __init__(
        self,
        root,
        version="2021_train",
        target_type="full",
        transform=None,
        target_transform=None,
        download=False,
        loader=None,
    ):
        versions = ("2017", "2018", "2019", "2021_train", "2021_train_mini", "2021_valid")
        self.version = verify_str_arg(version, "version", versions)
        super().__init__(os.path.join(root, version), None, transform, target_transform)
        self.loader = loader
        ranks = ("kingdom", "phylum", "class", "order", "family", "genus")
        newer = version.startswith("2021")
        expected_files(root, [version], download)
        kinds = target_type if isinstance(target_type, list) else [target_type]
        known = ("full", *ranks) if newer else ("full", "super")
        self.target_type = [verify_str_arg(kind, "target_type", known) for kind in kinds]
        self.all_categories, self.categories_map = [], []
        self.categories_index = {rank: {} for rank in (ranks if newer else ("super",))}
        if newer:
            self.read_names()
        else:
            self.read_groups()
        self.index = [
            (number, name)
            for number, folder in enumerate(self.all_categories)
            for name in os.listdir(os.path.join(self.root, folder))
        ]

    def read_names(self):
        """The groups that the folders of 2021 name, behind their numbers."""
        self.all_categories = sorted(os.listdir(self.root))
        if not self.all_categories:
            raise RuntimeError(f"Dataset not found: {self.root} is empty")
        for number, folder in enumerate(self.all_categories):
            parts = folder.split("_")
            if len(parts) != 8 or parts[0] != f"{number:05d}":
                raise RuntimeError(f"{folder} is no folder of number {number:05d} with seven names")
            found = {}
            for rank, name in zip(self.categories_index, parts[1:]):
                known = self.categories_index[rank]
                found[rank] = known.setdefault(name, len(known))
            self.categories_map.append(found)

    def read_groups(self):
        """The folders before 2021, in folders of their groups: numbers from 2018 on."""
        groups = sorted(os.listdir(self.root))
        self.categories_index["super"] = numbered(groups)
        below = [
            (group, name) for group in groups for name in sorted(os.listdir(os.path.join(self.root, group)))
        ]
        try:
            numbers = range(len(below)) if self.version == "2017" else [int(name) for _, name in below]
        except ValueError as error:
            raise RuntimeError(f"a folder in {self.root} has no number for a name: {error}") from None
        if sorted(numbers) != list(range(len(below))) or not below:
            raise RuntimeError(f"the folders in {self.root} lack numbers, or have one twice")
        for _, (group, name) in sorted(zip(numbers, below)):
            self.all_categories.append(os.path.join(group, name))
            self.categories_map.append({"super": self.categories_index["super"][group]})

    def category_name(self, category_type, category_id):
        """What a number stands for."""
        if category_type == "full":
            return self.all_categories[category_id]
        if category_type not in self.categories_index:
            raise ValueError(f"{category_type} is no kind of groups here")
        for name, number in self.categories_index[category_type].items():
            if number == category_id:
                return name
        raise ValueError(f"no {category_type} has the number {category_id}")

    def __getitem__(self, index):
        number, name = self.index[index]
        path = os.path.join(self.root, self.all_categories[number], name)
        image = Image.open(path) if self.loader is None else self.loader(path)
        groups = {"full": number, **self.categories_map[number]}
        return self.transformed(image, joined_targets([groups[kind] for kind in self.target_type]))

    def __len__(self):
        return len(self.index)


class FacesOfLFW(VisionDataset):
    """What torchvision.datasets.LFWPeople and LFWPairs have in common."""

    base_folder = "lfw-py"

    def __init__(self, root, split, image_set, view, transform, target_transform, download, loader):
        super().__init__(os.path.join(root, self.base_folder), None, transform, target_transform)
        folders = {"original": "lfw", "funneled": "lfw_funneled", "deepfunneled": "lfw-deepfunneled"}
        parts = {"10fold": "", "train": "DevTrain", "test": "DevTest"}
        self.image_set = verify_str_arg(image_set.lower(), "image_set", folders)
        self.view = view
        self.split = verify_str_arg(split.lower(), "split", parts)
        self.labels_file = f"{view}{parts[self.split]}.txt"
        if download:
            raise ValueError("LFW cannot be downloaded any more: put its files there, without download")
        needed = [folders[self.image_set], self.labels_file]
        expected_files(self.root, [*needed, *(["lfw-names.txt"] if view == "people" else [])], False)
        self.images_dir = os.path.join(self.root, folders[self.image_set])
        self._loader = loader

    def rows_of_labels(self):
        """The lines of the file of labels, each as its parts."""
        return [line.split("\t") for line in lines_of(os.path.join(self.root, self.labels_file))]

    def _get_path(self, identity, no):
        return os.path.join(self.images_dir, identity, f"{identity}_{int(no):04d}.jpg")

    def __len__(self):
        return len(self.data)

    def extra_repr(self):
        return f"Alignment: {self.image_set}\nSplit: {self.split}"


class LFWPeople(FacesOfLFW):
    """torchvision.datasets.LFWPeople: whose face it is."""

    def __init__(
        self,
        root,
        split="10fold",
        image_set="funneled",
        transform=None,
        target_transform=None,
        download=False,
        loader=pil_loader,
    ):
        super().__init__(root, split, image_set, "people", transform, target_transform, download, loader)
        names = lines_of(os.path.join(self.root, "lfw-names.txt"))
        self.class_to_idx = numbered([line.split()[0] for line in names])
        rows = self.rows_of_labels()
        people, place = [], 0
        if self.split == "10fold":
            folds, place = int(rows[0][0]), 1
        else:
            folds = 1
        for _ in range(folds):
            count = int(rows[place][0])
            people += rows[place + 1 : place + 1 + count]
            place += 1 + count
        found = [(name, number) for name, count in people for number in range(1, int(count) + 1)]
        self.data = [self._get_path(name, number) for name, number in found]
        self.targets = [self.class_to_idx[name] for name, _ in found]

    def __getitem__(self, index):
        return self.transformed(self._loader(self.data[index]), self.targets[index])

    def extra_repr(self):
        return f"{super().extra_repr()}\nClasses (identities): {len(self.class_to_idx)}"


class LFWPairs(FacesOfLFW):
    """torchvision.datasets.LFWPairs: whether two faces are one person's."""

    def __init__(
        self,
        root,
        split="10fold",
        image_set="funneled",
        transform=None,
        target_transform=None,
        download=False,
        loader=pil_loader,
    ):
        super().__init__(root, split, image_set, "pairs", transform, target_transform, download, loader)
        rows = self.rows_of_labels()
        folds, count = map(int, rows[0]) if self.split == "10fold" else (1, int(rows[0][0]))
        self.pair_names, self.data, self.targets = [], [], []
        # each fold has as many pairs of one person, who is named once, as of two
        for place, row in enumerate(rows[1 : 1 + 2 * folds * count]):
            same = place // count % 2 == 0
            first, second = (row[0], row[1]), (row[0], row[2]) if same else (row[2], row[3])
            self.pair_names.append((first[0], second[0]))
            self.data.append((self._get_path(*first), self._get_path(*second)))
            self.targets.append(int(same))

    def __getitem__(self, index):
        first, second = map(self._loader, self.data[index])
        first, target = self.transformed(first, self.targets[index])
        return first, second if self.transform is None else self.transform(second), target


class PCAM(VisionDataset):
    """torchvision.datasets.PCAM: patches of tissue; it needs h5py, as torchvision's does."""

    def __init__(self, root, split="train", transform=None, target_transform=None, download=False):
        try:
            import h5py
        except ImportError:
            raise RuntimeError("h5py is not installed, which reads the files of PCAM") from None
        self.h5py = h5py
        self._split = verify_str_arg(split, "split", ("train", "test", "val"))
        super().__init__(root, transform=transform, target_transform=target_transform)
        self._base_folder = Path(self.root, "pcam")
        part = "valid" if split == "val" else split
        names = [f"camelyonpatch_level_2_split_{part}_{kind}.h5" for kind in "xy"]
        expected_files(self._base_folder, names, download)
        self._files = [self._base_folder / name for name in names]

    def __getitem__(self, index):
        with self.h5py.File(self._files[0]) as images, self.h5py.File(self._files[1]) as labels:
            image = Image.fromarray(images["x"][index]).convert("RGB")
            label = int(labels["y"][index, 0, 0, 0])
        return self.transformed(image, label)

    def __len__(self):
        with self.h5py.File(self._files[0]) as images:
            return images["x"].shape[0]
