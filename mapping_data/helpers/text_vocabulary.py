"""torchtext.vocab: words by number, and the vectors of words."""

import functools
import gzip
import logging
import os
from collections import Counter, OrderedDict, defaultdict
from itertools import chain

import mindspore
import numpy as np


class Vocab:
    """torchtext.vocab.Vocab until torchtext 0.9, made of a counter; `vocab` makes a VocabOfTokens."""

    UNK = "<unk>"

    def __init__(
        self,
        counter,
        max_size=None,
        min_freq=1,
        specials=("<unk>", "<pad>"),
        vectors=None,
        unk_init=None,
        vectors_cache=None,
        specials_first=True,
    ):
        if isinstance(counter, VocabOfTokens):  # as torchtext 0.10 wraps what its compiled part made
            self.__class__, self.__dict__ = type(counter), counter.__dict__
            return
        self.freqs = counter
        specials = list(specials)
        ordered = sorted(counter.items(), key=lambda item: item[0])
        ordered.sort(key=lambda item: item[1], reverse=True)
        words = [word for word, count in ordered if count >= max(min_freq, 1) and word not in specials]
        words = words if max_size is None else words[:max_size]
        self.itos = specials + words if specials_first else words + specials
        self.unk_index = None
        self.stoi = defaultdict()
        if Vocab.UNK in specials:
            self.unk_index = specials.index(Vocab.UNK) + (0 if specials_first else len(words))
            self.stoi = defaultdict(self._default_unk_index)
        self.stoi.update({token: place for place, token in enumerate(self.itos)})
        self.vectors = None
        if vectors is not None:
            self.load_vectors(vectors, unk_init=unk_init, cache=vectors_cache)
        elif unk_init is not None or vectors_cache is not None:
            raise AssertionError("unk_init and vectors_cache are for vectors")

    def _default_unk_index(self):
        return self.unk_index

    def __getitem__(self, token):
        return self.stoi.get(token, self.stoi.get(Vocab.UNK))

    def __getstate__(self):
        return {**self.__dict__, "stoi": dict(self.stoi)}

    def __setstate__(self, state):
        self.__dict__.update(state)
        default = None if state.get("unk_index") is None else self._default_unk_index
        self.stoi = defaultdict(default, state["stoi"])

    def __eq__(self, other):
        same = self.freqs == other.freqs and self.stoi == other.stoi and self.itos == other.itos
        return same and self.vectors is other.vectors

    __hash__ = None

    def __len__(self):
        return len(self.itos)

    def lookup_indices(self, tokens):
        """The numbers of tokens."""
        return [self[token] for token in tokens]

    def extend(self, v, sort=False):
        """Add the words of another vocabulary."""
        for word in sorted(v.itos) if sort else v.itos:
            if word not in self.stoi:
                self.itos.append(word)
                self.stoi[word] = len(self.itos) - 1

    def load_vectors(self, vectors, **kwargs):
        """Take the vectors of these words from one or several sets of vectors, side by side."""
        sources = []
        for each in vectors if isinstance(vectors, list) else [vectors]:
            if isinstance(each, str):
                if each not in pretrained_aliases:
                    raise ValueError(f"there are no vectors {each!r}, but {list(pretrained_aliases)}")
                each = pretrained_aliases[each](**kwargs)
            elif not isinstance(each, Vectors):
                raise ValueError(f"vectors are a name or Vectors, not {type(each)}")
            sources.append(each)
        rows = [
            np.concatenate([each[token.strip()].asnumpy().reshape(-1) for each in sources])
            for token in self.itos
        ]
        self.vectors = mindspore.Tensor(np.stack(rows))

    def set_vectors(self, stoi, vectors, dim, unk_init=None):
        """Take the vectors of these words from `vectors`, by the numbers in `stoi`."""
        rows, unknown = [], zeroed_vector if unk_init is None else unk_init
        for token in self.itos:
            place = stoi.get(token)
            row = unknown(mindspore.Tensor(np.zeros(dim, np.float32))) if place is None else vectors[place]
            rows.append(np.asarray(row.asnumpy() if isinstance(row, mindspore.Tensor) else row, np.float32))
        self.vectors = mindspore.Tensor(np.stack(rows))


def zeroed_vector(vector):
    """What a word without a vector gets where the program names no function."""
    return mindspore.ops.zeros_like(vector)


