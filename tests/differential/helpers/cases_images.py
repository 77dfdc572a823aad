"""Pooling, resizing, folding."""

from __future__ import annotations

from case import Case, function, layer

CASES: list[Case] = []
SHAPES = {1: "normal(2, 3, 11)", 2: "normal(2, 3, 9, 11)", 3: "normal(2, 3, 6, 7, 8)"}
ALONE = {1: "normal(3, 11)", 2: "normal(3, 9, 11)", 3: "normal(3, 6, 7, 8)"}


def both(kind: str, forms: tuple[str, ...], x: str, **options: object) -> None:
    """A layer and its function with the same arguments."""
    name = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in kind)[1:].replace(
        "l_p_", "lp_"
    )
    for form in forms:
        CASES.append(layer(f"torch.nn.{kind}", form, x, train=False, **options))  # type: ignore[arg-type]
        CASES.append(function(f"torch.nn.functional.{name}", f"x, {form}", x, **options))


for n, x in SHAPES.items():
    pairs = str(tuple(range(2, 2 + n)))
    MAX = (
        "2",
        "3, 2",
        "3, stride=2, padding=1, ceil_mode=True",
        "2, 1, dilation=2",
        f"kernel_size={pairs}",
        "3, 3, 1, ceil_mode=True",
    )
    both(f"MaxPool{n}d", (*MAX, "3, stride=2, return_indices=True", "2, padding=1, return_indices=True"), x)
    both(f"MaxPool{n}d", ("2",), ALONE[n])
    AVERAGE = (
        "2",
        "3, 2",
        "3, 2, 1",
        "3, stride=2, padding=1, ceil_mode=True",
        "3, 2, 1, ceil_mode=True, count_include_pad=False",
        f"{pairs}, 1",
        "2, 3, ceil_mode=True",
    )
    both(
        f"AvgPool{n}d",
        AVERAGE if n == 1 else (*AVERAGE, "3, 2, divisor_override=5", "3, 2, 1, True, False, 2"),
        x,
    )
    both(f"AvgPool{n}d", ("2",), ALONE[n])
    both(
        f"AdaptiveAvgPool{n}d",
        ("1", "4", "output_size=13", *((f"{(None, 3, 2)[:n]}", f"{pairs}") if n > 1 else ())),
        x,
    )
    both(f"AdaptiveAvgPool{n}d", ("3",), ALONE[n])
    both(
        f"AdaptiveMaxPool{n}d",
        ("1", "4", "output_size=5, return_indices=True", *((f"{(None, 3, 2)[:n]}",) if n > 1 else ())),
        x,
    )
    both(f"AdaptiveMaxPool{n}d", ("3",), ALONE[n])
    positive = f"np.abs({x}) + 0.1"
    both(f"LPPool{n}d", ("2, 3", "3.0, 2, stride=1", "1, 3, 2, ceil_mode=True"), positive, tolerance=3e-5)
    small = {1: "normal(2, 3, 4)", 2: "normal(2, 3, 3, 4)", 3: "normal(2, 3, 2, 3, 2)"}[n]
    size = {1: "(8,)", 2: "(6, 8)", 3: "(4, 6, 4)"}[n]
    at = f"np.argsort(normal(2, 3, {8 if n == 1 else 48 if n == 2 else 96}))[..., :{4 if n == 1 else 12}].reshape(({small[7:-1]}))"
    options = {"inputs": {"i": at}}
    CASES.append(layer(f"torch.nn.MaxUnpool{n}d", "2", small, called="x, i", train=False, **options))  # type: ignore[arg-type]
    CASES.append(
        layer(
            f"torch.nn.MaxUnpool{n}d",
            "2, stride=2",
            small,
            called=f"x, i, output_size={size}",
            train=False,
            **options,
        )
    )  # type: ignore[arg-type]
    CASES.append(function(f"torch.nn.functional.max_unpool{n}d", "x, i, 2", small, **options))

MODES = {
    1: ("nearest", "nearest-exact", "linear", "area"),
    2: ("nearest", "nearest-exact", "bilinear", "bicubic", "area"),
    3: ("nearest", "nearest-exact", "trilinear", "area"),
}
for n, modes in MODES.items():
    x = {1: "normal(2, 3, 7)", 2: "normal(2, 3, 5, 7)", 3: "normal(2, 3, 4, 5, 3)"}[n]
    sizes = str((4, 9, 5)[:n])
    for mode in modes:
        forms = [
            f"size={sizes}",
            "size=6",
            "scale_factor=2",
            "scale_factor=1.5",
            "scale_factor=0.7",
            f"scale_factor={(2.0, 1.3, 0.6)[:n]}",
        ]
        forms += ["scale_factor=1.7, recompute_scale_factor=True"]
        forms += ["size=1"]
        if "linear" in mode or "cubic" in mode:
            forms += [
                f"size={sizes}, align_corners=True",
                "scale_factor=2.0, align_corners=True",
                "size=1, align_corners=True",
                "scale_factor=1.4, align_corners=False",
            ]
        if n == 2 and mode in ("bilinear", "bicubic"):
            forms += [
                f"size={sizes}, antialias=True",
                "size=3, antialias=True",
                "scale_factor=0.45, antialias=True",
                "scale_factor=2, antialias=True, align_corners=True",
            ]
        for form in forms:
            CASES.append(
                function("torch.nn.functional.interpolate", f"x, {form}, mode='{mode}'", x, tolerance=2e-5)
            )
