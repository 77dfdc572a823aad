"""Errors whose message exists in both languages."""

from __future__ import annotations

from mindport.language import Language, Text


class TextError(Exception):
    """An error to show to the user: a text in both languages and the values of its fields.

    `str(error)` is the English sentence.
    """

    def __init__(self, text: Text, **values: object) -> None:
        super().__init__(text.render("en", **values))
        self.text = text
        self.values = values

    def render(self, language: Language) -> str:
        """The sentence in `language`, its fields filled."""
        return self.text.render(language, **self.values)
