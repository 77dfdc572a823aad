"""The classes of torchvision.transforms, and those of v2 that mean the same.

What is drawn at random comes from the generator that `manual_seed` seeds, in PyTorch's order.
"""

import math
import numbers
import random

import mindspore
import numpy as np


def drawn_uniform(low, high):
    """One number between two, of single precision."""
    return float(default_generator.single((), low, high))


def drawn_integer(low, high):
    """One integer from `low` to below `high`."""
    return int(default_generator.integers(low, high, 1)[0])


class ImageTransform(Module):
    """torchvision.transforms.v2.Transform: something done with an image. What is given beside the image, such
    as a label, is given back as it is."""

    def __new__(cls, *args, **kwargs):
        made = super().__new__(cls)
        Module.__init__(made)
        return made

    def __call__(self, *inputs):
        if len(inputs) == 1 and not isinstance(inputs[0], (tuple, list, dict)):
            return self.forward(inputs[0])
        if len(inputs) == 1 and isinstance(inputs[0], dict):
            return {
                key: self.forward(value) if is_image(value) else value for key, value in inputs[0].items()
            }
        values = inputs[0] if len(inputs) == 1 else inputs
        if not any(map(is_image, values)):
            return self.forward(*inputs)
        first = next(place for place, value in enumerate(values) if is_image(value))
        return type(values)(
            self.forward(value) if place == first else value for place, value in enumerate(values)
        )

    def forward(self, img):
        return self.transform(img, {})

    def transform(self, inpt, params):
        """What classes derived from v2's Transform define."""
        raise NotImplementedError(f"{type(self).__name__} defines forward or transform")

    def __repr__(self):
        own = vars(Module()).keys()
        shown = ", ".join(
            f"{name}={value}" for name, value in vars(self).items() if name not in own and name[0] != "_"
        )
        return f"{type(self).__name__}({shown})"


def is_image(value):
    """Whether a value may be an image: one of PIL, or a Tensor or an array of two axes at least."""
    return is_pil_image(value) or (isinstance(value, (mindspore.Tensor, np.ndarray)) and value.ndim > 1)


class Compose:
    """torchvision.transforms.Compose."""

    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, *inputs):
        are_several = len(inputs) > 1
        for transform in self.transforms:
            outputs = transform(*inputs)
            inputs = outputs if are_several else (outputs,)
        return inputs if are_several else inputs[0]

    def __repr__(self):
        return "\n".join(["Compose(", *(f"    {transform}" for transform in self.transforms), ")"])


class ToTensor(ImageTransform):
    """torchvision.transforms.ToTensor."""

    def forward(self, img):
        return to_tensor(img)


class PILToTensor(ImageTransform):
    """torchvision.transforms.PILToTensor."""

    def forward(self, img):
        return pil_to_tensor(img)


class ToImage(ImageTransform):
    """torchvision.transforms.v2.ToImage: a Tensor."""

    def forward(self, img):
        return to_image(img)


class ToPureTensor(ImageTransform):
    """torchvision.transforms.v2.ToPureTensor: every Tensor is one here."""

    def forward(self, img):
        return img


class ToPILImage(ImageTransform):
    """torchvision.transforms.ToPILImage."""

    def __init__(self, mode=None):
        self.mode = mode

    def forward(self, img):
        return to_pil_image(img, self.mode)


class ConvertImageDtype(ImageTransform):
    """torchvision.transforms.ConvertImageDtype."""

    def __init__(self, dtype=mindspore.float32):
        self.dtype = dtype

    def forward(self, img):
        return convert_image_dtype(img, self.dtype)


class ToDtype(ImageTransform):
    """torchvision.transforms.v2.ToDtype."""

    def __init__(self, dtype, scale=False):
        self.dtype = dtype
        self.scale = scale

    def forward(self, img):
        return img if is_pil_image(img) else to_dtype(img, self.dtype, self.scale)


class NormalizeImage(ImageTransform):
    """torchvision.transforms.Normalize."""

    def __init__(self, mean, std, inplace=False):
        self.mean = mean
        self.std = std
        self.inplace = inplace

    def forward(self, img):
        return normalize_image(img, self.mean, self.std, self.inplace)


