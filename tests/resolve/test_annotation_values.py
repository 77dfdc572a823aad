"""What annotations, parameters and tests of types say of a name. See `value_text.py` for how it is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from looking import write
from value_text import value_of

ANNOTATIONS = {
    "r: Tensor": "Tensor (likely)",
    "r: Optional[Tensor]": "Tensor | None (likely)",
    "r: Optional[unseen]": "? (likely)",
    "r: Tensor | None": "Tensor | None (likely)",
    "r: None": "None (likely)",
    "r: 3": "? (likely)",
    "r: 'Tensor'": "Tensor (likely)",
    "r: Union[Tensor, int]": "Tensor | int (likely)",
    "r: Union[Tensor, unseen]": "? (likely)",
    "r: Final[Tensor]": "Tensor (likely)",
    "r: Annotated[Tensor, 3]": "Tensor (likely)",
    "r: ClassVar[Tensor]": "Tensor (likely)",
    "r: Awaitable[Tensor]": "Tensor (likely)",
    "r: Coroutine[int, str, Tensor]": "Tensor (likely)",
    "T = typing.TypeVar('T', Tensor, Tuple[Tensor, ...])\nr: T": "Tensor | tuple[Tensor] (likely)",
    "T = typing.TypeVar('T', bound=nn.Module)\nr: T": "nn.Module (likely)",
    "T = typing.TypeVar('T', bound=nn.Module)\nr: Type[T]": "giving nn.Module (likely)",
    "T = typing.TypeVar('T', Tensor, unseen)\nr: T": "? (likely)",
    "T = typing.TypeVar('T')\nr: T": "? (likely)",
    "r: list[Tensor]": "list[Tensor] (likely)",
    "r: List[Tensor]": "list[Tensor] (likely)",
    "r: Iterator[Tensor]": "iterator[Tensor] (likely)",
    "r: Generator[Tensor, int, str]": "iterator[Tensor] (likely)",
    "r: collections.deque[Tensor]": "list[Tensor] (likely)",
    "r: collections.abc.Sequence[Tensor]": "list[Tensor] (likely)",
    "r: list": "list[?] (likely)",
    "r: tuple": "tuple[?] (likely)",
    "r: Tuple": "tuple[?] (likely)",
    "r: dict": "dict[?] (likely)",
    "r: collections.OrderedDict": "dict[?] (likely)",
    "r: dict[str, Tensor]": "dict[Tensor] (likely)",
    "r: Mapping[str, Tensor]": "dict[Tensor] (likely)",
    "r: tuple[Tensor, int]": "tuple(Tensor, int) (likely)",
    "r: tuple[Tensor, ...]": "tuple[Tensor] (likely)",
    "r: tuple[int]": "tuple(int) (likely)",
    "r: Tuple[Tensor]": "tuple(Tensor) (likely)",
    "r: tuple[()]": "? (likely)",
    "r: type[Tensor]": "giving Tensor (likely)",
    "r: Type[nn.ReLU]": "giving nn.ReLU (likely)",
    "r: type[unseen]": "? (likely)",
    "r: Any": "? (likely)",
    "r: Callable[[Tensor], int]": "giving int (likely)",
    "r: Callable[..., Any]": "? (likely)",
    "r: callable": "? (likely)",
    "r: any": "? (likely)",
    "def f(g: callable = torch.log):\n    return g(1)\nr = f()": "? | Tensor (likely)",
    "r: Optional[Callable[..., Tensor]]": "giving Tensor | None (likely)",
    "r: Optional[Tensor] = None": "Tensor | None (likely)",
    "r: Optional[unseen] = None": "None",
    "r: Tensor = torch.ones(1)": "Tensor",
    "r: Literal['a']": "? (likely)",
    "r: jaxtyping.Float[Tensor, 'b c']": "Tensor (likely)",
    "r: jaxtyping.Float[int, 'b']": "jaxtyping.Float (likely)",
    "r: numpy.ndarray": "numpy.ndarray (likely)",
    "r: numpy.ndarray[int]": "numpy.ndarray (likely)",
    "r: Own": "Own (likely)",
    "r: Own[Tensor]": "Own (likely)",
    "r: nn.Module": "nn.Module (likely)",
    "r: Tensor[int]": "Tensor (likely)",
    "r: unseen.Thing": "? (likely)",
    "r: int": "int (likely)",
    "r: str": "str (likely)",
    "r: object": "? (likely)",
    "r: [Tensor]": "? (likely)",
    "r: list[unseen]": "list[?] (likely)",
    "r: Hashable": "? (likely)",
    "r: collections.abc.Hashable": "collections.abc.Hashable (likely)",
    "r: Dict[str, list[Tensor]]": "dict[list[Tensor]] (likely)",
    "r: list[Tensor] | dict[str, int]": "list[Tensor] | dict[int] (likely)",
    "r: unseen[Tensor]": "Tensor (likely)",
    "r: unseen[int]": "? (likely)",
    "r: Self": "? (likely)",
    "r: collections.Counter": "collections.Counter (likely)",
}

PARAMETERS = {
    "def f(x):\n    return x\nr = f(1)": "int",
    "def f(x):\n    return x\nr = f(unseen)": "?",
    "def f(x):\n    return x\nr = f": "=f",
    "def f(x=1):\n    return x\nr = f()": "int",
    "def f(x=1):\n    return x\nr = f(None)": "None",
    "def f(x: Tensor):\n    return x\nr = f(1)": "Tensor (likely)",
    "def f(x: unseen):\n    return x\nr = f(1)": "?",
    "def f(x: unseen = 1):\n    return x\nr = f(1)": "? | int (likely)",
    "def f(*x):\n    return x\nr = f(1)": "tuple[?]",
    "def f(*x: Tensor):\n    return x\nr = f(1)": "tuple[Tensor (likely)]",
    "def f(**x):\n    return x\nr = f(1)": "dict[?]",
    "def f(**x: Tensor):\n    return x\nr = f(1)": "dict[Tensor (likely)]",
    "def f(*x: tuple[Tensor, ...]):\n    return x\nr = f(1)": "tuple[tuple[Tensor] | Tensor (likely)]",
    "def f(*x: Tuple[Tensor, Own]):\n    return x\nr = f(1)": "tuple[tuple(Tensor, Own) | Tensor | Own (likely)]",
    "def f(**x: dict[str, Tensor]):\n    return x\nr = f(1)": "dict[dict[Tensor] | Tensor (likely)]",
    "def f(*x: list[Tensor]):\n    return x\nr = f(1)": "tuple[list[Tensor] (likely)]",
    "def f(*, x):\n    return x\nr = f(x=1)": "int",
    "def f(y, /, x):\n    return x\nr = f(1, None)": "None",
    "def f(x: Tensor = None):\n    return x\nr = f(1)": "Tensor (likely)",
    "def f(x):\n    return x\nr = f(nn.ReLU)": "=nn.ReLU",
    "def f(x):\n    return x\nr = f(nn.ReLU())": "nn.ReLU",
    "def f(x):\n    return x\nr = f(f)": "=f",
    "def f(x):\n    return x\nr = f([1])": "list(int)",
    "def f(x):\n    return x\nr = f(x=nn.ReLU)": "=nn.ReLU",
    "def f(x):\n    return x\nr = f(len)": "=len",
    "def f(x):\n    return x\nr = f(True)": "bool",
    "def f(x):\n    return x\nr = f(None)": "None",
    "def f(x):\n    return x\nr = f('a')": "str",
    "def f(x):\n    return x\nr = f(*[1])": "?",
    "def f(x):\n    return x.unsqueeze(0)\nr = f(unseen)": "Tensor (likely)",
    "def f(x):\n    x.unsqueeze(0); x.relu(); return x\nr = f(unseen)": "Tensor (likely)",
    "def f(x):\n    x.unsqueeze(0); return x\nr = f(unseen)": "Tensor (likely)",
    "def f(x):\n    x.split(0); x.strip(); return x\nr = f(unseen)": "?",
    "class A(nn.Module):\n    def forward(self, x): return x\nr = A()(unseen)": "Tensor (likely)",
    "class A:\n    def forward(self, x): return x\nr = A().forward(unseen)": "?",
    "class A(nn.Module):\n    def forward(self, x=None): return x\nr = A()(unseen)": "Tensor (likely)",
    "class A:\n    def forward(self, x=None): return x\nr = A().forward(unseen)": "?",
    "class A(nn.Module):\n    def forward(self, x=1): return x\nr = A()(unseen)": "? | int (likely)",
    "class A:\n    def forward(self, x=1): return x\nr = A().forward(unseen)": "?",
    "class A(nn.Module):\n    def forward(self, x: int): return x\nr = A()(unseen)": "int (likely)",
    "class A:\n    def forward(self, x: int): return x\nr = A().forward(unseen)": "int (likely)",
    "class A(nn.Module):\n    def forward(self, x: unseen): return x\nr = A()(unseen)": "Tensor (likely)",
    "class A:\n    def forward(self, x: unseen): return x\nr = A().forward(unseen)": "?",
    "class A(nn.Module):\n    def forward(self, *x): return x\nr = A()(unseen)": "tuple[?]",
    "class A:\n    def forward(self, *x): return x\nr = A().forward(unseen)": "tuple[?]",
    "class A(nn.Module):\n    def forward(self, y, x=None): return x\nr = A()(unseen)": "Tensor (likely)",
    "class A:\n    def forward(self, y, x=None): return x\nr = A().forward(unseen)": "None",
    "class A(nn.Module):\n    def other(self, x): return x\nr = A().other(unseen)": "?",
    "def forward(self, x): return x\nr = forward(1, 2)": "int",
    "class A:\n    def f(*x): return x\nr = A().f()": "tuple[?]",
    "class A:\n    def f(self, /): return self\nr = A().f()": "A",
    "class A:\n    def f(*, x): return x\nr = A().f()": "?",
    "class A:\n    def f(**x): return x\nr = A().f()": "dict[?]",
    "r = list(map(lambda q: q, [1]))": "list[int]",
    "r = list(map(lambda q: q, unseen))": "list[?]",
    "r = list(map(lambda q, p: p, [1], [None]))": "list[None]",
    "r = [q(1) for q in [torch.abs]]": "list[Tensor]",
}

MADE = {
    "def f(a: Type[nn.Module]): return a()\nr = f(unseen)": "nn.Module (likely)",
    "def f(a: type[Own]): return a()\nr = f(unseen)": "Own (likely)",
    "def f(a: Callable[..., Tensor]): return a(1)\nr = f(unseen)": "Tensor (likely)",
    "def f(a: Callable[[int], Tensor]): return a(1)\nr = f(unseen)": "Tensor (likely)",
    "def f(a: Optional[Callable[..., Tensor]] = None): return a(1)\nr = f(unseen)": "Tensor (likely)",
    "def f(a: Union[str, Callable[..., Tensor]]): return a(1)\nr = f(unseen)": "Tensor (likely)",
    "def f(a: str | type[nn.Module] | None): return a(1)\nr = f(unseen)": "nn.Module (likely)",
    "def f(a: type[nn.Module] = nn.ReLU): return a()\nr = f(unseen)": "nn.Module (likely)",
    "def f(a: type[nn.Module] = nn.ReLU): return a()\nr = f()": "nn.Module | nn.ReLU (likely)",
    "def f(a: Callable[..., Tensor]):\n    def g(): return a(1)\n    return g()\nr = f(unseen)": "Tensor (likely)",
    "def f(a: Callable): return a(1)\nr = f(unseen)": "?",
    "def f(a: Callable[..., Any]): return a(1)\nr = f(unseen)": "?",
    "def f(a: nn.Module | Callable[..., nn.ReLU]): return a(1)\nr = f(unseen)": "Tensor | nn.ReLU (likely)",
    "def f(*a: Callable[..., Tensor]): return a(1)\nr = f(unseen)": "?",
    "def f(*a: Callable[..., Tensor]): return a[0](1)\nr = f(unseen)": "Tensor (likely)",
    "def f(a: list[Callable[..., Tensor]]):\n    for b in a: return b(1)\nr = f(unseen)": "Tensor (likely)",
    "def f() -> Callable[..., Tensor]: return unseen\nr = f()(1)": "Tensor (likely)",
    "class B:\n    def __init__(self, a: Callable[..., Tensor]): self.a = a\n    def f(self): return self.a(1)\n"
    "r = B(unseen).f()": "Tensor (likely)",
    "class B:\n    a: Optional[Type[Own]] = None\n    def f(self): return self.a(1)\nr = B().f()": "Own (likely)",
    "def f(a: Type[nn.Module]): return a.forward\nr = f(unseen)": "?",
    "def f(a): return a(1)\nr = f(unseen)": "?",
}

ALIASES = {
    "A = Tuple[int, int]\nclass B(nn.Module):\n    def forward(self, x, y: A): return y\nr = B()(unseen, unseen)": (
        "tuple(int, int) (likely)"
    ),
    "A = Tuple[int, Tensor]\nr: A": "tuple(int, Tensor) (likely)",
    "A = dict[str, Tensor]\nr: A": "dict[Tensor] (likely)",
    "A = Optional[Tensor]\nr: A": "Tensor | None (likely)",
    "A = Tensor | None\nr: A": "Tensor | None (likely)",
    "A = Union[Tensor, Own]\nr: A": "Tensor | Own (likely)",
    "A = Union[Tensor, unseen]\nr: A": "? (likely)",
    "A = Tensor | Own | None\nr: A": "Tensor | Own | None (likely)",
    "A = List[int]\nB = Optional[A]\nr: B": "list[int] | None (likely)",
    "A = Tuple[int, Tensor]\ndef f(x: List[A]): return x\nr = f(unseen)": "list[tuple(int, Tensor)] (likely)",
    "A = jaxtyping.Float[Tensor, 'b c']\nr: A": "Tensor (likely)",
    "A = Callable[..., Tensor]\ndef f(x: A): return x(1)\nr = f(unseen)": "Tensor (likely)",
    "A = Type[nn.Module]\ndef f(x: A = nn.ReLU): return x()\nr = f()": "nn.Module | nn.ReLU (likely)",
    "A: typing.TypeAlias = 'list[Tensor]'\nr: A": "list[Tensor] (likely)",
    "type A = list[Tensor]\nr: A": "list[Tensor] (likely)",
    "type A = Tensor | None\nr: A": "Tensor | None (likely)",
    "type A = list[A] | Tensor\nr: A": "list[list[? | Tensor] | Tensor] | Tensor (likely)",
    "A = Dict[str, 'A']\nr: A": "dict[?] (likely)",
    "A = typing.NewType('A', Tensor)\nr: A": "Tensor (likely)",
    "A = typing.NewType('A', Tensor)\nr = A(unseen)": "Tensor",
    "A = typing.TypeAliasType('A', tuple[Tensor, int])\nr: A": "tuple(Tensor, int) (likely)",
    "A = typing.NewType('A', unseen)\nr: A": "? (likely)",
    "class B:\n    A = Tuple[int, Tensor]\n    def f(self, x: A): return x\nr = B().f(unseen)": "tuple(int, Tensor) (likely)",
    "A = Union[Tensor, Own]\nx = unseen\nif isinstance(x, A): r = x": "Tensor | Own",
    "A = Dict[str, Tensor]\nr = A()": "dict[Tensor]",
    "r = Own[int]()": "Own",
    "r = torch.utils.data.Dataset[int]": "=utils.data.Dataset",
    "class B(Generic[Tensor]):\n    def f(self): return torch.ones(1)\nclass C(B[int]): pass\nr = C().f()": "Tensor",
    "class B(torch.utils.data.Dataset[int]): pass\nr = B().missing": "never",
    "import enum\nclass B(enum.Enum):\n    X = 1\nr = B['X']": "?",
    "class B(metaclass=unseen): pass\nr = B['X']": "?",
    "import os\nr = os.environ['X']": "?",
    "A = numpy.ndarray | Tensor\nr: A": "numpy.ndarray | Tensor (likely)",
    "import os\nr = os.O_RDONLY | os.O_APPEND": "?",
}

ISINSTANCE = {
    "A = (int, Tensor)\nx = unseen\nif isinstance(x, A):\n    r = x": "int | Tensor",
    "A = (int, (Tensor, Own))\nx = unseen\nif isinstance(x, A):\n    r = x": "int | Tensor | Own",
    "A = (unseen, Tensor)\nx = unseen\nif isinstance(x, A):\n    r = x": "?",
    "A = (Tensor,)\nx = torch.ones(1) if q else 1\nif isinstance(x, A):\n    r = x": "Tensor",
    "A = (Tensor,)\nx = torch.ones(1) if q else 1\nif not isinstance(x, A):\n    r = x": "int",
    "x = unseen\nif isinstance(x, Tensor):\n    r = x": "Tensor",
    "x = unseen\nif isinstance(x, (Tensor, int)):\n    r = x": "Tensor | int",
    "x = unseen\nif isinstance(x, (Tensor, unseen)):\n    r = x": "?",
    "x = unseen\nif isinstance(x, unseen):\n    r = x": "?",
    "x = torch.ones(1)\nif isinstance(x, Tensor):\n    r = x": "Tensor",
    "x = torch.ones(1) if q else 1\nif isinstance(x, Tensor):\n    r = x": "Tensor",
    "x = torch.ones(1) if q else 1\nif isinstance(x, int):\n    r = x": "int",
    "x = torch.ones(1) if q else 1\nif isinstance(x, str):\n    r = x": "str",
    "x = nn.ReLU()\nif isinstance(x, nn.Module):\n    r = x": "nn.ReLU",
    "x = nn.ReLU() if q else unseen\nif isinstance(x, nn.Module):\n    r = x": "nn.ReLU | nn.Module",
    "x = [torch.ones(1)] if q else 1\nif isinstance(x, list):\n    r = x": "list(Tensor)",
    "x = {'a': Own()} if q else 1\nif isinstance(x, dict):\n    r = x": "{a: Own}",
    "class B(Own): pass\nx = B() if q else 1\nif isinstance(x, Own):\n    r = x": "B",
    "class B(nn.Module): pass\nx = B() if q else 1\nif isinstance(x, nn.Module):\n    r = x": "B",
    "x = unseen\nif torch.is_tensor(x):\n    r = x": "Tensor",
    "x = unseen\nif unseen.is_tensor(x):\n    r = x": "?",
    "x = 1\nif unseen.is_tensor(x):\n    r = x": "int",
    "x = unseen\nif isinstance(x, type):\n    r = x": "?",
    "x = nn.ReLU if q else 1\nif isinstance(x, type):\n    r = x": "=nn.ReLU",
    "x = Own if q else 1\nif isinstance(x, type):\n    r = x": "=Own",
    "import functools\nx = functools.partial(nn.ReLU) if q else 1\n"
    "if isinstance(x, functools.partial):\n    r = x.func": "=nn.ReLU",
    "import types\ndef f(): pass\nx = f if q else 1\nif isinstance(x, types.FunctionType):\n    r = x": "=f",
    "x = unseen\nif isinstance(x, Tensor) or isinstance(x, int):\n    r = x": "Tensor | int",
    "x = torch.ones(1)\nif isinstance(x, Tensor) or isinstance(x, int):\n    r = x": "Tensor",
    "x = torch.ones(1)\nif isinstance(x, Own) or isinstance(x, int):\n    r = x": "Own | int",
    "x: Tensor = unseen\nif not torch.is_tensor(x) and not isinstance(x, int): quit()\nelse:\n    r = x": "Tensor (likely)",
    "x = unseen\nif (torch.is_tensor(x) or isinstance(x, int) or isinstance(x, str)) and q:\n    r = x": "Tensor | int | str",
    "x = unseen\nif not (not isinstance(x, Tensor) and not isinstance(x, int)):\n    r = x": "Tensor | int",
    "x = unseen\nif isinstance(x, (int, str)) and (isinstance(x, int) or isinstance(x, bool)):\n    r = x": "int | bool",
    "x = unseen\nr = x if isinstance(x, Tensor) or isinstance(x, int) else ''": "Tensor | int | str",
    "x = unseen\nif isinstance(x, Tensor) or q:\n    r = x": "?",
    "x = unseen\nif isinstance(x, Tensor) or isinstance(q, Tensor):\n    r = x": "?",
    "x = unseen\nif isinstance(x, Tensor) or isinstance(x, int) and q:\n    r = x": "Tensor | int",
    "x = unseen\nif isinstance(x, Tensor) or (isinstance(x, int) or q):\n    r = x": "?",
    "x = unseen\nif isinstance(x, Tensor) or isinstance(x, int):\n    pass\nr = x": "?",
    "x = unseen\nif (isinstance(x, Tensor) or isinstance(x, int)) and isinstance(x, int):\n    pass\nr = x": "?",
    "x = unseen\nr = [y for y in x if isinstance(y, Tensor)]": "list[Tensor]",
    "x = unseen\nr = [y for y in x if torch.is_tensor(y) and y]": "list[Tensor]",
}

FAILED = {
    "x = torch.ones(1) if q else 1\nif not isinstance(x, Tensor):\n    r = x": "int",
    "x = torch.ones(1) if q else 1\nif isinstance(x, Tensor):\n    pass\nelse:\n    r = x": "int",
    "x = torch.ones(1) if q else 1\nif isinstance(x, Tensor): quit()\nelif q:\n    r = x": "int",
    "x = torch.ones(1) if q else 1\nr = 1 if isinstance(x, Tensor) else x": "int",
    "x = torch.ones(1) if q else 1\nr = 'a' if torch.is_tensor(x) else x": "str | int",
    "x = torch.ones(1) if q else 1\nif isinstance(x, int) or (r := x): pass": "Tensor",
    "x = nn.Parameter() if q else 1\nif not isinstance(x, Tensor):\n    r = x": "int",
    "x = Own() if q else 1\nif not isinstance(x, Own):\n    r = x": "int",
    "class B(Own): pass\nx = B() if q else 1\nif not isinstance(x, Own):\n    r = x": "int",
    "class B(Own): pass\nx = Own() if q else 1\nif not isinstance(x, B):\n    r = x": "Own | int",
    "class B(nn.ReLU): pass\nx = B() if q else 1\nif not isinstance(x, nn.Module):\n    r = x": "int",
    "x = unseen\nif not isinstance(x, Tensor):\n    r = x": "?",
    "x = torch.ones(1)\nif not isinstance(x, unseen):\n    r = x": "Tensor",
    "x = torch.ones(1)\nif not isinstance(x, Tensor):\n    r = x": "never",
    "x = [1] if q else 1\nif not isinstance(x, list):\n    r = x": "int",
    "x: list[Tensor] | int = unseen\nif not isinstance(x, list):\n    r = x": "list[Tensor] | int (likely)",
    "x: list[Tensor] | int = unseen\nif not isinstance(x, (list, tuple)):\n    r = x": "int (likely)",
    "x: tuple[Tensor, ...] | int = unseen\nif not isinstance(x, tuple):\n    r = x": "int (likely)",
    "x = unseen\nif not isinstance(x, Tensor):\n    x = torch.ones(1)\nr = x": "Tensor",
    "x = unseen\nif isinstance(x, Tensor):\n    pass\nr = x": "?",
    "x = torch.ones(1) if q else 1\nif isinstance(x, int):\n    pass\nr = x": "Tensor | int",
    "x = torch.ones(1) if q else Own() if q else 1\n"
    "if isinstance(x, int): quit()\nelif isinstance(x, Own): quit()\nelse:\n    r = x": "Tensor",
    "x = torch.ones(1) if q else Own() if q else 1\n"
    "if not (isinstance(x, int) or isinstance(x, Own)):\n    r = x": "Tensor",
    "x = torch.ones(1) if q else Own() if q else 1\n"
    "if not (isinstance(x, int) and isinstance(x, Own)):\n    r = x": "Tensor | Own | int",
    "x = torch.ones(1) if q else 1\nr = [y for y in [x] if not isinstance(y, int)]": "list[Tensor]",
    "x = torch.ones(1) if q else 1\ny = [x for x in [x] if not isinstance(x, int)]\nr = x": "Tensor | int",
}


OF_LIBRARIES = {
    "def f(x: torch.tensor):\n    global r\n    r = x": "Tensor (likely)",
    "def f(x: Optional[torch.tensor] = None):\n    global r\n    r = x": "Tensor | None (likely)",
    "def f() -> torch.tensor: ...\nr = f()": "Tensor (likely)",
    "def f(x: torch.optim):\n    global r\n    r = x": "optim.Optimizer (likely)",
    "def f(x: 'torch.distributions | None' = None):\n    global r\n    r = x": "distributions.Distribution | None (likely)",
    "def f(x: nn):\n    global r\n    r = x": "nn.Module (likely)",
    "def f(x: torch.cuda):\n    global r\n    r = x": "?",
    "from torchtyping import TensorType\ndef f(x: TensorType['batch', 3]):\n    global r\n    r = x": "Tensor (likely)",
    "from torchtyping import TensorType\nRow = TensorType['n']\ndef f(x: Row):\n    global r\n    r = x": "Tensor (likely)",
    "from torchtyping import TensorType\ndef f(x: TensorType):\n    global r\n    r = x": "Tensor (likely)",
    "from torchtyping import TensorType\nclass Row(TensorType['n']): pass\ndef f(x: Row):\n    global r\n    r = x.shape": (
        "=Tensor.shape (likely)"
    ),
    "from torchtyping import other\ndef f(x: other['n']):\n    global r\n    r = x": "torchtyping.other (likely)",
}
MISTAKEN = {
    "def f(x: float):\n    global r\n    r = x.square()": "Tensor (likely)",
    "def f(x: Optional[float] = None):\n    global r\n    r = x.square()": "Tensor (likely)",
    "def f(x: float):\n    global r\n    x.square()\n    r = torch.ones(1) - x": "Tensor (likely)",
    "def f(x: int | str):\n    global r\n    x.upper()\n    r = x": "int | str (likely)",
    "def f(x: float):\n    global r\n    x.hex()\n    r = x": "float (likely)",
}
PROTOCOLS = {
    "class P(typing.Protocol):\n    def __call__(self, x) -> Tensor: ...\ndef f(g: P): return g(1)\nr = f(unseen)": (
        "Tensor (likely)"
    ),
    "class P(typing.Protocol):\n    def __call__(self, x) -> int: ...\n"
    "def f(g: P = torch.abs):\n    global r\n    r = g\nf()": "giving int (likely) | =abs (likely)",
    "class P(typing.Protocol):\n    def g(self): ...\ndef f(x: P):\n    global r\n    r = x": "P (likely)",
    "class P:\n    def __call__(self): ...\nclass Q(P): pass\ndef f(x: Q):\n    global r\n    r = x": "Q (likely)",
}
OF_RESULTS = {
    "def f(x: other.Thing) -> Tensor: return x.mean\nr = f(unseen)": "Tensor (likely)",
    "def f(x: other.Thing) -> Tensor: return x.mean if q else torch.ones(1)\nr = f(unseen)": "Tensor (likely)",
    "def f(x: other.Thing): return x.mean\nr = f(unseen)": "other.Thing.mean (likely)",
    "def f(x: numpy.ndarray) -> Tensor: return x.mean\nr = f(unseen)": "numpy.ndarray.mean (likely)",
    "def f(m: nn.Module):\n    global r\n    _, r = m(1)": "Tensor | ? (likely)",
    "def f(m: nn.Module):\n    global r\n    _, r = m(1)\n    r.missing": "? (likely)",
    "def f(m: nn.Linear):\n    global r\n    _, r = m(1)": "Tensor (likely)",
    "def f(m: nn.Module):\n    global r\n    r = m(1)": "Tensor (likely)",
}
CONTEXTLESS = {
    "class F(torch.autograd.Function):\n    @staticmethod\n    def forward(x, y):\n        global r\n        r = x\n"
    "    @staticmethod\n    def setup_context(ctx, inputs, output): ...": "Tensor (likely)",
    "class F(torch.autograd.Function):\n    @staticmethod\n    def forward(x, y):\n        global r\n        r = x": (
        "autograd.function.FunctionCtx (likely)"
    ),
    "class F(torch.autograd.Function):\n    @staticmethod\n    def setup_context(ctx, inputs, output): ...\n"
    "class G(F):\n    @staticmethod\n    def forward(x):\n        global r\n        r = x": "Tensor (likely)",
}
RECEIVERS = {
    "class A:\n    def made(model):\n        model.named_modules()\n        return model\nr = A.made(unseen)": (
        "nn.Module (likely)"
    ),
    "class A:\n    def made(self): return self\nr = A().made()": "A",
    "class A:\n    def made(me): return me\nr = A().made()": "A",
    "class A:\n    def made(_self): return _self\nr = A().made()": "A",
    "class A:\n    @unseen\n    def made(model): return model\nr = A().made()": "A",
}
FILLED = {
    "def f(x: dict):\n    global r\n    r = x['a']\nf({'a': torch.ones(1)})": "? | Tensor (likely)",
    "def f(x: Dict[str, Any]):\n    global r\n    r = x['a']\nf({'a': torch.ones(1)})": "? | Tensor (likely)",
    "def f(x: Optional[list] = None):\n    global r\n    r = x[0]\nf([torch.ones(1)])": "? | Tensor (likely)",
    "def f(x: dict):\n    global r\n    r = x\nf(torch.ones(1))": "dict[?] (likely)",
    "def f(x: dict):\n    global r\n    r = x": "dict[?] (likely)",
    "def f(x: dict[str, int]):\n    global r\n    r = x['a']\nf({'a': torch.ones(1)})": "int (likely)",
    "def f(x: None):\n    global r\n    r = x\nf([torch.ones(1)])": "None (likely)",
}
A_CLASS = {
    "class B(nn.Module): pass\ndef f(x: nn.Module = B):\n    global r\n    r = x": "giving nn.Module (likely) | =B (likely)",
    "def f(x: nn.Module = nn.ReLU):\n    global r\n    r = x\nf(nn.GELU)": (
        "giving nn.Module (likely) | =nn.GELU (likely)"
    ),
    "def f(x: nn.Module = nn.ReLU):\n    global r\n    r = x": "giving nn.Module (likely) | =nn.ReLU (likely)",
    "def f(x: nn.Module = nn.ReLU()):\n    global r\n    r = x": "nn.Module (likely)",
    "def f(x: Tensor = nn.ReLU):\n    global r\n    r = x": "Tensor (likely)",
    "def f(x: torch.dtype = torch.float):\n    global r\n    r = x": "dtype (likely)",
}


@pytest.mark.parametrize(
    ("source", "expected"),
    {
        **A_CLASS,
        **OF_LIBRARIES,
        **RECEIVERS,
        **MISTAKEN,
        **PROTOCOLS,
        **CONTEXTLESS,
        **OF_RESULTS,
        **FILLED,
        **ANNOTATIONS,
        **PARAMETERS,
        **MADE,
        **ALIASES,
        **ISINSTANCE,
        **FAILED,
    }.items(),
)
def test_what_a_name_is(source: str, expected: str) -> None:
    assert value_of(source) == expected


def test_an_alias_of_another_module(tmp_path: Path) -> None:
    write(
        tmp_path, {"kinds.py": "import torch\nfrom typing import Optional\nMaybe = Optional[torch.Tensor]\n"}
    )
    assert value_of("from kinds import Maybe\nr: Maybe", root=tmp_path) == "Tensor | None (likely)"
    assert value_of("import kinds\nr: list[kinds.Maybe]", root=tmp_path) == "list[Tensor | None] (likely)"
