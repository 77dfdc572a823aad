"""Optimizers with PyTorch's interface: they read the gradients of parameters and write the parameters."""

import copy
import functools
import math
from collections import OrderedDict, defaultdict

import mindspore
import numpy as np
from mindspore import ops


class RemovableHandle:
    """torch.utils.hooks.RemovableHandle, what registering a hook gives back: `remove` takes the hook away."""

    next_id = 0

    def __init__(self, hooks_dict, *, extra_dict=None):
        self.kept_in = [hooks_dict, *([] if extra_dict is None else as_sequence(extra_dict))]
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1

    def remove(self):
        for hooks in self.kept_in:
            hooks.pop(self.id, None)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.remove()


def kept_hook(hooks, hook):
    """The handle of a hook that is put to others."""
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


class RequiredOption:
    """The type of `required`."""

    def __repr__(self):
        return "<required parameter>"


# torch.optim.optimizer.required: the default of an option that each group has to give
required = RequiredOption()


class ParametersOfGroups:
    """All parameters of an optimizer, group by group; a class derived from it may have an attribute of the
    name."""

    def __get__(self, optimizer, owner=None):
        if optimizer is None:
            return self
        return [parameter for group in optimizer.param_groups for parameter in group["params"]]


class Optimizer:
    """torch.optim.Optimizer. The gradient of a parameter is its `_grad`."""

    parameters = ParametersOfGroups()

    _is_stepping = False
    _records_gradients = RECORDS_GRADIENTS

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "step" in vars(cls):
            cls.step = cls._with_step_hooks(cls.step)

    @staticmethod
    def _with_step_hooks(step):
        """The `step` of an optimizer, with the hooks around it; once where it calls that of a base class."""

        @functools.wraps(step)
        def stepping(self, *args, **kwargs):
            if self._is_stepping or "_hooks" not in vars(self):  # or it stands around another optimizer
                return step(self, *args, **kwargs)
            given = (self, *args)
            for hook in list(self._hooks["step_pre"].values()):
                changed = hook(self, given, kwargs)
                if changed is not None:
                    given, kwargs = changed
            self._is_stepping = True
            try:
                result = step(*given, **kwargs)
            finally:
                self._is_stepping = False
            for hook in list(self._hooks["step_post"].values()):
                hook(self, given, kwargs)
            return result

        return stepping

    def __init__(self, params, defaults):
        self.defaults = defaults
        self._hooks = defaultdict(OrderedDict)
        if isinstance(params, mindspore.Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts"
            )
        self.state = defaultdict(dict)
        self.param_groups = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def add_param_group(self, param_group):
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, set):
            raise TypeError("optimizer parameters need to be organized in ordered collections")
        members = [params] if isinstance(params, mindspore.Tensor) else list(params)
        named = [member for member in members if isinstance(member, tuple)]
        if named and len(named) < len(members):
            raise ValueError("all optimizer params should be with/without names")
        if named:
            param_group["param_names"] = [name for name, _ in named]
            members = [parameter for _, parameter in named]
        self._check_members(members, "param_names" in param_group)
        param_group["params"] = members
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(f"parameter group didn't specify a value of required option {name}")
            param_group.setdefault(name, default)
        self.param_groups.append(param_group)

    def _check_members(self, members, with_names):
        for member in members:
            if not isinstance(member, mindspore.Tensor):
                raise TypeError(f"optimizer can only optimize Tensors, but one is {type(member).__name__}")
            if not member._is_leaf:
                raise ValueError("can't optimize a non-leaf Tensor")
        if any(("param_names" in group) != with_names for group in self.param_groups):
            raise ValueError("all optimizer param groups should be with/without names")
        present = {id(parameter) for group in self.param_groups for parameter in group["params"]}
        if any(id(member) in present for member in members):
            raise ValueError("some parameters appear in more than one parameter group")

    def zero_grad(self, set_to_none=True):
        record_again()
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter._grad is not None:
                    parameter._grad = None if set_to_none else ops.zeros_like(parameter)

    def step(self, closure=None):
        raise NotImplementedError

    def __call__(self, gradients):
        """Take a step with the gradients of `parameters`, as MindSpore's optimizers do."""
        for parameter, gradient in zip(self.parameters, gradients):
            parameter._grad = None if gradient is None else ops.mul(gradient, 1)
        return self.step()

    def state_dict(self):
        for hook in self._hooks["state_dict_pre"].values():
            hook(self)
        numbers = {}
        groups = []
        for group in self.param_groups:
            members = [numbers.setdefault(id(parameter), len(numbers)) for parameter in group["params"]]
            options = {name: value for name, value in group.items() if name != "params"}
            groups.append({**options, "params": members})
        state = {numbers.get(id(owner), owner): values for owner, values in self.state.items()}
        result = {"state": state, "param_groups": groups}
        for hook in self._hooks["state_dict_post"].values():
            changed = hook(self, result)
            result = result if changed is None else changed
        return result

    def load_state_dict(self, state_dict):
        state_dict = dict(state_dict)
        for hook in self._hooks["load_pre"].values():
            changed = hook(self, state_dict)
            state_dict = state_dict if changed is None else changed
        saved = state_dict["param_groups"]
        if len(saved) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        owners = {}
        groups = []
        for group, one in zip(self.param_groups, saved):
            if len(group["params"]) != len(one["params"]):
                raise ValueError("loaded state dict contains a parameter group of another size")
            owners.update(zip(one["params"], group["params"]))
            options = {name: copy.deepcopy(value) for name, value in one.items() if name != "params"}
            if "param_names" in group:
                options.setdefault("param_names", group["param_names"])
            groups.append({**options, "params": group["params"]})
        state = defaultdict(dict)
        for number, values in state_dict["state"].items():
            owner = owners.get(number)
            state[number if owner is None else owner] = loaded_state(owner, values)
        self.__setstate__({"state": state, "param_groups": groups})
        for hook in self._hooks["load_post"].values():
            hook(self)

    def register_step_pre_hook(self, hook):
        return kept_hook(self._hooks["step_pre"], hook)

    def register_step_post_hook(self, hook):
        return kept_hook(self._hooks["step_post"], hook)

    def register_state_dict_pre_hook(self, hook, prepend=False):
        return self._register("state_dict_pre", hook, prepend)

    def register_state_dict_post_hook(self, hook, prepend=False):
        return self._register("state_dict_post", hook, prepend)

    def register_load_state_dict_pre_hook(self, hook, prepend=False):
        return self._register("load_pre", hook, prepend)

    def register_load_state_dict_post_hook(self, hook, prepend=False):
        return self._register("load_post", hook, prepend)

    def _register(self, kind, hook, prepend):
        handle = kept_hook(self._hooks[kind], hook)
        if prepend:
            self._hooks[kind].move_to_end(handle.id, last=False)
        return handle

    def __getstate__(self):
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.__dict__.setdefault("_hooks", defaultdict(OrderedDict))
        self.defaults.setdefault("differentiable", False)

    def __repr__(self):
        lines = [f"{type(self).__name__} ("]
        for number, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {number}")
            lines += [f"    {name}: {group[name]}" for name in sorted(group) if name != "params"]
        return "\n".join([*lines, ")"])


