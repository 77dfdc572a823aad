"""torchvision's data sets, read from files as its downloads leave them, and its operators."""

from __future__ import annotations

from case import Case, function, layer, script

D = "torchvision.datasets."
P = "torchvision.ops."
FILES = """
import gzip, os, pickle, struct, tempfile
from PIL import Image
folder = tempfile.mkdtemp()
draw = np.random.default_rng(0)
def write(name, data):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as file:
        file.write(data)
def idx(values):
    return struct.pack('>BBBB', 0, 0, 8, values.ndim) + struct.pack('>' + 'I' * values.ndim, *values.shape) + values.tobytes()
def shown(sample):
    return [sample[0].mode, np.asarray(sample[0]), sample[1]]
"""
CASES: list[Case] = []

for name in ("MNIST", "FashionMNIST", "KMNIST"):
    CASES.append(
        script(
            f"{D}{name}",
            FILES + "for part, count in (('train', 7), ('t10k', 4)):\n"
            f"    write('{name}/raw/' + part + '-images-idx3-ubyte', idx(draw.integers(0, 256, (count, 28, 28), dtype=np.uint8)))\n"
            f"    write('{name}/raw/' + part + '-labels-idx1-ubyte', idx(draw.integers(0, 10, (count,), dtype=np.uint8)))\n"
            f"result = []\nfor train in (True, False):\n    d = {name}(folder, train=train)\n"
            "    result += [len(d), shown(d[0]), shown(d[3]), d.data, d.targets, d.classes, d.class_to_idx, d.train]\n"
            "    result += [d.train_data, d.train_labels, d.test_data, d.test_labels]\n"
            f"d = {name}(folder, transform=lambda image: np.asarray(image) / 255, target_transform=lambda t: t + 100)\nresult.append(list(d[1]))\n"
            "d.targets[d.targets < 5] = 7\nd.data[d.data > 128] = 3\nresult += [list(d[0]), [target for _, target in d]]\nd.targets = d.targets.tolist()\nresult += [list(d[1])]\n"
            "d.targets = tensor(np.array(d.targets))\n"
            "d.data, d.targets = d.data[:2], d.targets[:2]\nresult += [len(d), list(d[1])]\n"
            f"try:\n    {name}(folder + '/none')\nexcept RuntimeError:\n    result.append('RuntimeError')",
        )
    )
