"""Clipping gradients, scaling losses."""

from __future__ import annotations

from case import Case, script

UTILS = "torch.nn.utils"
START = """
weights = [Parameter(tensor(np.float32([[1.0, -2.0], [3.0, 0.5]]))), Parameter(tensor(np.float32([3.0]))), Parameter(tensor(np.float32(0.5)))]
set_gradient(weights[0], tensor(np.float32([[3.0, -4.0], [0.0, 12.0]])))
set_gradient(weights[2], tensor(np.float32(-2.0)))
def held():
    return [None if gradient_of(weight) is None else values_of(gradient_of(weight)) for weight in weights]
"""
NORMS = [
    "1.0",
    "max_norm=5.0, norm_type=2",
    "100.0",
    "1.0, norm_type=1",
    "2.0, norm_type=3.0",
    "1.0, float('inf')",
    "0.0",
    "1.0, error_if_nonfinite=True",
    "1.0, foreach=True",
]
SCALING = """
import warnings
warnings.simplefilter("ignore")
weights = [Parameter(tensor(np.float32([1.0, -2.0, 0.5]))), Parameter(tensor(np.float32([3.0])))]
optimizer = {optimizer}
scaler = {scaler}
seen = []
for step in range(10):
    optimizer.zero_grad()
    loss = scaler.scale(tensor(np.float32(step + 0.5)))
    for number, weight in enumerate(weights):
        gradient = np.cos(step + number + values_of(weight)).astype(np.float32)
        if step in {infinite} and number == 0:
            gradient[0] = np.inf
        set_gradient(weight, scaler.scale(tensor(gradient)))
    {before}
    outcome = scaler.step(optimizer)
    scaler.update()
    seen.append([values_of(loss), outcome, scaler.get_scale(), [values_of(weight) for weight in weights]])
    if step == 6:
        saved = scaler.state_dict()
        scaler = {scaler}
        if saved:
            scaler.load_state_dict(saved)
result = [seen, scaler.state_dict(), scaler.is_enabled()]
if scaler.is_enabled():
    scaler.set_growth_factor(scaler.get_growth_factor() * 2)
    scaler.set_backoff_factor(scaler.get_backoff_factor() / 2)
    scaler.set_growth_interval(scaler.get_growth_interval() + 5)
    result.append([scaler.get_growth_factor(), scaler.get_backoff_factor(), scaler.get_growth_interval()])
# {scaler}; {optimizer}; {before}; {infinite}
"""


def clipped(names: str, source: str) -> Case:
    apis = " ".join(f"{UTILS}.{name}" for name in names.split())
    return script(f"torch.nn.Parameter {apis}", START + source)


def scaled(
    api: str,
    arguments: str,
    optimizer: str = "SGD(weights, lr=0.1)",
    before: str = "pass",
    infinite: str = "(3, 8)",
) -> Case:
    scaler = f"{api.rpartition('.')[2]}({arguments})"
    source = SCALING.format(scaler=scaler, optimizer=optimizer, before=before, infinite=infinite)
    kind = optimizer.partition("(")[0]
    return script(
        f"torch.nn.Parameter torch.optim.{kind} torch.nn.utils.clip_grad_norm_ {api}",
        source,
    )


CASES = [
    *(
        clipped("clip_grad_norm_", f"total = clip_grad_norm_(weights, {given}); result = [total, held()]")
        for given in NORMS
    ),
    clipped("clip_grad_norm_", "result = [clip_grad_norm_(iter(weights), 1), held()]"),
    clipped("clip_grad_norm_", "result = [clip_grad_norm_(weights[0], 1.0), held()]"),
    clipped("clip_grad_norm_", "result = [clip_grad_norm_([weights[1]], 1.0), clip_grad_norm_([], 1.0)]"),
    clipped(
        "clip_grad_norm_",
        """
set_gradient(weights[0], tensor(np.float32([[np.inf, 0], [0, 0]])))
try:
    clip_grad_norm_(weights, 1.0, error_if_nonfinite=True)
    result = "none"
except RuntimeError as error:
    result = [str(error)[:70], held()]
""",
    ),
    clipped(
        "clip_grad_norm_",
        "set_gradient(weights[0], tensor(np.float32([[np.nan, 0], [0, 1]]))); result = [clip_grad_norm_(weights, 1.0), held()]",
    ),
    clipped(
        "clip_grad_value_",
        "set_gradient(weights[0], tensor(np.float32([[np.nan, -np.inf], [0, 9]]))); clip_grad_value_(weights, 1.0); result = held()",
    ),
    clipped("clip_grad_norm", "result = [clip_grad_norm(weights, 2.0), held()]"),
    clipped("clip_grad_value_", "result = [clip_grad_value_(weights, 2.5), held()]"),
    clipped(
        "clip_grad_value_", "result = [clip_grad_value_(iter(weights), clip_value=1, foreach=True), held()]"
    ),
    clipped("clip_grad_value_", "clip_grad_value_(weights[0], 3); result = held()"),
    *(
        clipped(
            "get_total_norm",
            f"result = get_total_norm([gradient_of(weights[0]), gradient_of(weights[2])]{given})",
        )
        for given in ("", ", 1.0", ", norm_type=float('inf')", ", 2, True")
    ),
    clipped("get_total_norm", "result = [get_total_norm(gradient_of(weights[0])), get_total_norm([])]"),
    clipped(
        "clip_grads_with_norm_ get_total_norm",
        "total = get_total_norm([gradient_of(weights[0])]); result = [clip_grads_with_norm_(weights, 2.0, total), held()]",
    ),
    *(
        scaled("torch.GradScaler", arguments)
        for arguments in (
            "'cpu'",
            "'cpu', init_scale=4.0, growth_interval=2",
            "device='cpu', init_scale=1024.0, growth_factor=4.0, backoff_factor=0.25, growth_interval=3",
            "'cpu', enabled=False",
            "",
            "'cuda', enabled=True",
        )
    ),
    scaled("torch.GradScaler", "'cpu'", before="scaler.unscale_(optimizer); clip_grad_norm_(weights, 0.5)"),
    scaled(
        "torch.GradScaler",
        "'cpu', init_scale=8.0, growth_interval=1",
        "AdamW(weights, lr=0.1)",
        infinite="()",
    ),
    scaled("torch.cuda.amp.GradScaler", ""),
    scaled("torch.cuda.amp.GradScaler", "init_scale=2.0, enabled=False"),
    scaled("torch.cpu.amp.GradScaler", "init_scale=2.0, growth_interval=1"),
    script(
        "torch.nn.Parameter torch.optim.SGD torch.GradScaler",
        """
weights = [Parameter(tensor(np.float32([1.0, -2.0])))]
optimizer = SGD(weights, lr=0.1)
scaler = GradScaler("cpu", init_scale=2.0)
result = [scaler.scale([tensor(np.float32(1.0)), tensor(np.float32([2.0]))])]
def fails(make):
    try:
        make()
    except Exception as error:
        result.append(type(error).__name__)
    else:
        result.append("none")
set_gradient(weights[0], tensor(np.float32([2.0, 2.0])))
fails(lambda: scaler.update())
fails(lambda: scaler.unscale_(optimizer))
fails(lambda: scaler.unscale_(optimizer))
fails(lambda: scaler.step(optimizer))
fails(lambda: scaler.step(optimizer))
fails(lambda: scaler.unscale_(optimizer))
fails(lambda: scaler.update(16.0))
fails(lambda: scaler.load_state_dict({}))
fails(lambda: scaler.step(optimizer, closure=lambda: 1.0))
result += [scaler.get_scale(), [values_of(weight) for weight in weights]]
""",
    ),
]