def loaded_state(owner, value, name=None):
    """A value of a saved state of an optimizer, copied, in the dtype of the parameter it belongs to."""
    if isinstance(value, (mindspore.Tensor, np.ndarray)):
        value = mindspore.Tensor(value) if isinstance(value, np.ndarray) else value * 1
        casts = owner is not None and owner.is_floating_point() and name != "step"
        return value.astype(owner.dtype) if casts else value
    if isinstance(value, dict):
        return {name: loaded_state(owner, item, name) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(loaded_state(owner, item) for item in value)
    return copy.deepcopy(value)


class ParameterwiseOptimizer(Optimizer):
    """An optimizer that updates each parameter that has a gradient by itself: with `update`."""

    takes_sparse = False

    def step(self, closure=None):
        loss = evaluated(closure)
        with no_grad():
            for group in self.param_groups:
                for parameter in group["params"]:
                    gradient = parameter._grad
                    if gradient is not None:
                        if not self.takes_sparse and "sparse_rows" in parameter.__dict__:
                            refuse_sparse(self, parameter.grad)
                        gradient = -gradient if group.get("maximize") else gradient
                        update = self.update_complex if parameter.is_complex() else self.update
                        update(parameter, gradient, group)
        return loss

    def update_complex(self, parameter, gradient, group):
        """Update a complex parameter as the real and imaginary parts that it is made of, and its state."""
        pairs, state = pairs_of(parameter), self.state[parameter]
        self.state[pairs] = {name: pairs_of(value) for name, value in state.items()}
        self.update(pairs, pairs_of(gradient), group)
        state |= {name: of_pairs(value) for name, value in self.state.pop(pairs).items()}
        ops.assign(parameter, of_pairs(pairs))

    def update(self, parameter, gradient, group):
        raise NotImplementedError


def pairs_of(value):
    """The parts of a complex Tensor as numbers of a last axis; another value as it is."""
    if not isinstance(value, mindspore.Tensor) or not value.is_complex():
        return value
    values = value.asnumpy()
    return mindspore.Tensor(np.stack([values.real, values.imag], -1))


def of_pairs(value):
    """The complex Tensor of which these are the parts; a value that is no such Tensor as it is."""
    if not isinstance(value, mindspore.Tensor) or value.ndim == 0:
        return value
    values = np.ascontiguousarray(value.asnumpy())
    return mindspore.Tensor(values.view(np.result_type(values.dtype, np.complex64))[..., 0])


def refuse_sparse(optimizer, gradient):
    """Raises RuntimeError where a gradient is sparse, which this optimizer does not take."""
    if gradient.is_sparse:
        kinds = type(optimizer).__mro__
        name = kinds[kinds.index(ParameterwiseOptimizer) - 1].__name__
        instead = ", please consider SparseAdam instead" if name == "Adam" else ""
        raise RuntimeError(f"{name} does not support sparse gradients{instead}")


def evaluated(closure):
    """What the closure of a step gives, computed with gradients; None without one."""
    if closure is None:
        return None
    with enable_grad():
        return closure()


def check_options(**options):
    """Raises ValueError where an option that an optimizer is given is negative, or NaN."""
    for name, value in options.items():
        if not float(value) >= 0.0:
            raise ValueError(f"Invalid {name}: {value}")


def check_betas(betas):
    """Raises ValueError where a decay rate is not in [0, 1)."""
    for place, beta in enumerate(betas):
        if not 0.0 <= float(beta) < 1.0:
            raise ValueError(f"Invalid beta parameter at index {place}: {beta}")


def times(tensor, factor):
    """A Tensor times a number, which MindSpore would round to float32 even where the Tensor is float64."""
    is_double = tensor.dtype == mindspore.float64
    return tensor * (mindspore.Tensor(factor, mindspore.float64) if is_double else float(factor))


def mix_in(average, values, weight):
    """Move an average towards new values, in place, by a weight between 0 and 1."""
    ops.assign(average, times(average, 1 - weight) + times(values, weight))


def with_weight_decay(parameter, gradient, group):
    """The gradient with weight decay; decoupled weight decay shrinks the parameter itself instead."""
    decay = float(group["weight_decay"])
    if not decay:
        return gradient
    if group.get("decoupled_weight_decay"):
        shrink(parameter, float(group["lr"]) * decay)
        return gradient
    return gradient + times(parameter, decay)


def shrink(parameter, share):
    """Take a share of a parameter away, in place."""
    ops.assign(parameter, times(parameter, 1 - share))


def next_step(state):
    """Count a step of a parameter."""
    state["step"] = int(state.get("step", 0)) + 1
    return state["step"]


def zero_state(state, parameter, *names):
    """The Tensors of these names in the state of a parameter, made of zeros in its first step."""
    for name in names:
        if name not in state:
            state[name] = ops.zeros_like(parameter)
    return [state[name] for name in names]


# making an operator takes longer than running it
APPLY_MOMENTUM = ops.ApplyMomentum()
APPLY_ADAM = ops.Adam()


class SGD(ParameterwiseOptimizer):
    """torch.optim.SGD."""

    takes_sparse = True

    def __init__(
        self,
        params,
        lr=1e-3,
        momentum=0,
        dampening=0,
        weight_decay=0,
        nesterov=False,
        *,
        maximize=False,
        foreach=None,
        differentiable=False,
        fused=None,
    ):
        check_options(lr=lr, momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        options = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
            "foreach": foreach,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, options)

    def update(self, parameter, gradient, group):
        gradient = with_weight_decay(parameter, gradient, group)
        rate, momentum = float(group["lr"]), float(group["momentum"])
        if not momentum:
            ops.assign_sub(parameter, times(gradient, rate))
            return
        state = self.state[parameter]
        is_first = state.get("momentum_buffer") is None
        if is_first:
            state["momentum_buffer"] = ops.zeros_like(parameter)
        buffer = state["momentum_buffer"]
        added = times(gradient, 1 - group["dampening"]) if group["dampening"] and not is_first else gradient
        if parameter.dtype == mindspore.float32 and not group["nesterov"]:
            APPLY_MOMENTUM(parameter, buffer, rate, added, momentum)
            return
        ops.assign(buffer, times(buffer, momentum) + added)
        direction = gradient + times(buffer, momentum) if group["nesterov"] else buffer
        ops.assign_sub(parameter, times(direction, rate))


class Adam(ParameterwiseOptimizer):
    """torch.optim.Adam."""

    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        amsgrad=False,
        *,
        foreach=None,
        maximize=False,
        capturable=False,
        differentiable=False,
        fused=None,
        decoupled_weight_decay=False,
    ):
        check_options(lr=lr, eps=eps, weight_decay=weight_decay)
        check_betas(betas)
        options = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, options)

    def update(self, parameter, gradient, group):
        state = self.state[parameter]
        rate, eps = float(group["lr"]), float(group["eps"])
        beta1, beta2 = map(float, group["betas"])
        gradient = with_weight_decay(parameter, gradient, group)
        step = next_step(state)
        average, squares = zero_state(state, parameter, "exp_avg", "exp_avg_sq")
        rate /= 1 - beta1**step
        root = math.sqrt(1 - beta2**step)
        if parameter.dtype == mindspore.float32 and not group["amsgrad"]:
            adam_step(parameter, average, squares, gradient, rate, beta1, beta2, eps, root)
            return
        mix_in(average, gradient, 1 - beta1)
        mix_in(squares, gradient * gradient, 1 - beta2)
        if group["amsgrad"]:
            (largest,) = zero_state(state, parameter, "max_exp_avg_sq")
            ops.assign(largest, ops.maximum(largest, squares))
            squares = largest
        divisor = times(ops.sqrt(squares), 1 / root) + eps
        ops.assign_sub(parameter, times(average / divisor, rate))


