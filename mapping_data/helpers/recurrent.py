"""Recurrent layers."""

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
    reset, update, new = zip(ops.chunk(of_input, 3, -1), ops.chunk(of_hidden, 3, -1))
    candidate = tanh(new[0] + ops.sigmoid(reset[0] + reset[1]) * new[1])
    kept = ops.sigmoid(update[0] + update[1])
    return (1 - kept) * candidate + kept * hidden


def recurrent_step(mode, of_input, state, weight_hh, bias_hh):
    """The next state of one cell; `state` is a tuple, of two Tensors for an LSTM."""
    of_hidden = linear(state[0], weight_hh, bias_hh)
    if mode == "LSTM":
        return lstm_step(of_input + of_hidden, state[0], state)
    if mode == "GRU":
        return (gru_step(of_input, of_hidden, state[0]),)
    return ((ops.relu if mode == "RNN_RELU" else tanh)(of_input + of_hidden),)


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
    def all_weights(self):
        """The parameters of each layer and direction, as lists."""
        kinds = [name.removesuffix("_l0") for name in self._params if name.endswith("_l0")]
        suffixes = [suffix for layer in range(self.num_layers) for suffix in self._suffixes(layer)]
        return [[self._params[kind + suffix] for kind in kinds] for suffix in suffixes]

    def _suffixes(self, layer):
        return [f"_l{layer}", f"_l{layer}_reverse"][: 2 if self.bidirectional else 1]

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            uniform_(weight, -bound, bound)

    def flatten_parameters(self):
        """Nothing: parameters stay where they are."""

    def _run(self, input, state, suffix, lengths):
        """One direction of one layer over an input of shape (length, batch, width)."""
        own = {name: getattr(self, name + suffix) for name in ("weight_ih", "weight_hh")}
        own |= {name: getattr(self, name + suffix) if self.bias else None for name in ("bias_ih", "bias_hh")}
        of_input = linear(input, own["weight_ih"], own["bias_ih"])
        outputs = [None] * input.shape[0]
        order = range(input.shape[0])
        for step in reversed(order) if suffix.endswith("_reverse") else order:
            new = recurrent_step(self.mode, of_input[step], state, own["weight_hh"], own["bias_hh"])
            if self.proj_size:
                new = (linear(new[0], getattr(self, "weight_hr" + suffix)), *new[1:])
            if lengths is not None:
                running = (lengths > step).expand_dims(-1)
                new = tuple(ops.where(running, after, before) for after, before in zip(new, state))
                outputs[step] = ops.where(running, new[0], ops.zeros_like(new[0]))
            else:
                outputs[step] = new[0]
            state = new
        return ops.stack(outputs, 0), state

    def construct(self, input, hx=None):
        packed = isinstance(input, PackedSequence)
        lengths = None
        if packed:
            input, lengths = pad_packed_sequence(input)
            lengths = mindspore.Tensor(lengths, mindspore.int64)
        single = input.ndim == 2
        if single:
            input = input.expand_dims(1)
        elif self.batch_first and not packed:
            input = input.swapaxes(0, 1)
        directions = 2 if self.bidirectional else 1
        states = self._first_states(input, hx, single, directions)
        last = []
        for layer in range(self.num_layers):
            outputs = []
            for direction, suffix in enumerate(self._suffixes(layer)):
                state = tuple(part[layer * directions + direction] for part in states)
                output, state = self._run(input, state, suffix, lengths)
                outputs.append(output)
                last.append(state)
            input = outputs[0] if directions == 1 else ops.cat(outputs, -1)
            if layer < self.num_layers - 1:
                input = dropout(input, self.dropout, self.training)
        final = tuple(ops.stack(parts, 0) for parts in zip(*last))
        if single:
            input, final = input.squeeze(1), tuple(part.squeeze(1) for part in final)
        elif packed:
            input = pack_padded_sequence(input, lengths, enforce_sorted=False)
        elif self.batch_first:
            input = input.swapaxes(0, 1)
        return input, final if self.mode == "LSTM" else final[0]

    def _first_states(self, input, hx, single, directions):
        if hx is None:
            count, batch = self.num_layers * directions, input.shape[1]
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
