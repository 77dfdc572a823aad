"""Plans: what a rewrite has to change. A plan says nothing of offsets, so that one holds for all uses that
are alike; where one of them stands, it is carried out through `Rewriting`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol

from mindport.assess.file_answers import imported_names
from mindport.assess.temporaries import RECEIVER, names_to_give
from mindport.catalog.expansion import filled_in, in_short
from mindport.language import Text

if TYPE_CHECKING:
    from mindport.assess.file_answers import FileAnswers
    from mindport.assess.temporaries import Temporaries
    from mindport.catalog.differences import Difference
    from mindport.language import Language
    from mindport.uses.use import Use

SELF: Final = "self"
"""The name of the receiver in a template."""
ReceiverPlace = Literal["none", "stays", "first"]
"""Where the receiver of a method goes: nowhere (there is none), before the dot, or to the first argument."""
_REPLACE: Final = Text("Replace with {target}", "替换为 {target}")


class PlacedUse(NamedTuple):
    """A use that is rewritten, whose offsets lack `shift`; `target` is the API that takes its place, "" where
    none does."""

    use: Use
    shift: int
    target: str

    @property
    def start(self) -> int:
        """Where it starts in the document (bytes)."""
        return self.shift + self.use.start

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.shift + self.use.end


class Rewriting(Protocol):
    """What plans change a document through. What cannot be done without losing something raises an error that
    whoever carries out plans takes care of: nothing of the plan is done then."""

    def rename(self, placed: PlacedUse) -> None:
        """Replace the expression that names the API by what spells `target`; of a member, only its name."""

    def replace_name(self, placed: PlacedUse, text: str) -> None:
        """Put a text in the place of the expression that names the API, which is read there no more."""

    def compare_class(self, placed: PlacedUse) -> None:
        """Where a class is compared with another one, let that be the class itself, not one that stands for
        it."""

    def is_assigned_to(self, placed: PlacedUse) -> bool:
        """Whether the expression that names the API is set, or deleted."""

    def is_handed_on(self, placed: PlacedUse) -> bool:
        """Whether the expression that names the API is bound, returned or passed, and may be called there."""

    def replace_type(self, placed: PlacedUse, text: str) -> None:
        """Put a text in the place of a type in an annotation, and of its parameters in brackets."""

    def name_members(self, placed: PlacedUse) -> bool:
        """Put something in the place of a module that has those of its members which the document names in a
        text, as `getattr(module, name)` may ask for them. Tells whether there are any."""

    def call_into_out(self, placed: PlacedUse, target: str) -> None:
        """Let the call write the result of `target` into `out`."""

    def spread_first(self, placed: PlacedUse) -> None:
        """Let the first argument of the call stand for several."""

    def mark(self, placed: PlacedUse) -> None:
        """Say above the statement that a person has to find what takes the place of a use."""

    def rename_members(self, placed: PlacedUse, names: Mapping[str, str]) -> None:
        """Give methods of the class that has the use as a base their new names, where it or a class derived
        from it in the document defines them."""

    def rewrite_call(self, placed: PlacedUse, plan: CallPlan) -> None:
        """Change callee and arguments where they have to change."""

    def call_on_receiver(self, placed: PlacedUse) -> None:
        """Replace an attribute of an object by a call of `target` with the object."""

    def choose_method(self, placed: PlacedUse) -> None:
        """Have the running program choose between a method of an object's own and `target`, which is that of
        Tensors."""

    def keep_member(self, placed: PlacedUse) -> None:
        """Leave a member as it is that importing the module of `target` gives to the object's class."""

    def assign_in_place(self, placed: PlacedUse) -> None:
        """Replace an augmented assignment to a Tensor by a call of `target`, which sets its values."""

    def assign_part(self, placed: PlacedUse, plan: RewritePlan) -> None:
        """Rewrite a call that changes its first operand by a plan; where that is a part of something
        (`x[0]`), which is no memory of its own in MindSpore, the result is assigned to the part."""

    def expand(self, placed: PlacedUse, plan: TemplatePlan) -> None:
        """Put a template in the place of a call or an attribute."""

    def leave_out(self, placed: PlacedUse, gives_receiver: bool, receiver_is_plain: bool) -> None:
        """Leave out an expression, with the statement, decorator or guard that it is; a call of a method
        that `gives_receiver` also within a chain. `receiver_is_plain`: the statement may take the receiver
        along."""

    def leave_out_statement(self, placed: PlacedUse) -> bool:
        """Leave out a call with the statement that it is. Tells whether it is one that can be left out."""

    def leave_out_around(self, placed: PlacedUse) -> bool:
        """Leave out a decorator, or a call around what it is given first, which stays; with the statement,
        where that is assigned to itself. Tells whether it is one that can be left out."""

    def spelled(self, target: str, at: int) -> str:
        """The expression that means a MindSpore API at a byte; the import that it takes is added."""

    def text(self, start: int, end: int) -> str:
        """The text of the bytes `start`..`end` after the edits inside it."""

    def replace(self, start: int, end: int, text: str) -> None:
        """Put a text in the place of the bytes `start`..`end`."""

    def replace_all(self, start: int, end: int, text: str) -> None:
        """The same, where the text has the edits made within the bytes; not with a comment."""

    def erase(self, start: int, end: int) -> None:
        """Take the bytes `start`..`end` away, and with them what is read there; not with a comment."""


