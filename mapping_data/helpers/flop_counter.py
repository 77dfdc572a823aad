"""How many operations on floating-point numbers products of matrices and convolutions take."""

import functools
import math
from collections import defaultdict

import mindspore
from mindspore import mint, nn, ops

# The FlopCounterModes whose blocks are running
COUNTING = []

# The function that is counted, which calls others
INSIDE = []


def of_linear(result, input, weight, bias=None):
    """What torch.nn.functional.linear takes: its name in PyTorch, a number, and who gets a gradient of it."""
    return "mm" if bias is None else "addmm", 2 * result.size * input.shape[-1], "mm", (input, weight)


def of_product(result, input, other, *, out=None):
    """What a product of matrices takes; PyTorch does not count those of vectors."""
    kind = "bmm" if min(input.ndim, other.ndim) > 2 else "mm"
    count = 0 if min(input.ndim, other.ndim) < 2 else 2 * result.size * input.shape[-1]
    return kind, count, kind, (input, other)


def of_sum_with_product(result, input, left, right, **options):
    """What torch.addmm and torch.baddbmm take."""
    several = left.ndim > 2
    count = 2 * result.size * left.shape[-1]
    return "baddbmm" if several else "addmm", count, "bmm" if several else "mm", (left, right)


def of_convolution(result, input, weight, *args, **options):
    """What a convolution takes."""
    count = 2 * result.size * math.prod(weight.shape[1:])
    return "convolution", count, "convolution_backward", (input, weight)


def of_transposed_convolution(result, input, weight, *args, **options):
    """What a transposed convolution takes."""
    count = 2 * input.size * math.prod(weight.shape[1:])
    return "convolution", count, "convolution_backward", (input, weight)


# What is counted how: functions of MindSpore and of the helpers, methods and operators
COUNTED = {
    of_linear: "dense linear",
    of_product: "__matmul__ bmm matmul mm",
    of_sum_with_product: "addmm baddbmm",
    of_convolution: "conv1d conv2d conv3d",
    of_transposed_convolution: "conv_transpose1d conv_transpose2d conv_transpose3d",
}


def counted(take):
    """What makes a function count what it takes, where somebody asks for that."""

    def made(native):
        def function(*args, **options):
            if not COUNTING or INSIDE:
                return native(*args, **options)
            INSIDE.append(native)
            try:
                result = native(*args, **options)
            finally:
                INSIDE.pop()
            given = (result, *args[:2], *options.values())
            if all(isinstance(each, mindspore.Tensor) for each in given[:3]):
                count_taken(result, *take(result, *args, **options))
            return result

        return function

    return made


def count_taken(result, name, count, name_behind, sources):
    """Tell all who count; the gradient of each source takes as much again."""
    for counter in COUNTING:
        counter.add(f"aten.{name}", count, counter.modules)
    behind = count * sum(bool(source.requires_grad) for source in sources)
    if behind and result.requires_grad:
        places = [(counter, tuple(counter.modules[1:])) for counter in COUNTING]

        def tell(gradient):
            for counter, modules in places:
                if counter in COUNTING:
                    counter.add(f"aten.{name_behind}", behind, modules)

        gradient_hook(result, tell)


def uncounted(native):
    """A function within which only what is told by hooks is counted."""

    def function(*args, **options):
        INSIDE.append(native)
        try:
            return native(*args, **options)
        finally:
            INSIDE.pop()

    return function


def called_in_module(native):
    """Calls of modules, which are told to all who count."""

    def call(cell, *args, **options):
        counters = list(COUNTING)
        for counter in counters:
            counter.enter_module(cell)
        try:
            return native(cell, *args, **options)
        finally:
            for counter in counters:
                counter.modules.pop()

    return call


@functools.cache
def functions_are_counted():
    """Put functions that count in the place of the others, once."""
    owners = (ops, mint, mint.nn.functional, mindspore.Tensor)
    replaced = {}
    for take, names in COUNTED.items():
        replace(owners, names, counted(take))
        for native in [globals()[name] for name in names.split() if name in globals()]:
            replaced[native] = functools.wraps(native)(counted(take)(native))
            globals()[native.__name__] = replaced[native]
    replace_in_classes(globals(), replaced)
    replace((mindspore.Tensor,), "backward", uncounted)
    for name in {"backward_of", "gradients_of"} & set(globals()):
        globals()[name] = uncounted(globals()[name])
    replace((nn.Cell,), "__call__", called_in_module)


class FlopCounterMode:
    """torch.utils.flop_counter.FlopCounterMode: counts what products of matrices and convolutions take in a
    block, and their gradients; by module, each with what is in it. PyTorch's own attention counts as the
    products that it consists of."""

    def __init__(self, mods=None, depth=2, display=True, custom_mapping=None):
        if custom_mapping:
            raise NotImplementedError("there are no operators of PyTorch that a formula could be for")
        self.flop_counts = defaultdict(lambda: defaultdict(int))
        self.depth = depth
        self.display = display
        self.modules = ["Global"]
        self.names = {}

    def enter_module(self, cell):
        """Remember that what follows is computed in a module."""
        name = self.names.setdefault(id(cell), type(cell).__name__)
        for member, child in cell.name_cells().items():
            self.names.setdefault(id(child), f"{name}.{member}")
        self.modules.append(name)

    def add(self, name, count, modules):
        """Count for all modules around."""
        for module in {"Global", *modules} if count else ():
            self.flop_counts[module][name] += count

    def get_total_flops(self):
        return sum(self.flop_counts["Global"].values())

    def get_flop_counts(self):
        return {name: dict(counts) for name, counts in self.flop_counts.items()}

    def get_table(self, depth=None):
        """The counts as a text."""
        depth = depth if depth is not None else self.depth if self.depth is not None else math.inf
        total = self.get_total_flops()
        step = max(0, min(4, (len(str(total)) - 2) // 3))

        def rows_of(name):
            counts = self.flop_counts[name]
            named = [(name, sum(counts.values())), *((f"- {each}", count) for each, count in counts.items())]
            for text, count in named:
                number = f"{count / 1000**step:.3f}" + ("", "K", "M", "B", "T")[step]
                yield text, number, f"{count / total:.2%}" if total else "0%"

        names = sorted(set(self.flop_counts) - {"Global"})
        shown = [name for name in names if name.count(".") < depth]
        is_whole = any(sum(self.flop_counts[name].values()) >= total for name in shown)
        if "Global" in self.flop_counts and not is_whole:
            shown.insert(0, "Global")
        rows = [row for name in shown for row in rows_of(name)] or [("Global", "0", "0%")]
        head = "Module", "FLOP", "% Total"
        sizes = [max(len(head[column]) + 2, *(len(row[column]) for row in rows)) for column in range(3)]
        rows = [head, tuple("-" * size for size in sizes), *rows]
        aligned = (zip(row, "<>>", sizes, strict=True) for row in rows)
        return "\n".join("  ".join(f"{text:{side}{size}}" for text, side, size in row) for row in aligned)

    def __enter__(self):
        functions_are_counted()
        self.flop_counts.clear()
        self.modules, self.names = ["Global"], {}
        COUNTING.append(self)
        return self

    def __exit__(self, *exception):
        COUNTING.remove(self)
        if self.display:
            print(self.get_table(self.depth))
        return False