class VocabOfTokens(Vocab):
    """torchtext.vocab.Vocab since torchtext 0.10: tokens in an order, and a number for all others."""

    def __init__(self, tokens):
        self.itos = list(tokens)
        self.stoi = {token: place for place, token in enumerate(self.itos)}
        if len(self.stoi) != len(self.itos):
            raise RuntimeError("a token is twice in the vocabulary")
        self._default = None
        self.is_jitable = False

    def __contains__(self, token):
        return token in self.stoi

    def __getitem__(self, token):
        if token in self.stoi:
            return self.stoi[token]
        if self._default is None:
            raise RuntimeError(f"Token {token} not found and default index is not set")
        return self._default

    def __call__(self, tokens):
        return self.lookup_indices(tokens)

    forward = __call__

    def __getstate__(self):
        return dict(self.__dict__)

    def __setstate__(self, state):
        self.__dict__.update(state)

    def set_default_index(self, index):
        """The number of tokens that are not there; None, and they are errors."""
        self._default = index

    def get_default_index(self):
        """The number of tokens that are not there."""
        return self._default

    def insert_token(self, token, index):
        """Put a token at a place; those behind it move on."""
        if not 0 <= index <= len(self.itos):
            raise RuntimeError(f"Specified index {index} is out of bounds for vocab of size {len(self.itos)}")
        if token in self.stoi:
            raise RuntimeError(f"Token {token} already exists in the Vocab with index: {self.stoi[token]}")
        self.itos.insert(index, token)
        self.stoi = {each: place for place, each in enumerate(self.itos)}

    def append_token(self, token):
        """Put a token behind all others."""
        self.insert_token(token, len(self.itos))

    def lookup_token(self, index):
        """The token of a number."""
        if not 0 <= index < len(self.itos):
            raise RuntimeError(f"Specified index {index} is out of bounds for vocab of size {len(self.itos)}")
        return self.itos[index]

    def lookup_tokens(self, indices):
        """The tokens of numbers."""
        return [self.lookup_token(index) for index in indices]

    def get_stoi(self):
        """The numbers by token."""
        return dict(self.stoi)

    def get_itos(self):
        """The tokens in their order."""
        return list(self.itos)

    def to(self, *args, **kwargs):
        """The vocabulary itself: it is on no device."""
        return self


def vocab(ordered_dict, min_freq=1, specials=None, special_first=True):
    """torchtext.vocab.vocab: the tokens of a dictionary that occur so often, in its order."""
    specials = list(specials or [])
    tokens = [token for token, count in ordered_dict.items() if count >= min_freq and token not in specials]
    return VocabOfTokens(specials + tokens if special_first else tokens + specials)


def build_vocab_from_iterator(iterator, min_freq=1, specials=None, special_first=True, max_tokens=None):
    """torchtext.vocab.build_vocab_from_iterator of torchtext 0.10: what occurs most comes first."""
    counter = Counter(chain.from_iterable(iterator))
    specials = list(specials or [])
    ordered = sorted(counter.items(), key=lambda item: (-item[1], item[0]))
    if max_tokens is not None:
        if len(specials) >= max_tokens:
            raise AssertionError("max_tokens leaves no place for tokens besides the special ones")
        ordered = ordered[: max_tokens - len(specials)]
    return vocab(OrderedDict(ordered), min_freq=min_freq, specials=specials, special_first=special_first)


class Vectors:
    """torchtext.vocab.Vectors: vectors of words from a text file, kept as PyTorch keeps them."""

    def __init__(self, name, cache=None, url=None, unk_init=None, max_vectors=None):
        self.itos = self.stoi = self.vectors = self.dim = None
        self.unk_init = zeroed_vector if unk_init is None else unk_init
        self.cache(name, ".vector_cache" if cache is None else cache, url=url, max_vectors=max_vectors)

    def __getitem__(self, token):
        if token in self.stoi:
            return self.vectors[self.stoi[token]]
        return self.unk_init(mindspore.Tensor(np.zeros(self.dim, np.float32)))

    def __contains__(self, token):
        return token in self.stoi

    def __len__(self):
        return len(self.vectors)

    def cache(self, name, cache, url=None, max_vectors=None):
        """Read the vectors, from the file that was kept if there is one."""
        ending = f"_{max_vectors}.pt" if max_vectors else ".pt"
        path = name if os.path.isfile(name) else os.path.join(cache, name)
        kept = os.path.join(cache, os.path.basename(name) if os.path.isfile(name) else name) + ending
        if os.path.isfile(kept):
            self.itos, self.stoi, self.vectors, self.dim = load(kept)
            return
        if not os.path.isfile(path) and url:
            fetch_and_extract(url, cache)
        if not os.path.isfile(path):
            raise RuntimeError(f"no vectors found at {path}")
        self.itos, values = vectors_in_file(path, max_vectors)
        self.stoi = {word: place for place, word in enumerate(self.itos)}
        self.vectors, self.dim = mindspore.Tensor(values), values.shape[1]
        os.makedirs(cache, exist_ok=True)
        save((self.itos, self.stoi, self.vectors, self.dim), kept)

    def get_vecs_by_tokens(self, tokens, lower_case_backup=False):
        """The vectors of tokens, in a Tensor."""
        several = tokens if isinstance(tokens, list) else [tokens]
        found = [
            self[token.lower() if lower_case_backup and token not in self.stoi else token]
            for token in several
        ]
        return mindspore.ops.stack(found) if isinstance(tokens, list) else found[0]