HASHES = """
import hashlib
def known(kind):
    for entry in kind.train_list + kind.test_list:
        path = os.path.join(folder, kind.base_folder, entry[0])
        if len(entry) > 1:
            entry[1] = hashlib.md5(open(path, 'rb').read()).hexdigest()
    if 'md5' in kind.meta:
        kind.meta['md5'] = hashlib.md5(open(os.path.join(folder, kind.base_folder, kind.meta['filename']), 'rb').read()).hexdigest()
"""
CASES.append(
    script(
        f"{D}CIFAR10",
        FILES + HASHES + "for n in ['data_batch_%d' % i for i in range(1, 6)] + ['test_batch']:\n"
        "    write('cifar-10-batches-py/' + n, pickle.dumps({'data': draw.integers(0, 256, (3, 3072), dtype=np.uint8), 'labels': draw.integers(0, 10, 3).tolist()}))\n"
        "write('cifar-10-batches-py/batches.meta', pickle.dumps({'label_names': [chr(97 + i) for i in range(10)]}))\nknown(CIFAR10)\n"
        "result = []\nfor train in (True, False):\n    d = CIFAR10(folder, train)\n    result += [len(d), shown(d[0]), shown(d[2]), d.data, d.targets, d.classes, d.class_to_idx]",
    )
)
CASES.append(
    script(
        f"{D}CIFAR100",
        FILES + HASHES + "for n in ('train', 'test'):\n"
        "    write('cifar-100-python/' + n, pickle.dumps({'data': draw.integers(0, 256, (3, 3072), dtype=np.uint8), 'fine_labels': draw.integers(0, 100, 3).tolist()}, protocol=2))\n"
        "write('cifar-100-python/meta', pickle.dumps({'fine_label_names': ['c%d' % i for i in range(100)]}))\nknown(CIFAR100)\n"
        "d = CIFAR100(folder, train=False)\nresult = [len(d), shown(d[1]), d.targets, d.classes[:3]]",
    )
)
CASES.append(
    script(
        f"{D}STL10",
        FILES + HASHES + "for n in ('train', 'test', 'unlabeled'):\n"
        "    write('stl10_binary/' + n + '_X.bin', draw.integers(0, 256, (2, 3, 96, 96), dtype=np.uint8).tobytes())\n"
        "    write('stl10_binary/' + n + '_y.bin', draw.integers(1, 11, 2).astype(np.uint8).tobytes())\n"
        "write('stl10_binary/class_names.txt', b'cat\\ndog\\n')\nSTL10._check_integrity = lambda self: True\nresult = []\n"
        "for split in ('train', 'test', 'unlabeled', 'train+unlabeled'):\n    d = STL10(folder, split)\n    result += [len(d), shown(d[0]), d.labels, d.classes]",
    )
)
CASES.append(
    script(
        f"{D}SVHN",
        FILES + "from scipy.io import savemat\nfor n in ('train', 'test', 'extra'):\n"
        "    savemat(os.path.join(folder, n + '_32x32.mat'), {'X': draw.integers(0, 256, (32, 32, 3, 4), dtype=np.uint8), 'y': np.array([[10], [1], [9], [10]], np.uint8)})\n"
        "SVHN._check_integrity = lambda self: True\nresult = []\n"
        "for split in ('train', 'test', 'extra'):\n    d = SVHN(folder, split, target_transform=lambda label: label + 1)\n    result += [len(d), shown(d[0]), d.labels, d.data, d.split, d.filename, d.extra_repr()]",
    )
)
TREE = (
    FILES
    + """
for name in ('dog/2.png', 'dog/1.png', 'cat/b.png', 'cat/deep/a.png', 'cat/note.txt'):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if name.endswith('png'):
        Image.fromarray(draw.integers(0, 256, (4, 5), dtype=np.uint8)).save(path)
    else:
        open(path, 'w').write('x')
def below(samples):
    return [(os.path.relpath(path, folder), number) for path, number in samples]
"""
)
CASES += [
    script(
        f"{D}ImageFolder",
        TREE
        + "d = ImageFolder(folder)\nresult = [len(d), d.classes, d.class_to_idx, below(d.samples), below(d.imgs), d.targets, shown(d[0]), shown(d[3])]\n"
        "d = ImageFolder(folder, transform=lambda i: i.convert('L'), target_transform=str, is_valid_file=lambda p: 'deep' in p or 'dog' in p)\nresult += [len(d), shown(d[1])]\n"
        "os.mkdir(os.path.join(folder, 'owl'))\ntry:\n    ImageFolder(folder)\nexcept FileNotFoundError:\n    result += [len(ImageFolder(folder, allow_empty=True).classes)]",
    ),
    script(
        f"{D}DatasetFolder {D}folder.make_dataset {D}folder.find_classes {D}folder.is_image_file {D}folder.has_file_allowed_extension {D}folder.pil_loader",
        TREE + "d = DatasetFolder(folder, lambda path: os.path.basename(path), extensions=('.png', '.txt'))\n"
        "result = [list(d), below(make_dataset(folder, extensions='.txt', allow_empty=True)), find_classes(folder), is_image_file('A.JPG'), has_file_allowed_extension('a.PY', ('.py',)), np.asarray(pil_loader(os.path.join(folder, 'dog/1.png')))]",
    ),
    script(
        f"{D}folder.default_loader",
        TREE + "result = np.asarray(default_loader(os.path.join(folder, 'dog/1.png')))",
    ),
    script(
        " ".join(
            f"{D}utils.{name}" for name in ("iterable_to_str", "list_dir", "list_files", "verify_str_arg")
        ),
        TREE
        + """
def raised(call):
    try:
        return call()
    except ValueError as error:
        return type(error).__name__
result = [iterable_to_str([1, 'b']), sorted(list_dir(folder)), [path.replace(folder, '') for path in list_dir(folder + '/cat', prefix=True)]]
result += [sorted(list_files(folder + '/dog', '.png')), [path.replace(folder, '') for path in list_files(folder + '/cat', ('.txt', '.md'), True)]]
result += [verify_str_arg('a', 'kind', ('a', 'b')), verify_str_arg('c'), [raised(call) for call in (lambda: verify_str_arg(3), lambda: verify_str_arg('c', 'kind', ('a', 'b')))]]
""",
    ),
    script(
        " ".join(
            f"{D}utils.{name}"
            for name in (
                *("calculate_md5", "check_md5", "check_integrity", "extract_archive"),
                *("download_and_extract_archive", "download_file_from_google_drive", "download_url"),
            )
        ),
        TREE
        + """
import bz2, hashlib, lzma, shutil, sys
from pathlib import Path
def sum_of(name):
    return hashlib.md5(open(os.path.join(folder, name), 'rb').read()).hexdigest()
note = os.path.join(folder, 'cat/note.txt')
result = [calculate_md5(note), check_md5(note, 'x'), check_md5(note, calculate_md5(note), chunk_size=1)]
result += [check_integrity(note), check_integrity(note, 'x'), check_integrity(folder), check_integrity(note, sum_of('cat/note.txt'))]
def found(name):
    return sorted(os.path.relpath(path, folder) for path in Path(folder, name).rglob('*') if path.is_file())
for kind, name in (('zip', 'a.zip'), ('tar', 'a.tar'), ('gztar', 'a.tar.gz'), ('xztar', 'a.tar.xz'), ('bztar', 'a.tar.bz2')):
    shutil.make_archive(os.path.join(folder, 'a'), kind, folder, 'dog')
    result.append(extract_archive(os.path.join(folder, name), os.path.join(folder, 'to', kind)).replace(folder, ''))
    result.append(found('to/' + kind))
os.rename(folder + '/a.tar.gz', folder + '/b.tgz')
result += [str(extract_archive(Path(folder, 'b.tgz'), Path(folder, 'c'), remove_finished=True)).replace(folder, ''), found('c'), os.path.exists(folder + '/b.tgz')]
for name, pack in (('d.txt.gz', gzip), ('e.bz2', bz2), ('f.csv.xz', lzma)):
    write(name, pack.compress(name.encode()))
    made = extract_archive(os.path.join(folder, name))
    result += [made.replace(folder, ''), open(made).read()]
def raised(call):
    try:
        return call()
    except RuntimeError as error:
        return type(error).__name__
result += [raised(lambda: extract_archive(note)), raised(lambda: extract_archive(os.path.join(folder, 'none')))]
download_url('http://localhost:9/a.zip', folder, md5=sum_of('a.zip'))
download_url('http://localhost:9/x', folder, 'a.zip')
download_and_extract_archive('http://localhost:9/a.zip', folder, os.path.join(folder, 'g'), md5=sum_of('a.zip'), remove_finished=True)
result += [found('g'), os.path.exists(folder + '/a.zip')]
class gdown:  # what downloads from there, and may not be there
    @staticmethod
    def download(id, output, **options):
        open(output, 'w').write(id)
before, sys.modules['gdown'] = sys.modules.get('gdown'), gdown
download_file_from_google_drive('abc', folder + '/h')
download_file_from_google_drive('abc', folder, 'cat/note.txt')
result += [open(folder + '/h/abc').read(), open(note).read(), raised(lambda: download_file_from_google_drive('abc', folder, md5='x'))]
sys.modules['gdown'] = before
result.append(raised(lambda: download_file_from_google_drive('abcd', folder)))
""",
    ),
    script(f"{D}folder.IMG_EXTENSIONS", "result = IMG_EXTENSIONS"),
    script(
        f"{D}FakeData",
        "d = FakeData(5, (3, 8, 9), 4)\ne = FakeData(3, (1, 4, 4), random_offset=2, transform=np.asarray)\nresult = [len(d)] + [[np.asarray(i), t] for i, t in (d[k] for k in range(5))] + [e[0][0], e[2][1]]",
    ),
    script(
        f"{D}VisionDataset {D}vision.StandardTransform",
        "class Own(VisionDataset):\n    def __len__(self):\n        return 2\n    def __getitem__(self, index):\n        return self.transforms(index, -index)\n"
        "d = Own('/tmp', transform=lambda x: x + 1)\nresult = [list(d[1]), d.root, str(d).split('<function')[0], str(Own()), str(Own(transforms=3)), str(Own('a', target_transform=4)), str(StandardTransform('a', 2)), list(StandardTransform(None, lambda y: y * 2)(3, 4))]",
    ),
    script("torchvision.io.ImageReadMode", "result = [(m.name, m.value) for m in ImageReadMode][:5]"),
]
BOXES = "np.array([[0, 0, 10, 10], [1, 1, 11, 12], [20, 20, 30, 31], [0, 2, 9, 9.5]], np.float32)"
OTHER = "np.array([[2, 2, 8, 8], [15, 18, 40, 28]], np.float32)"
CASES += [
    function(f"{P}box_area", "x", BOXES),
    function(f"{P}box_iou", "x, y", BOXES, inputs={"y": OTHER}),
    function(f"{P}generalized_box_iou", "x, y", BOXES, inputs={"y": OTHER}),
    function(f"{P}clip_boxes_to_image", "x, (9, 25)", BOXES, gradients=False),
    function(f"{P}remove_small_boxes", "x, 9.6", BOXES, gradients=False),
    *[
        function(f"{P}box_convert", f"x, '{a}', '{b}'", BOXES)
        for a in ("xyxy", "xywh", "cxcywh")
        for b in ("xyxy", "xywh", "cxcywh")
    ],
    *[
        function(
            f"{P}sigmoid_focal_loss",
            f"x, y{rest}",
            "normal(3, 4)",
            inputs={"y": "integers((3, 4), 2).astype(np.float32)"},
            fixed=("y",),
        )
        for rest in ("", ", alpha=-1, gamma=1.5", ", reduction='mean'", ", 0.4, 2, 'sum'")
    ],
    function(f"{P}stochastic_depth", "x, 0.3, 'row', training=False", "normal(3, 2, 2)"),
    script(
        f"{P}stochastic_depth torch.zeros",
        "y = stochastic_depth(zeros(400, 3) + 1, 0.25, 'row')\nz = stochastic_depth(zeros(4, 3) + 1, 0.5, 'batch')\nresult = [abs(float((y[:, 0] > 0).sum()) / 400 - 0.75) < 0.1, abs(float(y.max()) - 4 / 3) < 1e-5, len({float(v) for v in z.reshape(-1)})]",
    ),
    layer(f"{P}StochasticDepth", "0.0, 'row'", "normal(3, 2, 2)"),
    script(
        f"torch.manual_seed {P}stochastic_depth {P}StochasticDepth",
        """
manual_seed(3)
result = [stochastic_depth(x, p, mode) for p in (0.1, 0.5, 1.0) for mode in ("row", "batch", "row")]
result.append(StochasticDepth(0.4, "row")(x))
""",
        inputs={"x": "normal(6, 3, 2)"},
    ),
    layer(f"{P}FrozenBatchNorm2d", "3", "normal(2, 3, 4, 4)"),
    layer(f"{P}Conv2dNormActivation", "3, 4", "normal(2, 3, 6, 6)"),
    layer(
        f"{P}Conv2dNormActivation",
        "3, 4, (3, 5), norm_layer=None, activation_layer=None, dilation=2",
        "normal(2, 3, 12, 12)",
    ),
    script(
        f"{P}misc.ConvNormActivation torch.nn.Conv1d",
        "m = ConvNormActivation(3, 4, 3, conv_layer=Conv1d)\nresult = [len(m), m.out_channels, [tuple(p.shape) for p in m.parameters()]]",
    ),
    layer(f"{P}SqueezeExcitation", "4, 2", "normal(2, 4, 5, 5)"),
    layer(f"{P}MLP", "5, [6, 3]", "normal(2, 5)"),
    layer(f"{P}Permute", "[0, 2, 1]", "normal(2, 3, 4)"),
]
BY_DEFINITION = """
def kept_of(boxes, scores, limit):
    boxes, left, kept = np.asarray(boxes), np.argsort(-np.asarray(scores)).tolist(), []
    while left:
        best = left.pop(0)
        kept.append(best)
        def share(other):
            sides = [max(0, min(boxes[best][k + 2], boxes[other][k + 2]) - max(boxes[best][k], boxes[other][k])) for k in (0, 1)]
            both = sum((b[2] - b[0]) * (b[3] - b[1]) for b in (boxes[best], boxes[other]))
            whole = both - sides[0] * sides[1]
            return sides[0] * sides[1] / whole if whole else 0.0  # nothing is more than the limit: both are kept
        left = [other for other in left if share(other) <= limit]
    return tensor(np.array(kept))
def both(call, meant):
    try:
        return call()
    except (RuntimeError, NotImplementedError, AttributeError) as error:
        assert 'torchvision' in str(error) or 'image' in str(error), error
        return meant()
"""
"""torchvision's compiled part is not there: where it is needed, helpers are compared with the definition."""
SCORES = "np.array([0.6, 0.9, 0.4, 0.8], np.float32)"
CASES += [
    script(
        f"{P}nms",
        BY_DEFINITION
        + "result = [both(lambda: nms(x, y, limit), lambda: kept_of(x, y, limit)) for limit in (0.1, 0.5, 0.6, 0.9)]",
        inputs={"x": BOXES, "y": SCORES},
    ),
    script(
        f"{P}nms",
        BY_DEFINITION
        + "result = [both(lambda: nms(x, y, limit), lambda: kept_of(x, y, limit)) for limit in (0.1, 0.9)]",
        inputs={
            "x": "np.array([[1, 1, 1, 3], [1, 1, 1, 3], [0, 0, 2, 2], [5, 5, 5, 5]], np.float32)",
            "y": SCORES,
        },
    ),
    script(
        "torch.ops.torchvision.nms",
        BY_DEFINITION
        + "result = [both(lambda: nms(x, y, limit), lambda: kept_of(x, y, limit)) for limit in (0.1, 0.6)]",
        inputs={"x": BOXES, "y": SCORES},
    ),
    script(
        f"{P}batched_nms",
        BY_DEFINITION
        + "result = [both(lambda: batched_nms(x, y, z, limit), lambda: kept_of(np.asarray(x) + 100 * np.asarray(z)[:, None], y, limit)) for limit in (0.1, 0.6)]",
        inputs={"x": BOXES, "y": SCORES, "z": "np.array([0, 1, 1, 0])"},
    ),
    script(
        "torchvision.io.read_image torchvision.io.write_png torchvision.io.write_jpeg",
        BY_DEFINITION
        + "import os, tempfile\nfrom PIL import Image\nfolder = tempfile.mkdtemp()\nresult = []\n"
        "def written(write, name):\n    path = os.path.join(folder, name)\n    both(lambda: write(x, path), lambda: Image.fromarray(np.asarray(x).transpose(1, 2, 0)).save(path))\n"
        "    return [both(lambda: read_image(path), lambda: tensor(np.array(Image.open(path)).transpose(2, 0, 1))).shape == x.shape, both(lambda: read_image(path), lambda: tensor(np.array(Image.open(path)).transpose(2, 0, 1)))]\n"
        "result = [written(write_png, 'a.png'), written(write_jpeg, 'a.jpg')[0]]",
        inputs={"x": "np.arange(60, dtype=np.uint8).reshape(3, 4, 5)"},
    ),
]

