"""A program that is converted as a whole: what every use of torch becomes, and what of torch is left."""

from __future__ import annotations

from pathlib import Path

import pytest
from findings import found_in
from mindport.catalog.catalog import Catalog
from mindport.catalog.target import DEVICES, Target
from mindport.cli.main import main
from mindport.rewrite.conversion import convert_whole
from mindport.rewrite.edit import applied
from mindport.rewrite.self_check import SelfCheck
from mindport.rewrite.whole import WholeFile, WholeProgram

TARGET = Target("2.10", "cpu", "classic")
CASES = {
    "a subclass of Tensor, and what it has of its own": (
        "import torch\n\n\nclass A(torch.Tensor):\n    def __mul__(self, other):\n"
        "        return super().__mul__(other).add(other)\n\n\ndef f(x: torch.Tensor):\n"
        "    return isinstance(x, torch.Tensor)\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\nclass A(helpers.SubclassedTensor):\n"
        "    def __mul__(self, other):\n        return helpers.add(super().__mul__(other), other)\n\n\n"
        "def f(x: mindspore.Tensor):\n    return isinstance(x, mindspore.Tensor)\n",
    ),
    "an array or a Tensor": (
        "import torch\nimport numpy as np\n\n\ndef f(x: np.ndarray | torch.Tensor):\n"
        "    return x.transpose(0, 1), (x < 0).any(), x.sum()\n",
        "import mindport_helpers as helpers\nimport mindspore\nimport numpy as np\n\n\n"
        "def f(x: np.ndarray | mindspore.Tensor):\n"
        '    return helpers.method(x, "transpose", helpers.transpose)(0, 1), '
        'helpers.method((x < 0), "any", helpers.any_of)(), x.sum()\n',
    ),
    "a value of a module of torch that has a helper": (
        "from torch.utils.data._utils.collate import default_collate_fn_map\n\n\n"
        "def f(kind, how):\n    default_collate_fn_map.update({kind: how})\n",
        "import mindport_helpers as helpers\n\n\n"
        "def f(kind, how):\n    helpers.default_collate_fn_map.update({kind: how})\n",
    ),
    "a class that is passed on": (
        "from torch import nn\n\n\ndef f(norm=nn.BatchNorm2d):\n    return norm(3)\n",
        "import mindport_helpers as helpers\n\n\ndef f(norm=helpers.BatchNorm2d):\n    return norm(3)\n",
    ),
    "a statement that MindSpore does not need": (
        "import torch\n\n\ndef f(seed):\n    torch.manual_seed(seed)\n    torch.cuda.manual_seed(seed)\n",
        "import mindport_helpers as helpers\n\n\ndef f(seed):\n    helpers.manual_seed(seed)\n",
    ),
    "what MindSpore does not need is given something that runs": (
        "import torch\n\ntorch.cuda.manual_seed(int(input()))\n",
        "import mindport_helpers as helpers\n\nhelpers.nothing(int(input()))\n",
    ),
    "what MindSpore does not need is a value": (
        "import torch\n\nf = torch.cuda.empty_cache\nx = torch.cuda.empty_cache()\n",
        "import mindport_helpers as helpers\n\nf = helpers.nothing\nx = helpers.nothing()\n",
    ),
    "what only compilers look at": (
        "import torch\nfrom torch import jit, nn\n\n\nclass A(jit.ScriptModule):\n    @torch.jit.export\n    @torch.no_grad()\n"
        "    def f(self, x):\n        return x\n\n    @jit.script_method\n    def forward(self, x):\n        return x\n\n\n"
        "@torch.compile(dynamic=True)\ndef f(x):\n    return x\n\n\ng = torch.jit.script(f)\nnet = torch.compile(nn.Linear(2, 3), mode='default')\n"
        "net = torch.compile(net)\nh = torch.compile(f if net else g)\nk = torch.compile(\n    f,  # quick\n    dynamic=True,\n)\n",
        "import mindport_helpers as helpers\n\n\nclass A(helpers.ScriptModule):\n    @helpers.no_grad()\n"
        "    def f(self, x):\n        return x\n\n    def construct(self, x):\n        return x\n\n\n"
        "def f(x):\n    return x\n\n\ng = f\nnet = helpers.Linear(2, 3)\n"
        "h = helpers.as_it_is(f if net else g)\nk = helpers.as_it_is(\n    f,  # quick\n    dynamic=True,\n)\n",
    ),
    "a receiver whose arguments begin on the next line": (
        "import torch\n\n\ndef f(x: torch.Tensor):\n    return x.new_zeros(\n        (2, 3), dtype=torch.bool\n    )\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x: mindspore.Tensor):\n"
        "    return helpers.new_zeros(x,\n        (2, 3), dtype=mindspore.bool_\n    )\n",
    ),
    "a module that is moved": (
        "from torch import nn\n\nnet = nn.Linear(2, 3).cuda()\nnet.to('cuda')\nnet.cpu()\nnet = net.cuda()\nnet.zero_grad()\n",
        "import mindport_helpers as helpers\n\nnet = helpers.Linear(2, 3)\nnet.zero_grad()\n",
    ),
    "settings that MindSpore does not need, read": (
        "import torch\n\nflag = torch.backends.cudnn.deterministic\ntorch.backends.cudnn.benchmark = flag\n"
        "if torch.backends.cudnn.enabled:\n    torch.backends.cudnn.deterministic = True\n    print(flag)\n",
        "\nflag = False\nif True:\n    print(flag)\n",
    ),
    "the class of Tensors that a class is compared with": (
        "import torch\n\n\ndef f(x, kind=torch.Tensor):\n    if kind is torch.Tensor or torch.Tensor != x.kind:\n"
        "        return type(x) == torch.Tensor\n    return kind in (torch.Tensor, int)\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x, kind=helpers.AnyTensor):\n"
        "    if helpers.class_itself(kind) is mindspore.Tensor or mindspore.Tensor != helpers.class_itself(x.kind):\n"
        "        return type(x) == mindspore.Tensor\n    return kind in (mindspore.Tensor, int)\n",
    ),
    "functions that are attributes of a class": (
        "import torch\nfrom torch import nn\n\n\nclass A:\n    conv = torch.conv2d\n    norm: type = nn.LayerNorm\n\n"
        "    def f(self, x):\n        g = torch.conv2d\n        return self.conv(x, x), g(x, x)\n",
        "import mindport_helpers as helpers\n\n\nclass A:\n    conv = staticmethod(helpers.conv2d)\n"
        "    norm: type = helpers.LayerNorm\n\n"
        "    def f(self, x):\n        g = helpers.conv2d\n        return self.conv(x, x), g(x, x)\n",
    ),
    "methods in a chain with comments": (
        "import torch\n\n\ndef f(x: torch.Tensor):\n    return (\n        x.unfold(1, 2, 2)  # a. b\n"
        "        # rows\n        .unfold(2, 3, 3)  # columns\n        .size()\n    )\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x: mindspore.Tensor):\n    return (\n"
        "        helpers.tensor_unfold(helpers.tensor_unfold(x, 1, 2, 2)  # a. b\n"
        "        # rows\n        , 2, 3, 3)  # columns\n        .shape\n    )\n",
    ),
    "changes in place, one after another": (
        "import torch\n\n\ndef f(x: torch.Tensor):\n    x += 1\n    x -= 2\n    y = x * 2\n    y += 1\n    y += 2\n"
        "    return y\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x: mindspore.Tensor):\n"
        "    x = helpers.assign_in_place(x, x + 1)\n    x = helpers.assign_in_place(x, x - 2)\n"
        "    y = x * 2\n    y += 1\n    y += 2\n    return y\n",
    ),
    "a class with a partial": (
        "from functools import partial\nfrom torch import nn\n\nNORM = partial(nn.LayerNorm, eps=1e-6)\n",
        "import mindport_helpers as helpers\nfrom functools import partial\n\nNORM = partial(helpers.LayerNorm, eps=1e-6)\n",
    ),
    "the class of Tensors where it may be called later": (
        "import torch\n\nTensor = torch.cuda.FloatTensor if torch.cuda.is_available() else torch.Tensor\n\n\n"
        "def f(x: torch.Tensor, made=torch.Tensor):\n"
        "    return isinstance(x, torch.Tensor), map(torch.Tensor, x), made(2), [torch.Tensor]\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n"
        "Tensor = helpers.FloatTensor if (mindspore.get_context('device_target') != 'CPU') else helpers.AnyTensor\n\n\n"
        "def f(x: mindspore.Tensor, made=helpers.AnyTensor):\n"
        "    return isinstance(x, mindspore.Tensor), map(helpers.AnyTensor, x), made(2), [mindspore.Tensor]\n",
    ),
    "data that is no literal": (
        "import torch\n\n\ndef f(x, y):\n    return torch.tensor(x), torch.tensor([1, 2]), torch.tensor([x, y]), torch.tensor(3.5)\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x, y):\n"
        "    return helpers.tensor(x), mindspore.tensor([1, 2]), helpers.tensor([x, y]), mindspore.tensor(3.5)\n",
    ),
    "attributes that are assigned to": (
        "import torch\n\n\ndef f(x: torch.Tensor, y: torch.Tensor):\n    x.requires_grad = True\n"
        "    x.grad = None\n    x.data = y\n    x.real = y\n    return x.real\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x: mindspore.Tensor, y: mindspore.Tensor):\n"
        "    x.requires_grad = True\n    x.grad = None\n    x.data = y\n    x.real = y\n    return x.real\n",
    ),
    "Tensors of the size of another": (
        "import torch\n\n\ndef f(x: torch.Tensor):\n"
        "    return torch.Tensor(x.shape), torch.LongTensor(x.size()), torch.Tensor(x.shape[0])\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x: mindspore.Tensor):\n"
        "    return helpers.make_tensor(*x.shape), helpers.LongTensor(*x.shape), helpers.make_tensor(x.shape[0])\n",
    ),
    "a network by a name that has a part": (
        "import torchvision\n\n\ndef build(name):\n    if 'alex' in name:\n        return getattr(torchvision.models, name)()\n",
        "import mindport_helpers as helpers\n\n\ndef build(name):\n    if 'alex' in name:\n"
        "        return getattr(helpers.namespace(alexnet=helpers.alexnet), name)()\n",
    ),
    "the values of packed sequences": (
        "from torch.nn.utils.rnn import pack_padded_sequence\n\n\ndef f(x, n):\n    packed = pack_padded_sequence(x, n)\n"
        "    return packed.data.size(0), packed.batch_sizes.size(0)\n",
        "import mindport_helpers as helpers\n\n\ndef f(x, n):\n    packed = helpers.pack_padded_sequence(x, n)\n"
        "    return packed.data.shape[0], packed.batch_sizes.shape[0]\n",
    ),
    "the shape of what is no Tensor": (
        "import torch\n\n\ndef f(env, space):\n    return torch.Tensor(env.action_space.shape), "
        "torch.Tensor(env.action_space(0).shape), torch.Tensor(space.shape), torch.Tensor(env.spaces.shape)\n",
        "import mindport_helpers as helpers\n\n\ndef f(env, space):\n    return helpers.make_tensor(env.action_space.shape), "
        "helpers.make_tensor(env.action_space(0).shape), helpers.make_tensor(space.shape), "
        "helpers.make_tensor(*env.spaces.shape)\n",
    ),
    "sizes by keyword": (
        "import torch\n\n\ndef f(x: torch.Tensor, n, m):\n"
        "    return x.view(size=(n, m)), x.view(n, -1), x.view(torch.int32), n.view(size=m), x.expand(size=(n, m))\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x: mindspore.Tensor, n, m):\n"
        "    return helpers.view(x, size=(n, m)), x.view(n, -1), x.view(mindspore.int32), "
        'helpers.method(n, "view", helpers.view)(size=m), helpers.expand(x, size=(n, m))\n',
    ),
    "networks of torchvision by a name": (
        "from torchvision import models\n\nNAMES = sorted(models.__dict__)\n\n\n"
        "def f(name):\n    return models.__dict__[name](), models.resnet18(pretrained=True)\n",
        "import mindport_helpers as helpers\n\nNAMES = sorted(helpers.NETWORKS_BY_NAME)\n\n\n"
        "def f(name):\n    return helpers.NETWORKS_BY_NAME[name](), helpers.resnet18(pretrained=True)\n",
    ),
    "arguments that nobody knows": (
        "import torch.nn as nn\n\n\ndef f(*sizes, **options):\n    return nn.Conv2d(*sizes, **options)\n",
        "import mindport_helpers as helpers\n\n\ndef f(*sizes, **options):\n    return helpers.Conv2d(*sizes, **options)\n",
    ),
    "what may be no Tensor": (
        "import torch\n\n\ndef f(batch):\n    return {k: v.roll(1) for k, v in batch.items()}\n",
        "import mindport_helpers as helpers\n\n\ndef f(batch):\n"
        '    return {k: helpers.method(v, "roll", helpers.roll)(1) for k, v in batch.items()}\n',
    ),
    "methods of what may be no Tensor": (
        "import torch\n\n\ndef f(given):\n    x, y = given.read()\n    return x.roll(1), y.unique()\n",
        "import mindport_helpers as helpers\n\n\ndef f(given):\n    x, y = given.read()\n"
        '    return helpers.method(x, "roll", helpers.roll)(1), helpers.method(y, "unique", helpers.unique)()\n',
    ),
    "methods of what is read as no Tensor": (
        "import torch\n\n\ndef f(given):\n    x, y = given.read()\n    return x.roll(1), y.unique(), x.copy(), y.pop(1)\n",
        "\n\ndef f(given):\n    x, y = given.read()\n    return x.roll(1), y.unique(), x.copy(), y.pop(1)\n",
    ),
    "Python's types as dtypes": (
        "import torch\n\n\ndef f(x):\n    y = torch.zeros((3,), dtype=int)\n"
        "    return y, torch.ones((2,), dtype=float)\n",
        "import mindspore\n\n\ndef f(x):\n"
        "    y = mindspore.ops.zeros((3,), dtype=mindspore.int64)\n"
        "    return y, mindspore.ops.ones((2,), dtype=mindspore.float64)\n",
    ),
    "Python's types as dtypes of what MindSpore has as well": (
        "import torch\n\nx = torch.ones(3)\nprint(x.to(bool), x.sum(dtype=int))\n",
        "import mindport_helpers as helpers\nimport mindspore\n\nx = mindspore.ops.ones(3)\nprint(x.to(mindspore.bool_), x.sum(dtype=mindspore.int64))\n",
    ),
    "Python's types as dtypes beside star imports": (
        "import torch\nfrom layers import *\n\nx = torch.eye(3, dtype=bool)\n",
        "import mindspore\nfrom layers import *\n\nx = mindspore.ops.eye(3, dtype=mindspore.bool_)\n",
    ),
    "a name that nobody binds beside a star import": (
        "import torch\nfrom torch.nn.init import *\n\n\ndef f(x):\n    if x is None:\n"
        "        warnings.warn('none')\n    return ones_(x)\n",
        "import mindport_helpers as helpers\n\n\ndef f(x):\n    if x is None:\n"
        "        warnings.warn('none')\n    return helpers.ones_(x)\n",
    ),
    "what a Tensor is filled with, of a kind that is not known": (
        "import torch\n\n\ndef f(value):\n    return torch.full((3,), value)\n",
        "import mindport_helpers as helpers\n\n\ndef f(value):\n    return helpers.full((3,), value)\n",
    ),
    "modules that may be given a dtype or a device": (
        "import torch\n\n\ndef f(x, device, args):\n    net = torch.nn.Linear(2, 2)\n"
        "    return net.to(x), net.to(device), net.to(args.device), net.to('cuda:0'), net.to(x, torch.float64)\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x, device, args):\n    net = helpers.Linear(2, 2)\n"
        "    return net.to(x), net, net, net, net.to(x, mindspore.float64)\n",
    ),
    "no names in what pytest takes apart": (
        "import torch\nimport torch.nn.functional as F\n\n\ndef f(x: torch.Tensor, y):\n    assert y and x.sum() > F.one_hot(y())\n"
        "    return y and F.one_hot(y())\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x: mindspore.Tensor, y):\n"
        "    assert y and x.sum() > helpers.one_hot(y())\n"
        "    return y and mindspore.ops.one_hot((tensor := y()), int(tensor.max()) + 1)\n",
    ),
    "a name of a program's own as a dtype": (
        "import torch\n\n\ndef f(int):\n    return torch.zeros(3, dtype=int)\n",
        "import mindspore\n\n\ndef f(int):\n    return mindspore.ops.zeros((3,), dtype=int)\n",
    ),
    "files of safetensors": (
        "import torch\nfrom safetensors import safe_open\nfrom safetensors.torch import load_file\n\n\n"
        "def f(path):\n    return load_file(path), safe_open(path, 'pt')\n",
        "from mindport_helpers import safe_open\nfrom mindport_helpers import load_file\n\n\n"
        "def f(path):\n    return load_file(path), safe_open(path, 'pt')\n",
    ),
    "a name of a library that MindSpore's own stands for, bound again": (
        "from torchtext.data.utils import interleave_keys as f\n\n\ndef g(a):\n    return f(a, a)\n\n\nf = g(1)\n",
        "from mindport_helpers import interleave_keys as f\n\n\ndef g(a):\n    return f(a, a)\n\n\nf = g(1)\n",
    ),
    "whether a module has a member, and that member": (
        "import torch\nimport torch.nn.functional as F\n\nfast = hasattr(F, 'scaled_dot_product_attention')\n"
        "f, g = hasattr(torch, 'npu') or hasattr(torch, 'cuda'), getattr(F, \"relu\", None)\n",
        "import mindport_helpers as helpers\n\nfast = True\nf, g = False or True, helpers.relu\n",
    ),
    "a class without a counterpart, with members of names that are read": (
        "from torch.distributed.fsdp import FullyShardedDataParallel\n\n\ndef f(net):\n"
        "    return isinstance(net, FullyShardedDataParallel), net.parameters()\n",
        "import mindport_helpers as helpers\n\n\ndef f(net):\n"
        "    # TODO(mindport): no equivalent in MindSpore: torch.distributed.fsdp.FullyShardedDataParallel\n"
        '    return isinstance(net, helpers.unavailable("torch.distributed.fsdp.FullyShardedDataParallel")), net.parameters()\n',
    ),
    "unpacked in lists and tuples": (
        "import torch\n\n\ndef f(x: torch.Tensor):\n    a = [*x.size(), *x.size()[:-1], *x.max(0)[0].tolist()]\n"
        "    return *x.size(), *torch.Size([1])\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x: mindspore.Tensor):\n"
        "    a = [*x.shape, *x.shape[:-1], *helpers.tensor_max(x, 0)[0].tolist()]\n"
        "    return *x.shape, *helpers.Size([1])\n",
    ),
    "functions of a program's own that ask for members": (
        "import torch\n\n\ndef f(hasattr):\n    return hasattr(torch, 'float16')\n",
        "import mindport_helpers as helpers\n\n\ndef f(hasattr):\n"
        "    return hasattr(helpers.dtypes_by_name, 'float16')\n",
    ),
    "members of members that a text leads to": (
        "import torch\n\n\ndef f(nested):\n    nested(torch, 'backends.mps.is_built', False)()\n"
        "    return nested(torch, 'nn.functional.relu'), nested(torch, 'nothing.of.the.kind', None)\n",
        "import mindport_helpers as helpers\n\n\ndef f(nested):\n"
        "    nested(helpers.namespace(backends=helpers.namespace(mps=helpers.namespace(is_built=lambda: False))), "
        "'backends.mps.is_built', False)()\n"
        "    return nested(helpers.namespace(nn=helpers.namespace(functional=helpers.namespace(relu=helpers.relu))), "
        "'nn.functional.relu'), nested(helpers.namespace(), 'nothing.of.the.kind', None)\n",
    ),
    "a module whose dtypes are asked for": (
        "import torch\n\n\ndef f(given):\n    return getattr(torch, given['int32']), torch.Tensor\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(given):\n"
        "    return getattr(helpers.dtypes_by_name, given['int32']), mindspore.Tensor\n",
    ),
    "a module whose dtypes and functions are asked for": (
        "import torch\n\n\ndef f(given):\n    return getattr(torch, given['full'] or 'int32')\n",
        "import mindport_helpers as helpers\n\n\ndef f(given):\n"
        "    return getattr(helpers.namespace(helpers.dtypes_by_name, full=helpers.full), given['full'] or 'int32')\n",
    ),
    "whether torch is there": (
        "from importlib.metadata import version\nfrom importlib.util import find_spec\n\n"
        "found = find_spec('torch') is not None and version(\"torch\") > '2'\n"
        "others = is_package_available('torch'), find_spec('numpy'), print('torch'), find_spec('torch.nn')\n",
        "from importlib.metadata import version\nfrom importlib.util import find_spec\n\n"
        "found = find_spec('mindspore') is not None and version(\"mindspore\") > '2'\n"
        "others = is_package_available('mindspore'), find_spec('numpy'), print('torch'), find_spec('torch.nn')\n",
    ),
    "what logs and has a name": (
        "import torch\n\n\ndef f(trackers, values):\n    for one in trackers:\n        one.log(values, kind=one.name)\n"
        "    return torch.zeros(2)\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(trackers, values):\n    for one in trackers:\n"
        '        helpers.method(one, "log", helpers.log)(values, kind=one.name)\n'
        "    return mindspore.ops.zeros((2,))\n",
    ),
    "whether torch is loaded": (
        "import sys\n\nimport torch\n\n\ndef f(x):\n"
        "    if 'torch' in sys.modules and isinstance(x, torch.Tensor):\n        return 1\n"
        "    return \"torch\" not in sys.modules or 'torch' in x.modules, 'torch' == x\n",
        "import sys\n\nimport mindspore\n\n\ndef f(x):\n"
        "    if 'mindspore' in sys.modules and isinstance(x, mindspore.Tensor):\n        return 1\n"
        "    return \"mindspore\" not in sys.modules or 'torch' in x.modules, 'torch' == x\n",
    ),
    "texts of dtypes": (
        "import torch\n\n\ndef f(x: torch.Tensor, given, str_of=str):\n"
        "    names = str(x.dtype).split('.')[1], repr(given['dtype']), str(given), str_of(x.dtype)\n"
        "    return names, str(x.dtype_of)\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x: mindspore.Tensor, given, str_of=str):\n"
        "    names = helpers.text_of(x.dtype).split('.')[1], helpers.text_of(given['dtype']), str(given), str_of(x.dtype)\n"
        "    return names, str(x.dtype_of)\n",
    ),
    "a module whose members are asked for by a text": (
        "import torch.nn as nn\n\nKINDS = ('LSTM', 'GRU', 'other')\n\n\ndef f(kind):\n    return getattr(nn, kind)(2, 3)\n",
        "import mindport_helpers as helpers\n\nKINDS = ('LSTM', 'GRU', 'other')\n\n\ndef f(kind):\n"
        "    return getattr(helpers.layers_by_name, kind)(2, 3)\n",
    ),
    "a module whose members are listed": (
        "import inspect\n\nimport torch\n\n\ndef f(kind):\n    return vars(torch.nn.modules.fold), "
        "inspect.getmembers(torch.nn.modules.fold), torch.nn.modules.fold.__dict__, kind.Module\n",
        "import inspect\n\nimport mindport_helpers as helpers\n\n\ndef f(kind):\n    return "
        "vars(FOLD), inspect.getmembers(FOLD), FOLD.__dict__, kind.Module\n".replace(
            "FOLD", "helpers.namespace(Fold=helpers.Fold, Module=helpers.Module, Unfold=helpers.Unfold)"
        ),
    ),
    "a module whose members are listed and asked for": (
        "import torch\n\nKINDS = [getattr(torch.nn.modules.fold, name) for name in dir(torch.nn.modules.fold) if name != '__all__']\n",
        "import mindport_helpers as helpers\n\nKINDS = [getattr(FOLD, name) for name in dir(FOLD) if name != '__all__']\n".replace(
            "FOLD", "helpers.namespace(Fold=helpers.Fold, Unfold=helpers.Unfold)"
        ),
    ),
    "a module whose members are asked for by a formatted text": (
        "import torch.nn.functional as F\n\n\ndef f(x, w, n):\n"
        "    return getattr(F, f'conv_transpose{n}d')(x, w)\n",
        "import mindport_helpers as helpers\n\n\ndef f(x, w, n):\n"
        "    return getattr(helpers.namespace(conv_transpose1d=helpers.conv_transpose1d, "
        "conv_transpose2d=helpers.conv_transpose2d, conv_transpose3d=helpers.conv_transpose3d), "
        "f'conv_transpose{n}d')(x, w)\n",
    ),
    "a module whose members are asked for by texts that are filled in": (
        "from torch import nn\n\n\ndef f(n, m):\n"
        "    return getattr(nn, 'ConstantPad{}d'.format(n)), getattr(nn, 'Dropout%dd' % n), "
        "getattr(nn, m + 'Unpool' + str(n)), getattr(nn, 'ZeroPad' + str(n) + 'd')\n",
        "import mindport_helpers as helpers\n\n\ndef f(n, m):\n    return "
        + ", ".join(
            f"getattr(helpers.namespace({', '.join(f'{kind}{n}d=helpers.{kind}{n}d' for n in (1, 2, 3))}), {text})"
            for kind, text in (
                ("ConstantPad", "'ConstantPad{}d'.format(n)"),
                ("Dropout", "'Dropout%dd' % n"),
                ("MaxUnpool", "m + 'Unpool' + str(n)"),
                ("ZeroPad", "'ZeroPad' + str(n) + 'd'"),
            )
        )
        + "\n",
    ),
    "a module whose members are asked for by a text with a choice in it": (
        'from torch import nn\n\n\ndef f(n, t):\n    return getattr(nn, f\'Conv{"Transpose" if t else ""}{n}d\')\n',
        "import mindport_helpers as helpers\n\n\ndef f(n, t):\n    return getattr(helpers.namespace("
        + ", ".join(f"{kind}{n}d=helpers.{kind}{n}d" for kind in ("Conv", "ConvTranspose") for n in (1, 2, 3))
        + '), f\'Conv{"Transpose" if t else ""}{n}d\')\n',
    ),
    "the names that a module exports": (
        "from torch.nn.modules.flatten import *\nfrom torch.nn.modules.flatten import __all__ as names\n\n"
        "LAYERS = {name: globals()[name] for name in names}\n",
        "from mindport_helpers import Flatten\nfrom mindport_helpers import Unflatten\nnames = ['Flatten', 'Unflatten']\n\n"
        "LAYERS = {name: globals()[name] for name in names}\n",
    ),
    "names of APIs as texts, where objects are looked up by their names": (
        "import torch\nfrom pydoc import locate\n\nKINDS = {'act': 'torch.nn.ReLU', 'no': 'torch.nn', 'text': 'torch.nn.' 'Tanh'}\n\n\n"
        "def f(name, x: 'torch.Tensor' = None):\n    'torch.nn.Tanh'\n    return locate(KINDS[name]), locate('torch.nn.GELU')(), torch.zeros(2)\n",
        "import mindport_helpers as helpers\nimport mindspore\nfrom pydoc import locate\n\n"
        "KINDS = {'act': f\"{helpers.__name__}.ReLU\", 'no': 'torch.nn', 'text': 'torch.nn.' 'Tanh'}\n\n\n"
        "def f(name, x: 'mindspore.Tensor' = None):\n    'torch.nn.Tanh'\n"
        '    return locate(KINDS[name]), locate(f"{helpers.__name__}.GELU")(), mindspore.ops.zeros((2,))\n',
    ),
    "names of APIs as texts elsewhere": (
        "import torch\n\nKINDS = {'act': 'torch.nn.Tanh'}\nprint(KINDS, torch.zeros(2))\n",
        "import mindspore\n\nKINDS = {'act': 'torch.nn.Tanh'}\nprint(KINDS, mindspore.ops.zeros((2,)))\n",
    ),
    "functions without parameters that are not called": (
        "import torch\n\nASKED = [torch.cuda.is_available, torch.backends.mps.is_available]\n\n\ndef f():\n"
        "    if torch.cuda.is_available:\n        return torch.cuda.is_available()\n    return map(torch.cuda.current_device, ())\n",
        "import mindspore\n\nASKED = [(lambda: mindspore.get_context('device_target') != 'CPU'), (lambda: False)]\n\n\ndef f():\n"
        "    if (lambda: mindspore.get_context('device_target') != 'CPU'):\n"
        "        return mindspore.get_context('device_target') != 'CPU'\n"
        "    return map((lambda: mindspore.get_context('device_id')), ())\n",
    ),
    "what loads data, where a program has Tensors": (
        "import torchaudio\n\n\ndef f(wave):\n    return torchaudio.transforms.Vad(16000)(wave)\n",
        "import mindport_helpers as helpers\n\n\ndef f(wave):\n"
        "    # TODO(mindport): convert this use by hand: torchaudio.transforms.Vad\n"
        '    return helpers.unavailable("torchaudio.transforms.Vad")(16000)(wave)\n',
    ),
    "names that the file asks itself for": (
        "import sys\n\nfrom torch.optim.lr_scheduler import StepLR as Steps, ExponentialLR\n"
        "from torch.fx import Tracer\n\n\ndef f(name):\n"
        "    return getattr(sys.modules[__name__], name)\n",
        "import sys\n\nfrom mindport_helpers import StepLR as Steps\n"
        "from mindport_helpers import ExponentialLR\n\n\ndef f(name):\n"
        "    return getattr(sys.modules[__name__], name)\n",
    ),
    "names that texts are run for": (
        "from torch.optim import SGD\n\n\ndef f(kind, net):\n    return eval(kind)(net.eval())\n",
        "from mindport_helpers import SGD\n\n\ndef f(kind, net):\n    return eval(kind)(net.eval())\n",
    ),
    "members of a module that texts name which are run": (
        "import torch.nn as nn\n\n\ndef f(kind, x):\n    return eval(kind)()(x)\n",
        "import mindport_helpers as helpers\nnn = helpers.layers_by_name\n\n\n"
        "def f(kind, x):\n    return eval(kind)()(x)\n",
    ),
    "names where a module is only put into its mode": (
        "from torch.optim import SGD\n\n\ndef f(net):\n    return net.eval(), eval('1'), eval(\"2\")\n",
        "\n\ndef f(net):\n    return net.eval(), eval('1'), eval(\"2\")\n",
    ),
    "what is above is asked for, and MindSpore does not need it": (
        "from torch import nn\n\n\nclass A(nn.Module):\n    def cuda(self, device=None):\n"
        "        return super().cuda(device=device)\n\n    def half(self):\n        return super().cuda().half()\n",
        "import mindport_helpers as helpers\n\n\nclass A(helpers.Module):\n    def cuda(self, device=None):\n"
        "        return super().cuda(device=device)\n\n    def half(self):\n        return super().half()\n",
    ),
    "values in formatted strings": (
        "import torch\n\n\ndef f(x):\n    return f'{torch.cuda.current_device()}', "
        'f"on {torch.cuda.current_device()} {x!r:>3}", f"""{torch.cuda.current_device()}"""\n',
        "import mindspore\n\n\ndef f(x):\n    return f'{mindspore.get_context(\"device_id\")}', "
        "f\"on {mindspore.get_context('device_id')} {x!r:>3}\", "
        'f"""{mindspore.get_context(\'device_id\')}"""\n',
    ),
    "values that a class has": (
        "from torch import distributed as dist\n\nNAMES = dist.Backend.NCCL, dist.ReduceOp.SUM\n",
        "import mindport_helpers as helpers\n\nNAMES = helpers.Backend.NCCL, helpers.ReduceOp.SUM\n",
    ),
    "a member that is imported by texts": (
        "import torch\nfrom tools import optional\n\npack, _ = optional('einops', name='pack')\n"
        "other, _ = optional('einops', name='other')\n",
        "import mindport_helpers as helpers\nfrom tools import optional\n\n"
        "pack, _ = optional(helpers.__name__, name='pack')\nother, _ = optional('einops', name='other')\n",
    ),
    "a module that is imported by a text from a list": (
        "import importlib\nimport logging\n\nlogging.getLogger('torch.optim')\n\n\ndef writer(folder):\n"
        "    for name in ['torch.utils.tensorboard', 'tensorboardX']:\n        try:\n"
        "            return importlib.import_module(name).SummaryWriter(folder)\n"
        "        except ImportError:\n            pass\n",
        "import importlib\nimport logging\nimport mindport_helpers as helpers\n\n"
        "logging.getLogger('torch.optim')\n\n\ndef writer(folder):\n"
        "    for name in [helpers.__name__, 'tensorboardX']:\n        try:\n"
        "            return importlib.import_module(name).SummaryWriter(folder)\n"
        "        except ImportError:\n            pass\n",
    ),
    "parameters by their names in NumPy": (
        "import torch\n\n\ndef f(x: torch.Tensor):\n    return torch.std(x, axis=1), torch.unique(x, dim=0), x.max(axis=1)\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x: mindspore.Tensor):\n"
        "    return helpers.std(x, dim=1), helpers.unique(x, dim=0), helpers.tensor_max(x, dim=1)\n",
    ),
    "a module that is imported once more": (
        "import torch\n\ntry:\n    import torch.fft\nexcept ImportError:\n    pass\n\n\ndef f(x):\n"
        "    return torch.cat([x, x])\n",
        "import mindport_helpers as helpers\n\ntry:\n    pass\nexcept ImportError:\n    pass\n\n\ndef f(x):\n"
        "    return helpers.cat([x, x])\n",
    ),
    "a value of torch's": (
        "import torch\n\nFORMAT = torch.channels_last\n",
        "import mindport_helpers as helpers\n\nFORMAT = helpers.channels_last\n",
    ),
    "a module": (
        "from torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n        for m in self.modules():\n"
        "            m.eval()\n        return x\n",
        "import mindport_helpers as helpers\n\n\nclass Net(helpers.Module):\n    def construct(self, x):\n"
        "        for m in self.modules():\n            m.eval()\n        return x\n",
    ),
    "a container that a class derives from": (
        "from torch import nn\n\n\nclass Block(nn.Sequential):\n    def forward(self, x):\n"
        "        return super().forward(x) + x\n",
        "import mindport_helpers as helpers\n\n\nclass Block(helpers.Sequential):\n    def construct(self, x):\n"
        "        return super().construct(x) + x\n",
    ),
    "values that are moved to a device at once": (
        "import torch\n\n\ndef f(x: torch.Tensor, y: torch.Tensor, device):\n    for _ in range(2):\n        x, y = x.to(device), y.to(device)\n"
        "        x, z = x.to(device), y\n        y, x = x.to(device), y.cuda()\n    return x + y + z\n",
        "import mindspore\n\n\ndef f(x: mindspore.Tensor, y: mindspore.Tensor, device):\n    for _ in range(2):\n"
        "        x, z = x, y\n        y, x = x, y\n    return x + y + z\n",
    ),
    "names that are assigned modules": (
        "import torch\n\nnn = torch.nn\nF = nn.functional\n\n\nclass Net(nn.Module):\n"
        "    def forward(self, x, f=torch.nn.functional):\n        return F.relu(x) + f.relu(x)\n",
        "import mindport_helpers as helpers\n\nnn = helpers.namespace(Module=helpers.Module)\nF = helpers.namespace(relu=helpers.relu)\n\n\n"
        "class Net(helpers.Module):\n    def construct(self, x, f=helpers.namespace(relu=helpers.relu)):\n        return helpers.relu(x) + f.relu(x)\n",
    ),
    "members that the helpers give to Tensors": (
        "import torch\n\n\ndef f(x: torch.Tensor):\n    x.requires_grad = True\n    x.sum().backward(retain_graph=True)\n"
        "    return x.grad if x.requires_grad else x.grad_fn\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x: mindspore.Tensor):\n"
        "    x.requires_grad = True\n    x.sum().backward(retain_graph=True)\n    return x.grad if x.requires_grad else x.grad_fn\n",
    ),
    "what a class has is read of the helper for it, inherited or not": (
        "import torch.distributions as D\nfrom torch.quasirandom import SobolEngine\n\n"
        "print(SobolEngine.MAXDIM, D.Normal.arg_constraints, D.Normal.has_enumerate_support)\n",
        "import mindport_helpers as helpers\n\n"
        "print(helpers.SobolEngine.MAXDIM, helpers.Normal.arg_constraints, helpers.Distribution.has_enumerate_support)\n",
    ),
    "an attribute whose value is of another kind": (
        "import torch\n\n\ndef f(x: torch.Tensor):\n    return x[0].device.type\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x: mindspore.Tensor):\n"
        "    return helpers.device_of(x[0]).type\n",
    ),
    "an attribute that holds an attribute of a Tensor": (
        "import torch\n\n\nclass Noise:\n    def __init__(self, x: torch.Tensor):\n        self.top, self._device = self, x.device\n\n"
        "    def draw(self):\n        return torch.randn(3, device=self.top._device), self.top._device\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\nclass Noise:\n    def __init__(self, x: mindspore.Tensor):\n"
        "        self.top, self._device = self, helpers.device_of(x)\n\n"
        "    def draw(self):\n        return helpers.randn(3, device=self.top._device), self.top._device\n",
    ),
    "the numbers of a shape": (
        "import torch\n\n\ndef f(x: torch.Tensor):\n    return x.shape.numel(), x.size().numel()\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x: mindspore.Tensor):\n"
        "    return helpers.numel_of_size(x.shape), helpers.numel_of_size(x.shape)\n",
    ),
    "a property that gives an attribute of a Tensor": (
        "from torch import nn\n\n\nclass Net(nn.Module):\n    @property\n    def device(self):\n"
        "        return next(self.parameters()).device\n\n    def forward(self, x):\n        return self.device\n",
        "import mindport_helpers as helpers\n\n\nclass Net(helpers.Module):\n    @property\n    def device(self):\n"
        "        return helpers.device_of(next(self.parameters()))\n\n    def construct(self, x):\n"
        "        return self.device\n",
    ),
    "what changes a view, whose gradient MindSpore's own get wrong": (
        "import torch\n\n\ndef f(x: torch.Tensor):\n    y = x.view(2, 3)\n    y.masked_fill_(y > 0, 1.0)\n"
        "    y.mul_(2).add_(1)\n    return y\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x: mindspore.Tensor):\n    y = x.view(2, 3)\n"
        "    helpers.masked_fill_(y, y > 0, 1.0)\n    helpers.add_(helpers.mul_(y, 2), 1)\n    return y\n",
    ),
    "a Tensor that is changed in place without gradients": (
        "import torch\n\n\ndef f(p: torch.Tensor, lr):\n    with torch.no_grad():\n        p -= lr * p.grad.sign()\n"
        "        p *= lr + 1\n    p += 1\n    return p * 2\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(p: mindspore.Tensor, lr):\n"
        "    with helpers.no_grad():\n        p = helpers.assign_in_place(p, p - lr * p.grad.sign())\n"
        "        p = helpers.assign_in_place(p, p * (lr + 1))\n    p = helpers.assign_in_place(p, p + 1)\n    return p * 2\n",
    ),
    "an optimizer of its own": (
        "import torch\n\n\nclass Mine(torch.optim.Optimizer):\n    @torch.no_grad()\n    def step(self):\n"
        "        for group in self.param_groups:\n            for p in group['params']:\n"
        "                mean = self.state[p]['mean']\n                mean.mul_(0.9).add_(p.grad, alpha=0.1)\n"
        "                p.add_(mean, alpha=-1)\n",
        "import mindport_helpers as helpers\n\n\nclass Mine(helpers.Optimizer):\n    @helpers.no_grad()\n"
        "    def step(self):\n        for group in self.param_groups:\n            for p in group['params']:\n"
        "                mean = self.state[p]['mean']\n"
        "                helpers.add_(helpers.mul_(mean, 0.9), p.grad, alpha=0.1)\n"
        "                helpers.add_(p, mean, alpha=-1)\n",
    ),
    "a constant of a module": (
        "from torch.optim.optimizer import Optimizer, required\n\n\ndef f(lr=required):\n    return lr is not required\n",
        "import mindport_helpers as helpers\n\n\ndef f(lr=helpers.required):\n    return lr is not helpers.required\n",
    ),
    "gradients that are clipped": (
        "import torch\n\n\ndef f(optimizer):\n"
        "    torch.nn.utils.clip_grad_norm_(optimizer.param_groups[0]['params'], 1.0)\n",
        "import mindport_helpers as helpers\n\n\ndef f(optimizer):\n"
        "    helpers.clip_grad_norm_(optimizer.param_groups[0]['params'], 1.0)\n",
    ),
    "a Tensor that something else refers to": (
        "import torch\n\n\ndef f(x: torch.Tensor):\n    y = x * 2\n    z = y\n    y += 1\n    return y, z\n\n\n"
        "@torch.no_grad()\ndef g(x: torch.Tensor):\n    y = x * 2\n    y += x  # why\n    return y\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x: mindspore.Tensor):\n    y = x * 2\n    z = y\n"
        "    y = helpers.assign_in_place(y, y + 1)\n    return y, z\n\n\n"
        "@helpers.no_grad()\ndef g(x: mindspore.Tensor):\n    y = x * 2\n    y = helpers.assign_in_place(y, y + x)  # why\n"
        "    return y\n",
    ),
    "a part that is changed in place": (
        "import torch\nfrom torch import nn\n\n\ndef f(x: torch.Tensor):\n    nn.init.zeros_(x[:2])\n    x[2:].data.fill_(1)\n"
        "    x.fill_(2)\n    x[1:].mul_(2).add_(x[0])  # why\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x: mindspore.Tensor):\n"
        "    x[:2] = helpers.zeros_(x[:2])\n    helpers.fill_(x[2:].data, 1)\n    helpers.fill_(x, 2)\n"
        "    x[1:] = helpers.add_(helpers.mul_(x[1:], 2), x[0])  # why\n",
    ),
    "sizes of a Tensor for one of PyTorch's old classes": (
        "import torch\n\n\ndef f(x: torch.Tensor, y, s):\n    size = x.shape\n"
        "    return torch.FloatTensor(size), torch.Tensor(x.size()), torch.LongTensor(y.size()), torch.FloatTensor(s), "
        "x.new(size), x.new((1, 2))\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x: mindspore.Tensor, y, s):\n    size = x.shape\n"
        "    return helpers.FloatTensor(*size), helpers.make_tensor(*x.shape), helpers.LongTensor(*y.shape), "
        "helpers.FloatTensor(s), helpers.new(x, *size), helpers.new(x, (1, 2))\n",
    ),
    "sizes for one of PyTorch's old classes that has another name": (
        "import torch\n\n\ndef f(x, s):\n    old = torch.cuda.FloatTensor if x.is_cuda else torch.FloatTensor\n"
        "    size = x.shape\n    return old(x[..., :4].shape), old(size), torch.Tensor(size), old(s), old(2, 3)\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x, s):\n    old = helpers.FloatTensor if "
        "(mindspore.get_context('device_target') == 'GPU') else helpers.FloatTensor\n    size = x.shape\n"
        "    return old(*x[..., :4].shape), old(*size), helpers.make_tensor(*size), old(s), old(2, 3)\n",
    ),
    "a member that the program gives a module of PyTorch's": (
        "import torch.nn as nn\n\n\nclass Masked(nn.Module):\n    pass\n\n\nnn.Masked = Masked\n\n\n"
        "def f(x):\n    return nn.Masked(x), isinstance(x, nn.Masked)\n",
        'import mindport_helpers as helpers\nnn = helpers.unavailable("torch.nn")\n\n\nclass Masked(helpers.Module):\n    pass\n\n\n'
        "nn.Masked = Masked\n\n\ndef f(x):\n    return nn.Masked(x), isinstance(x, nn.Masked)\n",
    ),
    "a slice with steps that is changed in place": (
        "import torch\n\n\ndef f(x: torch.Tensor, y: torch.Tensor):\n    x[:, ::2].add_(y[::2, 0])\n"
        "    return x[:, ::2].view(-1)\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(x: mindspore.Tensor, y: mindspore.Tensor):\n"
        "    x[:, ::2] = helpers.add_(helpers.sliced(x, slice(None), slice(None, None, 2)), "
        "helpers.sliced(y, slice(None, None, 2), 0))\n"
        "    return helpers.sliced(x, slice(None), slice(None, None, 2)).view(-1)\n",
    ),
    "a method that Python's own classes have, called as only a Tensor's can be": (
        "import torch\n\n\ndef f(x):\n    return x.sort(1), x.sort(), x.sort(key=len)\n",
        "import mindport_helpers as helpers\n\n\ndef f(x):\n"
        '    return helpers.method(x, "sort", helpers.sort)(1), x.sort(), x.sort(key=len)\n',
    ),
    "a test for a class": (
        "from torch import nn\n\n\ndef f(m):\n    return isinstance(m, (nn.Conv2d, nn.Module))\n",
        "import mindport_helpers as helpers\n\n\ndef f(m):\n    return isinstance(m, (helpers.Conv2d, helpers.Module))\n",
    ),
    "what has no equivalent": (
        "import torch\n\n\ndef f(x):\n    if x:\n        return torch.fx.Tracer()  # why\n",
        "import mindport_helpers as helpers\n\n\ndef f(x):\n    if x:\n"
        "        # TODO(mindport): no equivalent in MindSpore: torch.fx.Tracer\n"
        '        return helpers.unavailable("torch.fx.Tracer")()  # why\n',
    ),
    "a name that a function reads of the module, and another one has of its own": (
        "import torch\n\n\ndef f(x: torch.Tensor):\n    return x.size(1)\n\n\n"
        "if __name__ == '__main__':\n    x = torch.zeros(4, 6)\n\n    def g():\n        return x.size(1)\n\n    g()\n",
        "import mindspore\n\n\ndef f(x: mindspore.Tensor):\n    return x.shape[1]\n\n\n"
        "if __name__ == '__main__':\n    x = mindspore.ops.zeros((4, 6))\n\n"
        "    def g():\n        return x.shape[1]\n\n    g()\n",
    ),
    "losses that MindSpore has for equal shapes only": (
        "import torch.nn.functional as F\n\n\ndef f(x, y):\n    return F.smooth_l1_loss(x, y), F.kl_div(x, y)\n",
        "import mindport_helpers as helpers\n\n\n"
        "def f(x, y):\n    return helpers.smooth_l1_loss(x, y), helpers.kl_div(x, y)\n",
    ),
    "an import whose name is bound anew": (
        "from torchvision import transforms\nfrom torch import optim\n\n\n"
        "def early():\n    return optim\n\n\n"
        "transforms = transforms.Compose([transforms.ToTensor()])\noptim = optim.SGD\n\n\n"
        "def f(x):\n    return transforms(x)\n\n\nprint(transforms, optim)\n",
        'import mindport_helpers as helpers\noptim = helpers.unavailable("torch.optim")\n\n\n'
        "def early():\n    return optim\n\n\n"
        "transforms = helpers.Compose([helpers.ToTensor()])\noptim = helpers.SGD\n\n\n"
        "def f(x):\n    return transforms(x)\n\n\nprint(transforms, optim)\n",
    ),
    "an annotation without counterpart": (
        "import torch\n\n\ndef f(x: torch.fx.Tracer):\n    return x\n",
        "\n\ndef f(x: object):\n    return x\n",
    ),
    "an annotation with parameters": (
        "import torch\n\n\nclass A:\n    x: torch.jit.Final[bool]\n    y: list[torch.jit.Final[int]]\n",
        "\n\nclass A:\n    x: object\n    y: list[object]\n",
    ),
    "an import that nothing reads": (
        "import torch.nn.functional as F\nimport os\n\nprint(os)\n",
        "import os\n\nprint(os)\n",
    ),
    "an import in a function": (
        "def f():\n    import torch\n",
        "def f():\n    pass\n",
    ),
    "a result that is written into a Tensor": (
        "import torch\n\n\ndef f(a, b, o):\n    torch.cat([a, b], out=o)\n    torch.mul(a, b, out=o[0])\n"
        "    return torch.add(a, b, out=None)\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(a, b, o):\n"
        "    helpers.with_out(helpers.cat)([a, b], out=o)\n    helpers.with_out(mindspore.ops.mul)(a, b, out=o[0])\n"
        "    return mindspore.ops.add(a, b)\n",
    ),
    "members of a large module that are named by a text from elsewhere": (
        "import torch\nfrom torch import nn\n\n\ndef f(c):\n    return getattr(nn, c.act)(), getattr(torch, c.dtype)\n",
        "import mindport_helpers as helpers\n\n\ndef f(c):\n"
        "    return getattr(helpers.layers_by_name, c.act)(), getattr(helpers.dtypes_by_name, c.dtype)\n",
    ),
    "torch as a member of itself": (
        "import torch\n\n\ndef f(x):\n    return isinstance(x, torch.torch.Tensor)\n",
        "import mindspore\n\n\ndef f(x):\n    return isinstance(x, mindspore.Tensor)\n",
    ),
    "an import that is tried": (
        "try:\n    from torch.hub import load\nexcept ImportError:\n    load = None\nf = load\n",
        "import mindport_helpers as helpers\ntry:\n"
        '    load = helpers.unavailable("torch.hub.load")\n'
        "except ImportError:\n    load = None\nf = load\n",
    ),
    "a private name of PyTorch's": (
        "from torch import nn\ntry:\n    from torch.nn.modules.linear import _LinearWithBias as Biased\n"
        "except ImportError:\n    Biased = None\n\nA = nn.Conv2d if Biased is None else Biased\n",
        "import mindport_helpers as helpers\ntry:\n"
        '    raise ImportError("MindSpore has no torch.nn.modules.linear._LinearWithBias")\n'
        "except ImportError:\n    Biased = None\n\nA = helpers.Conv2d if Biased is None else Biased\n",
    ),
    "a library that stands on PyTorch, where a program can do without": (
        "import torch\ntry:\n    from torch_geometric.nn import MessagePassing\nexcept ImportError:\n"
        "    MessagePassing = None\nfound = MessagePassing, torch.ones(2)\n",
        "import mindport_helpers as helpers\nimport mindspore\ntry:\n"
        '    MessagePassing = helpers.not_converted("torch_geometric.nn.MessagePassing")\nexcept ImportError:\n'
        "    MessagePassing = None\nfound = MessagePassing, mindspore.ops.ones(2)\n",
    ),
    "a library that stands on PyTorch, which is read whatever happens": (
        "import torch\n\n\ndef f(x):\n    try:\n        import torch_sparse\n    except ImportError as error:\n"
        "        raise ImportError('Install torch_sparse') from error\n    return torch_sparse.spmm(torch.tensor(x))\n",
        'import mindport_helpers as helpers\n\n\ndef f(x):\n    try:\n        torch_sparse = helpers.not_converted("torch_sparse")\n'
        "    except ImportError as error:\n        raise ImportError('Install torch_sparse') from error\n    return torch_sparse.spmm(helpers.tensor(x))\n",
    ),
    "a name that PyTorch has no more": (
        "import torch\ntry:\n    from torch import rfft, irfft\nexcept ImportError:\n"
        "    def rfft(x):\n        return torch.fft.fft(x)\n",
        'import mindport_helpers as helpers\ntry:\n    raise ImportError("PyTorch has no torch.rfft")\nexcept ImportError:\n'
        "    def rfft(x):\n        return helpers.fft(x)\n",
    ),
    "names that PyTorch has no more, without another way": (
        "import torch\nfrom torch._six import container_abcs\n\n\ndef f(x):\n    if hasattr(torch, 'rfft'):\n"
        "        return torch.rfft(x, 1)\n    return isinstance(x, container_abcs.Mapping), torch.fft(x, 1), torch.fft.fft\n",
        "import mindport_helpers as helpers\n\n\ndef f(x):\n    if False:\n        return helpers.paired_rfft(x, 1)\n"
        "    return isinstance(x, helpers.container_abcs.Mapping), helpers.paired_fft(x, 1), helpers.fft\n",
    ),
    "a module that may be there or not": (
        "try:\n    import torch.fft as fft\nexcept ImportError:\n    fft = None\n\n\ndef f(x):\n    return fft.rfft(x)\n",
        "import mindport_helpers as helpers\ntry:\n    pass\n"
        "except ImportError:\n    fft = None\n\n\ndef f(x):\n    return helpers.rfft(x)\n",
    ),
    "a module that another one may take the place of": (
        "try:\n    import torch.fft as fft\nexcept ImportError:\n    import other as fft\n\n\ndef f(x):\n    return fft.rfft(x)\n",
        "import mindport_helpers as helpers\ntry:\n    fft = helpers.namespace(rfft=helpers.rfft)\n"
        "except ImportError:\n    import other as fft\n\n\ndef f(x):\n    return fft.rfft(x)\n",
    ),
    "torch that a program may do without": (
        "try:\n    import torch\nexcept ImportError:\n    torch = found()\n\nprint(torch.__version__, torch.ones(3))\n",
        "import mindport_helpers as helpers\nimport mindspore\ntry:\n    pass\nexcept ImportError:\n    torch = found()\n\n"
        "print(helpers.torch_version, mindspore.ops.ones(3))\n",
    ),
    "a branch of which nothing is left": (
        "import torch\n\n\ndef f(args, model: torch.nn.Module, x: torch.Tensor):\n    if args.cuda and not args.cpu:\n"
        "        model.cuda()\n        x = x.cuda()\n    if args.cuda:\n        model.cuda()\n    else:\n        print(x)\n"
        "    if args.cuda:\n        model.cuda()  # there\n    if args.used():\n        model.cuda()\n"
        "    for _ in x:\n        if args.cuda:\n            if args.gpu == 'yes':\n                model.cuda()\n    return x\n",
        "import mindspore\n\n\n"
        "def f(args, model: mindspore.nn.Cell, x: mindspore.Tensor):\n    if args.cuda:\n        pass\n    else:\n        print(x)\n"
        "    if args.cuda:\n        pass  # there\n    if args.used():\n        pass\n    for _ in x:\n        pass\n    return x\n",
    ),
    "branches of which nothing is left, with conditions that only tell": (
        "import torch\n\n\ndef f(model: torch.nn.Module, x: torch.Tensor, y: torch.Tensor, device):\n"
        "    if device == 'cuda':\n        x, y = x.pin_memory().to(device), y.pin_memory().to(device)\n"
        "    else:\n        x, y = x.to(device), y.to(device)\n"
        "    if torch.cuda.is_available():\n        model.cuda()\n"
        "    if device.startswith('cuda'):\n        x, y = x.pin_memory().to(device), y\n"
        "    if device.used():\n        model.cuda()\n    if device == 'cuda':\n        x = x.cuda()\n    else:\n        print(x)\n"
        "    if device:\n        x, y = x, y  # as it was\n        y = x.to(device)\n    return torch.relu(x), y\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\n"
        "def f(model: mindspore.nn.Cell, x: mindspore.Tensor, y: mindspore.Tensor, device):\n"
        "    if device.used():\n        pass\n    if device == 'cuda':\n        pass\n    else:\n        print(x)\n"
        "    if device:\n        x, y = x, y  # as it was\n        y = x\n    return helpers.relu(x), y\n",
    ),
    "annotations name the classes of what is built": (
        "import torch\nfrom torch.distributions import Normal\nfrom torch.utils.data import DataLoader\n\n\n"
        "def f(data: DataLoader[torch.Tensor], optimizer: 'torch.optim.Optimizer', net: torch.nn.Module) -> Normal:\n"
        "    return Normal(data, net)\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\n"
        "def f(data: helpers.DataLoader[mindspore.Tensor], optimizer: 'helpers.Optimizer', net: mindspore.nn.Cell)"
        " -> helpers.Normal:\n    return helpers.Normal(data, net)\n",
    ),
    "the numbers of what may be a shape": (
        "import torch\n\n\ndef f(shapes, x: torch.Tensor):\n    return [shape.numel() for shape in shapes], x.numel()\n",
        "import mindport_helpers as helpers\nimport mindspore\n\n\ndef f(shapes, x: mindspore.Tensor):\n"
        '    return [helpers.method(shape, "numel", helpers.numel)() for shape in shapes], x.numel()\n',
    ),
    "a library that is read through its module": (
        "import einops as eo, json\nimport safetensors.torch\nimport tensorboardX\n\n\ndef f(x):\n"
        "    writer = tensorboardX.SummaryWriter('runs')\n    safetensors.torch.save_file({'x': x}, 'x')\n"
        "    return eo.rearrange(eo.repeat(x, 'a -> a b', b=2), 'a b -> b a'), json.dumps('eo.pack')\n",
        "import json\nimport mindport_helpers as helpers\n\n\ndef f(x):\n"
        "    writer = helpers.BoardWriter('runs')\n    helpers.save_file({'x': x}, 'x')\n"
        "    return helpers.rearrange(helpers.repeat(x, 'a -> a b', b=2), 'a b -> b a'), json.dumps('eo.pack')\n",
    ),
    "a library of whose module something else is read, too": (
        "import einops\n\n\ndef f(x):\n    return einops.rearrange(x, 'a b -> b a'), einops.__version__\n",
        "import einops\nimport mindport_helpers as helpers\n\n\ndef f(x):\n"
        "    return helpers.rearrange(x, 'a b -> b a'), einops.__version__\n",
    ),
    "a library that works on tensors": (
        "from einops import rearrange, repeat\nfrom einops.layers.torch import Rearrange as R\n\n\ndef f(x):\n"
        "    return rearrange(repeat(x, 'a -> a b', b=2), 'a b -> b a'), R('a b -> b a')\n",
        "from mindport_helpers import rearrange\nfrom mindport_helpers import repeat\n"
        "from mindport_helpers import Rearrange as R\n\n\ndef f(x):\n"
        "    return rearrange(repeat(x, 'a -> a b', b=2), 'a b -> b a'), R('a b -> b a')\n",
    ),
}


