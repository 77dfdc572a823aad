"""Recurrent layers."""

import itertools
import math

import mindspore
from mindspore import ops


def lstm_step(gates, hidden, state):
    """One step of an LSTM from the sums for its gates."""
    entering, forgetting, candidate, leaving = ops.chunk(gates, 4, -1)
    cell = ops.sigmoid(forgetting) * state[1] + ops.sigmoid(entering) * tanh(candidate)
    return ops.sigmoid(leaving) * tanh(cell), cell


def gru_step(of_input, of_hidden, hidden):
    """One step of a GRU from what its input and its state give."""
    width = hidden.shape[-1]
    (gates, new), (gates_of_hidden, new_of_hidden) = (
        ops.split(sums, [2 * width, width], -1) for sums in (of_input, of_hidden)
    )
    reset, update = ops.chunk(ops.sigmoid(gates + gates_of_hidden), 2, -1)
    candidate = tanh(new + reset * new_of_hidden)
    return candidate + update * (hidden - candidate)


def recurrent_step(mode, of_input, state, weight_hh, bias_hh):
    """The next state of one cell; `state` is a tuple, of two Tensors for an LSTM."""
    of_hidden = linear(state[0], weight_hh, bias_hh)
    if mode == "LSTM":
        return lstm_step(of_input + of_hidden, state[0], state)
    if mode == "GRU":
        return (gru_step(of_input, of_hidden, state[0]),)
    return ((ops.relu if mode == "RNN_RELU" else tanh)(of_input + of_hidden),)


def lstm_at_once(input, state, weights, biases):
    """All steps of an LSTM by the operator of MindSpore that makes them on CPU as PyTorch does."""
    parts = [*weights, biases[0] + biases[1]] if biases else weights
    operator = ops.LSTM(input.shape[-1], state[1].shape[-1], 1, bool(biases), False, 0.0)
    output, hidden, cell, _, _ = operator(
        input, *(part.expand_dims(0) for part in state), ops.cat([part.reshape(-1, 1, 1) for part in parts])
    )
    return output, (hidden[0], cell[0])


def parts_of_packed(data, counts):
    """The values of packed sequences in parts of the shape (length, sequences, width), in each of which the
    same sequences go on."""
    parts, start = [], 0
    for count, steps in itertools.groupby(counts):
        length = len(list(steps))
        end = start + length * count
        parts.append(data[start:end].reshape(length, count, -1))
        start = end
    return parts


def joined_parts(parts):
    """Parts of packed sequences as one, as they are packed."""
    return ops.cat([part.reshape(-1, part.shape[-1]) for part in parts], 0)


GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