class Resize(ImageTransform):
    """torchvision.transforms.Resize."""

    def __init__(self, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
        self.size = size
        self.interpolation = interpolation
        self.max_size = max_size
        self.antialias = antialias

    def forward(self, img):
        return resize_image(img, self.size, self.interpolation, self.max_size, self.antialias)


class CenterCrop(ImageTransform):
    """torchvision.transforms.CenterCrop."""

    def __init__(self, size):
        self.size = pair_of_sizes(size)

    def forward(self, img):
        return center_crop(img, self.size)


class PadImage(ImageTransform):
    """torchvision.transforms.Pad."""

    def __init__(self, padding, fill=0, padding_mode="constant"):
        self.padding = padding
        self.fill = fill
        self.padding_mode = padding_mode

    def forward(self, img):
        return pad_image(img, self.padding, self.fill, self.padding_mode)


class Lambda(ImageTransform):
    """torchvision.transforms.Lambda."""

    def __init__(self, lambd, *types):
        self.lambd = lambd
        self.types = types or (object,)

    def __call__(self, *inputs):
        made = tuple(self.lambd(value) if isinstance(value, self.types) else value for value in inputs)
        return made if len(made) > 1 else made[0]


class IdentityTransform(ImageTransform):
    """torchvision.transforms.v2.Identity."""

    def forward(self, img):
        return img


class RandomApply(ImageTransform):
    """torchvision.transforms.RandomApply."""

    def __init__(self, transforms, p=0.5):
        self.transforms = transforms
        self.p = p

    def __call__(self, *inputs):
        if self.p < drawn_uniform(0, 1):
            return inputs if len(inputs) > 1 else inputs[0]
        return Compose(self.transforms)(*inputs)


class RandomChoice(ImageTransform):
    """torchvision.transforms.RandomChoice."""

    def __init__(self, transforms, p=None):
        self.transforms = transforms
        self.p = p

    def __call__(self, *inputs):
        return random.choices(self.transforms, self.p)[0](*inputs)


class RandomOrder(ImageTransform):
    """torchvision.transforms.RandomOrder."""

    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, *inputs):
        order = list(range(len(self.transforms)))
        random.shuffle(order)
        return Compose([self.transforms[place] for place in order])(*inputs)


class RandomCrop(ImageTransform):
    """torchvision.transforms.RandomCrop."""

    def __init__(self, size, padding=None, pad_if_needed=False, fill=0, padding_mode="constant"):
        self.size = pair_of_sizes(size)
        self.padding = padding
        self.pad_if_needed = pad_if_needed
        self.fill = fill
        self.padding_mode = padding_mode

    @staticmethod
    def get_params(img, output_size):
        _, rows, columns = get_dimensions(img)
        height, width = output_size
        if rows < height or columns < width:
            raise ValueError(f"a crop of {(height, width)} does not fit an image of {(rows, columns)}")
        if (rows, columns) == (height, width):
            return 0, 0, rows, columns
        return drawn_integer(0, rows - height + 1), drawn_integer(0, columns - width + 1), height, width

    def forward(self, img):
        if self.padding is not None:
            img = pad_image(img, self.padding, self.fill, self.padding_mode)
        _, rows, columns = get_dimensions(img)
        missing_y, missing_x = max(self.size[0] - rows, 0), max(self.size[1] - columns, 0)
        if self.pad_if_needed and missing_x:
            img = pad_image(img, [missing_x, 0], self.fill, self.padding_mode)
        if self.pad_if_needed and missing_y:
            img = pad_image(img, [0, missing_y], self.fill, self.padding_mode)
        return crop_image(img, *self.get_params(img, self.size))


