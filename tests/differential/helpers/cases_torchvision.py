"""torchvision's transforms, files of images, operators and data sets."""

from __future__ import annotations

import json
from pathlib import Path

from case import Case, script

T = "torchvision.transforms."
V = f"{T}v2."
F = f"{T}functional."
CASES: list[Case] = []
TABLE = Path(__file__).resolve().parents[3] / "mapping_data" / "helpers" / "helpers.json"
HELPERS = frozenset(json.loads(TABLE.read_text(encoding="utf-8")))
"""What has a helper: not those names of v2 that mean the same object as one of v1."""
IMAGES = """
from PIL import Image
import random
def photo(height=23, width=31, mode='RGB'):
    values = np.random.default_rng(height).integers(0, 256, (height, width, len(Image.new(mode, (1, 1)).getbands())), dtype=np.uint8)
    smooth = (values // 2 + np.linspace(0, 120, width)[None, :, None]).astype(np.uint8)
    return Image.fromarray(smooth if smooth.shape[2] > 1 else smooth[:, :, 0])
def whole(height=23, width=31, channels=3):
    return tensor(np.random.default_rng(height).integers(0, 256, (channels, height, width), dtype=np.uint8))
def real(height=23, width=31, channels=3):
    return tensor(np.random.default_rng(height).uniform(0, 1, (channels, height, width)).astype(np.float32))
def shown(value):
    if isinstance(value, Image.Image):
        return [value.mode, np.asarray(value)]
    if isinstance(value, (list, tuple)):
        return [shown(each) for each in value]
    return value
"""
KINDS = ("photo()", "whole()", "real()")


def functional(
    name: str, *arguments: str, kinds: tuple[str, ...] = KINDS, v2: bool = True, **options: object
) -> None:
    """A function of images; that of v2, too, where it is another one."""
    for module in (F, f"{V}functional.") if v2 and f"{V}functional.{name}" in HELPERS else (F,):
        for kind in kinds:
            calls = "\n".join(
                f"result.append(shown({name}({kind}{', ' if a else ''}{a})))" for a in arguments
            )
            CASES.append(script(f"{module}{name}", f"{IMAGES}\nresult = []\n{calls}", **options))


def transform(
    name: str,
    *arguments: str,
    kinds: tuple[str, ...] = KINDS,
    v2: bool = True,
    exact_v2: bool = True,
    **options: object,
) -> None:
    """A class of transforms, applied several times after the generator was seeded."""
    for module in (T, V) if v2 and f"{V}{name}" in HELPERS else (T,):
        seeds = "" if exact_v2 or module == T else "seed = lambda s: None\n"
        for kind in kinds:
            calls = "\n".join(
                f"t = {name.rpartition('.')[2]}({a})\nfor s in range(4):\n    manual_seed(s)\n    random.seed(s)\n    result.append(shown(t({kind})))"
                for a in arguments
            )
            source = f"{IMAGES}\n{seeds}result = []\n{calls}"
            if module == V and not exact_v2:
                source += "\nresult = [np.shape(r[-1] if isinstance(r, list) else r) for r in result]"
            CASES.append(script(f"torch.manual_seed {module}{name}", source, **options))


functional(
    "to_tensor",
    "",
    kinds=(
        "photo()",
        "photo(mode='L')",
        "photo(mode='RGBA')",
        "photo().convert('1')",
        "photo(mode='L').convert('I')",
        "photo(mode='L').convert('F')",
        "np.asarray(photo())",
        "np.asarray(photo(mode='L'))",
        "np.asarray(photo()).astype(np.float64)",
    ),
    v2=False,
)
functional("pil_to_tensor", "", kinds=("photo()", "photo(mode='L')", "photo().convert('1')"))
functional(
    "to_pil_image",
    "",
    kinds=(
        "whole()",
        "real()",
        "whole(channels=1)",
        "real(channels=4)",
        "whole()[0]",
        "np.asarray(photo())",
        "tensor(np.arange(12).reshape(1, 3, 4).astype(np.int32))",
        "tensor(np.arange(12).reshape(1, 3, 4).astype(np.int16))",
    ),
)
functional("to_pil_image", "'YCbCr'", "mode='HSV'", kinds=("whole()",))
functional("to_pil_image", "'F'", kinds=("real(channels=1)",))
functional(
    "convert_image_dtype",
    "float32",
    "float64",
    "uint8",
    "int32",
    "int64",
    kinds=("whole()", "tensor(np.arange(12).reshape(1, 3, 4).astype(np.int32) * 100000000)"),
    v2=False,
)
functional("convert_image_dtype", "float32", "float64", "uint8", kinds=("real()",), v2=False)
for name in ("get_dimensions", "get_image_size", "get_image_num_channels"):
    functional(name, "", kinds=("photo()", "photo(mode='L')", "whole()"), v2=name == "get_dimensions")