DRAWN = """image = tensor((np.arange(3 * 30 * 40) * 7 % 256).reshape(3, 30, 40).astype(np.uint8))
bright = tensor((np.arange(3 * 30 * 40) * 7 % 256 / 255).reshape(3, 30, 40).astype(np.float32))
"""
CASES += [
    script(
        f"torch.tensor {P}masks_to_boxes",
        """masks = np.zeros((4, 6, 8), bool)
masks[0, 2:4, 1:7] = masks[1, 5, 7] = masks[3, :, 2] = True
result = [masks_to_boxes(tensor(masks)), masks_to_boxes(tensor(masks.astype(np.float32) * 3))]
result += [masks_to_boxes(tensor(masks.astype(np.uint8))), list(masks_to_boxes(tensor(masks[:0])).shape)]
""",
    ),
    script(
        "torch.tensor torchvision.utils.draw_bounding_boxes",
        DRAWN
        + """boxes = tensor([[2.0, 3.0, 20.0, 22.0], [10.5, 1.2, 38.0, 12.9]])
turned = tensor([[5, 5, 30, 9, 27, 25, 3, 20]])
gray = tensor((np.arange(30 * 40) % 256).reshape(1, 30, 40).astype(np.uint8))
result = [draw_bounding_boxes(one, boxes) for one in (image, bright, gray)]
result += [
    draw_bounding_boxes(image, boxes, colors="red"),
    draw_bounding_boxes(image, boxes, labels=["a", None], colors=["#FF00FF", (240, 10, 157)], width=3),
    draw_bounding_boxes(bright, boxes, labels=["cat", "dog"], colors=(1, 2, 3), fill=True),
    draw_bounding_boxes(image, boxes, ["x", "y"], fill_labels=True, label_colors="white"),
    draw_bounding_boxes(image, boxes, ["x", "y"], fill_labels=True, label_background_colors=["blue", "green"]),
    draw_bounding_boxes(image, turned, colors="blue", width=2),
    draw_bounding_boxes(image, turned, fill=True),
    draw_bounding_boxes(image, boxes[:0]),
]
for wrong in (
    lambda: draw_bounding_boxes(np.zeros(3), boxes),
    lambda: draw_bounding_boxes(image[0], boxes),
    lambda: draw_bounding_boxes(image[:2], boxes),
    lambda: draw_bounding_boxes(image, boxes, labels=["a"]),
    lambda: draw_bounding_boxes(image, boxes, colors=["red"]),
    lambda: draw_bounding_boxes(image, boxes, colors=(1, 2)),
    lambda: draw_bounding_boxes(image, tensor([[9.0, 3.0, 2.0, 5.0]])),
):
    try:
        wrong()
    except (TypeError, ValueError) as error:
        result += [type(error).__name__]
""",
    ),
    script(
        "torch.tensor torchvision.utils.draw_segmentation_masks",
        DRAWN
        + """masks = np.zeros((2, 30, 40), bool)
masks[0, 2:14, 1:27] = masks[1, 10:20, 7:35] = True
masks = tensor(masks)
result = [
    draw_segmentation_masks(image, masks),
    draw_segmentation_masks(bright, masks, alpha=0.3),
    draw_segmentation_masks(image, masks[0], 0.5, "green"),
    draw_segmentation_masks(bright, masks, colors=["#00F", (10, 20, 200)]),
    draw_segmentation_masks(image, masks, colors=(250, 128, 3), alpha=1.0),
    draw_segmentation_masks(image, masks[:0]),
]
for wrong in (
    lambda: draw_segmentation_masks(image, tensor([[1.0]])),
    lambda: draw_segmentation_masks(image[:1], masks),
    lambda: draw_segmentation_masks(image, masks[:, 1:]),
    lambda: draw_segmentation_masks(image, masks, colors=3),
):
    try:
        wrong()
    except (TypeError, ValueError) as error:
        result += [type(error).__name__]
""",
    ),
]