class RandomResizedCrop(ImageTransform):
    """torchvision.transforms.RandomResizedCrop."""

    def __init__(
        self,
        size,
        scale=(0.08, 1.0),
        ratio=(3.0 / 4.0, 4.0 / 3.0),
        interpolation=InterpolationMode.BILINEAR,
        antialias=True,
    ):
        self.size = pair_of_sizes(size)
        self.scale = scale
        self.ratio = ratio
        self.interpolation = interpolation
        self.antialias = antialias

    @staticmethod
    def get_params(img, scale, ratio):
        _, rows, columns = get_dimensions(img)
        logs = np.log(np.array(ratio, np.float32))
        for _ in range(10):
            area = rows * columns * drawn_uniform(*scale)
            aspect = float(np.exp(np.float32(drawn_uniform(*logs))))
            width, height = round(math.sqrt(area * aspect)), round(math.sqrt(area / aspect))
            if 0 < width <= columns and 0 < height <= rows:
                top, left = drawn_integer(0, rows - height + 1), drawn_integer(0, columns - width + 1)
                return top, left, height, width
        height, width = rows, columns
        if columns / rows < min(ratio):
            height = round(width / min(ratio))
        elif columns / rows > max(ratio):
            width = round(height * max(ratio))
        return (rows - height) // 2, (columns - width) // 2, height, width

    def forward(self, img):
        place = self.get_params(img, self.scale, self.ratio)
        return resized_crop(img, *place, self.size, self.interpolation, self.antialias)


class SometimesTransform(ImageTransform):
    """Something that is done with a probability of `p`."""

    def __init__(self, p=0.5):
        self.p = p

    def forward(self, img):
        return self.changed(img) if drawn_uniform(0, 1) < self.p else img


class RandomHorizontalFlip(SometimesTransform):
    """torchvision.transforms.RandomHorizontalFlip."""

    def changed(self, img):
        return hflip(img)


class RandomVerticalFlip(SometimesTransform):
    """torchvision.transforms.RandomVerticalFlip."""

    def changed(self, img):
        return vflip(img)


class RandomInvert(SometimesTransform):
    """torchvision.transforms.RandomInvert."""

    def changed(self, img):
        return invert_image(img)


class RandomAutocontrast(SometimesTransform):
    """torchvision.transforms.RandomAutocontrast."""

    def changed(self, img):
        return autocontrast(img)


class RandomEqualize(SometimesTransform):
    """torchvision.transforms.RandomEqualize."""

    def changed(self, img):
        return equalize(img)


class RandomPosterize(SometimesTransform):
    """torchvision.transforms.RandomPosterize."""

    def __init__(self, bits, p=0.5):
        super().__init__(p)
        self.bits = bits

    def changed(self, img):
        return posterize(img, self.bits)


class RandomSolarize(SometimesTransform):
    """torchvision.transforms.RandomSolarize."""

    def __init__(self, threshold, p=0.5):
        super().__init__(p)
        self.threshold = threshold

    def changed(self, img):
        return solarize(img, self.threshold)


class RandomAdjustSharpness(SometimesTransform):
    """torchvision.transforms.RandomAdjustSharpness."""

    def __init__(self, sharpness_factor, p=0.5):
        super().__init__(p)
        self.sharpness_factor = sharpness_factor

    def changed(self, img):
        return adjust_sharpness(img, self.sharpness_factor)


class Grayscale(ImageTransform):
    """torchvision.transforms.Grayscale."""

    def __init__(self, num_output_channels=1):
        self.num_output_channels = num_output_channels

    def forward(self, img):
        return rgb_to_grayscale(img, self.num_output_channels)


class RandomGrayscale(SometimesTransform):
    """torchvision.transforms.RandomGrayscale."""

    def __init__(self, p=0.1):
        super().__init__(p)

    def changed(self, img):
        return rgb_to_grayscale(img, get_image_num_channels(img))