functional(
    "normalize",
    "[0.5, 0.4, 0.3], [0.2, 0.3, 0.4]",
    "(0.5,), (0.5,)",
    "mean=[0.1, 0.2, 0.3], std=[1, 2, 3]",
    kinds=("real()",),
)
functional(
    "resize",
    "[10, 12]",
    "15",
    "[40]",
    "[50, 20]",
    "(30, 40), 3",
    "8, max_size=9",
    "[64, 64]",
    kinds=("photo()", "real()"),
)
functional("resize", "[10, 12]", "15", "[50, 20]", kinds=("photo(mode='L')",))
functional("resize", "[10, 12]", "20", kinds=("whole()",), v2=False)
functional(
    "resize", "[11, 14], antialias=False", "[50, 40], antialias=False", "9, antialias=True", kinds=("real()",)
)
for mode in ("NEAREST", "NEAREST_EXACT", "BICUBIC"):
    CASES.append(
        script(
            f"{T}InterpolationMode {F}resize {V}Resize",
            IMAGES
            + "result = [InterpolationMode.BILINEAR.value]\nfor image in (photo(), whole(), real()):\n    for size in ([10, 13], [50, 41]):\n"
            f"        result.append(shown(resize(image, size, InterpolationMode.{mode})))\nresult.append(Resize(9, interpolation=InterpolationMode.{mode})(real()))",
        )
    )
functional("crop", "2, 3, 10, 12", "-2, 20, 9, 15", "0, 0, 30, 40")
functional("center_crop", "10", "[9, 12]", "[40, 12]", "(41, 50)", "[23]")
functional("resized_crop", "2, 3, 10, 12, [8, 8]", "0, 0, 20, 20, 30", kinds=("photo()", "real()"))
functional(
    "pad",
    "2",
    "[1, 3]",
    "[1, 2, 3, 4], 7",
    "2, 0, 'edge'",
    "[3, 1], padding_mode='reflect'",
    "[3, 1, 0, 2], padding_mode='symmetric'",
)
functional("pad", "[1, 2], (10, 20, 30)", kinds=("photo()",))
for name in ("hflip", "vflip", "invert"):
    functional(name, "")
functional("autocontrast", "", kinds=("photo()", "real()"))
functional("autocontrast", "", kinds=("whole()",), v2=False)
functional("invert", "", kinds=("photo(mode='L')",))
functional("equalize", "", kinds=("photo()", "whole()"))
functional("five_crop", "10", "(8, 9)")
functional("ten_crop", "10", "(8, 9), vertical_flip=True")
functional("rgb_to_grayscale", "", "3", tolerance=1e-5)
functional("to_grayscale", "", "num_output_channels=3", kinds=("photo()",))
functional("adjust_brightness", "0.4", "1.7", "0")
functional("adjust_contrast", "0.4", "1.7", "0")
functional("adjust_saturation", "0.4", "1.7", "0")
functional("adjust_hue", "0.2", "-0.4", "0.5", "0", kinds=("photo()", "whole()", "real()"))
functional("adjust_gamma", "0.6", "2.2, 1.1")
functional("adjust_sharpness", "0.3", "2", kinds=("photo()", "real()"))
functional("adjust_sharpness", "0.3", "2", kinds=("whole()",), v2=False)
functional("posterize", "3", "7", kinds=("photo()", "whole()"))
functional("solarize", "100", kinds=("photo()", "whole()"))
functional("solarize", "0.4", kinds=("real()",))
for kinds, tolerance in ((("photo()", "whole()"), 1.0), (("real()",), 1e-5)):
    functional("gaussian_blur", "3", "[5, 3], 1.2", "(3, 7), [0.4, 2.0]", kinds=kinds, tolerance=tolerance)
