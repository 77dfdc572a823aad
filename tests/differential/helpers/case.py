"""What a proof of a helper is: the same source, run with PyTorch's API and with the helper, gives the same."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Case:
    """One comparison.

    `made` are the arguments of the class or function, as source; in it `x`, `y` ... are the inputs, `float16` and
    the like are the framework's dtypes, `tensor(...)` makes a Tensor. For a class, `called` are the arguments of the
    call. With `script`, that source is run instead, with the names of `apis` bound to PyTorch's and to the helpers'
    objects, and what it leaves in `result` is compared.
    """

    apis: tuple[str, ...]
    made: str = ""
    called: str | None = None
    script: str = ""
    inputs: dict[str, str] = field(default_factory=dict)
    """Per name an expression of NumPy, with `normal(shape)`, `uniform(shape)`, `integers(shape, below)`."""
    train: bool = True
    """Whether a class is compared in training mode, too."""
    gradients: bool = True
    fixed: tuple[str, ...] = ()
    """Inputs without a gradient in PyTorch."""
    changed: tuple[str, ...] = ()
    """Inputs that the function changes, compared afterwards."""
    tolerance: float = 1e-5
    """As a part of the scale; whole numbers are compared exactly if this is less than 1."""
    singular: bool = False
    """Whether gradients are infinite or undefined near the inputs, so that gradients of them say nothing."""
    large: bool = False
    """Whether it makes a network that takes seconds: `make large-networks` compares those."""
    random: str = ""
    """For what is drawn at random: expressions of `result` that are compared with this tolerance instead."""

    @property
    def name(self) -> str:
        if self.script:
            return f"{self.apis[-1]}: {self.script.strip()[-400:]}".replace("\n", "; ")
        shapes = ", ".join(f"{name}={value}" for name, value in self.inputs.items())
        return f"{self.apis[0]}({self.made}) {self.called or ''} {shapes}"


def layer(api: str, made: str = "", x: str = "", *, called: str = "x", **options: object) -> Case:
    """A class, built with `made` and called."""
    inputs = {"x": x, **dict(options.pop("inputs", {}))}  # type: ignore[call-overload]
    return Case((api,), made, called, inputs={k: v for k, v in inputs.items() if v}, **options)  # type: ignore[arg-type]


def function(api: str, made: str, x: str = "", **options: object) -> Case:
    """A function, called with `made`."""
    inputs = {"x": x, **dict(options.pop("inputs", {}))}  # type: ignore[call-overload]
    return Case((api,), made, inputs={k: v for k, v in inputs.items() if v}, **options)  # type: ignore[arg-type]


def script(apis: str, source: str, **options: object) -> Case:
    """A source that binds `result`; `apis` are separated by spaces."""
    return Case(tuple(apis.split()), script=source, **options)  # type: ignore[arg-type]
