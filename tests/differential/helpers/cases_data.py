"""Data sets, samplers, loaders, and the random numbers that they draw."""

from __future__ import annotations

from case import Case, script

D = "torch.utils.data."
CASES: list[Case] = []


def scripts(apis: str, *sources: str, **options: object) -> None:
    CASES.extend(script(apis, source, **options) for source in sources)


NUMBERS = """
class Numbers(Dataset):
    def __init__(self, count):
        self.count = count
    def __len__(self):
        return self.count
    def __getitem__(self, index):
        return {sample}
"""
STREAM = """
class Stream(IterableDataset):
    def __init__(self, count):
        self.count = count
    def __iter__(self):
        return iter(range(self.count))
    def __len__(self):
        return self.count
"""
LOADED = f"{D}Dataset {D}DataLoader torch.Generator torch.manual_seed"

scripts(
    f"{D}ConcatDataset {D}TensorDataset",
    "d = TensorDataset(tensor(np.arange(4)), tensor(np.arange(8.0).reshape(4, 2)))\n"
    "c = ConcatDataset([d, d, d])\nresult = [len(c), c.cumulative_sizes, c[0], c[5], c[-1], len(d + d)]",
)
scripts(
    f"{D}IterableDataset {D}ChainDataset",
    STREAM
    + "c = ChainDataset([Stream(2), Stream(3)])\nresult = [list(c), len(c), list(Stream(2) + Stream(1))]",
)
scripts(
    f"{D}StackDataset {D}TensorDataset",
    "a = TensorDataset(tensor(np.arange(3)))\nb = TensorDataset(tensor(np.arange(3) * 2))\n"
    "s, t = StackDataset(a, b), StackDataset(one=a, two=b)\nresult = [len(s), s[1], len(t), t[2]]",
)
scripts(
    f"{D}Subset {D}random_split torch.Generator",
    "parts = random_split(list(range(50)), [30, 20], generator=Generator().manual_seed(42))\n"
    "result = [p.indices for p in parts] + [parts[0][3], len(parts[1])]",
    "parts = random_split(range(11), [0.5, 0.3, 0.2], generator=Generator().manual_seed(1))\n"
    "result = [list(p) for p in parts]",
    "s = Subset([5, 6, 7, 8], [3, 1])\nresult = [list(s), len(s), s.__getitems__([1, 0])]",
)
scripts(
    f"{D}random_split torch.manual_seed",
    "manual_seed(7)\nresult = [list(p) for p in random_split(range(20), [15, 5])]",
)
scripts(
    "torch.Generator",
    "g = Generator()\nh = g.manual_seed(3)\nresult = [h is g, g.initial_seed(), g.device.type]",
    "g = Generator().manual_seed(2 ** 40 + 5)\ns = g.get_state()\nresult = [g.initial_seed(), Generator().initial_seed()]\n"
    "g.seed()\ng.set_state(s)\nresult.append(g.initial_seed())",
)
scripts(
    "torch.Generator torch.rand torch.randint torch.randperm",
    "g = Generator().manual_seed(5)\nresult = [rand(3, 4, generator=g), randperm(40, generator=g), randint(0, 100, (7,), generator=g), randint(2 ** 40, (3,), generator=g), rand(2, generator=g)]",
    "g = Generator().manual_seed(6)\nh = g.clone_state()\nresult = [randperm(9, generator=g), randperm(9, generator=h)]\n"
    "s = g.get_state()\na = rand(4, generator=g)\ng.set_state(s)\nresult.append(bool((a == rand(4, generator=g)).all()))",
)
scripts(
    "torch.manual_seed torch.initial_seed torch.randperm torch.rand torch.get_rng_state torch.set_rng_state torch.default_generator",
    "g = manual_seed(11)\nresult = [initial_seed(), g is default_generator, randperm(5), rand(2)]\n"
    "s = get_rng_state()\na = rand(3)\nset_rng_state(s)\nresult += [a, rand(3)]",
)
scripts(
    "torch.random.fork_rng torch.manual_seed torch.rand",
    "manual_seed(4)\nwith fork_rng():\n    manual_seed(9)\n    a = rand(3)\nresult = [a, rand(3)]",
)
scripts(
    "torch.manual_seed torch.randn torch.rand",
    "manual_seed(12)\nresult = [randn(3), rand(2), randn(2, 2), randn(16), randn(5, 7), randn(1), randn(100), rand(3)]",
)
scripts(
    "torch.manual_seed torch.nn.Linear torch.nn.Conv2d torch.nn.LSTM torch.nn.Embedding torch.nn.MultiheadAttention torch.nn.TransformerEncoderLayer torch.nn.Bilinear torch.nn.ConvTranspose1d",
    "manual_seed(5)\nmade = [Linear(7, 5), Conv2d(3, 4, 3), LSTM(4, 3, 2), Embedding(9, 4), MultiheadAttention(8, 2), TransformerEncoderLayer(8, 2, 16), Bilinear(2, 3, 4), ConvTranspose1d(2, 3, 3)]\n"
    "result = [value.detach() if hasattr(value, 'detach') else value for layer in made for value in layer.parameters()]",
)
scripts(
    "torch.manual_seed torch.nn.init.trunc_normal_ torch.nn.init.orthogonal_ torch.nn.init.xavier_normal_ torch.zeros",
    "manual_seed(5)\nresult = [orthogonal_(zeros(4, 6)), trunc_normal_(zeros(5, 4), std=0.02), xavier_normal_(zeros(8, 8))]",
)
scripts("torch.seed torch.initial_seed", "s = seed()\nresult = [s == initial_seed(), s != 3]")
scripts(
    f"{D}Sampler {D}SequentialSampler {D}BatchSampler",
    "class Every(Sampler):\n    def __init__(self, n):\n        self.n = n\n    def __iter__(self):\n"
    "        return iter(range(0, self.n, 2))\n    def __len__(self):\n        return (self.n + 1) // 2\n"
    "s = SequentialSampler([9, 9, 9])\nresult = [list(s), len(s)]\n"
    "for last in (False, True):\n    b = BatchSampler(Every(9), 2, last)\n    result += [list(b), len(b), list(b)]",
)
scripts(
    f"{D}RandomSampler torch.Generator torch.manual_seed",
    "g = Generator().manual_seed(8)\nresult = []\nfor options in ({}, {'replacement': True}, {'replacement': True, 'num_samples': 70}, {'num_samples': 4}, {'num_samples': 33}):\n"
    "    s = RandomSampler(range(13), generator=g, **options)\n    result += [list(s), len(s), list(s)]",
    "manual_seed(2)\ns = RandomSampler(range(6))\nresult = [list(s), list(s), s.num_samples, s.replacement]",
    """
class Loaded:
    samples = []
    def __len__(self):
        self.samples = self.samples or list(range(5))
        return len(self.samples)
data = Loaded()
RandomSampler(data)
result = [len(data.samples)]
try:
    RandomSampler([])
except ValueError:
    result.append("nothing")
""",
)
scripts(
    f"{D}SubsetRandomSampler torch.manual_seed torch.Generator",
    "manual_seed(2)\ns = SubsetRandomSampler([3, 1, 4, 1, 5])\nresult = [list(s), list(s), len(s), list(SubsetRandomSampler([2, 7, 8], Generator().manual_seed(1)))]",
)
scripts(
    f"{D}WeightedRandomSampler torch.Generator",
    "s = WeightedRandomSampler([0.1, 0.6, 0.0, 0.3], 30, generator=Generator().manual_seed(1))\nresult = [list(s), len(s), list(s)]",
    "s = WeightedRandomSampler([1, 1, 0, 5, 2], 4, replacement=False)\nresult = [sorted(s), len(s)]",
)
CASES.append(
    script(
        f"{D}WeightedRandomSampler torch.Generator",
        "g = Generator().manual_seed(3)\nresult = np.array([list(WeightedRandomSampler([1, 2, 3, 4], 2, replacement=False, generator=g)) for _ in range(4000)])",
        random="np.bincount(result[:, 0]) / 4000; np.bincount(result[:, 1]) / 4000",
        tolerance=0.04,
    )
)
scripts(
    f"{D}distributed.DistributedSampler",
    "result = []\nfor n, k in ((10, 3), (2, 5), (12, 4)):\n    for last in (False, True):\n        for shuffle in (True, False):\n"
    "            for r in range(k):\n                s = DistributedSampler(range(n), num_replicas=k, rank=r, shuffle=shuffle, seed=4, drop_last=last)\n"
    "                s.set_epoch(2)\n                result += [list(s), len(s), s.total_size]",
)
for batch in (
    "[1.5, 2.0]",
    "[1, 2]",
    "[True, False]",
    "['a', 'b']",
    "[b'a', b'b']",
    "[np.float32(1), np.float32(2)]",
    "[np.ones(3, np.float16), np.zeros(3, np.float16)]",
    "[tensor(np.ones((2, 2))), tensor(np.zeros((2, 2)))]",
    "[(1, 2.5, 'x'), (3, 4.5, 'y')]",
    "[[1, [2, 3]], [4, [5, 6]]]",
    "[{'a': 1, 'b': (1.0, tensor(np.arange(2)))}, {'a': 2, 'b': (2.0, tensor(np.arange(2)))}]",
    "[np.int64(3), np.int64(4)]",
    "[np.float64(1.5), 0]",
    "[np.float32(1), 2, 3.5]",
    "[np.int64(3), 2.5]",
    "[np.bool_(True), False]",
    "[np.zeros(2, np.float32), np.arange(2)]",
    "[np.zeros(2), [1, 2]]",
):
    scripts(f"{D}default_collate", f"result = default_collate({batch})")
