"""Calls made of other calls' values: the parameters of an API in combinations, and the shapes of calls that
published code has. What a call of one shape gives says nothing of another."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from mindport.catalog.argument_form import UNKNOWN, form_of, may_be
from mindport.catalog.binding import first_binding
from mindport.catalog.tried_calls import STAR, shape_of
from mindport.verify.cases import Case, is_member
from mindport.verify.written import written

if TYPE_CHECKING:
    from mindport.catalog.api import Api, Parameter, Signature
    from mindport.verify.table import InputTable

_MOST: Final = 60
"""As many calls are added for an API."""
_MOST_SEEN: Final = 64
_MOST_VALUES: Final = 5
_RANKS: Final = ("(2, 3, 4)", "(2, 3, 4, 5)")
"""Shapes to try in place of a matrix where torch refuses it."""
_MATRIX: Final = "(3, 4)"
_SIZES: Final = ("2", "3", "4", "5", "2", "3")


def combined(api: Api, table: InputTable, texts: Sequence[str]) -> list[Case]:
    """Further calls of an API for which `texts` are tried: shapes seen in published code, then pairs of
    parameters with each of their values, then all parameters. Each comes with texts to try `otherwise`, where
    torch refuses it."""
    made = _Combiner(api, table, texts)
    known = {key for text in texts if (key := made.key(text)) is not None}
    found: list[Case] = []
    for calls, most in ((made.seen(), _MOST_SEEN), (made.pairs(), _MOST)):
        added = 0
        for alternatives in calls:
            key = made.key(alternatives[0])
            if key is None or key in known or added == most:
                continue
            known.add(key)
            added += 1
            found.append(Case(alternatives[0], ("keyword",), otherwise=tuple(alternatives[1:])))
    return found


class _Combiner:
    """Values of an API's parameters, by overload, and the calls that they make."""

    def __init__(self, api: Api, table: InputTable, texts: Sequence[str]) -> None:
        self.api = api
        self.table = table
        self.receiver = ""
        self.pools: dict[int, dict[str, list[str]]] = {}
        for text in texts:
            self._learn(text)
        for number, pool in self.pools.items():
            for parameter in self.api.signatures[number].parameters:
                known = pool.setdefault(parameter.name, [])
                if parameter.kind != "star":
                    known += [v for v in table.values(parameter) if v not in known]

    def _learn(self, text: str) -> None:
        arguments = written(text)
        if is_member(self.api) and arguments:
            self.receiver = self.receiver or str(arguments[0])
            arguments = arguments[1:]
        binding = first_binding(arguments, self.api.signatures)
        if binding is None:
            return
        signature, bound = binding
        pool = self.pools.setdefault(self.api.signatures.index(signature), {})
        stars = [item.argument.text for item in bound if item.parameter.kind == "star"]
        for item in bound:
            name, value = item.parameter.name, item.argument.text
            value = ", ".join(stars) if item.parameter.kind == "star" else value
            known = pool.setdefault(name, [])
            if value not in known:
                known.append(value)

    def key(self, text: str) -> object:
        """The shape of a call; None where torch has no overload for it."""
        arguments = written(text)
        binding = first_binding(arguments[is_member(self.api) :], self.api.signatures)
        return frozenset(shape_of(binding[1]).forms.items()) if binding is not None else None

    # -- combinations ---------------------------------------------------------------------------------

    def pairs(self) -> Iterator[list[str]]:
        """Each value of each parameter, with each value of each other one; then all parameters."""
        for number, pool in self.pools.items():
            signature = self.api.signatures[number]
            base = self._base(signature, pool)
            if base is None:
                continue
            free = [(name, value) for name, values in pool.items() for value in values[:_MOST_VALUES]]
            for name, value in free:
                yield from self._call(signature, {**base, name: value})
            for (one, first), (other, second) in itertools.combinations(free, 2):
                if one != other and not {one, other} <= base.keys():
                    yield from self._call(signature, {**base, one: first, other: second})
            every = {name: values[0] for name, values in pool.items() if values}
            yield from self._call(signature, {**base, **every})

    def _base(self, signature: Signature, pool: Mapping[str, Sequence[str]]) -> dict[str, str] | None:
        """What every call of an overload has to give."""
        needed = [p for p in signature.parameters if p.default is None and p.kind != "double_star"]
        if any(not pool.get(p.name) for p in needed if p.kind != "star"):
            return None
        return {p.name: pool[p.name][0] for p in needed if pool.get(p.name)}

    def _call(self, signature: Signature, given: Mapping[str, str]) -> Iterator[list[str]]:
        """The call that gives these values, and the same with inputs of other ranks."""
        text = _text(signature, given, self.receiver)
        if text is not None:
            yield [text, *(text.replace(_MATRIX, rank) for rank in _RANKS if _MATRIX in text)]

    # -- shapes seen in published code ----------------------------------------------------------------

    def seen(self) -> Iterator[list[str]]:
        """The shapes of calls in published code, with values for what is not known of them: first with the
        literals as they were seen, then with values of the same form that are known to fit together."""
        for shape in self.table.seen.get(self.api.name, ()):
            for number, pool in self.pools.items():
                signature = self.api.signatures[number]
                base = self._base(signature, pool)
                if base is None or not shape.keys() <= {p.name for p in signature.parameters}:
                    continue
                parameters = {p.name: p for p in signature.parameters}
                literal = {n: _value(parameters[n], form, pool.get(n, ()), True) for n, form in shape.items()}
                fitting = {
                    n: _value(parameters[n], form, pool.get(n, ()), False) for n, form in shape.items()
                }
                texts: dict[str, None] = {}
                for values in (literal, fitting):
                    given = {n: v for n, v in values.items() if v is not None}
                    if len(given) == len(values):
                        for call in self._call(signature, {**base, **given}):
                            texts.update(dict.fromkeys(call))
                if texts:
                    yield list(texts)