def converted(source: str, helpers_in: str = "", taken: tuple[str, ...] = ()) -> tuple[str, frozenset[str]]:
    _, found = found_in(source, target="2.10", device="cpu", style="classic")
    whole = WholeFile(WholeProgram(Catalog.load(), TARGET), helpers_in)
    conversion = convert_whole(found, whole, lambda name, _: name in taken)
    return applied(found.document.data, conversion.edits).decode(), conversion.helpers


@pytest.mark.parametrize("name", CASES)
def test_it_becomes(name: str) -> None:
    before, after = CASES[name]
    text, _ = converted(before)
    assert text == after
    compile(text, name, "exec")
    assert converted(text)[0] == text


def test_a_file_that_would_lose_a_name_is_told_as_not_converted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(SelfCheck, "is_sound", lambda *_: False)
    (tmp_path / "a.py").write_text("import torch\n\nx = torch.ones(2)\n")
    given = [str(tmp_path / "a.py"), "--whole", "--device", "cpu", "-o", str(tmp_path / "out"), "--jobs", "1"]
    assert main(["convert", *given]) == 2
    assert "a.py: Not converted, because that would lose a name" in capsys.readouterr().err


def test_the_helpers_it_takes() -> None:
    assert converted(CASES["a module"][0])[1] == {
        *("Module", "CASTS_ARE_QUICK", "COMPARES_ALL", "RUNS_AT_ONCE")
    }
    assert converted(CASES["what has no equivalent"][0])[1] == {"unavailable"}
    assert converted(CASES["a module whose members are asked for by a text"][0])[1] == {"layers_by_name"}
    assert converted(CASES["a library that works on tensors"][0])[1] == {"rearrange", "repeat", "Rearrange"}