scripts(
    f"{D}default_collate",
    "from collections import OrderedDict, namedtuple\nPoint = namedtuple('Point', 'x y')\n"
    "made = default_collate([Point(1, 'a'), Point(2, 'b')])\nother = default_collate([OrderedDict(a=1), OrderedDict(a=2)])\n"
    "result = [type(made).__name__, made.x, made.y, type(other).__name__, other['a']]",
    "result = []\nfor batch in ([np.ones(2), np.ones(3)], [tensor(np.ones(2)), tensor(np.ones(3))], [(1, 2), (1,)], [object()], [{'a': 1}, {'b': 2}]):\n"
    "    try:\n        default_collate(batch)\n    except Exception as error:\n        result.append([c.__name__ for c in type(error).__mro__ if c in (RuntimeError, TypeError, KeyError, ValueError)])",
)
scripts(
    f"{D}default_convert",
    "result = default_convert({'a': np.arange(3), 'b': [np.float32(1), 'x', 2], 'c': (np.ones(2), None)})",
)
for sample in (
    "index",
    "float(index)",
    "(np.full(2, index, np.float32), index)",
    "{'x': tensor(np.arange(3) * index), 'name': str(index)}",
):
    scripts(
        LOADED,
        NUMBERS.format(sample=sample) + "result = []\n"
        "for options in ({}, {'batch_size': 3}, {'batch_size': 4, 'drop_last': True}, {'batch_size': None}, {'batch_size': 3, 'num_workers': 2, 'pin_memory': False, 'timeout': 60}, {'batch_size': 2, 'shuffle': False, 'sampler': [4, 2, 9]}, {'batch_sampler': [[0, 1], [5]]}):\n"
        "    loader = DataLoader(Numbers(10), **options)\n    result += [len(loader), list(loader), list(loader), loader.batch_size, loader.drop_last, loader.num_workers]",
        NUMBERS.format(sample=sample)
        + "g = Generator().manual_seed(4)\nloader = DataLoader(Numbers(10), batch_size=4, shuffle=True, generator=g)\nresult = [list(loader), list(loader)]",
        NUMBERS.format(sample=sample)
        + "manual_seed(1)\nloader = DataLoader(Numbers(10), 4, True)\nresult = [list(loader), list(loader), type(loader.sampler).__name__, type(loader.batch_sampler).__name__]",
    )
