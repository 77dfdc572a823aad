"""MP700 to MP711: what they find of features of training, and what they leave alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from findings import codes, found_in, session
from mindport.assess.rules import all_rules
from mindport.source.document import Change, Document

URI = "untitled:main.py"
DATA = Path(__file__).parents[2] / "mapping_data" / "features" / "features.json"
HEAD = (
    "import math\nimport sys\n\nimport torch\nimport torch.distributed as dist\nimport torch.nn.functional as F\n"
    "from torch import nn\nfrom torch.utils import checkpoint as cp\nfrom torchvision import transforms as T\n\n"
)
LOOP = "for i, (x, y) in enumerate(loader):\n    loss = model(x)\n    loss.backward()\n"
HOOK = "def hook(module, input, output):\n    {}\n"
FOUND = {
    "autocast": ("with torch.autocast('cuda'):\n    pass", "MP701 torch.autocast"),
    "autocast of CUDA": (
        "with torch.cuda.amp.autocast(enabled=amp):\n    pass",
        "MP701 torch.cuda.amp.autocast",
    ),
    "a scaler": ("s = torch.amp.GradScaler('cuda')", "MP701 torch.amp.GradScaler"),
    "autocast as a decorator": ("@torch.autocast('cuda')\ndef f(x):\n    return x", "MP701 torch.autocast"),
    "a step at every fourth batch": (
        f"{LOOP}    if (i + 1) % 4 == 0:\n        optimizer.step()\n        optimizer.zero_grad()",
        "MP702 (i + 1) % 4 == 0",
    ),
    "a step that is told by a name": (
        f"{LOOP}    is_due = i % n == 0\n    if is_due:\n        scaler.step(opt)\n        scaler.update()",
        "MP702 is_due",
    ),
    "a step after some": (
        f"{LOOP}    if i - last >= accumulate:\n        optimizer.step()",
        "MP702 i - last >= accumulate",
    ),
    "compile": ("model = torch.compile(model)", "MP703 torch.compile"),
    "a decorator": ("@torch.jit.script\ndef f(x):\n    return x", "MP703 torch.jit.script"),
    "RandAugment": ("t = T.Compose([T.RandAugment(2, 9)])", "MP704 T.RandAugment"),
    "TensorBoard": (
        "from torch.utils.tensorboard import SummaryWriter\n\nw = SummaryWriter('a')",
        "MP705 SummaryWriter",
    ),
    "tensorboardX": (
        "import tensorboardX\n\nw = tensorboardX.SummaryWriter()",
        "MP705 tensorboardX.SummaryWriter",
    ),
    "a profiler": ("with torch.profiler.profile() as p:\n    pass", "MP706 torch.profiler.profile"),
    "a hook that prints": (HOOK.format("print(output.shape)"), "MP707 hook"),
    "a hook that saves": (HOOK.format("torch.save(output, 'a.pt')"), "MP707 hook"),
    "a lambda that prints": (
        "nn.ReLU().register_forward_hook(lambda m, i, o: print(o))",
        "MP707 nn.ReLU().register_forward_hook",
    ),
    "anomaly detection": (
        "torch.autograd.set_detect_anomaly(True)",
        "MP708 torch.autograd.set_detect_anomaly",
    ),
    "a loss that is not finite": (
        "loss = F.mse_loss(a, b)\nif torch.isnan(loss).any():\n    raise ValueError('diverged')",
        "MP708 torch.isnan",
    ),
    "a number that is not finite": (
        f"{LOOP}    if not math.isfinite(loss_value):\n        sys.exit(1)",
        "MP708 math.isfinite",
    ),
    "an assertion": ("loss = F.mse_loss(a, b)\nassert torch.isfinite(loss)", "MP708 torch.isfinite"),
    "quantization": (
        "q = torch.quantization.quantize_dynamic(model, {nn.Linear})",
        "MP709 torch.quantization.quantize_dynamic",
    ),
    "QAT": ("torch.ao.quantization.prepare_qat(model)", "MP709 torch.ao.quantization.prepare_qat"),
    "a group of processes": ("dist.init_process_group('nccl')", "MP710 dist.init_process_group"),
    "DDP": ("m = nn.parallel.DistributedDataParallel(m)", "MP710 nn.parallel.DistributedDataParallel"),
    "spawn": ("torch.multiprocessing.spawn(main, nprocs=2)", "MP710 torch.multiprocessing.spawn"),
    "checkpoint": ("y = cp.checkpoint(block, x, use_reentrant=False)", "MP711 cp.checkpoint"),
}
REAL = {
    "yolov5 7.0.14, train.py:341": (
        "scaler.scale(loss).backward()\nif ni - last_opt_step >= accumulate:\n    scaler.unscale_(optimizer)\n"
        "    scaler.step(optimizer)\n    scaler.update()",
        "MP702 ni - last_opt_step >= accumulate",
    ),
    "pytorch-ignite 0.5.2, engine/__init__.py:120": (
        "loss = loss / steps\nloss.backward()\nif engine.state.iteration % steps == 0:\n    optimizer.step()",
        "MP702 engine.state.iteration % steps == 0",
    ),
    "yolov5 7.0.14, classify/val.py:117": (
        "with torch.cuda.amp.autocast(enabled=device.type != 'cpu'):\n    pass",
        "MP701 torch.cuda.amp.autocast",
    ),
    "timm 1.0.31, optim/kron.py:175": (
        "c = torch.compile(g, fullgraph=True, dynamic=False)",
        "MP703 torch.compile",
    ),
    "monai 1.4.0, utils/profiling.py:60": (
        "with torch.autograd.profiler.profile(use_cuda=True) as prof:\n    pass",
        "MP706 torch.autograd.profiler.profile",
    ),
    "fastai 2.7.18, callback/tracker.py:20": (
        "if torch.isinf(self.loss) or torch.isnan(self.loss): raise CancelFitException",
        "MP708 torch.isinf",
    ),
    "pytorch-lightning 2.5.0, loops/utilities.py:46": (
        "if loss is not None and not torch.isfinite(loss).all():\n    raise ValueError(loss)",
        "MP708 torch.isfinite",
    ),
    "torchvision 0.29.2, models/quantization/resnet.py:40": (
        "a = torch.nn.quantized.FloatFunctional()",
        "MP709 torch.nn.quantized.FloatFunctional",
    ),
    "timm 1.0.31, task/classification.py:97": (
        "from torch.nn.parallel import DistributedDataParallel as DDP\n\nm = DDP(m, device_ids=ids, **kwargs)",
        "MP710 DDP",
    ),
    "torchvision 0.29.2, models/densenet.py:64": (
        "y = cp.checkpoint(closure, *input, use_reentrant=False)",
        "MP711 cp.checkpoint",
    ),
}
"""The shapes of code at these places of published packages."""
LEFT_ALONE = {
    "an import": "from torch.cuda.amp import autocast",
    "autocast that is off": "with torch.autocast('cuda', enabled=False):\n    pass",
    "a type that is tested for": "ok = isinstance(m, nn.parallel.DistributedDataParallel)",
    "a reference": "run = torch.compile",
    "a trace, for export": "t = torch.jit.trace(model, x)",
    "a step at every batch": f"{LOOP}    optimizer.step()\n    if i % 10 == 0:\n        print(loss)",
    "a second network, trained less often": (
        f"{LOOP}    d_opt.step()\n    if i % 5 == 0:\n        g_loss = model(x)\n        g_loss.backward()\n"
        "        g_opt.step()"
    ),
    "a schedule": f"{LOOP}    optimizer.step()\n    if i % 5 == 0:\n        scheduler.step()",
    "other augmentation": "t = T.Compose([T.RandomCrop(2), T.ColorJitter()])",
    "a class of the same name": "class SummaryWriter:\n    pass\n\nw = SummaryWriter()",
    "a hook that keeps": HOOK.format("kept.append(output)"),
    "three parameters that print": "def show(a, b, c):\n    print(a, b, c)",
    "a lambda that keeps": "nn.ReLU().register_forward_hook(lambda m, i, o: o)",
    "a check that repairs": "loss = F.mse_loss(a, b)\nif torch.isnan(loss).any():\n    loss = torch.zeros(())",
    "a check of what is put in": "x = torch.ones(3)\nif torch.isnan(x).any():\n    raise ValueError('nan')",
    "a number of something else": "if not math.isfinite(width):\n    sys.exit(1)",
    "ranks": "n = dist.get_rank()",
    "a checkpoint of weights": "torch.save(model.state_dict(), 'checkpoint.pt')",
}


def features(source: str, **settings: object) -> list[str]:
    """The findings of the family."""
    return codes(source, **{"select": ["MP7"], **settings})


def in_function(body: str) -> str:
    inner = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"{HEAD}def run(self, model, loader, loss, optimizer, amp, device, engine, steps):\n{inner}"


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str) -> None:
    body, found = FOUND[name]
    assert features(f"{HEAD}{body}\n") == [found]


@pytest.mark.parametrize("name", FOUND)
def test_found_in_a_function(name: str) -> None:
    body, found = FOUND[name]
    assert features(in_function(body)) == [found]


@pytest.mark.parametrize("place", REAL)
def test_as_published_packages_have_it(place: str) -> None:
    body, found = REAL[place]
    assert features(in_function(body)) == [found]


@pytest.mark.parametrize("name", LEFT_ALONE)
def test_left_alone(name: str) -> None:
    assert features(f"{HEAD}{LEFT_ALONE[name]}\n") == []
    assert features(in_function(LEFT_ALONE[name])) == []


TWICE = (
    f"{HEAD}def a(x):\n    with torch.autocast('cuda'):\n        return x\n\n\n"
    "def b(x):\n    scaler = torch.cuda.amp.GradScaler()\n    with torch.autocast('cuda'):\n"
    "        return scaler, x\n"
)


def lines(source: str) -> list[int]:
    _, found = found_in(source, select=["MP7"])
    return [found.document.lines.line_of(one.start) for one in found.diagnostics()]


def test_one_finding_a_file() -> None:
    assert lines(TWICE) == [HEAD.count("\n") + 1]


def test_the_next_one_is_found_when_the_first_goes() -> None:
    """A keystroke in one block changes what is said of another."""
    made = session(select=["MP7"])
    before = Document.open(URI, TWICE)
    made.analyse(URI, before)
    start = TWICE.index("torch.autocast")
    first, last = (before.lines.position(at, "utf-16") for at in (start, start + len("torch.autocast")))
    after = before.apply([Change(first, last, "kept")], None, "utf-16")
    found = made.analyse(URI, after)
    assert [after.text(one.start, one.end) for one in found.diagnostics()] == ["torch.cuda.amp.GradScaler"]


def test_what_training_does_without_is_recommended_if_asked_for() -> None:
    source = f"{HEAD}def train(model, loader, optimizer):\n    " + LOOP.replace("\n", "\n    ").rstrip()
    assert features(source + "\n") == []
    _, found = found_in(source + "\n", select=["MP7"], features=True)
    (one,) = found.diagnostics()
    assert one.code == "MP700"
    assert "mixed precision, gradient accumulation, static graph" in one.finding.message("en")
    assert "混合精度、梯度累积、静态图" in one.finding.message("zh-cn")


def test_what_is_used_is_not_recommended() -> None:
    step = "        if i % 4 == 0:\n            optimizer.step()\n"
    source = f"{HEAD}model = torch.compile(model)\n\n\ndef train(loader, optimizer):\n    "
    source += LOOP.replace("\n", "\n    ").rstrip() + "\n" + step
    _, found = found_in(source, select=["MP700"], features=True)
    (one,) = found.diagnostics()
    assert one.finding.message("en").endswith("does without: mixed precision.")


def test_each_feature_of_the_data_has_its_rule() -> None:
    entries = json.loads(DATA.read_text("utf-8"))["features"]
    assert [one["rule"] for one in entries] == [
        code for code in all_rules() if code > "MP700" and code < "MP8"
    ]
    for one in entries:
        assert "not_run" in one or one["check"], one["feature"]