BETWEEN_PIXELS = (
    BY_DEFINITION
    + """
import math
def between(image, y, x):
    height, width = image.shape[1:]
    top, left, total = math.floor(float(y)), math.floor(float(x)), image[:, 0, 0] * 0
    for row, down in ((top, 1 - (y - top)), (top + 1, y - top)):
        for column, right in ((left, 1 - (x - left)), (left + 1, x - left)):
            if 0 <= row < height and 0 <= column < width:
                total = total + image[:, row, column] * down * right
    return total
def deformed(x, offset, weight, bias, stride, padding, dilation, mask, parts):
    count, channels = x.shape[:2]
    kernels, depth, rows, columns = weight.shape
    taps, found = rows * columns, []
    for n in range(count):
        for i in range(offset.shape[2]):
            for j in range(offset.shape[3]):
                read = []
                for part in range(parts):
                    image = x[n, part * channels // parts : (part + 1) * channels // parts]
                    for tap in range(taps):
                        place = 2 * (part * taps + tap)
                        y = i * stride[0] - padding[0] + tap // columns * dilation[0] + offset[n, place, i, j]
                        z = j * stride[1] - padding[1] + tap % columns * dilation[1] + offset[n, place + 1, i, j]
                        value = between(image, y, z)
                        read.append(value if mask is None else value * mask[n, part * taps + tap, i, j])
                read = stack(read).reshape(parts, taps, -1).transpose(1, 2).reshape(channels, taps)
                for kernel in range(kernels):
                    first = kernel * (channels // depth) // kernels * depth
                    value = (read[first : first + depth] * weight[kernel].reshape(depth, taps)).sum()
                    found.append(value if bias is None else value + bias[kernel])
    return stack(found).reshape(count, *offset.shape[2:], kernels).permute(0, 3, 1, 2)
def aligned_means(x, boxes, size, scale, ratio, aligned):
    found, (height, width) = [], x.shape[2:]
    for box in boxes.tolist():
        image, edge = x[int(box[0])], 0.5 if aligned else 0.0
        left, top, right, bottom = (value * scale - edge for value in box[1:])
        sides = (bottom - top, right - left)
        sides = sides if aligned else tuple(max(side, 1.0) for side in sides)
        points = [ratio if ratio > 0 else math.ceil(side / count) for side, count in zip(sides, size)]
        for i in range(size[0]):
            for j in range(size[1]):
                total = image[:, 0, 0] * 0
                for a in range(points[0]):
                    for b in range(points[1]):
                        y = top + (i + (a + 0.5) / points[0]) * sides[0] / size[0]
                        z = left + (j + (b + 0.5) / points[1]) * sides[1] / size[1]
                        if -1 <= y <= height and -1 <= z <= width:
                            total = total + between(image, min(max(y, 0), height - 1), min(max(z, 0), width - 1))
                found.append(total / max(points[0] * points[1], 1))
    return stack(found).reshape(len(boxes), *size, -1).permute(0, 3, 1, 2)
def compiled(call, meant):  # torchvision's own in Python reads beyond the edges, its compiled one does not
    return meant() if type(x).__module__ == "torch" else call()
def largest_of_bins(x, boxes, size, scale):
    found = []
    for box in boxes.tolist():
        image = x[int(box[0])]
        left, top, right, bottom = (math.floor(value * scale + 0.5) for value in box[1:])
        steps = max(bottom - top + 1, 1) / size[0], max(right - left + 1, 1) / size[1]
        for i in range(size[0]):
            for j in range(size[1]):
                rows = [math.floor(i * steps[0]) + top, math.ceil((i + 1) * steps[0]) + top]
                columns = [math.floor(j * steps[1]) + left, math.ceil((j + 1) * steps[1]) + left]
                rows = [min(max(value, 0), image.shape[1]) for value in rows]
                columns = [min(max(value, 0), image.shape[2]) for value in columns]
                bin = image[:, rows[0] : rows[1], columns[0] : columns[1]]
                flat = bin.reshape(bin.shape[0], -1)
                found.append(flat.gather(1, flat.argmax(1, keepdim=True))[:, 0] if bin.numel() else image[:, 0, 0] * 0)
    return stack(found).reshape(len(boxes), *size, -1).permute(0, 3, 1, 2)
"""
)
REGIONS = (
    "np.array([[0, 0.3, 0.6, 5.2, 6.9], [1, 2, 1, 3, 2.5], [0, -2.4, -1, 9, 8], [1, 4, 4, 3, 3]], np.float32)"
)
for stride, padding, dilation, parts, groups, masked in (
    ((1, 1), (1, 1), (1, 1), 1, 1, False),
    ((2, 1), (0, 1), (1, 2), 2, 2, True),
):
    height = (6 + 2 * padding[0] - dilation[0] * 2 - 1) // stride[0] + 1
    width = (5 + 2 * padding[1] - dilation[1] - 1) // stride[1] + 1
    given = f"{stride}, {padding}, {dilation}, m" if masked else f"{stride}, {padding}, {dilation}"
    CASES.append(
        script(
            f"{P}deform_conv2d torch.stack",
            BETWEEN_PIXELS
            + f"result = [both(lambda: deform_conv2d(x, y * move, w, b, {given}), lambda: deformed(x, y * move, w, b, {stride}, {padding}, {dilation}, {'m' if masked else None}, {parts})) for move in (0, 1.7)]",
            inputs={
                "x": "normal(2, 4, 6, 5)",
                "y": f"normal(2, {parts * 12}, {height}, {width})",
                "w": f"normal(4, {4 // groups}, 3, 2)",
                "b": "normal(4)",
                "m": f"uniform(2, {parts * 6}, {height}, {width})",
            },
        )
    )
