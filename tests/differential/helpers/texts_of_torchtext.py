"""torchtext for comparisons: 0.6, the last release written in Python, and what later ones have, as documented."""

from __future__ import annotations

import csv
import importlib
import sys
import types
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any


class Vocab:
    """torchtext.vocab.Vocab of 0.18."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.default: int | None = None

    def __len__(self) -> int:
        return len(self.tokens)

    def __contains__(self, token: str) -> bool:
        return token in self.tokens

    def __getitem__(self, token: str) -> int:
        if token in self.tokens:
            return self.tokens.index(token)
        if self.default is None:
            raise RuntimeError(f"Token {token} not found and default index is not set")
        return self.default

    def forward(self, tokens: list[str]) -> list[int]:
        return [self[token] for token in tokens]

    __call__ = lookup_indices = forward

    def set_default_index(self, index: int | None) -> None:
        self.default = index

    def get_default_index(self) -> int | None:
        return self.default

    def insert_token(self, token: str, index: int) -> None:
        if token in self.tokens or index not in range(len(self.tokens) + 1):
            raise RuntimeError(token)
        self.tokens.insert(index, token)

    def append_token(self, token: str) -> None:
        self.insert_token(token, len(self.tokens))

    def lookup_token(self, index: int) -> str:
        if index not in range(len(self.tokens)):
            raise RuntimeError(index)
        return self.tokens[index]

    def lookup_tokens(self, indices: list[int]) -> list[str]:
        return [self.lookup_token(index) for index in indices]

    def get_stoi(self) -> dict[str, int]:
        return {token: index for index, token in enumerate(self.tokens)}

    def get_itos(self) -> list[str]:
        return list(self.tokens)


def _vocab(
    ordered_dict: dict[str, int],
    min_freq: int = 1,
    specials: list[str] | None = None,
    special_first: bool = True,
) -> Vocab:
    special = specials or []
    tokens = [token for token, count in ordered_dict.items() if count >= min_freq and token not in special]
    return Vocab(special + tokens if special_first else tokens + special)


def _build_vocab_from_iterator(
    iterator: Iterable[list[str]],
    min_freq: int = 1,
    specials: list[str] | None = None,
    special_first: bool = True,
    max_tokens: int | None = None,
) -> Vocab:
    counter = Counter(token for tokens in iterator for token in tokens)
    ordered = sorted(counter.items(), key=lambda pair: (-pair[1], pair[0]))
    if max_tokens is not None:
        assert len(specials or []) < max_tokens
        ordered = ordered[: max_tokens - len(specials or [])]
    return _vocab(OrderedDict(ordered), min_freq, specials, special_first)


class _Rows:
    def __init__(self, rows: list[Any]) -> None:
        self.rows = rows
        self.place = 0

    def __iter__(self) -> Iterator[Any]:
        return iter(self.rows)

    def __next__(self) -> Any:
        self.place += 1
        return self.rows[self.place - 1]

    def map(self, function: Callable[[Any], Any]) -> list[Any]:
        return [function(row) for row in self.rows]


def _splits(split: Any, read: Callable[[str], list[Any]]) -> Any:
    return _Rows(read(split)) if isinstance(split, str) else tuple(_Rows(read(each)) for each in split)


def _classified(folder: str) -> Callable[..., Any]:
    def made(root: str = ".data", split: Any = ("train", "test")) -> Any:
        def read(part: str) -> list[Any]:
            with Path(root, folder, f"{part}.csv").open(encoding="utf-8") as file:
                return [(int(row[0]), " ".join(row[1:])) for row in csv.reader(file)]

        return _splits(split, read)

    return made


def _lines(name: str) -> Callable[..., Any]:
    def made(root: str = ".data", split: Any = ("train", "valid", "test")) -> Any:
        def read(part: str) -> list[Any]:
            with Path(root, name.format(part)).open(encoding="utf-8") as file:
                return list(file)

        return _splits(split, read)

    return made


def _imdb(root: str = ".data", split: Any = ("train", "test")) -> Any:
    def read(part: str) -> list[Any]:
        rows = []
        for label, name in ((1, "neg"), (2, "pos")):
            with Path(root, "imdb/aclImdb", part, name, "0.txt").open(encoding="utf-8") as file:
                rows.append((label, file.read()))
        return rows

    return _splits(split, read)


def _multi30k(
    root: str = ".data",
    split: Any = ("train", "valid", "test"),
    language_pair: tuple[str, str] = ("de", "en"),
) -> Any:
    def read(part: str) -> list[Any]:
        name = {"train": "train", "valid": "val", "test": "test2016"}[part]
        columns = []
        for language in language_pair:
            with Path(root, f"multi30k/{name}.{language}").open(encoding="utf-8") as file:
                columns.append(file.read().splitlines())
        return list(zip(*columns, strict=True))

    return _splits(split, read)


LATER = {
    "torchtext.vocab.vocab": _vocab,
    "torchtext.vocab.build_vocab_from_iterator": _build_vocab_from_iterator,
    "torchtext.data.functional.to_map_style_dataset": list,
    "torchtext.datasets.AG_NEWS": _classified("ag_news_csv"),
    "torchtext.datasets.DBpedia": _classified("dbpedia_csv"),
    "torchtext.datasets.SogouNews": _classified("sogou_news_csv"),
    "torchtext.datasets.YelpReviewPolarity": _classified("yelp_review_polarity_csv"),
    "torchtext.datasets.YelpReviewFull": _classified("yelp_review_full_csv"),
    "torchtext.datasets.YahooAnswers": _classified("yahoo_answers_csv"),
    "torchtext.datasets.AmazonReviewPolarity": _classified("amazon_review_polarity_csv"),
    "torchtext.datasets.AmazonReviewFull": _classified("amazon_review_full_csv"),
}
"""What torchtext 0.6 does not have, or has otherwise."""
LATER_SETS = {
    "torchtext.datasets.WikiText2": _lines("wikitext-2/wikitext-2/wiki.{}.tokens"),
    "torchtext.datasets.PennTreebank": _lines("penn-treebank/ptb.{}.txt"),
    "torchtext.datasets.IMDB": _imdb,
    "torchtext.datasets.Multi30k": _multi30k,
}
"""Data sets that are functions in later releases, and have rows of other kinds."""


class _Either:
    """A data set's class of 0.6, and where no fields are given the function of later releases."""

    def __init__(self, earlier: Any, later: Callable[..., Any]) -> None:
        self.earlier, self.later = earlier, later

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.later(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.earlier, name)


def of_torchtext(api: str) -> Any:
    """The object of that name."""
    if api in LATER:
        return LATER[api]
    sys.modules.setdefault("requests", types.ModuleType("requests"))  # imported there, and never asked for
    module, _, name = api.replace("torchtext.legacy.", "torchtext.").rpartition(".")
    found = getattr(importlib.import_module(module), name)
    return _Either(found, LATER_SETS[api]) if api in LATER_SETS else found
