"""The two languages of every user-facing text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

Language = Literal["en", "zh-cn"]
LANGUAGES: tuple[Language, ...] = get_args(Language)


class Text(NamedTuple):
    """One text in both languages. `{name}` fields are filled by `render`."""

    en: str
    zh_cn: str

    def render(self, language: Language, **values: object) -> str:
        """The text in `language`, its fields filled with `values` (raises KeyError if one is missing)."""
        template = self.zh_cn if language == "zh-cn" else self.en
        return template.format(**values) if values else template


LIST = Text(", ", "、")
"""What stands between the words of a list."""
CLAUSE = Text(", ", "，")
"""What stands between clauses."""
SEMICOLON = Text("; ", "；")
COLON = Text(": ", "：")
END = Text(". ", "。")
"""What ends a sentence, before another one."""


def joined(texts: Iterable[str], between: Text, language: Language) -> str:
    """Texts with the punctuation of a language between them, such as `LIST`."""
    return between.render(language).join(texts)
