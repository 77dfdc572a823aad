"""torchvision.datasets: images with boxes, masks, attributes or captions. Nothing is downloaded."""

import csv
import glob
import json
import os
from collections import namedtuple
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import mindspore
import numpy as np
from PIL import Image


class PascalImages(VisionDataset):
    """What torchvision.datasets.VOCSegmentation and VOCDetection have in common."""

    def __init__(
        self,
        root,
        year="2012",
        image_set="train",
        download=False,
        transform=None,
        target_transform=None,
        transforms=None,
    ):
        super().__init__(root, transforms, transform, target_transform)
        self.year = verify_str_arg(year, "year", [str(number) for number in range(2007, 2013)])
        parts = ["train", "trainval", "val", *(["test"] if year == "2007" else [])]
        self.image_set = verify_str_arg(image_set, "image_set", parts)
        place = os.path.join(*(["TrainVal"] if year == "2011" else []), "VOCdevkit", f"VOC{year}")
        expected_files(self.root, [place], download)
        folder = os.path.join(self.root, place)
        names = lines_of(os.path.join(folder, "ImageSets", self._SPLITS_DIR, f"{image_set}.txt"))
        self.images = [os.path.join(folder, "JPEGImages", f"{name}.jpg") for name in names]
        targets = os.path.join(folder, self._TARGET_DIR)
        self.targets = [os.path.join(targets, name + self._TARGET_FILE_EXT) for name in names]

    def __len__(self):
        return len(self.images)


class VOCSegmentation(PascalImages):
    """torchvision.datasets.VOCSegmentation."""

    _SPLITS_DIR = "Segmentation"
    _TARGET_DIR = "SegmentationClass"
    _TARGET_FILE_EXT = ".png"

    @property
    def masks(self):
        return self.targets

    def __getitem__(self, index):
        image = Image.open(self.images[index]).convert("RGB")
        return self.transformed_together(image, Image.open(self.masks[index]))


class VOCDetection(PascalImages):
    """torchvision.datasets.VOCDetection."""

    _SPLITS_DIR = "Main"
    _TARGET_DIR = "Annotations"
    _TARGET_FILE_EXT = ".xml"

    @property
    def annotations(self):
        return self.targets

    def __getitem__(self, index):
        image = Image.open(self.images[index]).convert("RGB")
        target = self.parse_voc_xml(ElementTree.parse(self.annotations[index]).getroot())
        return self.transformed_together(image, target)

    @staticmethod
    def parse_voc_xml(node):
        """What an element has, by its name; what it has several of, and objects, as lists."""
        if not len(node):
            return {node.tag: node.text.strip()} if node.text else {}
        found = {}
        for child in node:
            for tag, value in VOCDetection.parse_voc_xml(child).items():
                found.setdefault(tag, []).append(value)
        if node.tag == "annotation":
            found["object"] = [found.get("object", [])]
        return {node.tag: {tag: each[0] if len(each) == 1 else each for tag, each in found.items()}}


class SBDataset(VisionDataset):
    """torchvision.datasets.SBDataset: outlines of what is in images."""

    num_classes = 20

    def __init__(self, root, image_set="train", mode="boundaries", download=False, transforms=None):
        super().__init__(root, transforms)
        self.image_set = verify_str_arg(image_set, "image_set", ("train", "val", "train_noval"))
        self.mode = verify_str_arg(mode, "mode", ("segmentation", "boundaries"))
        expected_files(self.root, ["img", "cls"], download)
        names = lines_of(os.path.join(self.root, f"{image_set}.txt"))
        self.images = [os.path.join(self.root, "img", f"{name}.jpg") for name in names]
        self.masks = [os.path.join(self.root, "cls", f"{name}.mat") for name in names]

    def _get_target(self, path):
        from scipy.io import loadmat  # takes long to import

        found = loadmat(path)["GTcls"][0]
        if self.mode == "segmentation":
            return Image.fromarray(found["Segmentation"][0])
        outlines = found["Boundaries"][0]
        return np.stack([outlines[number][0].toarray() for number in range(self.num_classes)])

    def __getitem__(self, index):
        image = Image.open(self.images[index]).convert("RGB")
        return self.transformed_together(image, self._get_target(self.masks[index]))

    def __len__(self):
        return len(self.images)

    def extra_repr(self):
        return f"Image set: {self.image_set}\nMode: {self.mode}"


