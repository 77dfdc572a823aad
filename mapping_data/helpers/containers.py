"""PyTorch's containers of modules and parameters."""

from collections import OrderedDict
from collections.abc import Mapping
from operator import index as as_index

import mindspore
from mindspore import nn


class ModuleContainer(Module):
    """What torch.nn.Sequential and torch.nn.ModuleList have in common: children by position."""

    def _set_children(self, children):
        self._cells.clear()
        for name, child in children:
            self.add_module(name, child)

    def _part(self, children):
        """Some of the children as a container of the same class; their parameters keep their names."""
        part = self.__new__(type(self))
        nn.Cell.__init__(part)
        part._cells.update(children)
        part.training = self.training
        return part

    def _name_at(self, index):
        return list(self._cells)[as_index(index)]

    def __setitem__(self, index, module):
        self.add_module(self._name_at(index), module)

    def __delitem__(self, index):
        doomed = list(self._cells)[index] if isinstance(index, slice) else [self._name_at(index)]
        kept = [child for name, child in self._cells.items() if name not in doomed]
        self._set_children([(str(position), child) for position, child in enumerate(kept)])

    def __len__(self):
        return len(self._cells)

    def __bool__(self):
        return len(self._cells) > 0

    def __iter__(self):
        return iter(self._cells.values())

    def __iadd__(self, modules):
        return self.extend(modules)

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

    def insert(self, index, module):
        children = list(self._cells.values())
        children.insert(index, module)
        self._set_children([(str(position), child) for position, child in enumerate(children)])
        return self

    def pop(self, index):
        module = self[index]
        del self[index]
        return module


class Sequential(ModuleContainer):
    """torch.nn.Sequential: runs its children in order, those that a subclass registers, too."""

    def __init__(self, *args):
        super().__init__()
        named = len(args) == 1 and isinstance(args[0], OrderedDict)
        for name, module in args[0].items() if named else enumerate(args):
            self.add_module(str(name), module)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return self._part(list(self._cells.items())[index])
        return list(self._cells.values())[as_index(index)]

    def __add__(self, other):
        return Sequential(*self, *other)

    def construct(self, input):
        for module in self._cells.values():
            input = module(input)
        return input


class ModuleList(ModuleContainer):
    """torch.nn.ModuleList: any iterable of modules as a list."""

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __getitem__(self, index):
        if isinstance(index, slice):
            children = list(self._cells.values())[index]
            return self._part((str(position), child) for position, child in enumerate(children))
        return self._cells[self._name_at(index)]

    def __add__(self, other):
        return ModuleList([*self, *other])

    def __repr__(self):
        """The children, those that look the same one behind the other as one."""
        runs = []
        for position, text in enumerate(repr(child) for child in self):
            if runs and runs[-1][0] == text:
                runs[-1][2] = position
            else:
                runs.append([text, position, position])
        lines = [
            f"  ({first}): {text}" if first == last else f"  ({first}-{last}): {last - first + 1} x {text}"
            for text, first, last in runs
        ]
        inside = "".join("\n" + line.replace("\n", "\n  ") for line in lines)
        return f"{self._get_name()}({inside}" + ("\n)" if lines else ")")


class ModuleDict(Module):
    """torch.nn.ModuleDict: modules by name, containers too."""

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:  # a subclass may have an `update` of its own
            self.update(modules)

    def __getitem__(self, key):
        return self._cells[key]

    def __setitem__(self, key, module):
        module.update_parameters_name(prefix_of(key))
        self._cells[key] = module

    def __delitem__(self, key):
        del self._cells[key]

    def __len__(self):
        return len(self._cells)

    def __bool__(self):
        return len(self._cells) > 0

    def __iter__(self):
        return iter(self._cells)

    def __contains__(self, key):
        return key in self._cells

    def clear(self):
        self._cells.clear()

    def pop(self, key):
        return self._cells.pop(key)

    def keys(self):
        return self._cells.keys()

    def items(self):
        return self._cells.items()

    def values(self):
        return self._cells.values()

    def update(self, modules):
        for key, module in modules.items() if isinstance(modules, (Mapping, ModuleDict)) else modules:
            self[key] = module