def vectors_in_file(path, most):
    """The words of a text file with a word and its numbers in each line, and the numbers."""
    words, rows = [], []
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rb") as file:
        for line in file:
            word, *numbers = line.rstrip().split(b" ")
            if len(numbers) <= 1:
                logging.getLogger(__name__).warning("Skipping token %s: likely a header", word)
                continue
            if rows and len(rows[0]) != len(numbers):
                raise RuntimeError(
                    f"{word} has {len(numbers)} numbers, and those before it have {len(rows[0])}"
                )
            try:
                words.append(word.decode("utf-8"))
            except UnicodeDecodeError:
                continue
            rows.append(np.array(numbers, np.float64).astype(np.float32))
            if len(rows) == most:
                break
    return words, np.stack(rows)


class GloVe(Vectors):
    """torchtext.vocab.GloVe."""

    url = {
        name: f"http://nlp.stanford.edu/data/glove.{name}{ending}.zip"
        for name, ending in (("42B", ".300d"), ("840B", ".300d"), ("twitter.27B", ""), ("6B", ""))
    }

    def __init__(self, name="840B", dim=300, **kwargs):
        super().__init__(f"glove.{name}.{dim}d.txt", url=self.url[name], **kwargs)


class FastText(Vectors):
    """torchtext.vocab.FastText."""

    url_base = "https://dl.fbaipublicfiles.com/fasttext/vectors-wiki/wiki.{}.vec"

    def __init__(self, language="en", **kwargs):
        url = self.url_base.format(language)
        super().__init__(os.path.basename(url), url=url, **kwargs)


class CharNGram(Vectors):
    """torchtext.vocab.CharNGram: a word's vector is the mean of those of its parts."""

    name = "charNgram.txt"
    url = (
        "http://www.logos.t.u-tokyo.ac.jp/~hassy/publications/arxiv2016jmt/jmt_pre-trained_embeddings.tar.gz"
    )

    def __init__(self, **kwargs):
        super().__init__(self.name, url=self.url, **kwargs)

    def __getitem__(self, token):
        letters = ["#BEGIN#", *token, "#END#"]
        parts = [
            f"{length}gram-{''.join(letters[place : place + length])}"
            for length in (2, 3, 4)
            for place in range(len(letters) - length + 1)
        ]
        known = [self.vectors[self.stoi[part]].asnumpy() for part in parts if part in self.stoi]
        if token == "<unk>" or not known:
            return self.unk_init(mindspore.Tensor(np.zeros((1, self.dim), np.float32)))
        return mindspore.Tensor((sum(known) / np.float32(len(known)))[None])


pretrained_aliases = {
    "charngram.100d": CharNGram,
    "fasttext.en.300d": functools.partial(FastText, language="en"),
    "fasttext.simple.300d": functools.partial(FastText, language="simple"),
    **{
        f"glove.{name}.{dim}d": functools.partial(GloVe, name=name, dim=str(dim))
        for name, dims in (
            ("42B", (300,)),
            ("840B", (300,)),
            ("twitter.27B", (25, 50, 100, 200)),
            ("6B", (50, 100, 200, 300)),
        )
        for dim in dims
    },
}


def vocab_from_iterator_of_legacy(iterator):
    """torchtext.legacy.vocab.build_vocab_from_iterator."""
    return Vocab(Counter(chain.from_iterable(iterator)))
