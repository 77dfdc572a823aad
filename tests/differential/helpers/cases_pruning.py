"""Pruning."""

from __future__ import annotations

from case import Case, script

P = "torch.nn.utils.parametrize."
PRUNE = "torch.nn.utils.prune."
NET = "torch.nn.Linear torch.nn.Conv2d torch.nn.Sequential torch.nn.ReLU"
X = {"x": "normal(3, 4)"}
MADE = """
net = Linear(4, 5)
net.weight.requires_grad_(False)
net.weight.copy_(x.mean() * 0 + tensor(VALUES))
net.weight.requires_grad_(True)
""".replace(
    "VALUES", "[[((7 * i + 3 * j) % 11) - 5.5 + 0.03 * (4 * i + j) for j in range(4)] for i in range(5)]"
)
APIS = "torch.tensor torch.Tensor.copy_ torch.nn.Linear torch.Tensor.requires_grad_"


def pruned(apis: str, source: str, **options: object) -> Case:
    """A linear layer `net` of known weights."""
    names = " ".join(name if name.startswith("torch.") else PRUNE + name for name in apis.split())
    return script(f"{APIS} {names}", MADE + source, inputs=X, tolerance=1e-4, **options)  # type: ignore[arg-type]


TRAINED = """
net.bias.data = net.weight.data[:, 0] * 1
optimizer = SGD(net.parameters(), lr=0.001)
before = net.weight
result = []
def step():
    loss = (net(x) ** 2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    result.append(loss.item())
step()
"""
KEPT = "result = [net(x) - net.bias, net.weight_mask, net.weight_orig, net.weight]"
CASES: list[Case] = [
    script(
        f"{APIS} {PRUNE}l1_unstructured {PRUNE}remove torch.optim.SGD torch.Tensor.backward",
        MADE
        + TRAINED
        + "l1_unstructured(net, 'weight', 8)\nresult.append(net.weight_orig is before)\nstep()\nstep()\n"
        "l1_unstructured(net, 'weight', 4)\nstep()\nremove(net, 'weight')\n"
        "result.append(net.weight is before)\nstep()\nresult.append(before.detach())",
        inputs=X,
        tolerance=1e-4,
        gradients=False,
    ),
    *(
        script(
            f"{APIS} torch.nn.Module torch.exp {P}register_parametrization {P}remove_parametrizations {named} torch.optim.SGD torch.Tensor.backward",
            """class Positive(Module):
    def forward(self, w):
        return w.exp()
    def right_inverse(self, w):
        return w.abs().log()
"""
            + MADE
            + TRAINED
            + f"{change}\nresult += [name for name, _ in net.named_parameters()]\nstep()\nstep()\nresult.append(net.weight.detach())\n{end}\nresult.append(net.weight is before)\nstep()\nresult.append(before.detach())",
            inputs=X,
            tolerance=1e-4,
            gradients=False,
        )
        for named, change, end in (
            (
                "",
                "register_parametrization(net, 'weight', Positive())\nresult.append(net.parametrizations.weight.original is before)",
                "remove_parametrizations(net, 'weight')",
            ),
            (
                "",
                "register_parametrization(net, 'weight', Positive())",
                "remove_parametrizations(net, 'weight', leave_parametrized=False)",
            ),
            (
                "torch.nn.utils.spectral_norm",
                "spectral_norm(net, n_power_iterations=30)\nresult.append(net.weight_orig is before)",
                "",
            ),
            (
                "torch.nn.utils.parametrizations.spectral_norm",
                "spectral_norm(net, n_power_iterations=30)",
                "remove_parametrizations(net, 'weight')",
            ),
        )
    ),
    pruned("l1_unstructured", f"l1_unstructured(net, 'weight', 0.3)\n{KEPT}"),
    pruned("l1_unstructured", f"l1_unstructured(net, 'weight', amount=7)\n{KEPT}"),
    pruned(
        "l1_unstructured",
        f"l1_unstructured(net, 'weight', 3, importance_scores=-net.weight ** 2)\n{KEPT}",
    ),
    pruned("ln_structured", f"ln_structured(net, 'weight', 0.5, n=2, dim=0)\n{KEPT}"),
    pruned("ln_structured", f"ln_structured(net, 'weight', 1, n=float('-inf'), dim=1)\n{KEPT}"),
    pruned("ln_structured", f"ln_structured(net, 'weight', 2, n=1, dim=-1)\n{KEPT}"),
    pruned(
        "l1_unstructured ln_structured",
        f"l1_unstructured(net, 'weight', 5)\nln_structured(net, 'weight', 0.4, 2, 0)\n"
        f"l1_unstructured(net, 'weight', 0.5)\n{KEPT}",
    ),
    pruned("identity is_pruned", f"before = is_pruned(net)\nidentity(net, 'weight')\n{KEPT}"),
    pruned(
        "l1_unstructured remove is_pruned",
        """
net(x)
before = is_pruned(net)
l1_unstructured(net, 'weight', 6)
during = is_pruned(net)
remove(net, 'weight')
names = [name for name, _ in net.named_parameters()]
result = [net(x) - net.bias, net.weight, tensor([before, during, is_pruned(net), names[-1] == 'weight'])]
""",
    ),
    pruned(
        "custom_from_mask",
        f"custom_from_mask(net, 'weight', tensor([[i % 2 for j in range(4)] for i in range(5)]))\n{KEPT}",
    ),
    pruned(
        "global_unstructured L1Unstructured l1_unstructured",
        f"""
other = Linear(2, 2)
other.weight.requires_grad_(False)
other.weight.copy_(tensor([[0.1, 2.0], [-0.2, 9.0]]))
other.weight.requires_grad_(True)
l1_unstructured(net, 'weight', 2)
global_unstructured([(net, 'weight'), (other, 'weight')], pruning_method=L1Unstructured, amount=0.25)
{KEPT[:-1]}, other.weight_mask]
""",
    ),
    pruned(
        "BasePruningMethod l1_unstructured",
        f"""
class EveryOther(BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        mask = default_mask * 1
        mask[1::2] = 0
        return mask

EveryOther.apply(net, 'weight')
l1_unstructured(net, 'weight', 2)
{KEPT}
""",
    ),
    pruned(
        "PruningContainer LnStructured CustomFromMask Identity",
        """
LnStructured.apply(net, 'weight', 1, 2, 0)
CustomFromMask.apply(net, 'weight', mask=tensor([[1.0, 0.0, 1.0, 1.0]] * 5))
Identity.apply(net, 'weight')
method = LnStructured(2, n=1, dim=1)
result = [net.weight_mask, method.prune(net.weight_orig), method.prune(x * 1, importance_scores=x * x)]
""",
    ),
    *(
        pruned(
            f"{function} {kind} torch.manual_seed",
            f"manual_seed(3)\n{function}(net, 'weight', {given})\n"
            f"again = {kind}({given}).compute_mask(net.weight_orig, net.weight_mask * 0 + 1)\n"
            "result = [net.weight_mask * 1, again]",
            gradients=False,
        )
        for function, kind, given in (
            ("random_unstructured", "RandomUnstructured", "amount=0.4"),
            ("random_structured", "RandomStructured", "amount=2, dim=0"),
        )
    ),
    pruned(
        "l1_unstructured",
        """
l1_unstructured(net, 'bias', 2)
state = net.state_dict()
result = [state['bias_mask'].sum() * 1, net(x).sum() * 0 + tensor(float(len(state)))]
""",
        gradients=False,
    ),
]