def test_bfloat16_is_widened_where_there_are_no_kernels_for_it() -> None:
    of_bfloat16 = "import torch\nx = torch.zeros(2, dtype=torch.bfloat16)\n"
    assert "BFLOATS_ARE_WIDENED" in converted(of_bfloat16)[1]
    assert "BFLOATS_ARE_WIDENED" not in converted(of_bfloat16.replace("bfloat16", "float16"))[1]
    beside = Catalog.load().helpers.beside
    assert [device for device in DEVICES if "BFLOATS_ARE_WIDENED" in beside(b"bfloat16", device)] == ["cpu"]


def test_bfloat16_in_a_file_is_widened_when_it_is_read() -> None:
    reading = "import torch\nstate = torch.load('a.pt')\n"
    assert "bfloats_when_read" in converted(reading + "dtype = state['weight'].dtype\n")[1]
    assert "bfloats_when_read" not in converted(reading)[1]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("rolled(x)[x > 0] = y", True),
        ("x[0][1:] = y", True),
        ("x.t()[0] += y", True),
        ("z = x.view(-1)\n    z[0] = y", True),
        ("a, b = x.chunk(2)\n    b[0] = y", True),
        ("z = x + 1\n    z[0] = y", False),
        ("globals()['x'] = y", False),
        ("x['a']['b'] = y", False),
        ("z = x.view(-1)\n    x[0] = y", True),
        ("z = (x + 1).view(-1)\n    z += y", True),
        ("z = [x[i] for i in y]\n    z.add_(1)", True),
        ("for z in x:\n        z.add_(1)", True),
        ("for i, z in enumerate(x.unbind(0)):\n        z *= i", True),
        ("x.view(-1).mul_(2).add_(1)", True),
        ("torch.nn.init.zeros_(x[:2])", True),
        ("torch.add(x, 1, out=x[0])", True),
        ("torch.nn.functional.relu(x.t(), inplace=True)", True),
        ("x.add_(1)", True),
        ("x += 1", False),
        ("z = x + 1\n    z.mul_(2)", False),
        ("z = 0\n    for i in range(3):\n        z += i", False),
    ],
)
def test_views_that_are_changed(statement: str, expected: bool) -> None:
    found = converted(
        f"import torch\n\n\ndef f(x: torch.Tensor, y):\n    {statement}\n    return torch.fft.fft(x)\n"
    )
    assert ("VIEWS_WRITE_THROUGH" in found[1]) is expected


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        ("0, 1:", True),
        (":, 0", True),
        ("x > 0, 0", True),
        ("0", False),
        ("1:", False),
        ("(0, slice(2), y)", True),
    ],
)
def test_parts_of_several_dimensions_that_are_assigned_to(index: str, expected: bool) -> None:
    found = converted(
        f"import torch\n\n\ndef f(x: torch.Tensor, y):\n    x[{index}] = y\n    return torch.fft.fft(x)\n"
    )
    assert ("INDEXED_AS_IN_PYTORCH" in found[1]) is expected


