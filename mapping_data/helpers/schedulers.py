"""Schedules of the learning rate, as torch.optim.lr_scheduler has them."""

import math
import types
import warnings
from bisect import bisect_right
from collections import Counter

import mindspore
from mindspore import ops


def option_values(optimizer, name):
    """An option of each group of an optimizer; a copy where it is a Tensor."""
    values = [group[name] for group in optimizer.param_groups]
    return [value * 1 if isinstance(value, mindspore.Tensor) else value for value in values]


def set_option(group, name, value):
    """Set an option of a group; in place where it is a Tensor."""
    if isinstance(group.get(name), mindspore.Tensor):
        ops.assign(group[name], mindspore.Tensor(float(value), group[name].dtype))
    else:
        group[name] = value


def one_per_group(name, optimizer, value):
    """A value for each group of an optimizer: that given for each, or the same for all."""
    if not isinstance(value, (list, tuple)):
        return [value] * len(optimizer.param_groups)
    if len(value) != len(optimizer.param_groups):
        raise ValueError(f"{name} must have the same length as optimizer.param_groups")
    return list(value)


def set_momentum(group, momentum):
    """Set the momentum of a group: the first decay rate where there are several."""
    if "betas" in group:
        group["betas"] = (momentum, *group["betas"][1:])
    else:
        group["momentum"] = momentum


def check_has_momentum(optimizer):
    """Raises ValueError for an optimizer without a momentum that a schedule could change."""
    if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
        raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")


def check_optimizer(optimizer):
    """Raises TypeError for what is no optimizer."""
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")


def written_epoch(epoch):
    """An epoch as schedules write it."""
    return f"{epoch:.2f}" if isinstance(epoch, float) else f"{epoch:05d}"


class LRScheduler:
    """torch.optim.lr_scheduler.LRScheduler; `verbose`, which PyTorch had until 2.6, writes every rate."""

    _get_lr_called_within_step = False
    _is_initial = False
    verbose = False

    def __init__(self, optimizer, last_epoch=-1, verbose=False):
        check_optimizer(optimizer)
        self._write_rates(verbose)
        self.optimizer = optimizer
        for number, (group, rate) in enumerate(zip(optimizer.param_groups, option_values(optimizer, "lr"))):
            if last_epoch == -1:
                group.setdefault("initial_lr", rate)
            elif "initial_lr" not in group:
                raise KeyError(f"param 'initial_lr' is not specified in param_groups[{number}] when resuming")
        self.base_lrs = option_values(optimizer, "initial_lr")
        self.last_epoch = last_epoch
        self._initial_step()

    def _write_rates(self, verbose):
        """Whether rates are written when they are set; not a part of the state unless they are."""
        if verbose and verbose != "deprecated":
            self.verbose = True

    def print_lr(self, is_verbose, group, lr, epoch=None):
        if is_verbose:
            at = "Adjusting" if epoch is None else f"Epoch {written_epoch(epoch)}: adjusting"
            print(f"{at} learning rate of group {group} to {float(lr):.4e}.")

    def _initial_step(self):
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def state_dict(self):
        return {name: value for name, value in self.__dict__.items() if name != "optimizer"}

    def load_state_dict(self, state_dict):
        self.__dict__.update(state_dict)

    def get_last_lr(self):
        return self._last_lr

    def get_lr(self):
        raise NotImplementedError

    def step(self, epoch=None):
        self._step_count += 1
        if epoch is not None:
            warnings.warn("The epoch parameter in `scheduler.step()` is deprecated.", stacklevel=2)
        self._update_lr(epoch)

    def _update_lr(self, epoch=None):
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        closed_form = None if epoch is None else getattr(self, "_get_closed_form_lr", None)
        self._set_rates(closed_form or self.get_lr, epoch)

    def _set_rates(self, rates, epoch=None):
        self._get_lr_called_within_step = True
        try:
            values = rates()
        finally:
            self._get_lr_called_within_step = False
        for number, (group, value) in enumerate(zip(self.optimizer.param_groups, values)):
            set_option(group, "lr", value)
            self.print_lr(self.verbose, number, value, epoch)
        self._last_lr = option_values(self.optimizer, "lr")

    def _rates(self, factor=None):
        """The rates of now, times a factor."""
        if factor is None:
            return option_values(self.optimizer, "lr")
        return [group["lr"] * factor for group in self.optimizer.param_groups]

    def _scaled(self, factor):
        """The rates at the beginning, times a factor."""
        return [rate * factor for rate in self.base_lrs]