scripts(
    LOADED,
    NUMBERS.format(sample="index")
    + "loader = DataLoader(Numbers(7), 3, collate_fn=lambda rows: sum(rows))\nresult = [list(loader), len(loader.dataset), len(loader)]",
    "result = []\nclass D(Dataset):\n    pass\nfor options in ({'shuffle': True, 'sampler': [1]}, {'batch_sampler': [[1]], 'batch_size': 2}, {'batch_size': None, 'drop_last': True}, {'num_workers': -1}, {'prefetch_factor': 2}, {'batch_size': 0}):\n"
    "    try:\n        DataLoader([1, 2], **options)\n        result.append('fine')\n    except ValueError:\n        result.append('ValueError')",
)
scripts(
    f"{D}IterableDataset {D}DataLoader {D}get_worker_info",
    STREAM
    + "result = []\nfor options in ({}, {'batch_size': 4}, {'batch_size': 4, 'drop_last': True}, {'batch_size': None}, {'batch_size': 3, 'num_workers': 2}, {'batch_size': 3, 'num_workers': 2, 'drop_last': True}):\n"
    "    loader = DataLoader(Stream(10), **options)\n    result += [len(loader), list(loader), list(loader)]",
    "class Parts(IterableDataset):\n    def __iter__(self):\n        info = get_worker_info()\n        first, step = (0, 1) if info is None else (info.id, info.num_workers)\n"
    "        return iter(range(first, 11, step))\n"
    "result = [list(DataLoader(Parts(), batch_size=2, num_workers=n)) for n in (0, 1, 3)] + [get_worker_info()]",
    "class Parts(IterableDataset):\n    def __iter__(self):\n        return iter(range(self.first, 9, 3))\n"
    "def begin(number):\n    get_worker_info().dataset.first = number\n"
    "result = list(DataLoader(Parts(), batch_size=2, num_workers=3, worker_init_fn=begin))",
)
L = "torch.utils.data.dataloader."
scripts(
    f"{L}_BaseDataLoaderIter {L}_SingleProcessDataLoaderIter {L}_MultiProcessingDataLoaderIter {D}_DatasetKind {LOADED} {D}IterableDataset",
    NUMBERS.format(sample="index")
    + "loader = DataLoader(Numbers(7), 3)\nbatches = iter(loader)\nresult = [len(batches), next(batches), len(batches), list(batches), list(batches)]\n"
    "result += [isinstance(batches, _BaseDataLoaderIter), isinstance(batches, _SingleProcessDataLoaderIter), isinstance(iter(DataLoader(Numbers(7), 3, num_workers=1)), _MultiProcessingDataLoaderIter)]\n"
    "result += [loader._dataset_kind, _DatasetKind.Map, _DatasetKind.Iterable, loader._auto_collation, loader._index_sampler is loader.batch_sampler, list(_SingleProcessDataLoaderIter(loader))]",
    "class Source:\n    dataset_kind = _dataset_kind = _DatasetKind.Iterable\n    _IterableDataset_len_called, _auto_collation, drop_last, in_order = None, False, False, True\n"
    "    _index_sampler, generator, prefetch_factor, num_workers, timeout, persistent_workers, pin_memory, pin_memory_device = range(99), None, 2, 0, 0, False, False, ''\n"
    "    def __init__(self, values):\n        self.values, self.dataset = values, self\n    def collate_fn(self, value):\n        return value * 2\n"
    "    def __iter__(self):\n        return iter(self.values)\n"
    "result = [list(_SingleProcessDataLoaderIter(Source([1, 2, 3]))), list(_SingleProcessDataLoaderIter(Source([])))]",
    "class Own(DataLoader):\n    def _get_iterator(self):\n        return _SingleProcessDataLoaderIter(self)\nclass Odd(IterableDataset):\n    def __iter__(self):\n        return iter(range(1, 9, 2))\n"
    "batches = iter(Own(Odd(), 3))\nresult = [next(batches), next(batches), next(batches, None), next(batches, None)]",
)
scripts(
    f"{LOADED} torch.rand",
    NUMBERS.format(sample="(index, np.random.rand(), random.random(), float(rand(1)))")
    + "import random\nmanual_seed(3)\nloader = DataLoader(Numbers(7), 2, num_workers=2)\nresult = [list(loader), list(loader)]",
    NUMBERS.format(sample="(index, float(rand(1)))")
    + "manual_seed(3)\nloader = DataLoader(Numbers(7), 2, True, num_workers=2, persistent_workers=True)\nresult = [list(loader), list(loader), rand(2)]",
    NUMBERS.format(sample="index")
    + "manual_seed(3)\nbatches = iter(DataLoader(Numbers(9), 2, True))\nresult = [len(batches), rand(1), list(batches), rand(1)]",
    NUMBERS.format(sample="index")
    + "manual_seed(3)\nbatches = iter(DataLoader(Numbers(9), 2, True, num_workers=2))\nresult = [len(batches), rand(1), list(batches), rand(1)]",
    NUMBERS.format(sample="(index, float(rand(1)))")
    + "manual_seed(3)\nloader = DataLoader(Numbers(15), 2, True, num_workers=2, persistent_workers=True)\nresult = [next(iter(loader)), list(loader), rand(2)]",
)