def adam_step(parameter, average, squares, gradient, rate, beta1, beta2, eps, root):
    """A step of Adam in one kernel; `root` is the square root of the second bias correction.

    The kernel adds `eps` before that correction, so it is given another one. In float32, `1 - beta2` is not
    what it is in Python, so the squares it keeps are off by a factor, which is taken out again."""
    factor = (float(np.float32(1) - np.float32(beta2)) / (1 - beta2)) ** 0.5 * root
    APPLY_ADAM(parameter, average, squares, 0.0, 0.0, rate * factor, beta1, beta2, eps * factor, gradient)


class AdamW(Adam):
    """torch.optim.AdamW."""

    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=1e-2,
        amsgrad=False,
        *,
        maximize=False,
        foreach=None,
        capturable=False,
        differentiable=False,
        fused=None,
    ):
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )

    def __setstate__(self, state):
        super().__setstate__(state)
        for group in self.param_groups:
            group["decoupled_weight_decay"] = True


class SparseAdam(ParameterwiseOptimizer):
    """torch.optim.SparseAdam, for the gradients of `nn.Embedding(sparse=True)`: rows that were not looked up
    are left alone; where that is not known, those with a gradient of zeros."""

    takes_sparse = True

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, maximize=False):
        if not lr > 0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not eps > 0:
            raise ValueError(f"Invalid epsilon value: {eps}")
        check_betas(betas)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "maximize": maximize})

    def update(self, parameter, gradient, group):
        state = self.state[parameter]
        beta1, beta2 = group["betas"]
        step = next_step(state)
        average, squares = zero_state(state, parameter, "exp_avg", "exp_avg_sq")
        axes = tuple(range(1, gradient.ndim))
        present = (gradient != 0).any(axes, True) if axes else gradient != 0
        rows = parameter.__dict__.get("sparse_rows")
        if rows is not None:
            looked_up = np.isin(np.arange(len(gradient)), rows[0][0])
            present = mindspore.Tensor(looked_up.reshape(-1, *[1] * (gradient.ndim - 1)))
        for kept, values, beta in ((average, gradient, beta1), (squares, gradient * gradient, beta2)):
            ops.assign(kept, kept + times(ops.where(present, values - kept, ops.zeros_like(kept)), 1 - beta))
        rate = float(group["lr"]) * math.sqrt(1 - beta2**step) / (1 - beta1**step)
        change = times(average / (ops.sqrt(squares) + group["eps"]), rate)
        ops.assign_sub(parameter, ops.where(present, change, ops.zeros_like(change)))