def test_in_a_package_helpers_are_imported_from_it() -> None:
    assert converted("from torch import nn\n\nA = nn.Conv2d\n", ".")[0] == (
        "from . import mindport_helpers as helpers\n\nA = helpers.Conv2d\n"
    )
    assert converted("from einops import rearrange\n\nA = rearrange\n", "..")[0] == (
        "from ..mindport_helpers import rearrange\n\nA = rearrange\n"
    )


def test_a_script_finds_its_package_before_it_imports_helpers_from_it() -> None:
    source = (
        'import sys\n\nimport torch\n\nsys.path.append("..")\nfrom pkg.nets import Net\n\n'
        "layer = torch.nn.Linear(2, 3)\n"
    )
    becomes, _ = converted(source, "pkg")
    lines = becomes.splitlines()
    assert lines.index('sys.path.append("..")') < lines.index("from pkg import mindport_helpers as helpers")


def test_a_script_in_a_folder_finds_the_helpers_of_the_program_first() -> None:
    source = (
        "import os, sys\nimport torch\nfrom einops import rearrange\n\n"
        'sys.path.append(os.path.join(os.path.dirname(__file__), ".."))\nfrom nets import Net\n\n'
        "layer = torch.nn.Linear(2, 3)\nprint(rearrange)\n"
    )
    assert converted(source)[0] == (
        'import os, sys\n\nsys.path.append(os.path.join(os.path.dirname(__file__), ".."))\n'
        "import mindport_helpers as helpers\nfrom mindport_helpers import rearrange\nfrom nets import Net\n\n"
        "layer = helpers.Linear(2, 3)\nprint(rearrange)\n"
    )