class ColorJitter(ImageTransform):
    """torchvision.transforms.ColorJitter."""

    def __init__(self, brightness=0, contrast=0, saturation=0, hue=0):
        self.brightness = self.span(brightness)
        self.contrast = self.span(contrast)
        self.saturation = self.span(saturation)
        self.hue = self.span(hue, 0.0, (-0.5, 0.5))

    @staticmethod
    def span(value, center=1.0, bounds=(0.0, float("inf"))):
        """From where to where a factor goes; None where it changes nothing."""
        if isinstance(value, numbers.Number):
            if value < 0:
                raise ValueError(f"a range is not negative: {value}")
            value = (center - value, center + value)
            value = (max(value[0], 0.0), value[1]) if center else value
        if not bounds[0] <= value[0] <= value[1] <= bounds[1]:
            raise ValueError(f"factors are between {bounds}, not {value}")
        return None if value[0] == value[1] == center else tuple(map(float, value))

    @staticmethod
    def get_params(brightness, contrast, saturation, hue):
        order = default_generator.permutation(4)
        spans = (brightness, contrast, saturation, hue)
        return (order, *(None if span is None else drawn_uniform(*span) for span in spans))

    def forward(self, img):
        order, *factors = self.get_params(self.brightness, self.contrast, self.saturation, self.hue)
        changes = (adjust_brightness, adjust_contrast, adjust_saturation, adjust_hue)
        for place in order:
            if factors[place] is not None:
                img = changes[place](img, factors[place])
        return img


def span_around(value, name):
    """A range that one number or two give."""
    if isinstance(value, numbers.Number):
        if value < 0:
            raise ValueError(f"one number for {name} is not negative: {value}")
        return float(-value), float(value)
    return tuple(map(float, value))


class RandomRotation(ImageTransform):
    """torchvision.transforms.RandomRotation."""

    @with_former_names(resample="interpolation")
    def __init__(self, degrees, interpolation=InterpolationMode.NEAREST, expand=False, center=None, fill=0):
        self.degrees = span_around(degrees, "degrees")
        self.interpolation = interpolation
        self.expand = expand
        self.center = center
        self.fill = 0 if fill is None else fill

    @staticmethod
    def get_params(degrees):
        return drawn_uniform(*degrees)

    def forward(self, img):
        fill = self.fill
        if isinstance(img, mindspore.Tensor):
            count = get_image_num_channels(img)
            fill = [float(fill)] * count if isinstance(fill, numbers.Number) else fill
        return rotate_image(
            img, self.get_params(self.degrees), self.interpolation, self.expand, self.center, fill
        )


class RandomAffine(ImageTransform):
    """torchvision.transforms.RandomAffine."""

    @with_former_names(resample="interpolation", fillcolor="fill")
    def __init__(
        self,
        degrees,
        translate=None,
        scale=None,
        shear=None,
        interpolation=InterpolationMode.NEAREST,
        fill=0,
        center=None,
    ):
        self.degrees = span_around(degrees, "degrees")
        self.translate = translate
        self.scale = scale
        self.shear = None if shear is None else span_around(shear, "shear")
        self.interpolation = interpolation
        self.fill = fill
        self.center = center

    @staticmethod
    def get_params(degrees, translate, scale_ranges, shears, img_size):
        angle = drawn_uniform(*degrees)
        moved = (0, 0)
        if translate is not None:
            most = [float(share * size) for share, size in zip(translate, img_size)]
            moved = tuple(round(drawn_uniform(-value, value)) for value in most)
        scale = 1.0 if scale_ranges is None else drawn_uniform(*scale_ranges)
        shear_x = shear_y = 0.0
        if shears is not None:
            shear_x = drawn_uniform(shears[0], shears[1])
            shear_y = drawn_uniform(shears[2], shears[3]) if len(shears) == 4 else 0.0
        return angle, moved, scale, (shear_x, shear_y)

    def forward(self, img):
        size = get_image_size(img)
        params = self.get_params(self.degrees, self.translate, self.scale, self.shear, size)
        fill = self.fill
        if isinstance(img, mindspore.Tensor) and isinstance(fill, numbers.Number):
            fill = [float(fill)] * get_image_num_channels(img)
        return affine(img, *params, self.interpolation, fill, self.center)