class OldLRScheduler(LRScheduler):
    """torch.optim.lr_scheduler._LRScheduler, the older name of the base class."""


class FunctionSchedule(LRScheduler):
    """A schedule given by functions of the epoch, one for each group."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1, verbose=False):
        self.lr_lambdas = one_per_group("lr_lambda", optimizer, lr_lambda)
        for function in self.lr_lambdas:
            if not callable(function):
                raise TypeError(f"lr_lambda should be a function, but got {type(function).__name__}")
        super().__init__(optimizer, last_epoch, verbose)

    def state_dict(self):
        """Without functions, but with what callable objects hold."""
        states = [
            None if isinstance(function, types.FunctionType) else dict(function.__dict__)
            for function in self.lr_lambdas
        ]
        return {**super().state_dict(), "lr_lambdas": states}

    def load_state_dict(self, state_dict):
        self.__dict__.update({name: value for name, value in state_dict.items() if name != "lr_lambdas"})
        for function, state in zip(self.lr_lambdas, state_dict["lr_lambdas"]):
            if state is not None:
                function.__dict__.update(state)


class LambdaLR(FunctionSchedule):
    """torch.optim.lr_scheduler.LambdaLR."""

    def get_lr(self):
        return [rate * function(self.last_epoch) for function, rate in zip(self.lr_lambdas, self.base_lrs)]


class MultiplicativeLR(FunctionSchedule):
    """torch.optim.lr_scheduler.MultiplicativeLR."""

    def get_lr(self):
        if self._is_initial:
            return self._rates()
        groups = self.optimizer.param_groups
        return [group["lr"] * function(self.last_epoch) for function, group in zip(self.lr_lambdas, groups)]


class StepLR(LRScheduler):
    """torch.optim.lr_scheduler.StepLR."""

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1, verbose=False):
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch, verbose)

    def get_lr(self):
        falls = self.last_epoch != 0 and self.last_epoch % self.step_size == 0
        return self._rates(self.gamma if falls else None)

    def _get_closed_form_lr(self):
        return self._scaled(self.gamma ** (self.last_epoch // self.step_size))


class MultiStepLR(LRScheduler):
    """torch.optim.lr_scheduler.MultiStepLR."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1, verbose=False):
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch, verbose)

    def get_lr(self):
        falls = self.milestones.get(self.last_epoch)
        return self._rates(self.gamma**falls if falls else None)

    def _get_closed_form_lr(self):
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return self._scaled(self.gamma**passed)


class ConstantLR(LRScheduler):
    """torch.optim.lr_scheduler.ConstantLR."""

    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1, verbose=False):
        if not 0 <= factor <= 1.0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch, verbose)

    def get_lr(self):
        if self.last_epoch == 0:
            return self._rates(self.factor)
        return self._rates(1.0 / self.factor if self.last_epoch == self.total_iters else None)

    def _get_closed_form_lr(self):
        return self._scaled(1.0 if self.last_epoch >= self.total_iters else self.factor)


class LinearLR(LRScheduler):
    """torch.optim.lr_scheduler.LinearLR."""

    def __init__(
        self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1, verbose=False
    ):
        if not 0 < start_factor <= 1.0:
            raise ValueError("Starting multiplicative factor expected to be in (0, 1].")
        if not 0 <= end_factor <= 1.0:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch, verbose)

    def get_lr(self):
        if self.last_epoch == 0:
            return self._rates(self.start_factor)
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._rates()
        rise = self.end_factor - self.start_factor
        before = self.total_iters * self.start_factor + (self.last_epoch - 1) * rise
        return self._rates(1.0 + rise / before)

    def _get_closed_form_lr(self):
        passed = min(self.total_iters, self.last_epoch) / self.total_iters
        return self._scaled(self.start_factor + (self.end_factor - self.start_factor) * passed)