def test_a_script_that_uses_helpers_first_imports_them_at_once() -> None:
    source = (
        "import sys\n\nimport torch\n\nlayer = torch.nn.Linear(2, 3)\n"
        'sys.path.append("..")\nfrom pkg.nets import Net\n'
    )
    becomes, _ = converted(source, "pkg")
    lines = becomes.splitlines()
    assert lines.index("from pkg import mindport_helpers as helpers") < lines.index('sys.path.append("..")')


def test_a_name_that_other_files_take_keeps_its_meaning() -> None:
    source = "from torch import Tensor\nfrom torch.nn import Conv2d, Module as M\n"
    assert converted(source, "", ("Tensor", "Conv2d", "M"))[0] == (
        "from mindspore import Tensor\nfrom mindport_helpers import Conv2d\nfrom mindport_helpers import Module as M\n"
    )


def test_a_variable_is_a_tensor() -> None:
    source = "from torch.autograd import Variable\n\n\ndef f(x):\n    a = Variable(x)\n    return a.size(0)\n"
    assert "return a.shape[0]" in converted(source)[0]


def test_what_goes_with_a_context_that_is_left_out_is_not_left_to_anybody() -> None:
    text, _ = converted(
        "from torch.nn.attention import SDPBackend, sdpa_kernel\n\n\ndef f(g, x):\n"
        "    with sdpa_kernel([SDPBackend.MATH, SDPBackend.FLASH_ATTENTION]):\n        return g(x)\n"
    )
    assert text.endswith("def f(g, x):\n    return g(x)\n") and "TODO" not in text


