"""How Tensors lie in memory."""

from __future__ import annotations

from case import Case, script

FORMATS = "channels_last channels_last_3d contiguous_format preserve_format"
CASES: list[Case] = [
    script(
        " ".join(f"torch.{name}" for name in FORMATS.split()),
        f"result = len({{{', '.join(FORMATS.split())}}})",
    ),
]
CASES.append(script("torch.cuda.device_count", "result = device_count()"))
CASES.append(script("torch.cuda.device", "with device(-1):\n    result = 'entered'"))
CASES.append(
    script(
        "torch.device torch.nn.Parameter",
        "result = [x.device == device('cpu'), str(getattr(Parameter(x), 'device')), x.to(x.device)]",
        inputs={"x": "normal(2, 3)"},
    )
)
CASES.append(
    script(
        "torch.device torch.manual_seed torch.nn.Linear torch.rand torch.nn.init.constant_",
        "manual_seed(3)\nwith device('meta'):\n    net = Linear(3, 2)\nnet = net.to_empty(device=device('cpu'))\n"
        "constant_(net.weight, 0.5)\nconstant_(net.bias, 1)\nresult = [rand(4), net(x)]",
        inputs={"x": "normal(2, 3)"},
    )
)
# inside a context of "meta" nothing is drawn at random: what is drawn behind it is as if that had not been
CASES.append(
    script(
        "torch.device torch.Tensor torch.get_default_device torch.manual_seed torch.nn.Linear torch.nn.init.normal_ "
        "torch.randn",
        "manual_seed(5)\n"
        "with device('meta'):\n"
        "    layer = Linear(5, 7)\n"
        "    normal_(layer.weight)\n"
        "    named = [layer.weight.device == device('meta'), str(get_default_device())]\n"
        "result = named, str(get_default_device()), randn(3), randn(20)",
    )
)
CASES.append(script("torch.accelerator.current_accelerator", "result = current_accelerator()"))
CASES.append(script("torch._dynamo.utils.is_compile_supported", "result = is_compile_supported('cpu')"))
