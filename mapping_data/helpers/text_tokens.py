"""torchtext.data.utils, torchtext.data.functional, torchtext.data.metrics: tokens, and counts of them."""

import csv
import functools
import math
import random
import re
import sys
from collections import Counter
from contextlib import contextmanager
from copy import deepcopy

import numpy as np

_REPLACED_IN_ENGLISH = (
    ("'", " '  "),
    ('"', ""),
    (r"\.", " . "),
    (r"<br \/>", " "),
    (",", " , "),
    (r"\(", " ( "),
    (r"\)", " ) "),
    ("!", " ! "),
    (r"\?", " ? "),
    ("[;:]", " "),
    (r"\s+", " "),
)


def tokens_between_spaces(text):
    """The tokenizer that torchtext has where none is named."""
    return text.split()


def tokens_of_basic_english(line):
    """The tokenizer `basic_english`: lower case, and punctuation apart."""
    line = line.lower()
    for pattern, replacement in _REPLACED_IN_ENGLISH:
        line = re.sub(pattern, replacement, line)
    return line.split()


def tokens_of_spacy(text, spacy):
    """The tokenizer `spacy`, with a language that is loaded."""
    return [token.text for token in spacy.tokenizer(text)]


def get_tokenizer(tokenizer, language="en"):
    """torchtext.data.get_tokenizer: a function that splits a text; a name needs its package."""
    if tokenizer is None:
        return tokens_between_spaces
    if callable(tokenizer):
        return tokenizer
    if tokenizer == "basic_english":
        if language != "en":
            raise ValueError("basic_english is for English alone: language='en'")
        return tokens_of_basic_english
    if tokenizer == "spacy":
        import spacy

        full_names = {"en": "en_core_web_sm", "de": "de_core_news_sm"}
        try:
            loaded = spacy.load(language)
        except OSError:  # since spaCy 3 languages have no short names
            loaded = spacy.load(full_names.get(language, language))
        return functools.partial(tokens_of_spacy, spacy=loaded)
    if tokenizer == "moses":
        from sacremoses import MosesTokenizer

        return MosesTokenizer().tokenize
    if tokenizer == "toktok":
        from nltk.tokenize.toktok import ToktokTokenizer

        return ToktokTokenizer().tokenize
    if tokenizer in ("revtok", "subword"):
        import revtok

        return functools.partial(revtok.tokenize, decap=True) if tokenizer == "subword" else revtok.tokenize
    raise ValueError(
        f"{tokenizer!r} is no tokenizer: give a function, basic_english, spacy, moses, toktok or revtok"
    )


def ngrams_iterator(token_list, ngrams):
    """torchtext.data.utils.ngrams_iterator: the tokens, then those that stand together, joined by blanks."""
    yield from token_list
    for length in range(2, ngrams + 1):
        for place in range(len(token_list) - length + 1):
            yield " ".join(token_list[place : place + length])


def interleave_keys(a, b):
    """torchtext.data.interleave_keys: a number by which pairs are near whose lengths both are."""
    pairs = zip(format(a, "016b"), format(b, "016b"))
    return int("".join(bit for pair in pairs for bit in pair), base=2)


class RandomShuffler:
    """torchtext.data.utils.RandomShuffler: draws as Python's `random`, from a state of its own."""

    def __init__(self, random_state=None):
        self._random_state = random.getstate() if random_state is None else random_state

    @contextmanager
    def use_internal_state(self):
        """The state of `random` is this one's meanwhile."""
        before = random.getstate()
        random.setstate(self._random_state)
        yield
        self._random_state = random.getstate()
        random.setstate(before)

    @property
    def random_state(self):
        """The state, as `random.getstate` gives it."""
        return deepcopy(self._random_state)

    @random_state.setter
    def random_state(self, value):
        self._random_state = value

    def __call__(self, data):
        with self.use_internal_state():
            return random.sample(data, len(data))


def unicode_csv_reader(unicode_csv_data, **kwargs):
    """torchtext.utils.unicode_csv_reader: rows of a CSV file whose fields may be of any length."""
    limit = sys.maxsize
    while True:
        try:
            csv.field_size_limit(limit)
            break
        except OverflowError:  # where a C long is shorter
            limit //= 10
    yield from csv.reader(unicode_csv_data, **kwargs)


def custom_replace(replace_pattern):
    """torchtext.data.functional.custom_replace: patterns of `re`, with what takes their place."""
    compiled = [(re.compile(pattern), replacement) for pattern, replacement in replace_pattern]

    def replaced(txt_iter):
        for line in txt_iter:
            for pattern, replacement in compiled:
                line = pattern.sub(replacement, line)
            yield line

    return replaced


def simple_space_split(iterator):
    """torchtext.data.functional.simple_space_split."""
    return (line.split() for line in iterator)


def numericalize_tokens_from_iterator(vocab, iterator, removed_tokens=None):
    """torchtext.data.functional.numericalize_tokens_from_iterator: for each list its numbers."""
    removed = () if removed_tokens is None else removed_tokens
    for tokens in iterator:
        yield iter([vocab[token] for token in tokens if token not in removed])


def load_sp_model(spm):
    """torchtext.data.functional.load_sp_model, with the package sentencepiece."""
    import sentencepiece

    model = sentencepiece.SentencePieceProcessor()
    model.Load(spm if isinstance(spm, str) else spm.name)
    return model


def generate_sp_model(filename, vocab_size=20000, model_type="unigram", model_prefix="m_user"):
    """torchtext.data.functional.generate_sp_model, with the package sentencepiece."""
    import sentencepiece

    sentencepiece.SentencePieceTrainer.train(
        f"--input={filename} --vocab_size={vocab_size} "
        f"--model_prefix={model_prefix} --model_type={model_type}"
    )


def sentencepiece_numericalizer(sp_model):
    """torchtext.data.functional.sentencepiece_numericalizer."""
    return lambda txt_iter: (sp_model.EncodeAsIds(line) for line in txt_iter)


def sentencepiece_tokenizer(sp_model):
    """torchtext.data.functional.sentencepiece_tokenizer."""
    return lambda txt_iter: (sp_model.EncodeAsPieces(line) for line in txt_iter)


def counted_ngrams(tokens, most):
    """How often each tuple of up to `most` tokens occurs."""
    return Counter(tuple(each.split(" ")) for each in ngrams_iterator(tokens, most))


def bleu_score(candidate_corpus, references_corpus, max_n=4, weights=(0.25,) * 4):
    """torchtext.data.metrics.bleu_score; in float32, as there."""
    if max_n != len(weights):
        raise AssertionError("there is a weight for each length up to max_n")
    if len(candidate_corpus) != len(references_corpus):
        raise AssertionError("there are references for each candidate")
    found, total = np.zeros(max_n, np.float32), np.zeros(max_n, np.float32)
    candidate_length = reference_length = 0.0
    for candidate, references in zip(candidate_corpus, references_corpus):
        length = len(candidate)
        candidate_length += length
        reference_length += min(
            (float(len(each)) for each in references), key=lambda each: abs(length - each)
        )
        allowed = Counter()
        for each in references:
            allowed |= counted_ngrams(each, max_n)
        counted = counted_ngrams(candidate, max_n)
        for ngram, count in (counted & allowed).items():
            found[len(ngram) - 1] += count
        for ngram, count in counted.items():
            total[len(ngram) - 1] += count
    if found.min() == 0:
        return 0.0
    logarithms = np.asarray(weights, np.float32) * np.log(found / total)
    return math.exp(min(1 - reference_length / candidate_length, 0)) * float(np.exp(sum(logarithms)))