def test_a_module_that_is_handed_on_has_the_members_that_are_named_elsewhere() -> None:
    """Whatever the document reads of other objects (`x.Tensor`, which `lr_scheduler` has a member named as)."""
    text, helpers = converted(
        "import torch\nfrom torch.optim import lr_scheduler\n\n\ndef f(make, x):\n"
        "    return make(torch.optim), make('s', lr_scheduler, x), make(layers=torch.nn), isinstance(x, torch.Tensor)\n"
    )
    assert "make(helpers.optimizers_by_name), make('s', helpers.schedulers_by_name, x)" in text
    assert "make(layers=helpers.layers_by_name)" in text
    assert {"optimizers_by_name", "schedulers_by_name", "layers_by_name"} <= helpers
    text, _ = converted("import torch\n\n\ndef f(make):\n    return make(torch.special)\n")
    assert 'helpers.unavailable("torch.special")' in text or "helpers.namespace(" in text


def test_a_module_that_is_imported_by_its_name_as_a_text_is_what_stands_for_it() -> None:
    text, helpers = converted(
        "import importlib\n\n\ndef f(name):\n    optimizers = importlib.import_module('torch.optim')\n"
        "    layers = importlib.import_module('torch.nn')\n    other = importlib.import_module('numpy.random')\n"
        "    return getattr(optimizers, name), getattr(layers, name), other\n"
    )
    assert "optimizers = helpers.optimizers_by_name\n" in text and "optimizers_by_name" in helpers
    assert "layers = helpers.layers_by_name\n" in text and "layers_by_name" in helpers
    assert "other = importlib.import_module('numpy.random')\n" in text