# What is known of each class of Cityscapes
CityClass = namedtuple(
    "CityscapesClass",
    ("name", "id", "train_id", "category", "category_id", "has_instances", "ignore_in_eval", "color"),
)
CITY_CLASSES = [
    CityClass("unlabeled", 0, 255, "void", 0, False, True, (0, 0, 0)),
    CityClass("ego vehicle", 1, 255, "void", 0, False, True, (0, 0, 0)),
    CityClass("rectification border", 2, 255, "void", 0, False, True, (0, 0, 0)),
    CityClass("out of roi", 3, 255, "void", 0, False, True, (0, 0, 0)),
    CityClass("static", 4, 255, "void", 0, False, True, (0, 0, 0)),
    CityClass("dynamic", 5, 255, "void", 0, False, True, (111, 74, 0)),
    CityClass("ground", 6, 255, "void", 0, False, True, (81, 0, 81)),
    CityClass("road", 7, 0, "flat", 1, False, False, (128, 64, 128)),
    CityClass("sidewalk", 8, 1, "flat", 1, False, False, (244, 35, 232)),
    CityClass("parking", 9, 255, "flat", 1, False, True, (250, 170, 160)),
    CityClass("rail track", 10, 255, "flat", 1, False, True, (230, 150, 140)),
    CityClass("building", 11, 2, "construction", 2, False, False, (70, 70, 70)),
    CityClass("wall", 12, 3, "construction", 2, False, False, (102, 102, 156)),
    CityClass("fence", 13, 4, "construction", 2, False, False, (190, 153, 153)),
    CityClass("guard rail", 14, 255, "construction", 2, False, True, (180, 165, 180)),
    CityClass("bridge", 15, 255, "construction", 2, False, True, (150, 100, 100)),
    CityClass("tunnel", 16, 255, "construction", 2, False, True, (150, 120, 90)),
    CityClass("pole", 17, 5, "object", 3, False, False, (153, 153, 153)),
    CityClass("polegroup", 18, 255, "object", 3, False, True, (153, 153, 153)),
    CityClass("traffic light", 19, 6, "object", 3, False, False, (250, 170, 30)),
    CityClass("traffic sign", 20, 7, "object", 3, False, False, (220, 220, 0)),
    CityClass("vegetation", 21, 8, "nature", 4, False, False, (107, 142, 35)),
    CityClass("terrain", 22, 9, "nature", 4, False, False, (152, 251, 152)),
    CityClass("sky", 23, 10, "sky", 5, False, False, (70, 130, 180)),
    CityClass("person", 24, 11, "human", 6, True, False, (220, 20, 60)),
    CityClass("rider", 25, 12, "human", 6, True, False, (255, 0, 0)),
    CityClass("car", 26, 13, "vehicle", 7, True, False, (0, 0, 142)),
    CityClass("truck", 27, 14, "vehicle", 7, True, False, (0, 0, 70)),
    CityClass("bus", 28, 15, "vehicle", 7, True, False, (0, 60, 100)),
    CityClass("caravan", 29, 255, "vehicle", 7, True, True, (0, 0, 90)),
    CityClass("trailer", 30, 255, "vehicle", 7, True, True, (0, 0, 110)),
    CityClass("train", 31, 16, "vehicle", 7, True, False, (0, 80, 100)),
    CityClass("motorcycle", 32, 17, "vehicle", 7, True, False, (0, 0, 230)),
    CityClass("bicycle", 33, 18, "vehicle", 7, True, False, (119, 11, 32)),
    CityClass("license plate", -1, -1, "vehicle", 7, False, True, (0, 0, 142)),
]


