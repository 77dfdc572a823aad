"""The rules, one file each. `all_rules` finds them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from mindport.assess import modules_in
from mindport.assess.finding import CodeRule, UseRule

if TYPE_CHECKING:
    from mindport.assess.finding import Rule
    from mindport.assess.use_context import UseContext


@cache
def all_rules() -> dict[str, Rule]:
    """Every rule by its code, in the order of the codes."""
    return {module.RULE.code: module.RULE for module in modules_in(__name__, __path__)}


@cache
def _by_precedence() -> tuple[UseRule, ...]:
    rules = [rule for rule in all_rules().values() if isinstance(rule, UseRule)]
    return tuple(sorted(rules, key=lambda rule: (rule.precedence, rule.code)))


@cache
def code_rules(for_graphs: bool = False, recommends: bool = False) -> tuple[CodeRule, ...]:
    """The rules about functions and classes, in the order of their codes; with `for_graphs`, those about
    graph mode, too; if it `recommends`, those about what code does without."""
    found = [rule for rule in all_rules().values() if isinstance(rule, CodeRule)]
    return tuple(
        [
            rule
            for rule in found
            if (for_graphs or not rule.is_for_graphs) and (recommends or not rule.is_recommendation)
        ]
    )


def rule_for(context: UseContext) -> UseRule | None:
    """The rule that speaks for a use; None where there is nothing to say."""
    return next((rule for rule in _by_precedence() if rule.applies(context)), None)