def test_a_taken_name_of_helpers_is_not_used() -> None:
    text, _ = converted("from torch import nn\n\nhelpers = nn.Conv2d\n")
    assert text == "import mindport_helpers\n\nhelpers = mindport_helpers.Conv2d\n"


def test_where_a_program_sets_the_default_dtype_helpers_heed_it(tmp_path: Path) -> None:
    """Also in its other files: MindSpore's own functions know nothing of it."""
    source, folder = tmp_path / "source", tmp_path / "converted"
    source.mkdir()
    made = "import torch\n\n\ndef made():\n    return torch.zeros(2), torch.abs(torch.ones(2))\n"
    source.joinpath("made.py").write_text(made, "utf-8")
    options = ("--whole", "--target", "2.10", "--device", "cpu", "--style", "classic", "--force")
    assert main(["convert", str(source), "-o", str(folder), *options]) == 0
    assert "helpers.zeros" not in (folder / "made.py").read_text("utf-8")
    source.joinpath("main.py").write_text("import torch\n\ntorch.set_default_dtype(torch.float64)\n", "utf-8")
    assert main(["convert", str(source), "-o", str(folder), *options]) == 0
    text = (folder / "made.py").read_text("utf-8")
    assert "helpers.zeros(2)" in text
    assert "helpers.abs" not in text