class Adagrad(ParameterwiseOptimizer):
    """torch.optim.Adagrad."""

    takes_sparse = True

    def __init__(
        self,
        params,
        lr=1e-2,
        lr_decay=0,
        weight_decay=0,
        initial_accumulator_value=0,
        eps=1e-10,
        foreach=None,
        *,
        maximize=False,
        differentiable=False,
        fused=None,
    ):
        check_options(
            lr=lr,
            lr_decay=lr_decay,
            weight_decay=weight_decay,
            initial_accumulator_value=initial_accumulator_value,
            eps=eps,
        )
        options = {
            "lr": lr,
            "lr_decay": lr_decay,
            "eps": eps,
            "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, options)
        for group in self.param_groups:
            for parameter in group["params"]:
                total = ops.full_like(parameter, group["initial_accumulator_value"])
                self.state[parameter] = {"step": 0, "sum": total}

    def share_memory(self):
        """Nothing: the state is that of this process."""

    def update(self, parameter, gradient, group):
        state = self.state[parameter]
        gradient = with_weight_decay(parameter, gradient, group)
        rate = float(group["lr"]) / (1 + (next_step(state) - 1) * group["lr_decay"])
        if "sum" not in state:
            state["sum"] = ops.full_like(parameter, group["initial_accumulator_value"])
        ops.assign_add(state["sum"], gradient * gradient)
        ops.assign_sub(parameter, times(gradient / (ops.sqrt(state["sum"]) + group["eps"]), rate))


class Adadelta(ParameterwiseOptimizer):
    """torch.optim.Adadelta."""

    def __init__(
        self,
        params,
        lr=1.0,
        rho=0.9,
        eps=1e-6,
        weight_decay=0,
        foreach=None,
        *,
        capturable=False,
        maximize=False,
        differentiable=False,
    ):
        check_options(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay)
        if rho > 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        options = {
            "lr": lr,
            "rho": rho,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "capturable": capturable,
            "foreach": foreach,
            "differentiable": differentiable,
        }
        super().__init__(params, options)

    def update(self, parameter, gradient, group):
        state = self.state[parameter]
        gradient = with_weight_decay(parameter, gradient, group)
        next_step(state)
        squares, changes = zero_state(state, parameter, "square_avg", "acc_delta")
        mix_in(squares, gradient * gradient, 1 - group["rho"])
        change = ops.sqrt(changes + group["eps"]) / ops.sqrt(squares + group["eps"]) * gradient
        mix_in(changes, change * change, 1 - group["rho"])
        ops.assign_sub(parameter, times(change, float(group["lr"])))


class Adamax(ParameterwiseOptimizer):
    """torch.optim.Adamax."""

    def __init__(
        self,
        params,
        lr=2e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        foreach=None,
        *,
        maximize=False,
        differentiable=False,
        capturable=False,
    ):
        check_options(lr=lr, eps=eps, weight_decay=weight_decay)
        check_betas(betas)
        options = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, options)

    def update(self, parameter, gradient, group):
        state = self.state[parameter]
        gradient = with_weight_decay(parameter, gradient, group)
        beta1, beta2 = group["betas"]
        step = next_step(state)
        average, largest = zero_state(state, parameter, "exp_avg", "exp_inf")
        mix_in(average, gradient, 1 - beta1)
        ops.assign(largest, ops.maximum(times(largest, beta2), gradient.abs() + group["eps"]))
        ops.assign_sub(parameter, times(average / largest, float(group["lr"]) / (1 - beta1**step)))


