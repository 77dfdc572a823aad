"""How the arguments of a call reach its counterpart, and what matters there. See `plan_text.py` for how it is written."""

from __future__ import annotations

from typing import Any

import pytest
from plan_text import as_text, fitted

F = "torch.some_function"
ADD = "x = torch.ones(3)\nx.add"
DIM = "input, dim=0, *, out=None"
ALPHA = "other, *, alpha=1"

# fmt: off
CASES: dict[str, tuple[Any, ...]] = {
    # code, torch's signatures, the counterpart's, differences, what becomes of it, options
    'the same': (F + '(x, 1)', DIM, 'input, dim=0', '', 'as it is'),
    'a parameter that the counterpart lacks, not declared': (F + '(x, out=1)', DIM, 'input, dim=0', '', 'no rewrite'),
    'too few for the counterpart': (F + '(x)', DIM, 'input, dim', '', 'no rewrite'),
    'keyword-only needed': (F + '(x)', DIM, 'input, *, dim', '', 'no rewrite'),
    'needed but a star': (F + '(x)', DIM, 'input, *dim', '', 'as it is'),
    'needed but double star': (F + '(x)', DIM, 'input, **dim', '', 'as it is'),
    'second overload fits': (F + '(x, 1)', DIM, 'input / input, dim=0', '', 'as it is'),
    'first overload of two': (F + '(x)', DIM, 'input, dim=0 / input', '', 'as it is'),
    "torch's second overload": (F + '(x, y, z)', 'input / a, b, c', 'a, b, c', '', 'as it is'),
    'renamed after a keyword': (F + '(input=x, dim=1)', DIM, 'x, axis=0', 'renamed input x; renamed dim axis', 'x=0, axis=1; renamed renamed ()'),
    'renamed first by position': (F + '(x, dim=1)', DIM, 'x, dim=0', 'renamed input x', 'as it is'),
    'renamed by position, other place': (F + '(x, 1)', DIM, 'x, other=0, axis=0', 'renamed input x; renamed dim axis', '0, axis=1'),
    'renamed to what is taken': (F + '(x, dim=1)', DIM, 'input', 'renamed dim input', 'no rewrite; renamed (renamed)'),
    'renamed to what is positional only': (F + '(x, dim=1)', DIM, 'input, axis, /', 'renamed dim axis', 'no rewrite; renamed (renamed)'),
    'by position to positional only': (F + '(x, 1)', DIM, 'input, dim=0, /', '', 'as it is'),
    'by keyword to positional only': (F + '(x, dim=1)', DIM, 'input, dim=0, /', '', 'no rewrite'),
    'keyword only by position': (F + '(x, 1)', DIM, 'input, *, dim=0', 'keyword_only dim dim', '0, dim=1; keyword_only ()'),
    'keyword only by keyword': (F + '(x, dim=1)', DIM, 'input, *, dim=0', 'keyword_only dim dim', 'as it is'),
    'after one by keyword': (F + '(x, 1, 2)', 'input, dim=0, more=0', 'input, more=0, dim=0', 'order', '0, dim=1, more=2; order ()'),
    'one by position in another order': (F + '(x, dim=1)', DIM, 'dim=0, input=0', 'order', 'input=0, dim=1'),
    'by keyword in another order': (F + '(dim=1, input=x)', DIM, 'dim=0, input=0', 'order', 'as it is'),
    'default added': (F + '(x)', DIM, 'input, dim=1', 'default dim dim 0', '0 + dim=0; default ()'),
    'default given': (F + '(x, 1)', DIM, 'input, dim=1', 'default dim dim 0', 'as it is'),
    'default given by keyword': (F + '(x, dim=1)', DIM, 'input, dim=1', 'default dim dim 0', 'as it is'),
    'default that cannot be written': (F + '(x)', 'input, dim=g()', 'input, dim=1', 'default dim dim g()', 'as it is; default (default)'),
    'default unknown': (F + '(x)', DIM, 'input, dim=1', 'default dim dim', 'as it is; default (default)'),
    'default of nothing': (F + '(x)', DIM, 'input, dim=1', 'default dim', 'as it is; default (default)'),
    'default of a parameter that is not there': (F + '(x)', DIM, 'input', 'default dim dim 0', 'as it is; default (default)'),
    'default of positional only': (F + '(x)', DIM, 'input, dim=1, /', 'default dim dim 0', 'as it is; default (default)'),
    'required added': (F + '(x)', DIM, 'input, dim', 'required dim dim 0', '0 + dim=0; required ()'),
    'required renamed': (F + '(x)', DIM, 'input, axis', 'required dim axis 0', '0 + axis=0; required ()'),
    'required twice': (F + '(x)', DIM, 'input, axis', 'required dim axis 0; default dim axis 0', '0 + axis=0; required default ()'),
    'required taken by another': (F + '(x, 1)', 'input, more=0, dim=0', 'input, axis', 'renamed more axis; required dim axis 0', 'as it is; required (required)'),
    'extra': (F + '(x)', DIM, 'input, dim=0, more=0', 'extra - more', 'as it is'),
    'missing dropped': (F + '(x, out=None)', DIM, 'input, dim=0', 'missing out None', '0'),
    'missing not dropped': (F + '(x, out=y)', DIM, 'input, dim=0', 'missing out None', 'no rewrite; missing (missing)'),
    'missing dropped if looked at': (F + '(x, out=y)', DIM, 'input, dim=0', 'missing out ?y', '0; missing (missing)'),
    'missing general': (F + '(x, out=y)', DIM, 'input, dim=0', 'missing_general out', 'no rewrite; missing (missing)'),
    'missing general left out': (F + '(x)', DIM, 'input, dim=0', 'missing_general out', 'as it is'),
    'missing general looked at': (F + '(x, out=y)', DIM, 'input, dim=0', 'missing_general out ?y', '0; missing (missing)'),
    'missing by position in the middle': (F + '(x, 0, 5)', 'input, dim=0, more=0', 'input, more=0', 'missing dim 0', '0, 2'),
    'missing by position at the end': (F + '(x, 0)', DIM, 'input', 'missing dim 0', '0'),
    'missing one of two': (F + '(x, 0, out=None)', DIM, 'input', 'missing dim 0; missing out None', '0'),
    'behaviour': (F + '(x)', DIM, 'input, dim=0', 'behaviour', 'as it is; behaviour (behaviour)'),
    'behaviour of a parameter': (F + '(x, 1)', DIM, 'input, dim=0', 'behaviour dim', 'as it is; behaviour (behaviour)'),
    'behaviour of a parameter left out': (F + '(x)', DIM, 'input, dim=0', 'behaviour dim', 'as it is'),
    'unpacked': (F + '(*x)', DIM, 'input, dim=0', 'behaviour', 'no rewrite; behaviour (behaviour); not sure'),
    'unpacked, nothing known against it': (F + '(*x)', DIM, 'input, dim=0', '', 'stays a name; not sure'),
    'unpacked, harmless': (F + '(*x)', DIM, 'input, dim=0', 'extra - more', 'stays a name; not sure'),
    'unpacked, not compared': (F + '(*x)', DIM, 'input, dim=0', '', 'no rewrite; not sure', {'compared': False}),
    'nothing given and nothing known': (F + '()', 'not known', '', '', 'as it is'),
    'something given and nothing known': (F + '(x)', 'not known', 'x', '', 'stays a name; not sure'),
    'not bound': (F + '(x, 1, 2, 3)', DIM, 'input, dim=0', '', 'stays a name; not sure'),
    'one value to a star': (F + '(3)', '*size', '*size', '', 'as it is'),
    'packed': (F + '(3, 4)', '*size', 'shape', 'packed size shape', '(0), (1); packed ()'),
    'packed one number': (F + '(3)', '*size', 'shape', 'packed size shape', '(0); packed ()'),
    'packed one value': (F + '(n)', '*size', 'shape', 'packed size shape', '(0)'),
    'packed starred': (F + '(*n)', '*size', 'shape', 'packed size shape', '(0); packed ()'),
    'packed and a keyword': (F + '(3, 4, out=y)', '*size, out=None', 'shape, out=None', 'packed size shape', '(0), (1), out=2; packed ()'),
    'packed after one': (F + '(x, 3, 4)', 'input, *size', 'input, shape', 'packed size shape', '0, (1), (2); packed ()'),
    'packed to a keyword only': (F + '(3, 4)', '*size', '*, shape', 'packed size shape', 'shape=(0), (1); packed ()'),
    'packed elsewhere': (F + '(3, 4)', '*size', 'other=0, shape=0', 'packed size shape', 'shape=(0), (1); packed ()'),
    'star to a star': (F + '(3, 4)', '*size', '*size', '', 'as it is'),
    'star starred': (F + '(*n)', '*size', '*size', '', 'as it is'),
    'star to another star': (F + '(3, 4)', '*size', '*shape', '', 'no rewrite'),
    'star to none': (F + '(3, 4)', '*size', 'size', '', 'no rewrite'),
    'double starred': (F + '(**n)', '*size', '*size', '', 'stays a name; not sure'),
    'star args takes any': (F + '(x, 1)', DIM, '*args', '', 'as it is'),
    'star args takes any and keywords': (F + '(x, dim=1)', DIM, '*args, **kwargs', '', 'as it is'),
    'star args takes no keyword': (F + '(x, dim=1)', DIM, '*args', '', 'no rewrite'),
    'star args not compared': (F + '(x, 1)', DIM, '*args', '', 'no rewrite', {'compared': False}),
    'star args last keyword': (F + '(x, dim=1)', DIM, '*args, more=0', '', 'no rewrite'),
    'named star does not take any': (F + '(x, 1)', DIM, '*size', '', 'no rewrite'),
    'later args do not take any': (F + '(x, 1)', DIM, 'a, *args', '', 'no rewrite'),
    'no parameter at all': (F + '(x)', DIM, '', '', 'no rewrite'),
    'a member for a function': (F + '(x)', DIM, 'dim=0', '', 'no rewrite', {'target': 'mindspore.Tensor.f'}),
    'reference': (F, DIM, DIM, '', 'stays a name'),
    'reference, behaviour': (F, DIM, DIM, 'behaviour', 'no rewrite; behaviour (behaviour)'),
    'reference, missing': (F, DIM, DIM, 'missing out', 'stays a name; not sure'),
    'reference, missing general': (F, DIM, DIM, 'missing_general out', 'stays a name; not sure'),
    'reference, extra': (F, DIM, DIM, 'extra - more', 'stays a name'),
    'reference, renamed': (F, DIM, DIM, 'renamed dim axis', 'no rewrite; renamed (renamed)'),
    'reference, not compared': (F, DIM, DIM, '', 'stays a name; not sure', {'compared': False}),
    'annotation': ('x: torch.Tensor', DIM, DIM, 'behaviour', 'stays a name'),
    'annotation of a template': ('x: torch.Tensor', DIM, DIM, '', 'no rewrite', {'template': 'f(x)'}),
    'base': ('class A(torch.nn.Module): pass', DIM, DIM, 'renamed dim axis; behaviour', 'stays a name; behaviour (behaviour)'),
    'attribute': ('torch.float32', DIM, DIM, 'behaviour', 'stays a name; behaviour (behaviour)'),
    'method of the tensor': (ADD + '(1)', ALPHA, ALPHA, '', 'as it is, receiver stays', {'target': 'mindspore.Tensor.add'}),
    'method, renamed': (ADD + '(other=1)', ALPHA, 'y', 'renamed other y', 'y=0, receiver stays; renamed ()', {'target': 'mindspore.Tensor.add'}),
    'method to a function': (ADD + '(1)', ALPHA, 'input, other, *, alpha=1', '', 'as it is, receiver first'),
    'method to a function, first by keyword only': (ADD + '(1)', 'other', '*, input, other', '', 'no rewrite'),
    'method to a function without parameters': (ADD + '(1)', 'other', '', '', 'no rewrite'),
    'method to a function by keyword': (ADD + '(other=1)', ALPHA, 'input, other, *, alpha=1', '', 'as it is, receiver first'),
    'method to a function whose second is needed': (ADD + '()', '', 'input, other', '', 'no rewrite'),
    'method to a function with only the receiver': (ADD + '()', '', 'input', '', 'as it is, receiver first'),
    'method to a function with a star': (ADD + '(1)', 'other', '*args', '', 'no rewrite'),
    'method to a positional-only receiver': (ADD + '(1)', 'other', 'input, /, other', '', 'as it is, receiver first'),
    'method through the class': ('torch.Tensor.add(x, 1)', ALPHA, ALPHA, '', 'as it is', {'target': 'mindspore.Tensor.add'}),
    'method through the class, renamed': ('torch.Tensor.add(x, other=1)', ALPHA, 'y', 'renamed other y', 'y=1; renamed ()', {'target': 'mindspore.Tensor.add'}),
    'method through the class to a function': ('torch.Tensor.add(x, 1)', ALPHA, 'input, other', '', 'no rewrite'),
    'attribute of a tensor': ('x = torch.ones(3)\nx.shape', 'not known', 'not known', '', 'stays a name', {'target': 'mindspore.Tensor.shape'}),
    'attribute by a template': ('x = torch.ones(3)\nx.shape', 'not known', 'not known', '', 'mindspore.mint.f(self) | self: self', {'template': 'mindspore.mint.f(self)'}),
    'attribute by a template with more': ('x = torch.ones(3)\nx.shape', 'not known', 'not known', '', 'no rewrite', {'template': 'mindspore.mint.f(self, dim)'}),
    'reference by a template': (F, DIM, 'not known', '', 'no rewrite', {'template': 'mindspore.mint.f(input)'}),
}
# fmt: on


@pytest.mark.parametrize("name", CASES)
def test_how_a_candidate_fits(name: str) -> None:
    source, torch, other, differences, expected, *options = CASES[name]
    assert as_text(fitted(source, torch, other, differences, **dict(*options))) == expected