class Blocked(NamedTuple):
    """A plan cannot be carried out where a use stands; `reason` is None where that is plain."""

    reason: Text | None


class RewritePlan(ABC):
    """How something is rewritten."""

    @abstractmethod
    def carry_out(self, rewriting: Rewriting, placed: PlacedUse) -> None:
        """Make the edits where a use stands."""

    @property
    def changes_arguments(self) -> bool:
        """Whether something has to change although the name stays."""
        return False

    @property
    def takes_receiver(self) -> bool:
        """Whether the receiver of a method is rewritten along with it."""
        return False

    @property
    def goes_first(self) -> bool:
        """Whether it is about more of the text than what the use and its arguments are."""
        return False

    @property
    def goes_last(self) -> bool:
        """Whether it is about the whole statement, which other plans may change before."""
        return False

    def settles(self, difference: Difference) -> bool:
        """Whether a difference does not matter once the plan is carried out."""
        return False

    def blocked(self, answers: FileAnswers, shift: int, use: Use) -> Blocked | None:
        """Why it cannot be carried out for a use whose offsets lack `shift`; None where it can."""
        return None

    def title(self, use: Use, becomes: str, language: Language) -> str:
        """What it does, for a menu; `becomes` is what takes the place of the use."""
        return replace_title(becomes, language)

    def shown(self, use: Use) -> str | None:
        """What the use becomes, for messages, with its own arguments; None if that is but the API's name."""
        return None

    def to_check(self, use: Use, language: Language) -> str:
        """What a person has to check because of this very plan; empty if nothing."""
        return ""


def replace_title(becomes: str, language: Language) -> str:
    """What a fix does that replaces something, for a menu."""
    return _REPLACE.render(language, target=becomes)


@dataclass(frozen=True)
class Placed:
    """The argument at `index` of the call, given by `keyword`, or (None) by position. `packed`: the argument
    is one of those that become one tuple. `spread`: its parts are given one by one."""

    index: int
    keyword: str | None
    packed: bool = False
    spread: bool = False


@dataclass(frozen=True)
class CallPlan(RewritePlan):
    """A call of one API. `placed` are the arguments that stay, in their order, `added` the keywords with
    their values that are added, `settled` the differences that do not matter once the call is rewritten."""

    target: str
    receiver: ReceiverPlace
    placed: tuple[Placed, ...]
    added: tuple[tuple[str, str], ...]
    settled: tuple[Difference, ...]
    keeps_arguments: bool
    """Whether all arguments stay as they are written."""

    def carry_out(self, rewriting: Rewriting, placed: PlacedUse) -> None:
        if self.keeps_arguments and self.receiver != "first":
            rewriting.rename(placed)
        else:
            rewriting.rewrite_call(placed, self)

    @property
    def changes_arguments(self) -> bool:
        return not self.keeps_arguments

    @property
    def takes_receiver(self) -> bool:
        return self.receiver == "first"

    def settles(self, difference: Difference) -> bool:
        return difference in self.settled


@dataclass(frozen=True)
class Filled:
    """What a name of a template stands for: arguments of the call (`RECEIVER`: its receiver), or a text. Of
    several arguments, or of a starred one, a tuple is made."""

    name: str
    indices: tuple[int, ...] = ()
    text: str = ""
    is_tuple: bool = False


@dataclass(frozen=True)
class TemplatePlan(RewritePlan):
    """A template and what its names stand for. `sure` is False where a value may not be of the form that the
    template expects. `naming` is None where nothing needs a name."""

    template: str
    filled: tuple[Filled, ...]
    sure: bool
    naming: Temporaries | None = None

    def carry_out(self, rewriting: Rewriting, placed: PlacedUse) -> None:
        if self.template == SELF:
            rewriting.leave_out(placed, True, placed.use.receiver_is_plain)
        else:
            rewriting.expand(placed, self)

    @property
    def takes_receiver(self) -> bool:
        return True

    def shown(self, use: Use) -> str | None:
        return filled_in(self.template, {one.name: self._text(one, use) for one in self.filled})

    def _text(self, one: Filled, use: Use) -> str:
        if not one.indices:
            return one.text
        arguments = use.call.arguments if use.call is not None else ()
        given = (use.receiver if index == RECEIVER else arguments[index].source for index in one.indices)
        texts = [in_short(text or SELF) for text in given]
        return f"({', '.join(texts)}{',' * (len(texts) == 1)})" if one.is_tuple else texts[0]

    def blocked(self, answers: FileAnswers, shift: int, use: Use) -> Blocked | None:
        if self.naming is None:
            return None
        imported = answers.ask(imported_names)
        given = names_to_give(answers.document, imported, shift, use, self.naming)
        return Blocked(given) if isinstance(given, Text) else None