CASES += [
    function("torch.nn.functional.interpolate", "x, (8, 8)", "normal(1, 2, 5, 5)"),
    *(  # a long axis, for which no matrix is made
        function("torch.nn.functional.interpolate", f"x, {form}", "normal(1, 2, 800)", tolerance=2e-5)
        for form in ("1600, None, 'linear'", "1601, None, 'linear', True", "None, 2.003, 'linear'")
    ),
    function(
        "torch.nn.functional.interpolate",
        "x, (1400, 2), None, 'bicubic'",
        "normal(1, 1, 800, 3)",
        tolerance=2e-5,
    ),
    function("torch.nn.functional.interpolate", "x, None, 2.0", "normal(1, 2, 5, 5)"),
    function("torch.nn.functional.interpolate", "x, None, [2, 3], 'bilinear', True", "normal(1, 2, 5, 5)"),
    function(
        "torch.nn.functional.upsample",
        "x, scale_factor=2, mode='bilinear', align_corners=True",
        "normal(1, 2, 5, 5)",
    ),
    function("torch.nn.functional.upsample", "x, (7, 7)", "normal(1, 2, 5, 5)"),
]
IMAGE = "normal(2, 8, 4, 6)"
for api, forms in {
    "Upsample": (
        "scale_factor=2",
        "None, 2, 'bilinear', True",
        "(5, 9)",
        "size=7, mode='bicubic', align_corners=False",
        "scale_factor=(1.5, 2), mode='nearest'",
    ),
    "UpsamplingNearest2d": ("scale_factor=2", "(5, 7)"),
    "UpsamplingBilinear2d": ("scale_factor=2", "size=(5, 7)"),
    "PixelShuffle": ("2",),
    "PixelUnshuffle": ("2",),
    "ChannelShuffle": ("4",),
    "Flatten": ("", "2", "start_dim=1, end_dim=2", "0, -2"),
    "Unflatten": ("1, (2, 4)", "dim=-1, unflattened_size=[2, -1]", "1, x.shape[2:1:-1] and (4, 2)"),
    "Unfold": ("2", "(2, 3), 1, 1, 2", "kernel_size=3, dilation=2, padding=(2, 1), stride=(1, 2)"),
}.items():
    CASES += [layer(f"torch.nn.{api}", form, IMAGE, train=False) for form in forms]
CASES += [
    function("torch.nn.functional.pixel_shuffle", "x, 2", IMAGE),
    function("torch.nn.functional.pixel_shuffle", "x, upscale_factor=2", "normal(1, 2, 3, 4, 5, 5)"),
    function("torch.nn.functional.pixel_unshuffle", "x, 2", IMAGE),
    function("torch.nn.functional.pixel_unshuffle", "x, 2", "normal(8, 4, 6)"),
    function("torch.channel_shuffle", "x, 2", IMAGE, gradients=False),
    layer("torch.nn.PixelShuffle", "2", "normal(8, 3, 3)", train=False),
    layer("torch.nn.Flatten", "", "normal(3)", called="x.reshape(1, 3)", train=False),
    function("torch.flatten", "x", IMAGE),
    function("torch.flatten", "x, 1", IMAGE),
    function("torch.flatten", "x, start_dim=-2, end_dim=-1", IMAGE),
    function("torch.flatten", "x", "np.float32(3)"),
    function("torch.unflatten", "x, 1, (2, -1)", IMAGE),
    function("torch.unflatten", "x, -1, [3, 2]", IMAGE),
    function("torch.nn.functional.unfold", "x, 3", "normal(2, 3, 5, 6)"),
    function("torch.nn.functional.unfold", "x, (2, 3), padding=1", "normal(3, 5, 6)"),
    function("torch.nn.functional.fold", "x, (4, 5), 2", "normal(2, 12, 12)"),
    function("torch.nn.functional.fold", "x, 6, (2, 2), stride=2, padding=1", "normal(2, 8, 16)"),
    function("torch.nn.functional.fold", "x, (6, 6), 2, 2, 0, 2", "normal(8, 4)"),
    layer("torch.nn.Fold", "(4, 5), (2, 2)", "normal(2, 12, 12)", train=False),
]