functional(
    "rotate",
    "30",
    "-77.5, expand=True",
    "90, fill=[9, 8, 7]",
    "15, center=[4, 5]",
    kinds=("photo()", "whole()"),
)
functional(
    "rotate", "30", "-77.5, expand=True", "15, center=[4, 5]", "200, fill=[0.5, 0.2, 0.1]", kinds=("real()",)
)
functional(
    "affine",
    "20, [3, -2], 1.2, [5, 7]",
    "0, (0, 0), 0.7, 10.0",
    "-60, [0, 4], 1.0, [0.0, 0.0], fill=[3, 2, 1]",
    kinds=("photo()", "whole()", "real()"),
)
for name, arguments in (("rotate", "33"), ("affine", "20, [3, -2], 1.2, [5.0, 7.0]")):
    CASES.append(
        script(
            f"{T}InterpolationMode {F}{name}",
            IMAGES
            + f"result = [shown({name}(image, {arguments}, interpolation=InterpolationMode.BILINEAR, fill=f)) for image in (photo(), real()) for f in (None, [1, 2, 3])]",
            tolerance=1e-4,
        )
    )
POINTS = "[[0, 0], [30, 0], [30, 22], [0, 22]], [[2, 3], [28, 1], [27, 20], [1, 19]]"
functional("perspective", POINTS, kinds=("photo()", "real()"), tolerance=1e-4)
WITHIN_1 = {"random": "np.asarray(result[0], np.float32) / 255", "tolerance": 1.01 / 255}
"""Whole numbers that are rounded from sums of other order."""
for name, arguments in (("perspective", POINTS), ("autocontrast", ""), ("adjust_sharpness", "2")):
    functional(name, arguments, kinds=("whole()",), **WITHIN_1)
functional("erase", "2, 3, 5, 6, 0", kinds=("whole()", "real()"), v2=False)
functional("erase", "2, 3, 5, 6, tensor(np.ones((3, 1, 1), np.float32))", kinds=("real()",))