def _value(parameter: Parameter, seen: str, pool: Sequence[str], keeps_literal: bool) -> str | None:
    """A value for a parameter that published code gives in this form."""
    if seen[:1] == STAR:
        return pool[0] if pool else None
    form = form_of(seen).form
    if form in ("int", "float") and parameter.default in ("True", "False"):
        return None  # a number in the place of a truth value says nothing of truth values
    has_unknown = UNKNOWN in seen
    if not has_unknown and seen != "Tensor" and (keeps_literal or form[:1] in ("'", '"')):
        return seen
    wanted = UNKNOWN if seen == UNKNOWN else form if not has_unknown else seen
    wanted = "Tensor" if seen == "Tensor" else wanted
    fitting = next((v for v in pool if may_be(wanted, _form_of_value(v))), None)
    if fitting is not None or seen in (UNKNOWN, "Tensor"):
        return fitting
    if has_unknown and seen[:1] in ("(", "["):
        sizes = range(9) if "dim" in parameter.name else _SIZES
        values = iter(sizes)
        return "".join(str(next(values, 1)) if c == UNKNOWN else c for c in seen)
    return None if has_unknown else seen


def _form_of_value(text: str) -> str:
    one = written(text)
    if len(one) != 1:
        return STAR
    return "Tensor" if one[0].type == "Tensor" else form_of(text).form


def _text(signature: Signature, given: Mapping[str, str], receiver: str) -> str | None:
    """A call as text; None where a parameter that is given by position alone cannot be reached."""
    by_position: list[str] = [receiver] if receiver else []
    keywords: list[str] = []
    follows = True
    for parameter in signature.parameters:
        value = given.get(parameter.name)
        if value is None:
            follows = follows and parameter.kind == "keyword"
        elif parameter.kind == "star":
            by_position.append(value)
        elif parameter.kind == "positional" or (
            follows and parameter.default is None and parameter.kind == ""
        ):
            if not follows:
                return None
            by_position.append(value)
        elif parameter.kind != "double_star":
            keywords.append(f"{parameter.name}={value}")
    return ", ".join([*by_position, *keywords])