class NAdam(ParameterwiseOptimizer):
    """torch.optim.NAdam."""

    def __init__(
        self,
        params,
        lr=2e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        momentum_decay=4e-3,
        decoupled_weight_decay=False,
        *,
        foreach=None,
        maximize=False,
        capturable=False,
        differentiable=False,
    ):
        check_options(lr=lr, eps=eps, weight_decay=weight_decay, momentum_decay=momentum_decay)
        check_betas(betas)
        options = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
        }
        super().__init__(params, options)

    def update(self, parameter, gradient, group):
        state = self.state[parameter]
        gradient = with_weight_decay(parameter, gradient, group)
        beta1, beta2 = group["betas"]
        rate, step = float(group["lr"]), next_step(state)
        momentum, following = (
            beta1 * (1.0 - 0.5 * 0.96 ** (count * group["momentum_decay"])) for count in (step, step + 1)
        )
        product = state["mu_product"] = float(state.get("mu_product", 1.0)) * momentum
        average, squares = zero_state(state, parameter, "exp_avg", "exp_avg_sq")
        mix_in(average, gradient, 1 - beta1)
        mix_in(squares, gradient * gradient, 1 - beta2)
        divisor = ops.sqrt(times(squares, 1 / (1 - beta2**step))) + group["eps"]
        of_gradient = rate * (1 - momentum) / (1 - product)
        of_average = rate * following / (1 - product * following)
        ops.assign_sub(parameter, (times(gradient, of_gradient) + times(average, of_average)) / divisor)