class RNNBase(Module):
    """torch.nn.RNNBase."""

    def __init__(
        self,
        mode,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        proj_size=0,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        rows, width = GATES[mode] * hidden_size, proj_size or hidden_size
        for layer in range(num_layers):
            for suffix in self._suffixes(layer):
                entering = input_size if layer == 0 else width * (2 if bidirectional else 1)
                shapes = {"weight_ih": (rows, entering), "weight_hh": (rows, width)}
                shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)} if bias else {}
                shapes |= {"weight_hr": (proj_size, hidden_size)} if proj_size else {}
                for name, shape in shapes.items():
                    self.register_parameter(name + suffix, empty_parameter(shape, dtype))
        self.reset_parameters()

    @property
    def _all_weights(self):
        """The names of the parameters of each layer and direction, as lists."""
        kinds = ["weight_ih", "weight_hh", *(["bias_ih", "bias_hh"] if self.bias else [])]
        kinds += ["weight_hr"] if self.proj_size else []
        suffixes = [suffix for layer in range(self.num_layers) for suffix in self._suffixes(layer)]
        return [[kind + suffix for kind in kinds] for suffix in suffixes]

    @property
    def all_weights(self):
        """The parameters of each layer and direction, as lists."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    @property
    def _flat_weights_names(self):
        """The names of all parameters."""
        return [name for names in self._all_weights for name in names]

    @property
    def _flat_weights(self):
        """All parameters."""
        return [weight for weights in self.all_weights for weight in weights]

    def _suffixes(self, layer):
        return [f"_l{layer}", f"_l{layer}_reverse"][: 2 if self.bidirectional else 1]

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            uniform_(weight, -bound, bound)

    def flatten_parameters(self):
        """Nothing: parameters stay where they are."""

    def _run(self, parts, first, suffix):
        """One direction of one layer over parts of the input, of shape (length, batch, width), which fewer
        and fewer sequences reach. Gives what comes of each part, and the last states."""
        is_reverse = suffix.endswith("_reverse")
        outputs, ended = [], []
        state = tuple(each[: parts[-1 if is_reverse else 0].shape[1]] for each in first)
        for part in reversed(parts) if is_reverse else parts:
            count, going_on = part.shape[1], state[0].shape[0]
            if going_on > count:
                ended.insert(0, tuple(each[count:] for each in state))
                state = tuple(each[:count] for each in state)
            elif going_on < count:
                state = tuple(ops.cat((each, new[going_on:count])) for each, new in zip(state, first))
            output, state = self._steps(part, state, suffix, is_reverse)
            outputs.append(output)
        if ended:
            state = tuple(ops.cat(each) for each in zip(state, *ended))
        return outputs[::-1] if is_reverse else outputs, state

    def _steps(self, input, state, suffix, is_reverse):
        """One direction of one layer over an input of shape (length, batch, width)."""
        weights = [getattr(self, name + suffix) for name in ("weight_ih", "weight_hh")]
        biases = [getattr(self, name + suffix) for name in ("bias_ih", "bias_hh")] if self.bias else []
        if self._runs_at_once(input, *weights):
            if not is_reverse:
                return lstm_at_once(input, state, weights, biases)
            output, state = lstm_at_once(ops.flip(input, (0,)), state, weights, biases)
            return ops.flip(output, (0,)), state
        of_input = linear(input, weights[0], *biases[:1])
        if GraphsKept.always:  # MindSpore's `unstack` has no gradient of its gradient
            of_input = [of_input[step] for step in range(of_input.shape[0])]
        else:
            of_input = ops.unstack(of_input)
        outputs = []
        for step in reversed(of_input) if is_reverse else of_input:
            state = recurrent_step(self.mode, step, state, weights[1], biases[1] if biases else None)
            if self.proj_size:
                state = (linear(state[0], getattr(self, "weight_hr" + suffix)), *state[1:])
            outputs.append(state[0])
        return ops.stack(outputs[::-1] if is_reverse else outputs, 0), state

    def _runs_at_once(self, input, *weights):
        """Whether MindSpore's operator computes what is wanted: it is on CPU alone that it is PyTorch's, and
        its gradient has none."""
        return (
            self.mode == "LSTM"
            and not self.proj_size
            and mindspore.get_context("device_target") == "CPU"
            and input.size > 0
            and all(each.dtype == mindspore.float32 for each in (input, *weights))
            and not GraphsKept.always
        )

    def construct(self, input, hx=None):
        packed = input if isinstance(input, PackedSequence) else None
        single = packed is None and input.ndim == 2
        if packed is not None:
            counts = [int(count) for count in packed.batch_sizes.asnumpy()]
            parts = parts_of_packed(packed.data, counts)
        elif single:
            parts = [input.expand_dims(1)]
        else:
            parts = [input.swapaxes(0, 1) if self.batch_first else input]
        states = self._first_states(parts[0], hx, single)
        if packed is not None and packed.sorted_indices is not None:
            states = tuple(ops.gather(each, packed.sorted_indices, 1) for each in states)
        last = []
        for layer in range(self.num_layers):
            outputs = []
            for suffix in self._suffixes(layer):
                output, state = self._run(parts, tuple(each[len(last)] for each in states), suffix)
                outputs.append(output)
                last.append(state)
            parts = [ops.cat(each, -1) for each in zip(*outputs)] if self.bidirectional else outputs[0]
            if layer < self.num_layers - 1 and self.dropout and self.training:
                parts = self._dropped(parts)
        final = tuple(ops.stack(each, 0) for each in zip(*last))
        if packed is not None:
            if packed.unsorted_indices is not None:
                final = tuple(ops.gather(each, packed.unsorted_indices, 1) for each in final)
            output = packed._replace(data=joined_parts(parts))
        elif single:
            output, final = parts[0].squeeze(1), tuple(each.squeeze(1) for each in final)
        else:
            output = parts[0].swapaxes(0, 1) if self.batch_first else parts[0]
        return output, final if self.mode == "LSTM" else final[0]

    def _dropped(self, parts):
        """What goes from one layer to the next, with dropout, which draws for all of it together."""
        if len(parts) == 1:
            return [dropout(parts[0], self.dropout, True)]
        counts = [part.shape[1] for part in parts for _ in range(part.shape[0])]
        return parts_of_packed(dropout(joined_parts(parts), self.dropout, True), counts)

    def _first_states(self, input, hx, single):
        if hx is None:
            count, batch = self.num_layers * (2 if self.bidirectional else 1), input.shape[1]
            widths = [self.proj_size or self.hidden_size, self.hidden_size]
            widths = widths if self.mode == "LSTM" else widths[:1]
            return tuple(ops.zeros((count, batch, width), input.dtype) for width in widths)
        states = tuple(hx) if self.mode == "LSTM" else (hx,)
        return tuple(part.expand_dims(1) for part in states) if single else states

    def extra_repr(self):
        usual = {"proj_size": 0, "num_layers": 1, "bias": True, "batch_first": False, "dropout": 0.0}
        usual["bidirectional"] = False
        parts = [f"{name}={getattr(self, name)}" for name in usual if getattr(self, name) != usual[name]]
        return ", ".join([str(self.input_size), str(self.hidden_size), *parts])


class LSTM(RNNBase):
    """torch.nn.LSTM."""

    def __init__(self, *args, **kwargs):
        super().__init__("LSTM", *args, **kwargs)


class GRU(RNNBase):
    """torch.nn.GRU."""

    def __init__(self, *args, **kwargs):
        super().__init__("GRU", *args, **kwargs)


class RNN(RNNBase):
    """torch.nn.RNN."""

    def __init__(self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", *args, **kwargs):
        mode = {"tanh": "RNN_TANH", "relu": "RNN_RELU"}[nonlinearity]
        super().__init__(mode, input_size, hidden_size, num_layers, *args, **kwargs)
        self.nonlinearity = nonlinearity


class RNNCellBase(Module):
    """torch.nn.RNNCellBase."""

    def __init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = num_chunks * hidden_size
        self.weight_ih = empty_parameter((rows, input_size), dtype)
        self.weight_hh = empty_parameter((rows, hidden_size), dtype)
        self.bias_ih = empty_parameter((rows,), dtype) if bias else None
        self.bias_hh = empty_parameter((rows,), dtype) if bias else None
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            uniform_(weight, -bound, bound)

    def extra_repr(self):
        parts = [] if self.bias else [f"bias={self.bias}"]
        parts += [
            f"nonlinearity={kind}" for kind in [getattr(self, "nonlinearity", "tanh")] if kind != "tanh"
        ]
        return ", ".join([str(self.input_size), str(self.hidden_size), *parts])

    def _next(self, mode, input, state):
        if state is None:
            zeros = ops.zeros((*input.shape[:-1], self.hidden_size), input.dtype)
            state = (zeros, zeros)
        of_input = linear(input, self.weight_ih, self.bias_ih)
        return recurrent_step(mode, of_input, state, self.weight_hh, self.bias_hh)


class LSTMCell(RNNCellBase):
    """torch.nn.LSTMCell."""

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def construct(self, input, hx=None):
        return self._next("LSTM", input, hx)


class GRUCell(RNNCellBase):
    """torch.nn.GRUCell."""

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def construct(self, input, hx=None):
        return self._next("GRU", input, None if hx is None else (hx,))[0]


class RNNCell(RNNCellBase):
    """torch.nn.RNNCell."""

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def construct(self, input, hx=None):
        mode = {"tanh": "RNN_TANH", "relu": "RNN_RELU"}[self.nonlinearity]
        return self._next(mode, input, None if hx is None else (hx,))[0]