class ExponentialLR(LRScheduler):
    """torch.optim.lr_scheduler.ExponentialLR."""

    def __init__(self, optimizer, gamma, last_epoch=-1, verbose=False):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch, verbose)

    def get_lr(self):
        return self._rates(None if self._is_initial else self.gamma)

    def _get_closed_form_lr(self):
        return self._scaled(self.gamma**self.last_epoch)


class PolynomialLR(LRScheduler):
    """torch.optim.lr_scheduler.PolynomialLR."""

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1, verbose=False):
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch, verbose)

    def get_lr(self):
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._rates()
        now, before = (1.0 - epoch / self.total_iters for epoch in (self.last_epoch, self.last_epoch - 1))
        return self._rates((now / before) ** self.power)

    def _get_closed_form_lr(self):
        return self._scaled((1.0 - min(self.total_iters, self.last_epoch) / self.total_iters) ** self.power)


class CosineAnnealingLR(LRScheduler):
    """torch.optim.lr_scheduler.CosineAnnealingLR."""

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1, verbose=False):
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch, verbose)

    def get_lr(self):
        if self._is_initial:
            return self._rates()
        if self._step_count == 1 and self.last_epoch > 0:
            return self._get_closed_form_lr()
        now, before = (
            1 + math.cos(math.pi * epoch / self.T_max) for epoch in (self.last_epoch, self.last_epoch - 1)
        )
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            pairs = zip(self.base_lrs, self.optimizer.param_groups)
            return [group["lr"] + (rate - self.eta_min) * rise for rate, group in pairs]
        ratio = now / before
        return [ratio * (group["lr"] - self.eta_min) + self.eta_min for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self):
        share = (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2
        return [self.eta_min + (rate - self.eta_min) * share for rate in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """torch.optim.lr_scheduler.CosineAnnealingWarmRestarts."""

    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1, verbose=False):
        for name, value in (("T_0", T_0), ("T_mult", T_mult)):
            if not isinstance(value, int) or value < 1:
                raise ValueError(f"Expected positive integer {name}, but got {value}")
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur = last_epoch
        super().__init__(optimizer, last_epoch, verbose)

    def get_lr(self):
        share = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (rate - self.eta_min) * share for rate in self.base_lrs]

    def step(self, epoch=None):
        if epoch is None and self.last_epoch >= 0:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        else:
            epoch = epoch or 0
            if epoch < 0:
                raise ValueError(f"Expected non-negative epoch, but got {epoch}")
            self._restart(epoch)
        self.last_epoch = math.floor(epoch)
        self._set_rates(self.get_lr)

    def _restart(self, epoch):
        """Find the place of an epoch, which may be a fraction, in its cycle."""
        self.T_i = self.T_0
        self.T_cur = epoch
        if epoch >= self.T_0 and self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        elif epoch >= self.T_0:
            growth = self.T_mult - 1
            cycles = int(math.log(epoch / self.T_0 * growth + 1, self.T_mult))
            self.T_cur = epoch - self.T_0 * (self.T_mult**cycles - 1) / growth
            self.T_i = self.T_0 * self.T_mult**cycles


