"""Errors whose message exists in both languages."""

from __future__ import annotations

from mindport.language import Language, Text


class TextError(Exception):
    """An error to show to the user: a text in both languages and the values of its fields.

    A value may itself be a `Text` (without fields). `str(error)` is the English sentence.
    """

    def __init__(self, text: Text, **values: object) -> None:
        self.text = text
        self.values = values
        super().__init__(self.render("en"))

    def render(self, language: Language) -> str:
        """The sentence in `language`, its fields filled."""
        filled = {
            name: value.render(language) if isinstance(value, Text) else value
            for name, value in self.values.items()
        }
        return self.text.render(language, **filled)