class RAdam(ParameterwiseOptimizer):
    """torch.optim.RAdam."""

    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        decoupled_weight_decay=False,
        *,
        foreach=None,
        maximize=False,
        capturable=False,
        differentiable=False,
    ):
        check_options(lr=lr, eps=eps, weight_decay=weight_decay)
        check_betas(betas)
        options = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay,
            "differentiable": differentiable,
        }
        super().__init__(params, options)

    def update(self, parameter, gradient, group):
        state = self.state[parameter]
        gradient = with_weight_decay(parameter, gradient, group)
        beta1, beta2 = group["betas"]
        step = next_step(state)
        average, squares = zero_state(state, parameter, "exp_avg", "exp_avg_sq")
        mix_in(average, gradient, 1 - beta1)
        mix_in(squares, gradient * gradient, 1 - beta2)
        rate = float(group["lr"]) / (1 - beta1**step)
        correction = 1 - beta2**step
        limit = 2 / (1 - beta2) - 1
        length = limit - 2 * step * beta2**step / correction
        if length <= 5.0:
            ops.assign_sub(parameter, times(average, rate))
            return
        ratio = (length - 4) * (length - 2) * limit / ((limit - 4) * (limit - 2) * length)
        rate *= math.sqrt(ratio * correction)
        ops.assign_sub(parameter, times(average / (ops.sqrt(squares) + group["eps"]), rate))