def used_beside(folder: Path, classes: str, uses: str) -> str:
    """What becomes of a file that uses torch, in a program with another file of classes."""
    source = folder / "source"
    source.mkdir()
    (source / "classes.py").write_text(classes, "utf-8")
    (source / "uses.py").write_text(uses, "utf-8")
    assert main(["convert", str(source), "-o", str(folder / "out"), "--whole", "--device", "cpu"]) == 0
    return (folder / "out" / "uses.py").read_text("utf-8")


def test_a_function_that_some_call_may_give_out_takes_it(tmp_path: Path) -> None:
    uses = "import torch\n\nKNOWN = {'add': torch.add, 'relu': torch.relu}\n"
    given = "def f(call, x, y):\n    call(x, (y), out=x)\n"
    text = used_beside(tmp_path, given, uses)
    assert "{'add': helpers.with_out(" in text
    assert text.count("with_out") == 1
    (tmp_path / "none").mkdir()
    assert "with_out" not in used_beside(tmp_path / "none", given.replace("out=x", "out=None"), uses)
    for name, is_handed_on in (("known.call", True), ("self.known.call", True), ("np.add", False)):
        folder = tmp_path / name
        folder.mkdir()
        text = used_beside(folder, given.replace("    call(", f"    {name}("), uses)
        assert ("with_out" in text) is is_handed_on


def test_where_a_class_overrides_functions_each_is_written_in_one_way(tmp_path: Path) -> None:
    overrides = (
        "class Own:\n    @classmethod\n    def __torch_function__(cls, func, types, args=(), kwargs=None):\n"
        "        return HANDLED[func](*args)\n"
    )
    uses = "import torch\n\n\ndef f(x, handled):\n    handled[torch.mean] = f\n    return torch.mean(x), torch.ones(2)\n"
    uses += "\n\ndef g(x):\n    return torch.all(x, axis=1, keepdims=True)\n"
    uses = used_beside(tmp_path, overrides, uses)
    assert "helpers.all_of(x, dim=1, keepdim=True)" in uses
    assert "handled[helpers.mean_of] = f" in uses
    assert "helpers.mean_of(x)" in uses
    assert "FUNCTIONS_ASK_CLASSES" in (tmp_path / "out" / "mindport_helpers.py").read_text("utf-8")


def test_methods_that_a_subclass_of_tensor_redefines_are_chosen_when_run(tmp_path: Path) -> None:
    """Also those that would be called by the name of a method that it has otherwise."""
    own = (
        "import torch\n\n\nclass Own(torch.Tensor):\n    def permute(self, by):\n        return self.roll(by)\n\n"
        "    def swapaxes(self, one, other):\n        return self.numpy().swapaxes(one, other)\n"
    )
    uses = (
        "import torch\n\n\ndef f(x: torch.Tensor):\n    y = x.permute(1, 0)\n    z = x.transpose(0, 1)\n"
        "    return x.sum(), y, z\n"
    )
    uses = used_beside(tmp_path, own, uses)
    assert 'y = helpers.method(x, "permute", helpers.permute)(1, 0)\n' in uses
    assert 'z = helpers.method(x, "transpose", helpers.transpose)(0, 1)\n' in uses
    assert "return x.sum(), y, z" in uses


def test_tensors_are_known_in_files_that_do_not_name_the_library(tmp_path: Path) -> None:
    source, folder = tmp_path / "source", tmp_path / "converted"
    for name in ("tools", "optimizers"):
        (source / name).mkdir(parents=True)
    files = {
        "LICENSE": "",
        "metrics.py": "def count(output, target):\n    return output.size(0), target.sum().max(0)\n\n\n"
        "def loudest(sound):\n    return abs(sound).max()\n",
        "names.py": "import torch\n",
        "train.py": "import torch\nfrom metrics import count\n\nprint(count(torch.zeros(3), torch.ones(3)))\n",
        "tools/seed.py": "from names import *\n\ntorch.manual_seed(0)\n",
        "optimizers/__init__.py": "import torch\nfrom torch.optim import Adam\nfrom torch.fx import Tracer\n",
    }
    for name, text in files.items():
        source.joinpath(name).write_text(text, "utf-8")
    options = ("--whole", "--target", "2.10", "--device", "cpu", "--style", "classic")
    assert main(["convert", str(source), "-o", str(folder), *options]) == 0
    metrics = (folder / "metrics.py").read_text("utf-8")
    assert "return output.shape[0], helpers.tensor_max(target.sum(), 0)" in metrics
    assert "return abs(sound).max()" in metrics  # of which nothing is known
    assert "_helpers.manual_seed(0)" in (folder / "tools/seed.py").read_text("utf-8")
    assert (folder / "optimizers/__init__.py").read_text("utf-8") == "from .mindport_helpers import Adam\n"


def test_a_function_that_a_module_calls_by_its_own_name_is_called_so_still(tmp_path: Path) -> None:
    """Where that means the helper, which takes what PyTorch's takes, or MindSpore's, which takes the same."""
    names = (
        "import sys\nimport torch\n\nme = sys.modules[__name__]\nnormal = torch.normal\nsize = len\ngrid = torch.meshgrid\n"
        "total = torch.sum\n\n\ndef f(y):\n    return me.size(y), me.normal(0, 1, (2,))\n"
    )
    uses = (
        "import torch\nimport classes\n\nx = classes.normal(0.0, 0.5, (3,))\ny = classes.grid(x, x)\nz = classes.total(x, 0)\n"
        "g = torch.meshgrid(x, x, indexing='ij')\n"
    )
    uses = used_beside(tmp_path, names, uses)
    assert "x = classes.normal(0.0, 0.5, (3,))\ny = classes.grid(x, x)\nz = classes.total(x, 0)\n" in uses
    assert "meshgrid(x, x, indexing='ij')" in uses
    names = (tmp_path / "out" / "classes.py").read_text("utf-8")
    assert "return me.size(y), me.normal(0, 1, (2,))" in names


def test_options_that_may_have_the_names_of_numpy_get_those_of_pytorch(tmp_path: Path) -> None:
    """Where something in the program gives any by such names, and what they are given takes axes."""
    uses = (
        "import torch\n\n\ndef f(x: torch.Tensor, **options):\n    y = torch.relu(x, **options)\n    z = x.argmax(**options)\n"
        "    return y, z, torch.sum(x, **options)\n"
    )
    given = used_beside(tmp_path, "def g(x, f):\n    return f(x, axis=1)\n", uses)
    assert "helpers.argmax(x, **helpers.names_of_torch(options))" in given
    assert "sum(x, **helpers.names_of_torch(options))" in given
    assert "relu(x, **options)" in given
    (tmp_path / "none").mkdir()
    assert "names_of_torch" not in used_beside(tmp_path / "none", "axis = 1\n", uses.replace("axis", "dim"))
