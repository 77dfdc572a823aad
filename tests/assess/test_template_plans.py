"""What stands for the names of a template, and what has to be named. See `plan_text.py` for how it is written."""

from __future__ import annotations

from typing import Any

import pytest
from mindport.catalog.answer import When
from plan_text import ADD, ALPHA, DIM, F, as_text, fitted

# fmt: off
CASES: dict[str, tuple[Any, ...]] = {
    # code, torch's signatures, the template, differences, what becomes of it, options
    'one argument': (F + '(x)', DIM, 'mindspore.mint.f(input)', '', 'mindspore.mint.f(input) | input: 0'),
    'default': (F + '(x)', DIM, 'mindspore.mint.f(input, dim)', '', 'mindspore.mint.f(input, dim) | input: 0, dim: 0'),
    'given': (F + '(x, 1)', DIM, 'mindspore.mint.f(input, dim)', '', 'mindspore.mint.f(input, dim) | input: 0, dim: 1'),
    'given and no place': (F + '(x, 1)', DIM, 'mindspore.mint.f(input)', '', 'no rewrite'),
    'default given and no place': (F + '(x, 0)', DIM, 'mindspore.mint.f(input)', '', 'mindspore.mint.f(input) | input: 0'),
    'given and harmless': (F + '(x, 1)', DIM, 'mindspore.mint.f(input)', '', 'mindspore.mint.f(input) | input: 0', {'harmless': ('dim',)}),
    'meant': (F + '(x, 1)', DIM, 'mindspore.mint.f(input)', '', 'mindspore.mint.f(input) | input: 0', {'when': When(('dim',))}),
    'meant but has an effect': (F + '(x, g())', DIM, 'mindspore.mint.f(input)', '', 'no rewrite', {'when': When(('dim',))}),
    "default of torch's own": (F + '(x)', 'input, dim=torch.e', 'mindspore.mint.f(input, dim)', '', 'no rewrite'),
    'no default': (F + '()', 'input=1 / a, dim', 'mindspore.mint.f(input, dim)', '', 'no rewrite'),
    'not a parameter': (F + '(x)', DIM, 'mindspore.mint.f(input, nothing)', '', 'no rewrite'),
    'builtin': (F + '(x)', DIM, 'tuple(input)', '', 'tuple(input) | input: 0'),
    'twice': (F + '(x)', DIM, 'input + input', '', 'input + input | input: 0'),
    'twice with an effect': (F + '(g())', DIM, 'input + input', '', 'input + input | input: 0 | names 0 or 0'),
    'twice with an effect, a walrus': (F + '((y := g()))', DIM, 'input + input', '', 'input + input | input: 0 | names - or -'),
    'another order': (F + '(g(), h())', DIM, 'mindspore.mint.f(dim, input)', '', 'mindspore.mint.f(dim, input) | dim: 1, input: 0 | names 0 or -'),
    'another order, plain': (F + '(x, 1)', DIM, 'mindspore.mint.f(dim, input)', '', 'mindspore.mint.f(dim, input) | dim: 1, input: 0'),
    'another order, one plain': (F + '(x, h())', DIM, 'mindspore.mint.f(dim, input)', '', 'mindspore.mint.f(dim, input) | dim: 1, input: 0'),
    'another order and twice': (F + '(g(), h())', DIM, 'mindspore.mint.f(dim, input, dim)', '', 'mindspore.mint.f(dim, input, dim) | dim: 1, input: 0 | names 0,1 or -'),
    'in a comprehension': (F + '(g())', DIM, '[each for each in input]', '', '[each for each in input] | input: 0'),
    'within a comprehension': (F + '(x, g())', DIM, '[each + dim for each in input]', '', '[each + dim for each in input] | input: 0, dim: 1 | names 1 or -'),
    'in both': (F + '(g())', DIM, '[input for each in input]', '', '[input for each in input] | input: 0 | names 0 or -'),
    'then in a comprehension': (F + '(g())', DIM, '(input, [each for each in input])', '', '(input, [each for each in input]) | input: 0 | names 0 or 0'),
    'a branch that is dead': (F + '(x)', DIM, 'input if dim else dim', '', 'dim | dim: 0'),
    'a branch by a literal': (F + '(x, 0)', DIM, 'mindspore.mint.f(input) if dim == 0 else mindspore.mint.g(input, dim)', '', 'mindspore.mint.f(input) | input: 0'),
    'a branch by another literal': (F + '(x, 1)', DIM, 'mindspore.mint.f(input) if dim == 0 else mindspore.mint.g(input, dim)', '', 'mindspore.mint.g(input, dim) | input: 0, dim: 1'),
    'a branch by a name': (F + '(x, n)', DIM, 'mindspore.mint.f(input) if dim == 0 else mindspore.mint.g(input, dim)', '', 'mindspore.mint.f(input) if dim == 0 else mindspore.mint.g(input, dim) | dim: 1, input: 0'),
    'a branch that has an effect': (F + '(g(), 0)', DIM, 'mindspore.mint.f(dim) if dim == 0 else mindspore.mint.g(input, dim)', '', 'mindspore.mint.f(dim) if dim == 0 else mindspore.mint.g(input, dim) | dim: 1, input: 0 | names 0 or -'),
    'a branch without effect': (F + '(x, 0)', DIM, 'mindspore.mint.f(dim) if dim == 0 else mindspore.mint.g(input, dim)', '', 'mindspore.mint.f(dim) | dim: 1'),
    'star': (F + '(3, 4)', '*size', 'mindspore.mint.f(size)', '', 'mindspore.mint.f(size) | size: (0,1)'),
    'star, one number': (F + '(3)', '*size', 'mindspore.mint.f(size)', '', 'mindspore.mint.f(size) | size: (0)'),
    'star, one name': (F + '(n)', '*size', 'mindspore.mint.f(size)', '', 'mindspore.mint.f(size) | size: 0; not sure'),
    'star, one tuple': (F + '((3, 4))', '*size', 'mindspore.mint.f(size)', '', 'mindspore.mint.f(size) | size: 0'),
    'star, one list': (F + '([3, 4])', '*size', 'mindspore.mint.f(size)', '', 'mindspore.mint.f(size) | size: 0'),
    'star, a sum': (F + '(n + 1)', '*size', 'mindspore.mint.f(size)', '', 'mindspore.mint.f(size) | size: (0)'),
    'star, a negative number': (F + '(-1)', '*size', 'mindspore.mint.f(size)', '', 'mindspore.mint.f(size) | size: (0)'),
    'star, starred': (F + '(*n)', '*size', 'mindspore.mint.f(size)', '', 'mindspore.mint.f(size) | size: (0)'),
    'star, nothing': (F + '()', '*size', 'mindspore.mint.f(size)', '', 'mindspore.mint.f(size) | size: ()'),
    'star, with a default in the branch': (F + '(3)', '*size, dim=0', 'mindspore.mint.f(size) if dim == 0 else size', '', 'mindspore.mint.f(size) | size: (0)'),
    'star, a test of it': (F + '(3)', '*size', 'mindspore.mint.f(size) if size == 3 else size', '', 'size | size: (0)'),
    'differences': (F + '(x, 1)', DIM, 'mindspore.mint.f(input, dim)', 'behaviour; behaviour dim; missing out; renamed dim axis', 'mindspore.mint.f(input, dim) | input: 0, dim: 1; behaviour behaviour (behaviour behaviour)'),
    'of an overload that is not sure': (F + '(x)', 'input / a, dim=0', 'mindspore.mint.f(input)', '', 'mindspore.mint.f(input) | input: 0; not sure'),
    'of the only overload': (F + '(x)', 'input', 'mindspore.mint.f(input)', '', 'mindspore.mint.f(input) | input: 0'),
    'of overloads that others tell apart': (F + '(x, y)', 'input / input, dim', 'mindspore.mint.f(input, dim)', '', 'mindspore.mint.f(input, dim) | input: 0, dim: 1'),
    "of another overload's default": (F + '(x, y)', 'a, dim=3 / input, b', 'mindspore.mint.f(a, dim, b)', '', 'no rewrite'),
    'method': (ADD + '(1)', ALPHA, 'mindspore.mint.f(self, other)', '', 'mindspore.mint.f(self, other) | self: self, other: 0'),
    "method's receiver twice": (ADD + '(1)', ALPHA, 'mindspore.mint.f(self, self)', '', 'mindspore.mint.f(self, self) | self: self', {'harmless': ('other',)}),
    "method's receiver with an effect twice": ('torch.ones(3).add(1)', ALPHA, 'mindspore.mint.f(self, self, other)', '', 'mindspore.mint.f(self, self, other) | self: self, other: 0 | names -1 or -1'),
    "method's receiver after an effect": ('torch.ones(3).add(g())', ALPHA, 'mindspore.mint.f(other, self)', '', 'mindspore.mint.f(other, self) | other: 0, self: self | names -1 or -'),
    'method calls its namesake': (ADD + '(1)', ALPHA, 'self.add(other)', '', 'no rewrite'),
    'method calls another': (ADD + '(1)', ALPHA, 'self.sub(other)', '', 'self.sub(other) | self: self, other: 0'),
    'function calls its namesake': (F + '(x)', DIM, 'input.some_function()', '', 'input.some_function() | input: 0'),
    'method through the class': ('torch.Tensor.add(x, 1)', ALPHA, 'mindspore.mint.f(self, other)', '', 'no rewrite'),
    'method through the class, sure': ('torch.Tensor.add(x, 1)', 'other, *, alpha=1 / size=1', 'mindspore.mint.f(other)', '', 'mindspore.mint.f(other) | other: 1; not sure'),
    'deferred': (F + '(g())', DIM, '(lambda: input)()', '', '(lambda: input)() | input: 0 | names 0 or -'),
    'deferred, plain': (F + '(x)', DIM, '(lambda: input)()', '', '(lambda: input)() | input: 0'),
    'starred argument twice': (F + '(*n, 1)', '*size', '(size, size)', '', '(size, size) | size: (0,1)'),
    'yields twice': (F + '((yield))', DIM, 'input + input', '', 'input + input | input: 0 | names - or -'),
    'two twice': (F + '(g(), h())', DIM, 'input + dim + input + dim', '', 'input + dim + input + dim | input: 0, dim: 1 | names 0,1 or 0,1'),
    'second twice': (F + '(g(), h())', DIM, 'input + dim + dim', '', 'input + dim + dim | input: 0, dim: 1 | names 0,1 or 1'),
    'first twice': (F + '(g(), h())', DIM, 'input + input + dim', '', 'input + input + dim | input: 0, dim: 1 | names 0 or 0'),
}
# fmt: on


@pytest.mark.parametrize("name", CASES)
def test_how_a_candidate_fits(name: str) -> None:
    source, torch, other, differences, expected, *options = CASES[name]
    assert (
        as_text(fitted(source, torch, "not known", differences, template=other, **dict(*options))) == expected
    )