class CyclicLR(LRScheduler):
    """torch.optim.lr_scheduler.CyclicLR."""

    def __init__(
        self,
        optimizer,
        base_lr,
        max_lr,
        step_size_up=2000,
        step_size_down=None,
        mode="triangular",
        gamma=1.0,
        scale_fn=None,
        scale_mode="cycle",
        cycle_momentum=True,
        base_momentum=0.8,
        max_momentum=0.9,
        last_epoch=-1,
        verbose=False,
    ):
        check_optimizer(optimizer)
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.optimizer = optimizer
        base_lrs = one_per_group("base_lr", optimizer, base_lr)
        self.max_lrs = one_per_group("max_lr", optimizer, max_lr)
        self.total_size = float(step_size_up + (step_size_up if step_size_down is None else step_size_down))
        self.step_ratio = step_size_up / self.total_size
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        by_iterations = scale_fn is None and mode == "exp_range"
        self.scale_mode = "iterations" if by_iterations else "cycle" if scale_fn is None else scale_mode
        self.cycle_momentum = cycle_momentum
        if last_epoch == -1:
            for group, rate in zip(optimizer.param_groups, base_lrs):
                set_option(group, "lr", rate)
        if cycle_momentum:
            self._prepare_momentum(base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch, verbose)
        self.base_lrs = base_lrs

    def _prepare_momentum(self, base_momentum, max_momentum, last_epoch):
        check_has_momentum(self.optimizer)
        self.use_beta1 = "betas" in self.optimizer.defaults
        self.base_momentums = one_per_group("base_momentum", self.optimizer, base_momentum)
        self.max_momentums = one_per_group("max_momentum", self.optimizer, max_momentum)
        if last_epoch == -1:
            pairs = zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums)
            for group, least, most in pairs:
                set_momentum(group, most)
                group["max_momentum"] = most
                group["base_momentum"] = least

    def scale_fn(self, x):
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "triangular2":
            return 1 / 2.0 ** (x - 1)
        return 1.0 if self.mode == "triangular" else self.gamma**x

    def get_lr(self):
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        place = 1.0 + self.last_epoch / self.total_size - cycle
        rises = place <= self.step_ratio
        height = place / self.step_ratio if rises else (place - 1) / (self.step_ratio - 1)
        scale = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            triples = zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums)
            for group, least, most in triples:
                set_momentum(group, most - (most - least) * height * scale)
        return [least + (most - least) * height * scale for least, most in zip(self.base_lrs, self.max_lrs)]

    def state_dict(self):
        """Without functions, but with what a callable object holds."""
        function = self._scale_fn_custom
        has_state = function is not None and not isinstance(function, types.FunctionType)
        return {**super().state_dict(), "_scale_fn_custom": dict(function.__dict__) if has_state else None}

    def load_state_dict(self, state_dict):
        self.__dict__.update(
            {name: value for name, value in state_dict.items() if name != "_scale_fn_custom"}
        )
        if state_dict["_scale_fn_custom"] is not None:
            self._scale_fn_custom.__dict__.update(state_dict["_scale_fn_custom"])


