"""Averages of a model's weights, as torch.optim.swa_utils has them."""

import copy
import itertools

import mindspore
from mindspore import ops


def check_decay(decay):
    """Raises ValueError for a decay rate that is not in [0, 1]."""
    if not 0.0 <= decay <= 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def get_ema_avg_fn(decay=0.999):
    """torch.optim.swa_utils.get_ema_avg_fn."""
    check_decay(decay)

    @no_grad
    def ema_update(ema_param, current_param, num_averaged):
        return times(ema_param, decay) + times(current_param, 1 - decay)

    return ema_update


def get_swa_avg_fn():
    """torch.optim.swa_utils.get_swa_avg_fn."""

    @no_grad
    def swa_update(averaged_param, current_param, num_averaged):
        return averaged_param + (current_param - averaged_param) / (int(num_averaged) + 1)

    return swa_update


def updating_all(average):
    """A function for lists of parameters that sets each of the first list to what `average` gives."""

    @no_grad
    def update(averaged_params, current_params, num_averaged):
        for averaged, current in zip(averaged_params, current_params):
            ops.assign(averaged, average(averaged, current, num_averaged).astype(averaged.dtype))

    return update


def get_ema_multi_avg_fn(decay=0.999):
    """torch.optim.swa_utils.get_ema_multi_avg_fn."""
    single = get_ema_avg_fn(decay)

    def average(averaged, current, num_averaged):
        if averaged.is_floating_point():
            return single(averaged, current, num_averaged)
        return current * (1 - decay) + averaged * decay

    return updating_all(average)


def get_swa_multi_avg_fn():
    """torch.optim.swa_utils.get_swa_multi_avg_fn."""
    return updating_all(get_swa_avg_fn())


class AveragedModel(Module):
    """torch.optim.swa_utils.AveragedModel."""

    _copies_tensors = TENSORS_ARE_COPIED

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = copy.deepcopy(model)
        self.register_buffer("n_averaged", mindspore.Tensor(0, mindspore.int64))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def construct(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def _averaged(self, model):
        """What is averaged of a model: its parameters, and its buffers if that was asked for."""
        return list(itertools.chain(parameters_of(model), buffers_of(model) if self.use_buffers else ()))

    def _update(self, averaged, current):
        if self.avg_fn is None:
            (self.multi_avg_fn or get_swa_multi_avg_fn())(averaged, current, self.n_averaged)
            return
        for kept, value in zip(averaged, current):
            ops.assign(kept, self.avg_fn(kept, value, self.n_averaged).astype(kept.dtype))

    def update_parameters(self, model):
        with no_grad():
            averaged, current = self._averaged(self.module), self._averaged(model)
            if int(self.n_averaged) == 0:
                for kept, value in zip(averaged, current):
                    ops.assign(kept, value)
            else:
                self._update(averaged, current)
            if not self.use_buffers:
                for kept, value in zip(buffers_of(self.module), buffers_of(model)):
                    ops.assign(kept, value)
            self.n_averaged = self.n_averaged + 1


def update_bn(loader, model, device=None):
    """torch.optim.swa_utils.update_bn."""
    layers = [module for module in modules_of(model) if isinstance(module, BatchNormBase)]
    if not layers:
        return
    momenta = [layer.momentum for layer in layers]
    was_training = model.training
    model.set_train(True)
    for layer in layers:
        layer.reset_running_stats()
        layer.momentum = None
    with no_grad():
        for batch in loader:
            model(batch[0] if isinstance(batch, (list, tuple)) else batch)
    for layer, momentum in zip(layers, momenta):
        layer.momentum = momentum
    model.set_train(was_training)