def sizes_of(tensor):
    """The shape of a Tensor, as lists of parameters show it."""
    return "x".join(map(str, tensor.shape))


class ParameterList(Module):
    """torch.nn.ParameterList: parameters by position; what is no Tensor stays as it is."""

    def __init__(self, values=None):
        super().__init__()
        self.__dict__["_others"] = {}
        if values is not None:
            self.extend(values)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return ParameterList([self[place] for place in range(*index.indices(len(self)))])
        key = self._key(index)
        return self._params[key] if key in self._params else self._others[key]

    def __setitem__(self, index, value):
        self._set(self._key(index), value)

    def _key(self, index):
        return str(range(len(self))[as_index(index)])

    def _set(self, key, value):
        if isinstance(value, mindspore.Tensor):
            self._others.pop(key, None)
            self.register_parameter(key, _as_parameter(value))
        else:
            self._params.pop(key, None)
            self._others[key] = value

    def __len__(self):
        return len(self._params) + len(self._others)

    def __bool__(self):
        return len(self) > 0

    def __iter__(self):
        return (self[place] for place in range(len(self)))

    def __iadd__(self, values):
        return self.extend(values)

    def append(self, value):
        self._set(str(len(self)), value)
        return self

    def extra_repr(self):
        return "\n".join(f"  ({place}): {kept_object(value)}" for place, value in enumerate(self))

    def extend(self, values):
        for value in values:
            self.append(value)
        return self


def kept_object(value):
    """How a ParameterList shows what it keeps."""
    if not isinstance(value, mindspore.Tensor):
        return f"Object of type: {type(value).__name__}"
    return f"Parameter containing: [{text_of(value.dtype)} of size {sizes_of(value)}]"


class ParameterDict(Module):
    """torch.nn.ParameterDict: parameters by name; what is no Tensor stays as it is."""

    def __init__(self, parameters=None):
        super().__init__()
        self.__dict__["_others"] = {}
        self.__dict__["_order"] = {}
        if parameters is not None:
            self.update(parameters)

    def __getitem__(self, key):
        self._order[key]
        return self._params[key] if key in self._params else self._others[key]

    def __setitem__(self, key, value):
        self._params.pop(key, None)
        self._others.pop(key, None)
        self._order[key] = None
        if not isinstance(value, mindspore.Tensor):
            self._others[key] = value
            return
        value = _as_parameter(value)
        if value.name == "Parameter":
            value.name = prefix_of(key)[:-1]
        self._params[key] = value

    def __delitem__(self, key):
        del self._order[key]
        self._params.pop(key, None)
        self._others.pop(key, None)

    def __len__(self):
        return len(self._order)

    def __bool__(self):
        return len(self._order) > 0

    def __iter__(self):
        return iter(self._order)

    def __contains__(self, key):
        return key in self._order

    def get(self, key, default=None):
        return self[key] if key in self._order else default

    def clear(self):
        for key in list(self._order):
            del self[key]

    def pop(self, key):
        value = self[key]
        del self[key]
        return value

    def keys(self):
        return self._order.keys()

    def items(self):
        return {key: self[key] for key in self._order}.items()

    def values(self):
        return {key: self[key] for key in self._order}.values()

    def extra_repr(self):
        lines = [
            f"  ({key}): Parameter containing: [{tensor_type(value)} of size {sizes_of(value)}]"
            if isinstance(value, mindspore.Tensor)
            else f"  ({key}): Object of type: {type(value).__name__}"
            for key, value in self.items()
        ]
        return "\n".join(lines)

    def update(self, parameters):
        pairs = list(parameters.items() if hasattr(parameters, "items") else parameters)
        if isinstance(parameters, Mapping) and not isinstance(parameters, OrderedDict):
            pairs.sort(key=lambda pair: pair[0])  # PyTorch does not keep the order of a dict
        for key, value in pairs:
            self[key] = value


def _as_parameter(value):
    return value if isinstance(value, mindspore.Parameter) else mindspore.Parameter(value)