class OneCycleLR(LRScheduler):
    """torch.optim.lr_scheduler.OneCycleLR."""

    def __init__(
        self,
        optimizer,
        max_lr,
        total_steps=None,
        epochs=None,
        steps_per_epoch=None,
        pct_start=0.3,
        anneal_strategy="cos",
        cycle_momentum=True,
        base_momentum=0.85,
        max_momentum=0.95,
        div_factor=25.0,
        final_div_factor=1e4,
        three_phase=False,
        last_epoch=-1,
        verbose=False,
    ):
        check_optimizer(optimizer)
        self.optimizer = optimizer
        if total_steps is None and (epochs is None or steps_per_epoch is None):
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        self.total_steps = epochs * steps_per_epoch if total_steps is None else total_steps
        if not isinstance(self.total_steps, int) or self.total_steps <= 0:
            raise ValueError(f"Expected positive integer total_steps, but got {self.total_steps}")
        if not isinstance(pct_start, float) or not 0 <= pct_start <= 1:
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        self._schedule_phases = self._phases(float(pct_start * self.total_steps), three_phase)
        self._anneal_func_type = anneal_strategy
        self.cycle_momentum = cycle_momentum
        if last_epoch == -1:
            for group, most in zip(optimizer.param_groups, one_per_group("max_lr", optimizer, max_lr)):
                group["initial_lr"] = most / div_factor
                group["max_lr"] = most
                group["min_lr"] = group["initial_lr"] / final_div_factor
        if cycle_momentum:
            self._prepare_momentum(base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch, verbose)

    def _phases(self, rise, three_phase):
        names = ("end_step", "start_lr", "end_lr", "start_momentum", "end_momentum")
        up = (rise - 1, "initial_lr", "max_lr", "max_momentum", "base_momentum")
        down = (self.total_steps - 1, "max_lr", "min_lr", "base_momentum", "max_momentum")
        if three_phase:
            back = (2 * rise - 2, "max_lr", "initial_lr", "base_momentum", "max_momentum")
            last = (self.total_steps - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum")
            return [dict(zip(names, phase)) for phase in (up, back, last)]
        return [dict(zip(names, phase)) for phase in (up, down)]

    def _prepare_momentum(self, base_momentum, max_momentum, last_epoch):
        check_has_momentum(self.optimizer)
        self.use_beta1 = "betas" in self.optimizer.defaults
        least = one_per_group("base_momentum", self.optimizer, base_momentum)
        most = one_per_group("max_momentum", self.optimizer, max_momentum)
        if last_epoch == -1:
            for group, low, high in zip(self.optimizer.param_groups, least, most):
                set_momentum(group, high)
                group["max_momentum"] = high
                group["base_momentum"] = low

    def _between(self, start, end, share):
        if self._anneal_func_type == "linear":
            return (end - start) * share + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * share) + 1)

    def get_lr(self):
        if self.last_epoch > self.total_steps:
            raise ValueError(
                f"Tried to step {self.last_epoch} times. "
                f"The specified number of total steps is {self.total_steps}"
            )
        ends = [phase["end_step"] for phase in self._schedule_phases]
        number = next((place for place, end in enumerate(ends) if self.last_epoch <= end), len(ends) - 1)
        phase, begin = self._schedule_phases[number], ends[number - 1] if number else 0.0
        share = (self.last_epoch - begin) / (phase["end_step"] - begin)
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(self._between(group[phase["start_lr"]], group[phase["end_lr"]], share))
            if self.cycle_momentum:
                start, end = group[phase["start_momentum"]], group[phase["end_momentum"]]
                set_momentum(group, self._between(start, end, share))
        return rates