transform("ToTensor", "", kinds=("photo()", "np.asarray(photo(mode='L'))"), v2=False)
transform("PILToTensor", "", kinds=("photo()",))
transform("ToPILImage", "", "'HSV'", kinds=("whole()",))
transform("ConvertImageDtype", "float32", "float64", kinds=("whole()",))
transform("Normalize", "[0.5], [0.25]", "(0.1, 0.2, 0.3), (1, 2, 3)", kinds=("real()",))
transform("Resize", "12", "(9, 11)", "15, max_size=18", kinds=("photo()", "real()"))
transform("Scale", "12", "(9, 11)", kinds=("photo()",))
transform("RandomSizedCrop", "12", kinds=("photo()",))
transform("transforms.Scale", "12", kinds=("photo()",))
transform("transforms.RandomSizedCrop", "12", kinds=("photo()",))
CASES.append(
    script(
        "torchvision.get_image_backend torchvision.set_image_backend",
        "result = [get_image_backend(), set_image_backend('PIL'), get_image_backend()]\n"
        "try:\n    set_image_backend('other')\nexcept ValueError:\n    result.append('ValueError')",
    )
)
transform("CenterCrop", "12", "(9, 40)", "(7,)")
transform("Pad", "2", "(1, 2), 5", "(1, 2, 3, 4), padding_mode='reflect'")
transform("Lambda", "lambda image: [shown(image), 1]", v2=False)
transform("RandomHorizontalFlip", "", "1.0", "p=0", kinds=("photo()", "real()"))
transform("RandomVerticalFlip", "", "0.8", kinds=("photo()", "real()"))
transform(
    "RandomCrop",
    "12",
    "(9, 10)",
    "16, padding=4",
    "16, 2, False, 3, 'reflect'",
    "(30, 40), pad_if_needed=True",
    kinds=("photo()", "whole()"),
    exact_v2=False,
)
transform(
    "RandomResizedCrop",
    "12",
    "(9, 10), scale=(0.5, 1.0)",
    "8, ratio=(3, 4)",
    kinds=("photo()", "real()"),
    exact_v2=False,
)
transform(
    "ColorJitter",
    "0.4, 0.3, 0.2, 0.1",
    "brightness=(0.5, 0.9)",
    "hue=0.3",
    "contrast=0.5",
    kinds=("photo()", "real()"),
    tolerance=1e-4,
    exact_v2=False,
)
transform("Grayscale", "", "3")
transform("RandomGrayscale", "", "0.7", kinds=("photo()", "real()"))
transform(
    "RandomRotation",
    "30",
    "(10, 80), expand=False",
    "20, fill=5",
    kinds=("photo()", "real()"),
    tolerance=1e-4,
)
transform(
    "RandomAffine",
    "15",
    "(-5, 30), translate=(0.2, 0.1), scale=(0.8, 1.2), shear=10",
    "0, shear=(1, 5, 2, 6)",
    kinds=("photo()", "real()"),
    exact_v2=False,
)
transform("RandomPerspective", "", "0.3, 1.0", kinds=("photo()", "real()"), exact_v2=False, tolerance=1e-4)
transform("GaussianBlur", "3", "(5, 3), sigma=1.5", "5, (0.5, 0.9)", kinds=("photo()", "real()"))
transform("RandomErasing", "1.0", "", "0.9, (0.1, 0.2), value=(1, 2, 3)", kinds=("real()",), exact_v2=False)
CASES.append(
    script(
        f"{T}RandomErasing torch.manual_seed",
        IMAGES
        + "manual_seed(1)\na, b = real(), RandomErasing(1.0, value='random')(real())\nresult = [list(b.shape), bool((a != b).any())]",
    )
)
for name, argument in (
    ("RandomInvert", ""),
    ("RandomEqualize", ""),
    ("RandomPosterize", "3"),
    ("RandomSolarize", "100"),
    ("RandomAdjustSharpness", "2"),
):
    transform(name, argument, kinds=("photo()", "whole()"))
transform("RandomAutocontrast", "", kinds=("photo()", "real()"))
transform("FiveCrop", "10", "(8, 9)")
transform("TenCrop", "10", "8, True")
transform("RandAugment", "", "3, 12", "1, fill=[1, 2, 3]", kinds=("photo()",), exact_v2=False)
transform("TrivialAugmentWide", "", "31", kinds=("photo()", "whole()"), exact_v2=False)
for module in (T, V):
    CASES += [
        script(
            f"torch.manual_seed {module}Resize {module}RandomHorizontalFlip {module}Normalize {T}ToTensor {module}Compose",
            IMAGES
            + "t = Compose([Resize(12), RandomHorizontalFlip(), ToTensor(), Normalize((0.5,), (0.5,))])\nresult = []\nfor s in range(3):\n    manual_seed(s)\n    result.append(t(photo()))\nresult.append(len(t.transforms))",
        ),
        script(
            f"torch.manual_seed {module}RandomApply {module}CenterCrop {module}RandomHorizontalFlip",
            IMAGES
            + "t = RandomApply([CenterCrop(8), RandomHorizontalFlip(1.0)], p=0.4)\nresult = []\nfor s in range(6):\n    manual_seed(s)\n    result.append(shown(t(photo())))",
            **({} if module == T else {"random": "len(result)"}),
        ),
        script(
            f"{module}RandomChoice {module}CenterCrop {module}Grayscale",
            IMAGES
            + "t = RandomChoice([CenterCrop(8), Grayscale()])\nrandom.seed(3)\nmade = [shown(t(photo())) for s in range(6)]\nresult = sorted({m[0] for m in made})",
        ),
        script(
            f"{module}RandomOrder {module}CenterCrop {module}Grayscale",
            IMAGES
            + "t = RandomOrder([CenterCrop(8), Grayscale()])\nresult = [shown(t(photo())) for s in range(3)]",
        ),
        script(
            f"{module}LinearTransformation",
            IMAGES
            + "m = tensor(np.random.default_rng(0).normal(size=(12, 12)).astype(np.float32))\nresult = LinearTransformation(m, tensor(np.arange(12, dtype=np.float32)))(real(2, 2))",
        ),
    ]