class RMSprop(ParameterwiseOptimizer):
    """torch.optim.RMSprop."""

    def __init__(
        self,
        params,
        lr=1e-2,
        alpha=0.99,
        eps=1e-8,
        weight_decay=0,
        momentum=0,
        centered=False,
        capturable=False,
        foreach=None,
        maximize=False,
        differentiable=False,
    ):
        check_options(lr=lr, eps=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        options = {
            "lr": lr,
            "momentum": momentum,
            "alpha": alpha,
            "eps": eps,
            "centered": centered,
            "weight_decay": weight_decay,
            "capturable": capturable,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
        }
        super().__init__(params, options)

    def update(self, parameter, gradient, group):
        state = self.state[parameter]
        gradient = with_weight_decay(parameter, gradient, group)
        rate, momentum, weight = float(group["lr"]), group["momentum"], 1 - group["alpha"]
        next_step(state)
        (squares,) = zero_state(state, parameter, "square_avg")
        mix_in(squares, gradient * gradient, weight)
        variance = squares
        if group["centered"]:
            (mean,) = zero_state(state, parameter, "grad_avg")
            mix_in(mean, gradient, weight)
            variance = squares - mean * mean
        direction = gradient / (ops.sqrt(variance) + group["eps"])
        if momentum > 0:
            (buffer,) = zero_state(state, parameter, "momentum_buffer")
            ops.assign(buffer, times(buffer, momentum) + direction)
            direction = buffer
        ops.assign_sub(parameter, times(direction, rate))


class Rprop(ParameterwiseOptimizer):
    """torch.optim.Rprop."""

    def __init__(
        self,
        params,
        lr=1e-2,
        etas=(0.5, 1.2),
        step_sizes=(1e-6, 50),
        *,
        capturable=False,
        foreach=None,
        maximize=False,
        differentiable=False,
    ):
        check_options(lr=lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        options = {
            "lr": lr,
            "etas": etas,
            "step_sizes": step_sizes,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, options)

    def update(self, parameter, gradient, group):
        state = self.state[parameter]
        smaller, larger = group["etas"]
        next_step(state)
        if "prev" not in state:
            state["prev"] = ops.zeros_like(parameter)
            state["step_size"] = ops.full_like(parameter, float(group["lr"]))
        agreement = gradient * state["prev"]
        ones = ops.ones_like(gradient)
        factor = ops.where(agreement > 0, times(ones, larger), ones)
        factor = ops.where(agreement < 0, times(ones, smaller), factor)
        sizes = ops.clamp(state["step_size"] * factor, *group["step_sizes"])
        gradient = ops.where(agreement < 0, ops.zeros_like(gradient), gradient)
        ops.assign_sub(parameter, ops.sign(gradient) * sizes)
        ops.assign(state["step_size"], sizes)
        ops.assign(state["prev"], gradient)


class ASGD(ParameterwiseOptimizer):
    """torch.optim.ASGD."""

    def __init__(
        self,
        params,
        lr=1e-2,
        lambd=1e-4,
        alpha=0.75,
        t0=1e6,
        weight_decay=0,
        foreach=None,
        maximize=False,
        differentiable=False,
        capturable=False,
    ):
        check_options(lr=lr, weight_decay=weight_decay)
        options = {
            "lr": lr,
            "lambd": lambd,
            "alpha": alpha,
            "t0": t0,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, options)

    def update(self, parameter, gradient, group):
        state = self.state[parameter]
        gradient = with_weight_decay(parameter, gradient, group)
        rate, decay = float(group["lr"]), group["lambd"]
        step = next_step(state)
        eta, mu = float(state.get("eta", rate)), float(state.get("mu", 1.0))
        (average,) = zero_state(state, parameter, "ax")
        ops.assign(parameter, times(parameter, 1 - decay * eta) - times(gradient, eta))
        if mu == 1.0:
            ops.assign(average, parameter)
        else:
            mix_in(average, parameter, mu)
        state["eta"] = rate / (1 + decay * rate * step) ** group["alpha"]
        state["mu"] = 1 / max(1, step - group["t0"])


def square_mean(values, axis):
    """The mean of the squares along an axis, which stays."""
    return (values * values).mean(axis, keep_dims=True)


def root_mean_square(values):
    """The root of the mean of the squares, as a number."""
    return math.sqrt(float((values * values).sum()) / values.size)


class Adafactor(ParameterwiseOptimizer):
    """torch.optim.Adafactor."""

    def __init__(
        self,
        params,
        lr=1e-2,
        beta2_decay=-0.8,
        eps=(None, 1e-3),
        d=1.0,
        weight_decay=0.0,
        *,
        foreach=None,
        maximize=False,
    ):
        check_options(lr=lr, eps1=eps[0] or 0.0, eps2=eps[1], weight_decay=weight_decay)
        if not beta2_decay <= 0.0 or not d >= 1.0:
            raise ValueError(f"beta2_decay should be <= 0 and d >= 1 but are: {beta2_decay}, {d}")
        options = {
            "lr": lr,
            "beta2_decay": beta2_decay,
            "eps": eps,
            "d": d,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
        }
        super().__init__(params, options)

    def update(self, parameter, gradient, group):
        state = self.state[parameter]
        rate, step = float(group["lr"]), next_step(state)
        least, least_scale = group["eps"]
        if least is None:
            bits = {mindspore.float16: 10, mindspore.bfloat16: 7, mindspore.float64: 52}
            least = 2.0 ** -bits.get(parameter.dtype, 23)
        scale = max(least_scale, root_mean_square(parameter)) * min(rate, 1 / math.sqrt(step))
        if group["weight_decay"]:
            shrink(parameter, rate * group["weight_decay"])
        variance = self.variance(gradient, state, step ** group["beta2_decay"], least)
        change = gradient * ops.rsqrt(ops.clamp(variance, min=least * least))
        divisor = max(1.0, root_mean_square(change) / group["d"])
        ops.assign_sub(parameter, times(change, scale / divisor))

    @staticmethod
    def variance(gradient, state, weight, least):
        """The average of the squared gradients: of a matrix, from those of its rows and of its columns."""
        if gradient.ndim < 2:
            (variance,) = zero_state(state, gradient, "variance")
            mix_in(variance, gradient * gradient, weight)
            return variance
        if "row_var" not in state:
            state["row_var"] = ops.zeros_like(gradient[..., :1])
            state["col_var"] = ops.zeros_like(gradient[..., :1, :])
        rows, columns = state["row_var"], state["col_var"]
        mix_in(rows, square_mean(gradient, -1), weight)
        mix_in(columns, square_mean(gradient, -2), weight)
        return rows * columns / ops.clamp(rows.mean(-2, keep_dims=True), min=least)


def orthogonalized(matrix, coefficients, steps, eps):
    """A matrix with singular values near 1, by Newton's and Schulz's iteration, rounded to bfloat16 like
    PyTorch's."""

    def rounded(values):
        return values.astype(mindspore.bfloat16).astype(mindspore.float32)

    a, b, c = coefficients
    values = rounded(matrix.astype(mindspore.float32))
    is_tall = matrix.shape[0] > matrix.shape[1]
    values = values.T if is_tall else values
    norm = rounded(ops.sqrt((values * values).sum()))
    values = rounded(values / ops.clamp(norm, min=eps))
    for _ in range(steps):
        gram = rounded(ops.matmul(values, values.T))
        change = rounded(gram * b + ops.matmul(gram, gram) * c)
        values = rounded(values * a + ops.matmul(change, values))
    return (values.T if is_tall else values).astype(matrix.dtype)


class Muon(ParameterwiseOptimizer):
    """torch.optim.Muon."""

    def __init__(
        self,
        params,
        lr=1e-3,
        weight_decay=0.1,
        momentum=0.95,
        nesterov=True,
        ns_coefficients=(3.4445, -4.775, 2.0315),
        eps=1e-7,
        ns_steps=5,
        adjust_lr_fn=None,
    ):
        check_options(lr=lr, momentum=momentum, weight_decay=weight_decay)
        if adjust_lr_fn not in (None, "original", "match_rms_adamw"):
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        if ns_steps >= 100 or len(ns_coefficients) != 3:
            raise ValueError("Muon takes less than 100 steps with three coefficients")
        options = {
            "lr": lr,
            "weight_decay": weight_decay,
            "momentum": momentum,
            "nesterov": nesterov,
            "ns_coefficients": ns_coefficients,
            "eps": eps,
            "ns_steps": ns_steps,
            "adjust_lr_fn": adjust_lr_fn,
        }
        super().__init__(params, options)
        if any(parameter.ndim != 2 for group in self.param_groups for parameter in group["params"]):
            raise ValueError("Muon only supports 2D parameters")

    def update(self, parameter, gradient, group):
        state = self.state[parameter]
        rate, momentum = float(group["lr"]), group["momentum"]
        (buffer,) = zero_state(state, parameter, "momentum_buffer")
        mix_in(buffer, gradient, 1 - momentum)
        change = times(gradient, 1 - momentum) + times(buffer, momentum) if group["nesterov"] else buffer
        change = orthogonalized(change, group["ns_coefficients"], group["ns_steps"], group["eps"])
        height, width = parameter.shape
        ratio = math.sqrt(max(1, height / width))
        if group["adjust_lr_fn"] == "match_rms_adamw":
            ratio = 0.2 * math.sqrt(max(height, width))
        shrink(parameter, rate * group["weight_decay"])
        ops.assign_sub(parameter, times(change, rate * ratio))