class RandomPerspective(ImageTransform):
    """torchvision.transforms.RandomPerspective."""

    def __init__(self, distortion_scale=0.5, p=0.5, interpolation=InterpolationMode.BILINEAR, fill=0):
        self.distortion_scale = distortion_scale
        self.p = p
        self.interpolation = interpolation
        self.fill = fill

    @staticmethod
    def get_params(width, height, distortion_scale):
        x, y = int(distortion_scale * (width // 2)), int(distortion_scale * (height // 2))
        sides_x = ((0, x + 1), (width - x - 1, width), (width - x - 1, width), (0, x + 1))
        sides_y = ((0, y + 1), (0, y + 1), (height - y - 1, height), (height - y - 1, height))
        ends = [[drawn_integer(*of_x), drawn_integer(*of_y)] for of_x, of_y in zip(sides_x, sides_y)]
        return [[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], ends

    def forward(self, img):
        if drawn_uniform(0, 1) >= self.p:
            return img
        points = self.get_params(*get_image_size(img), self.distortion_scale)
        fill = self.fill
        if isinstance(img, mindspore.Tensor) and isinstance(fill, numbers.Number):
            fill = [float(fill)] * get_image_num_channels(img)
        return perspective(img, *points, self.interpolation, fill)


class GaussianBlur(ImageTransform):
    """torchvision.transforms.GaussianBlur."""

    def __init__(self, kernel_size, sigma=(0.1, 2.0)):
        self.kernel_size = (kernel_size,) * 2 if isinstance(kernel_size, int) else tuple(kernel_size)
        self.sigma = (sigma, sigma) if isinstance(sigma, numbers.Number) else sigma

    @staticmethod
    def get_params(sigma_min, sigma_max):
        return drawn_uniform(sigma_min, sigma_max)

    def forward(self, img):
        sigma = self.get_params(*self.sigma)
        return gaussian_blur(img, self.kernel_size, [sigma, sigma])


class RandomErasing(ImageTransform):
    """torchvision.transforms.RandomErasing."""

    def __init__(self, p=0.5, scale=(0.02, 0.33), ratio=(0.3, 3.3), value=0, inplace=False):
        self.p = p
        self.scale = scale
        self.ratio = ratio
        self.value = value
        self.inplace = inplace

    @staticmethod
    def get_params(img, scale, ratio, value=None):
        channels, rows, columns = img.shape[-3:]
        logs = np.log(np.array(ratio, np.float32))
        for _ in range(10):
            area = rows * columns * drawn_uniform(*scale)
            aspect = float(np.exp(np.float32(drawn_uniform(*logs))))
            height, width = round(math.sqrt(area * aspect)), round(math.sqrt(area / aspect))
            if height < rows and width < columns:
                if value is None:
                    filled = default_generator.normal((channels, height, width))
                else:
                    filled = np.array(value, np.float32)[:, None, None]
                top, left = drawn_integer(0, rows - height + 1), drawn_integer(0, columns - width + 1)
                return top, left, height, width, mindspore.Tensor(filled)
        return 0, 0, rows, columns, img

    def forward(self, img):
        if drawn_uniform(0, 1) >= self.p:
            return img
        value = [float(self.value)] if isinstance(self.value, numbers.Number) else self.value
        value = None if isinstance(value, str) else [float(each) for each in value]
        return erase_image(img, *self.get_params(img, self.scale, self.ratio, value), self.inplace)


class FiveCrop(ImageTransform):
    """torchvision.transforms.FiveCrop."""

    def __init__(self, size):
        self.size = pair_of_sizes(size)

    def forward(self, img):
        return five_crop(img, self.size)


class TenCrop(ImageTransform):
    """torchvision.transforms.TenCrop."""

    def __init__(self, size, vertical_flip=False):
        self.size = pair_of_sizes(size)
        self.vertical_flip = vertical_flip

    def forward(self, img):
        return ten_crop(img, self.size, self.vertical_flip)


class LinearTransformation(ImageTransform):
    """torchvision.transforms.LinearTransformation."""

    def __init__(self, transformation_matrix, mean_vector):
        self.transformation_matrix = transformation_matrix
        self.mean_vector = mean_vector

    def forward(self, img):
        matrix, mean = pixels(self.transformation_matrix), pixels(self.mean_vector)
        values = pixels(img)
        return tensor_image(((values.reshape((-1, len(matrix))) - mean) @ matrix).reshape(values.shape))


def augmented(img, name, strength, interpolation, fill):
    """An image with one of the changes that augmentation policies consist of."""
    geometry = {
        "ShearX": lambda: ([0, 0], [math.degrees(math.atan(strength)), 0.0]),
        "ShearY": lambda: ([0, 0], [0.0, math.degrees(math.atan(strength))]),
        "TranslateX": lambda: ([int(strength), 0], [0.0, 0.0]),
        "TranslateY": lambda: ([0, int(strength)], [0.0, 0.0]),
    }
    if name in geometry:
        moved, shear = geometry[name]()
        center = [0, 0] if name.startswith("Shear") else None
        return affine(img, 0.0, moved, 1.0, shear, interpolation, fill, center)
    changes = {
        "Rotate": lambda: rotate_image(img, strength, interpolation, fill=fill),
        "Brightness": lambda: adjust_brightness(img, 1.0 + strength),
        "Color": lambda: adjust_saturation(img, 1.0 + strength),
        "Contrast": lambda: adjust_contrast(img, 1.0 + strength),
        "Sharpness": lambda: adjust_sharpness(img, 1.0 + strength),
        "Posterize": lambda: posterize(img, int(strength)),
        "Solarize": lambda: solarize(img, strength),
        "AutoContrast": lambda: autocontrast(img),
        "Equalize": lambda: equalize(img),
        "Invert": lambda: invert_image(img),
        "Identity": lambda: img,
    }
    return changes[name]()


def augmentation_strengths(bins, size, shear, moved, turn, color, posterized):
    """The changes of a policy, each with its strengths and whether they may be negative."""
    height, width = size
    shifts = (moved * width, moved * height) if moved < 1 else (moved, moved)
    found = {"Identity": (np.zeros(bins), False)}
    spans = {
        "ShearX": shear,
        "ShearY": shear,
        "TranslateX": shifts[0],
        "TranslateY": shifts[1],
        "Rotate": turn,
    }
    spans |= dict.fromkeys(("Brightness", "Color", "Contrast", "Sharpness"), color)
    for name, most in spans.items():
        found[name] = (np.linspace(0.0, most, bins, dtype=np.float32), True)
    found["Posterize"] = (8 - np.rint(np.arange(bins) / ((bins - 1) / posterized)), False)
    found["Solarize"] = (np.linspace(255.0, 0.0, bins, dtype=np.float32), False)
    return found | {"AutoContrast": (np.zeros(bins), False), "Equalize": (np.zeros(bins), False)}


class RandAugment(ImageTransform):
    """torchvision.transforms.RandAugment."""

    def __init__(
        self,
        num_ops=2,
        magnitude=9,
        num_magnitude_bins=31,
        interpolation=InterpolationMode.NEAREST,
        fill=None,
    ):
        self.num_ops = num_ops
        self.magnitude = magnitude
        self.num_magnitude_bins = num_magnitude_bins
        self.interpolation = interpolation
        self.fill = fill

    def forward(self, img):
        size = get_dimensions(img)[1:]
        table = augmentation_strengths(self.num_magnitude_bins, size, 0.3, 150 / 331, 30.0, 0.9, 4)
        for _ in range(self.num_ops):
            name = list(table)[drawn_integer(0, len(table))]
            strengths, is_signed = table[name]
            strength = float(strengths[self.magnitude])
            if is_signed and drawn_integer(0, 2):
                strength = -strength
            img = augmented(img, name, strength, self.interpolation, self.fill)
        return img


class TrivialAugmentWide(ImageTransform):
    """torchvision.transforms.TrivialAugmentWide."""

    def __init__(self, num_magnitude_bins=31, interpolation=InterpolationMode.NEAREST, fill=None):
        self.num_magnitude_bins = num_magnitude_bins
        self.interpolation = interpolation
        self.fill = fill

    def forward(self, img):
        table = augmentation_strengths(self.num_magnitude_bins, (1, 1), 0.99, 32.0, 135.0, 0.99, 6)
        name = list(table)[drawn_integer(0, len(table))]
        strengths, is_signed = table[name]
        has_strengths = name not in ("Identity", "AutoContrast", "Equalize")
        strength = float(strengths[drawn_integer(0, len(strengths))]) if has_strengths else 0.0
        if is_signed and drawn_integer(0, 2):
            strength = -strength
        return augmented(img, name, strength, self.interpolation, self.fill)