CASES += [
    *(
        script(
            f"{module}Compose",
            "def halved(pair):\n    image, label = pair\n    return image / 2, label\n"
            "result = Compose([halved, halved, lambda pair: [pair[0], *pair]])((x, 3))",
            inputs={"x": "normal(2, 3)"},
        )
        for module in (T, V)
    ),
    script(
        f"{V}Compose",
        "result = Compose([lambda image, label: (image / 2, label)] * 2)(x, 3)",
        inputs={"x": "normal(2, 3)"},
    ),
    script(
        f"{V}Lambda {V}Compose",
        IMAGES + "result = shown(Compose([Lambda(lambda image: image.convert('L'))])(photo()))",
    ),
    script(
        f"{V}ToImage {V}ToDtype {V}Normalize {V}Compose {V}ToPureTensor",
        IMAGES
        + "t = Compose([ToImage(), ToDtype(float32, scale=True), Normalize([0.5], [0.5]), ToPureTensor()])\nresult = [t(photo()), t(photo(mode='L')), ToDtype(float64)(whole())]",
    ),
    script(
        f"{V}functional.to_image {V}functional.to_dtype",
        IMAGES
        + "i = to_image(photo())\nresult = [tensor(np.asarray(i)), tensor(np.asarray(to_image(np.asarray(photo())))), to_dtype(whole(), float32, scale=True), to_dtype(whole(), float32)]",
    ),
    script(
        f"{V}Identity {V}ToTensor {V}Transform",
        IMAGES
        + "class Twice(Transform):\n    def transform(self, inpt, params):\n        return inpt * 2\nresult = [shown(Identity()(photo())), ToTensor()(photo()), Twice()(real())]",
    ),
    script(
        f"torch.nn.Sequential torch.nn.Module {T}RandomGrayscale {T}RandomHorizontalFlip {T}Normalize",
        IMAGES
        + "steps = Sequential(RandomGrayscale(1.0), RandomHorizontalFlip(1.0), Normalize((0.1, 0.2, 0.3), (0.5, 0.5, 0.5)))\n"
        "result = [steps(real()), [isinstance(step, Module) for step in steps], len(list(steps.parameters())), repr(RandomGrayscale(0.2))]",
    ),
    script(
        f"{V}RandomHorizontalFlip {V}Resize",
        IMAGES
        + "image, label = RandomHorizontalFlip(1.0)(real(), 3)\nresult = [image, label, *Resize(8)(photo(), 'cat')][1:2]",
    ),
    script(
        "torchvision.utils.make_grid",
        IMAGES
        + "b = tensor(np.random.default_rng(0).normal(size=(11, 3, 4, 5)).astype(np.float32))\nresult = [make_grid(b), make_grid(b, 3, 1, pad_value=0.5), make_grid(b, normalize=True), make_grid(b, normalize=True, value_range=(-1, 1)), make_grid(b, normalize=True, scale_each=True), make_grid([b[0], b[1]]), make_grid(b[:, :1]), make_grid(b[0]), make_grid(b[0, 0]), make_grid(b[:1])]",
    ),
    script(
        "torchvision.utils.save_image",
        IMAGES
        + "import io\nresult = []\nfor options in ({}, {'nrow': 2, 'normalize': True}):\n    f = io.BytesIO()\n    save_image(tensor(np.random.default_rng(0).uniform(-0.1, 1.1, (5, 3, 6, 7)).astype(np.float32)), f, format='png', **options)\n    result.append(np.asarray(Image.open(f)))",
    ),
]

G = f"{V}functional."
CASES.append(
    script(
        f"{G}horizontal_flip {G}vertical_flip {G}to_tensor {G}convert_image_dtype {G}get_image_size {G}get_num_channels",
        IMAGES
        + "result = [shown(f(i)) for f in (horizontal_flip, vertical_flip) for i in (photo(), real())]\n"
        "result += [to_tensor(photo()), convert_image_dtype(whole(), float32), list(get_image_size(real())), get_num_channels(photo())]",
    )
)