class Cityscapes(VisionDataset):
    """torchvision.datasets.Cityscapes: of its folders; archives are not unpacked."""

    CityscapesClass = CityClass
    classes = CITY_CLASSES

    def __init__(
        self,
        root,
        split="train",
        mode="fine",
        target_type="instance",
        transform=None,
        target_transform=None,
        transforms=None,
    ):
        super().__init__(root, transforms, transform, target_transform)
        self.mode = "gtFine" if verify_str_arg(mode, "mode", ("fine", "coarse")) == "fine" else "gtCoarse"
        other = ("train", "test", "val") if mode == "fine" else ("train", "train_extra", "val")
        self.split = verify_str_arg(split, "split", other)
        self.target_type = target_type if isinstance(target_type, list) else [target_type]
        for kind in self.target_type:
            verify_str_arg(kind, "target_type", ("instance", "semantic", "polygon", "color"))
        self.images_dir = os.path.join(self.root, "leftImg8bit", split)
        self.targets_dir = os.path.join(self.root, self.mode, split)
        expected_files(self.root, [f"leftImg8bit/{split}", f"{self.mode}/{split}"], False)
        self.images, self.targets = [], []
        for city in os.listdir(self.images_dir):
            for name in os.listdir(os.path.join(self.images_dir, city)):
                start = os.path.join(self.targets_dir, city, name.split("_leftImg8bit")[0])
                ends = [self._get_target_suffix(self.mode, kind) for kind in self.target_type]
                self.images.append(os.path.join(self.images_dir, city, name))
                self.targets.append([f"{start}_{end}" for end in ends])

    def _get_target_suffix(self, mode, target_type):
        ends = {"instance": "instanceIds.png", "semantic": "labelIds.png", "color": "color.png"}
        return f"{mode}_{ends.get(target_type, 'polygons.json')}"

    def _load_json(self, path):
        return json.loads(Path(path).read_text(encoding="utf-8"))

    def __getitem__(self, index):
        image = Image.open(self.images[index]).convert("RGB")
        found = [
            self._load_json(path) if kind == "polygon" else Image.open(path)
            for kind, path in zip(self.target_type, self.targets[index])
        ]
        return self.transformed_together(image, joined_targets(found))

    def __len__(self):
        return len(self.images)

    def extra_repr(self):
        return f"Split: {self.split}\nMode: {self.mode}\nType: {self.target_type}"