CASES.append(
    script(
        f"{P}DeformConv2d torch.stack torch.manual_seed",
        BETWEEN_PIXELS + "manual_seed(0)\nlayer = DeformConv2d(4, 2, 3, padding=1)\n"
        "result = [[tuple(each.shape) for each in layer.parameters()], layer.weight, layer.bias]\n"
        "result.append(both(lambda: layer(x, y), lambda: deformed(x, y, layer.weight, layer.bias, (1, 1), (1, 1), (1, 1), None, 1)))\n"
        "try:\n    DeformConv2d(3, 4, 3, groups=2)\nexcept ValueError as error:\n    result.append(str(error))",
        inputs={"x": "normal(1, 4, 4, 4)", "y": "normal(1, 18, 4, 4)"},
    )
)
CASES.append(
    script(
        "torch.ops.torchvision.roi_align torch.stack",
        BETWEEN_PIXELS + "result = [compiled(lambda: roi_align(x, z, 0.8, 2, 3, 2, True), "
        "lambda: aligned_means(x, z, (2, 3), 0.8, 2, True))]",
        inputs={"x": "normal(2, 3, 7, 8)", "z": REGIONS},
    )
)
for ratio, aligned in ((2, False), (-1, False), (-1, True), (3, True)):
    CASES.append(
        script(
            f"{P}roi_align {P}RoIAlign torch.stack",
            BETWEEN_PIXELS
            + f"result = [compiled(lambda: roi_align(x, z, (2, 3), 0.8, {ratio}, {aligned}), lambda: aligned_means(x, z, (2, 3), 0.8, {ratio}, {aligned}))]\n"
            f"result.append(compiled(lambda: RoIAlign(2, 1.0, {ratio}, {aligned})(x, [z[:1, 1:], z[1:2, 1:]]), lambda: aligned_means(x, z[:2], (2, 2), 1.0, {ratio}, {aligned})))",
            inputs={"x": "normal(2, 3, 7, 8)", "z": REGIONS},
            fixed=("z",),
        )
    )
CASES.append(
    script(
        f"{P}roi_pool {P}RoIPool torch.stack",
        BETWEEN_PIXELS
        + "result = [both(lambda: roi_pool(x, z, (2, 3), 0.8), lambda: largest_of_bins(x, z, (2, 3), 0.8))]\n"
        "result.append(both(lambda: RoIPool(2, 1.0)(x, [z[:1, 1:], z[1:2, 1:]]), lambda: largest_of_bins(x, z[:2], (2, 2), 1.0)))",
        inputs={"x": "normal(2, 3, 7, 8)", "z": REGIONS},
        fixed=("z",),
    )
)
CASES.append(
    script(
        f"{P}roi_pool torch.stack",
        BETWEEN_PIXELS
        + "y = x - x.detach()\nresult = [both(lambda: roi_pool(y, z, (2, 3), 0.8), lambda: largest_of_bins(y, z, (2, 3), 0.8))]",
        inputs={"x": "normal(2, 3, 7, 8)", "z": REGIONS},
        fixed=("z",),
    )
)
