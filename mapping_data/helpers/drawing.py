"""torchvision.utils: boxes and masks drawn into images."""

import math
import warnings

import mindspore
import numpy as np


def colors_of_objects(colors, count):
    """One color for each object, as three numbers."""
    from PIL import ImageColor

    if colors is None:
        palette = (2**25 - 1, 2**15 - 1, 2**21 - 1)
        colors = [tuple(number * part % 255 for part in palette) for number in range(count)]
    elif isinstance(colors, list):
        if len(colors) < count:
            raise ValueError(
                "Number of colors must be equal or larger than the number of objects, "
                f"but got {len(colors)} < {count}."
            )
    elif not isinstance(colors, (tuple, str)):
        raise ValueError(f"colors must be a tuple or a string, or a list thereof, but got {colors}.")
    elif isinstance(colors, tuple) and len(colors) != 3:
        raise ValueError(f"If passed as tuple, colors should be an RGB triplet, but got {colors}.")
    else:
        colors = [colors] * count
    return [ImageColor.getrgb(color) if isinstance(color, str) else color for color in colors]


def check_drawn_into(image, channels, told):
    """Raises an error where an image is none that can be drawn into."""
    if not isinstance(image, mindspore.Tensor):
        raise TypeError(f"The image must be a tensor, got {type(image)}")
    if image.dtype != mindspore.uint8 and not image.is_floating_point():
        raise ValueError(f"The image dtype must be uint8 or float, got {image.dtype}")
    if image.ndim != 3:
        raise ValueError("Pass individual images, not batches")
    if image.shape[0] not in channels:
        raise ValueError(told)


def draw_turned_box(draw, corners, width, outline, fill):
    """Draw a box by its four corners, the first side dashed."""
    points = [tuple(corners[place : place + 2]) for place in range(0, len(corners), 2)]
    (left, top), (right, bottom) = points[:2]
    length, angle = math.hypot(right - left, bottom - top), math.atan2(bottom - top, right - left)
    place = 0
    while place < length:
        ends = [
            (left + math.cos(angle) * far, top + math.sin(angle) * far)
            for far in (place, min(place + 5, length))
        ]
        draw.line(ends, fill=outline, width=width)
        place += 10
    for start, end in zip(points[1:], [*points[2:], points[0]]):
        draw.line((start, end), width=width, fill=outline)
    draw.polygon(corners, fill=fill, outline=None, width=0)


def draw_bounding_boxes(
    image,
    boxes,
    labels=None,
    colors=None,
    fill=False,
    width=1,
    font=None,
    font_size=None,
    label_colors=None,
    label_background_colors=None,
    fill_labels=False,
):
    """torchvision.utils.draw_bounding_boxes."""
    from PIL import Image, ImageDraw, ImageFont

    check_drawn_into(image, (1, 3), "Only grayscale and RGB images are supported")
    corners = boxes.asnumpy()
    if corners.shape[-1] == 4 and (corners[:, :2] > corners[:, 2:]).any():
        raise ValueError(
            "Boxes need to be in (xmin, ymin, xmax, ymax) format. "
            "Use torchvision.ops.box_convert to convert them"
        )
    count = len(corners)
    if count == 0:
        warnings.warn("boxes doesn't contain any box. No box was drawn", stacklevel=2)
        return image
    if labels is not None and len(labels) != count:
        raise ValueError(
            f"Number of boxes ({count}) and labels ({len(labels)}) mismatch. "
            "Please specify labels for each box."
        )
    colors = colors_of_objects(colors, count)
    of_texts = of_backgrounds = colors
    if label_colors or fill_labels:
        of_texts = colors_of_objects(label_colors or "black", count)
    if fill_labels and label_background_colors:
        of_backgrounds = colors_of_objects(label_background_colors, count)
    if font is None and font_size is not None:
        warnings.warn("Argument 'font_size' will be ignored since 'font' is not set.", stacklevel=2)
    letters = ImageFont.load_default() if font is None else ImageFont.truetype(font, font_size or 10)
    values, is_float = image.asnumpy(), image.dtype != mindspore.uint8
    kind = values.dtype.type
    if is_float:
        values = (values * kind(256 - 1e-3)).astype(np.uint8)
    colored = np.broadcast_to(values, (3, *values.shape[1:])).transpose(1, 2, 0)
    picture = Image.fromarray(np.ascontiguousarray(colored))
    draw = ImageDraw.Draw(picture, *(["RGBA"] if fill else []))
    for number, box in enumerate(corners.astype(np.int64).tolist()):
        inner = (*colors[number], 100) if fill else None
        if len(box) > 4:
            draw_turned_box(draw, box, width, colors[number], inner)
        else:
            draw.rectangle(box, width=width, outline=colors[number], fill=inner)
        if labels is None or labels[number] is None:
            continue
        place = (box[0] + width + 1, box[1] + width + 1)
        if fill_labels:
            left, top, right, bottom = draw.textbbox(place, labels[number], font=letters)
            draw.rectangle((left - 1, top - 1, right + 1, bottom + 1), fill=of_backgrounds[number])
        draw.text(place, labels[number], fill=of_texts[number], font=letters)
    drawn = np.array(picture).transpose(2, 0, 1)
    if is_float:
        drawn = drawn.astype(kind) / kind(255)
    return mindspore.Tensor(np.ascontiguousarray(drawn))


def draw_segmentation_masks(image, masks, alpha=0.8, colors=None):
    """torchvision.utils.draw_segmentation_masks."""
    check_drawn_into(image, (3,), "Pass an RGB image. Other Image formats are not supported")
    masks = masks[None] if masks.ndim == 2 else masks
    if masks.ndim != 3:
        raise ValueError("masks must be of shape (H, W) or (batch_size, H, W)")
    if masks.dtype != mindspore.bool_:
        raise ValueError(f"The masks must be of dtype bool. Got {masks.dtype}")
    if masks.shape[-2:] != image.shape[-2:]:
        raise ValueError("The image and the masks must have the same height and width")
    if not masks.shape[0]:
        warnings.warn("masks doesn't contain any mask. No mask was drawn", stacklevel=2)
        return image
    values, kept = image.asnumpy(), masks.asnumpy()
    drawn = values.copy()
    for mask, color in zip(kept, colors_of_objects(colors, len(kept))):
        parts = np.array(color, np.float64) / 255 if image.is_floating_point() else np.array(color)
        drawn[:, mask] = parts.astype(values.dtype)[:, None]
    drawn[:, kept.sum(0) > 1] = 0
    kind = values.dtype.type if image.is_floating_point() else np.float32
    mixed = values.astype(kind) * kind(1 - alpha) + drawn.astype(kind) * kind(alpha)
    return mindspore.Tensor(mixed.astype(values.dtype))