class CelebA(VisionDataset):
    """torchvision.datasets.CelebA: faces with what is known of them."""

    base_folder = "celeba"

    def __init__(
        self,
        root,
        split="train",
        target_type="attr",
        transform=None,
        target_transform=None,
        download=False,
    ):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.split = split
        self.target_type = target_type if isinstance(target_type, list) else [target_type]
        if not self.target_type and target_transform is not None:
            raise RuntimeError("there is a target_transform, but no target_type")
        listed = "attr_celeba bbox_celeba eval_partition landmarks_align_celeba"
        names = ["img_align_celeba", "identity_CelebA.txt", *(f"list_{name}.txt" for name in listed.split())]
        expected_files(os.path.join(self.root, self.base_folder), names, download)
        parts = ("train", "valid", "test", "all")
        part = verify_str_arg(split.lower() if isinstance(split, str) else split, "split", parts)
        _, files, places = self.table_in("list_eval_partition.txt")
        chosen = slice(None) if part == "all" else (places == parts.index(part)).squeeze()
        self.filename = np.array(files)[chosen].tolist()
        self.identity = mindspore.Tensor(self.table_in("identity_CelebA.txt")[2][chosen])
        self.bbox = mindspore.Tensor(self.table_in("list_bbox_celeba.txt", 1)[2][chosen])
        marks = self.table_in("list_landmarks_align_celeba.txt", 1)[2][chosen]
        self.landmarks_align = mindspore.Tensor(marks)
        self.attr_names, _, attributes = self.table_in("list_attr_celeba.txt", 1)
        self.attr = mindspore.Tensor((attributes[chosen] + 1) // 2)

    def table_in(self, filename, header=None):
        """The names of columns, of rows, and the whole numbers in a file."""
        with open(os.path.join(self.root, self.base_folder, filename), encoding="utf-8") as file:
            rows = list(csv.reader(file, delimiter=" ", skipinitialspace=True))
        names = [] if header is None else rows[header]
        rows = rows if header is None else rows[header + 1 :]
        return names, [row[0] for row in rows], np.array([row[1:] for row in rows], np.int64)

    def __getitem__(self, index):
        path = os.path.join(self.root, self.base_folder, "img_align_celeba", self.filename[index])
        image = Image.open(path)
        kinds = {"attr": "attr", "identity": "identity", "bbox": "bbox", "landmarks": "landmarks_align"}
        found = []
        for kind in self.target_type:
            row = part_of(getattr(self, kinds[verify_str_arg(kind, "target_type", kinds)]), index)
            found.append(mindspore.Tensor(np.asarray(row[0]) if kind == "identity" else row))
        if not found:
            return image if self.transform is None else self.transform(image), None
        return self.transformed(image, joined_targets(found))

    def __len__(self):
        return len(self.attr)

    def extra_repr(self):
        return f"Target type: {self.target_type}\nSplit: {self.split}"


class OxfordIIITPet(VisionDataset):
    """torchvision.datasets.OxfordIIITPet."""

    def __init__(
        self,
        root,
        split="trainval",
        target_types="category",
        transforms=None,
        transform=None,
        target_transform=None,
        download=False,
    ):
        self._split = verify_str_arg(split, "split", ("trainval", "test"))
        known = ("category", "binary-category", "segmentation")
        kinds = [target_types] if isinstance(target_types, str) else target_types
        self._target_types = [verify_str_arg(kind, "target_types", known) for kind in kinds]
        super().__init__(root, transforms, transform, target_transform)
        self._base_folder = Path(self.root, "oxford-iiit-pet")
        self._images_folder = self._base_folder / "images"
        self._anns_folder = self._base_folder / "annotations"
        self._segs_folder = self._anns_folder / "trimaps"
        expected_files(self._base_folder, ["images", "annotations"], download)
        rows = [line.split() for line in lines_of(self._anns_folder / f"{split}.txt")]
        self._labels = [int(row[1]) - 1 for row in rows]
        self._bin_labels = [int(row[2]) - 1 for row in rows]
        self._images = [self._images_folder / f"{row[0]}.jpg" for row in rows]
        self._segs = [self._segs_folder / f"{row[0]}.png" for row in rows]
        breeds = {(label, row[0].rsplit("_", 1)[0]) for label, row in zip(self._labels, rows)}
        self.classes = [" ".join(map(str.title, name.split("_"))) for _, name in sorted(breeds)]
        self.class_to_idx = numbered(self.classes)
        self.bin_classes = ["Cat", "Dog"]
        self.bin_class_to_idx = numbered(self.bin_classes)

    def target_of(self, kind, index):
        """One kind of target of an image."""
        if kind == "segmentation":
            return Image.open(self._segs[index])
        return (self._labels if kind == "category" else self._bin_labels)[index]

    def __getitem__(self, index):
        image = Image.open(self._images[index]).convert("RGB")
        found = [self.target_of(kind, index) for kind in self._target_types]
        return self.transformed_together(image, joined_targets(found))

    def __len__(self):
        return len(self._images)


class Kitti(VisionDataset):
    """torchvision.datasets.Kitti: what is in streets, and where."""

    image_dir_name = "image_2"
    labels_dir_name = "label_2"

    def __init__(
        self, root, train=True, transform=None, target_transform=None, transforms=None, download=False
    ):
        super().__init__(root, transforms, transform, target_transform)
        self.train = train
        self._location = "training" if train else "testing"
        folder = os.path.join(self._raw_folder, self._location)
        expected_files(folder, [self.image_dir_name, *([self.labels_dir_name] if train else [])], download)
        names = os.listdir(os.path.join(folder, self.image_dir_name))
        self.images = [os.path.join(folder, self.image_dir_name, name) for name in names]
        starts = [os.path.join(folder, self.labels_dir_name, name.split(".")[0]) for name in names]
        self.targets = [f"{start}.txt" for start in starts] if train else []

    @property
    def _raw_folder(self):
        return os.path.join(self.root, type(self).__name__, "raw")

    def _parse_target(self, index):
        rows = [line.split() for line in lines_of(self.targets[index])]
        return [
            {
                "type": row[0],
                "truncated": float(row[1]),
                "occluded": int(row[2]),
                "alpha": float(row[3]),
                "bbox": [float(value) for value in row[4:8]],
                "dimensions": [float(value) for value in row[8:11]],
                "location": [float(value) for value in row[11:14]],
                "rotation_y": float(row[14]),
            }
            for row in rows
        ]

    def __getitem__(self, index):
        image = Image.open(self.images[index])
        return self.transformed_together(image, self._parse_target(index) if self.train else None)

    def __len__(self):
        return len(self.images)


class WIDERFace(VisionDataset):
    """torchvision.datasets.WIDERFace: where faces are."""

    BASE_FOLDER = "widerface"

    def __init__(self, root, split="train", transform=None, target_transform=None, download=False):
        super().__init__(os.path.join(root, self.BASE_FOLDER), None, transform, target_transform)
        self.split = verify_str_arg(split, "split", ("train", "val", "test"))
        expected_files(self.root, [f"WIDER_{split}", "wider_face_split"], download)
        listed = "test_filelist" if split == "test" else f"{split}_bbx_gt"
        lines = lines_of(os.path.join(self.root, "wider_face_split", f"wider_face_{listed}.txt"))
        if split == "test":
            self.img_info = [{"img_path": self.path_of(name)} for name in lines]
            return
        self.img_info, place = [], 0
        while place + 1 < len(lines):
            # an image without a face has a line of zeros all the same
            end = place + 2 + max(int(lines[place + 1]), 1)
            faces = np.array([line.split() for line in lines[place + 2 : end]], np.int64)
            self.img_info.append(
                {"img_path": self.path_of(lines[place]), "annotations": self.known_of(faces)}
            )
            place = end

    def path_of(self, name):
        """The path of an image."""
        return os.path.abspath(os.path.expanduser(f"{self.root}/WIDER_{self.split}/images/{name}"))

    @staticmethod
    def known_of(faces):
        """What the rows of numbers tell of an image's faces."""
        names = ("blur", "expression", "illumination", "occlusion", "pose", "invalid")
        known = {name: mindspore.Tensor(column) for name, column in zip(names, faces[:, 4:].T.copy())}
        return {"bbox": mindspore.Tensor(faces[:, :4].copy()), **known}

    def __getitem__(self, index):
        info = self.img_info[index]
        target = None if self.split == "test" else info["annotations"]
        return self.transformed(Image.open(info["img_path"]), target)

    def __len__(self):
        return len(self.img_info)

    def extra_repr(self):
        return f"Split: {self.split}"


class CocoDetection(VisionDataset):
    """torchvision.datasets.CocoDetection: it needs pycocotools, as torchvision's does."""

    def __init__(self, root, annFile, transform=None, target_transform=None, transforms=None):
        from pycocotools.coco import COCO

        super().__init__(root, transforms, transform, target_transform)
        self.coco = COCO(annFile)
        self.ids = sorted(self.coco.imgs)

    def _load_image(self, id):
        name = self.coco.loadImgs(id)[0]["file_name"]
        return Image.open(os.path.join(self.root, name)).convert("RGB")

    def _load_target(self, id):
        return self.coco.loadAnns(self.coco.getAnnIds(id))

    def __getitem__(self, index):
        if not isinstance(index, int):
            raise ValueError(f"an index is a whole number, not {type(index).__name__}")
        id = self.ids[index]
        return self.transformed_together(self._load_image(id), self._load_target(id))

    def __len__(self):
        return len(self.ids)


class CocoCaptions(CocoDetection):
    """torchvision.datasets.CocoCaptions."""

    def _load_target(self, id):
        return [annotation["caption"] for annotation in super()._load_target(id)]


class SBU(VisionDataset):
    """torchvision.datasets.SBU: photos with a caption each."""

    def __init__(self, root, transform=None, target_transform=None, download=True, loader=pil_loader):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.loader = loader
        folder = os.path.join(self.root, "dataset")
        listed = [f"SBU_captioned_photo_dataset_{kind}.txt" for kind in ("urls", "captions")]
        expected_files(folder, listed, download)
        addresses, captions = (lines_of(os.path.join(folder, name)) for name in listed)
        found = [
            (os.path.basename(address), caption)
            for address, caption in zip(addresses, captions)
            if os.path.exists(os.path.join(folder, os.path.basename(address)))
        ]
        self.photos = [photo for photo, _ in found]
        self.captions = [caption for _, caption in found]

    def __getitem__(self, index):
        path = os.path.join(self.root, "dataset", self.photos[index])
        return self.transformed(self.loader(path), self.captions[index])

    def __len__(self):
        return len(self.photos)


class CaptionedFiles(VisionDataset):
    """What torchvision.datasets.Flickr8k and Flickr30k have in common: several captions of each image."""

    def __init__(self, root, ann_file, transform=None, target_transform=None, loader=pil_loader):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.ann_file = os.path.expanduser(ann_file)
        self.annotations = self.captions_by_image(Path(self.ann_file).read_text(encoding="utf-8"))
        self.ids = sorted(self.annotations)
        self.loader = loader

    def __getitem__(self, index):
        id = self.ids[index]
        return self.transformed(self.loader(os.path.join(self.root, id)), self.annotations[id])

    def __len__(self):
        return len(self.ids)


class CaptionsOfPage(HTMLParser):
    """Reads the page that Flickr8k has: in a table, links to images, each with a list of captions."""

    def __init__(self, root):
        super().__init__()
        self.root = root
        self.annotations = {}
        self.in_table = False
        self.current_tag = self.current_image = None

    def handle_starttag(self, tag, attrs):
        self.current_tag = tag
        self.in_table = self.in_table or tag == "table"

    def handle_endtag(self, tag):
        self.current_tag = None
        self.in_table = self.in_table and tag != "table"

    def handle_data(self, data):
        if not self.in_table:
            return
        if data == "Image Not Found":
            self.current_image = None
        elif self.current_tag == "a":
            self.current_image = glob.glob(os.path.join(self.root, f"{data.split('/')[-2]}_*.jpg"))[0]
            self.annotations[self.current_image] = []
        elif self.current_tag == "li" and self.current_image:
            self.annotations[self.current_image].append(data.strip())


class Flickr8k(CaptionedFiles):
    """torchvision.datasets.Flickr8k."""

    def captions_by_image(self, text):
        """The captions that a page has, by the paths of images."""
        page = CaptionsOfPage(self.root)
        page.feed(text)
        return page.annotations


class Flickr30k(CaptionedFiles):
    """torchvision.datasets.Flickr30k."""

    def captions_by_image(self, text):
        """The captions that a table has, by the names of images, behind which it has a number."""
        found = {}
        for line in text.splitlines():
            name, caption = line.strip().split("\t")
            found.setdefault(name[:-2], []).append(caption)
        return found