class ReduceLROnPlateau(LRScheduler):
    """torch.optim.lr_scheduler.ReduceLROnPlateau."""

    def __init__(
        self,
        optimizer,
        mode="min",
        factor=0.1,
        patience=10,
        threshold=1e-4,
        threshold_mode="rel",
        cooldown=0,
        min_lr=0,
        eps=1e-8,
        verbose=False,
    ):
        check_optimizer(optimizer)
        self._write_rates(verbose)
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        if mode not in ("min", "max"):
            raise ValueError(f"mode {mode} is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"threshold mode {threshold_mode} is unknown!")
        self.factor = factor
        self.optimizer = optimizer
        self.default_min_lr = None if isinstance(min_lr, (list, tuple)) else min_lr
        self.min_lrs = one_per_group("min_lr", optimizer, min_lr)
        self.patience = patience
        self.cooldown = cooldown
        self.eps = eps
        self.last_epoch = 0
        self._last_lr = option_values(optimizer, "lr")
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self.mode = mode
        self.threshold = threshold
        self.threshold_mode = threshold_mode
        self._reset()

    def _reset(self):
        self.best = self.mode_worse
        self.cooldown_counter = 0
        self.num_bad_epochs = 0

    def step(self, metrics, epoch=None):
        current = float(metrics)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self._is_better(current, self.best):
            self.best = current
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce_lr(self.last_epoch)
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._last_lr = option_values(self.optimizer, "lr")

    def _reduce_lr(self, epoch):
        groups = self.optimizer.param_groups
        if len(groups) != len(self.min_lrs):
            if self.default_min_lr is None:
                raise RuntimeError("The number of param groups differs from that of `min_lrs`.")
            self.min_lrs = [self.default_min_lr] * len(groups)
        for number, (group, least) in enumerate(zip(groups, self.min_lrs)):
            rate = float(group["lr"])
            reduced = max(rate * self.factor, least)
            if rate - reduced > self.eps:
                set_option(group, "lr", reduced)
                if self.verbose:
                    text = f"reducing learning rate of group {number} to {reduced:.4e}."
                    print(f"Epoch {written_epoch(epoch)}: {text}")

    @property
    def in_cooldown(self):
        return self.cooldown_counter > 0

    def _is_better(self, a, best):
        sign = 1 if self.mode == "min" else -1
        margin = self.threshold if self.threshold_mode == "abs" else None
        bound = best - sign * margin if margin is not None else best * (1.0 - sign * self.threshold)
        return sign * a < sign * bound


def check_schedulers(optimizer, schedulers):
    """Raises an error where schedulers cannot be used together on an optimizer."""
    if not schedulers:
        raise ValueError("expects at least one scheduler, but got no scheduler.")
    for number, scheduler in enumerate(schedulers):
        if isinstance(scheduler, ReduceLROnPlateau):
            raise ValueError(f"`ReduceLROnPlateau` at index {number}: its `step` needs the metrics")
        if scheduler.optimizer is not optimizer:
            raise ValueError(f"expects all schedulers to belong to the same optimizer: see index {number}")


class CombinedSchedule(LRScheduler):
    """A schedule made of others."""

    def state_dict(self):
        states = [scheduler.state_dict() for scheduler in self._schedulers]
        return {**super().state_dict(), "_schedulers": states}

    def load_state_dict(self, state_dict):
        self.__dict__.update({name: value for name, value in state_dict.items() if name != "_schedulers"})
        for scheduler, state in zip(self._schedulers, state_dict["_schedulers"]):
            scheduler.load_state_dict(state)


class SequentialLR(CombinedSchedule):
    """torch.optim.lr_scheduler.SequentialLR."""

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1, verbose=False):
        check_schedulers(optimizer, schedulers)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError("expects one scheduler more than milestones")
        self._write_rates(verbose)
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        # each scheduler has made its first step: take them back, and make that of the first one alone
        for group in optimizer.param_groups:
            set_option(group, "lr", group["initial_lr"])
        self.recursive_undo()
        current = schedulers[bisect_right(milestones, 0)]
        current._initial_step()
        self._last_lr = current.get_last_lr()

    def recursive_undo(self, sched=None):
        scheduler = self if sched is None else sched
        if hasattr(scheduler, "_schedulers"):
            for part in scheduler._schedulers:
                self.recursive_undo(part)
        else:
            scheduler.last_epoch -= 1

    def step(self):
        self.last_epoch += 1
        number = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[number]
        if number and self._milestones[number - 1] == self.last_epoch:
            scheduler._update_lr(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


class ChainedScheduler(CombinedSchedule):
    """torch.optim.lr_scheduler.ChainedScheduler."""

    def __init__(self, schedulers, optimizer=None):
        schedulers = list(schedulers)
        optimizer = schedulers[0].optimizer if optimizer is None and schedulers else optimizer
        check_schedulers(optimizer, schedulers)
        self._schedulers = schedulers
        self.optimizer = optimizer
        self._last_lr = option_values(optimizer, "lr")

    def step(self):
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = option_values(self.optimizer, "lr")


class SWALR(LRScheduler):
    """torch.optim.swa_utils.SWALR."""

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        for group, rate in zip(optimizer.param_groups, one_per_group("swa_lr", optimizer, swa_lr)):
            group["swa_lr"] = rate
        self._anneal_strategy = anneal_strategy
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _share(self, step):
        """How much of the way to the new rate is done after some steps."""
        done = max(0, min(1, step / max(1, self.anneal_epochs)))
        return done if self._anneal_strategy == "linear" else (1 - math.cos(math.pi * done)) / 2

    def get_lr(self):
        step = self._step_count - 1
        step = max(1, step) if self.anneal_epochs == 0 else step
        before, now = self._share(step - 1), self._share(step)
        rates = []
        for group in self.optimizer.param_groups:
            aim = group["swa_lr"]
            begin = aim if before == 1 else (group["lr"] - before * aim) / (1 - before)
            rates.append(aim * now + begin * (1 - now))
        return rates
