"""torchtext.data: fields, which say how a column of examples becomes Tensors."""

from collections import Counter
from itertools import chain

import mindspore
import numpy as np


class Pipeline:
    """torchtext.data.Pipeline: a function for each token, between pipelines before and behind it."""

    def __init__(self, convert_token=None):
        if convert_token is not None and not callable(convert_token):
            raise ValueError(f"a pipeline is made of a function or None, not of {convert_token!r}")
        self.convert_token = Pipeline.identity if convert_token is None else convert_token
        self.pipes = [self]

    def __call__(self, x, *args):
        for pipe in self.pipes:
            x = pipe.call(x, *args)
        return x

    def call(self, x, *args):
        """What this function alone makes of a token, or of each in a list."""
        return (
            [self.convert_token(token, *args) for token in x]
            if isinstance(x, list)
            else self.convert_token(x, *args)
        )

    def add_before(self, pipeline):
        """Let another pipeline or function come first."""
        self.pipes = as_pipeline(pipeline).pipes + self.pipes
        return self

    def add_after(self, pipeline):
        """Let another pipeline or function come last."""
        self.pipes = self.pipes + as_pipeline(pipeline).pipes
        return self

    @staticmethod
    def identity(x):
        """The token itself."""
        return x


def as_pipeline(value):
    """The pipeline, or one made of a function."""
    return value if isinstance(value, Pipeline) else Pipeline(value)


class RawField:
    """torchtext.data.RawField: a column that may hold anything."""

    def __init__(self, preprocessing=None, postprocessing=None, is_target=False):
        self.preprocessing = preprocessing
        self.postprocessing = postprocessing
        self.is_target = is_target

    def preprocess(self, x):
        """What an example keeps of a value."""
        return x if self.preprocessing is None else self.preprocessing(x)

    def process(self, batch, *args, **kwargs):
        """What a batch gets of the values of its examples."""
        return batch if self.postprocessing is None else self.postprocessing(batch)


class Field(RawField):
    """torchtext.data.Field: texts, which become numbers by a vocabulary, or numbers. `dtype` was called
    `tensor_type` until torchtext 0.3."""

    vocab_cls = Vocab
    dtypes = {
        **dict.fromkeys((mindspore.float16, mindspore.float32, mindspore.float64), float),
        **dict.fromkeys(
            (mindspore.uint8, mindspore.int8, mindspore.int16, mindspore.int32, mindspore.int64), int
        ),
    }
    ignore = ["dtype", "tokenize"]

    def __init__(
        self,
        sequential=True,
        use_vocab=True,
        init_token=None,
        eos_token=None,
        fix_length=None,
        dtype=mindspore.int64,
        preprocessing=None,
        postprocessing=None,
        lower=False,
        tokenize=None,
        tokenizer_language="en",
        include_lengths=False,
        batch_first=False,
        pad_token="<pad>",
        unk_token="<unk>",
        pad_first=False,
        truncate_first=False,
        stop_words=None,
        is_target=False,
        tensor_type=None,
    ):
        super().__init__(preprocessing, postprocessing, is_target)
        self.sequential = sequential
        self.use_vocab = use_vocab
        self.init_token = init_token
        self.eos_token = eos_token
        self.unk_token = unk_token
        self.fix_length = fix_length
        self.dtype = dtype if tensor_type is None else tensor_type.dtype
        self.lower = lower
        self.tokenizer_args = (tokenize, tokenizer_language)
        self.tokenize = get_tokenizer(tokenize, tokenizer_language)
        self.include_lengths = include_lengths
        self.batch_first = batch_first
        self.pad_token = pad_token if sequential else None
        self.pad_first = pad_first
        self.truncate_first = truncate_first
        try:
            self.stop_words = None if stop_words is None else set(stop_words)
        except TypeError:
            raise ValueError("stop_words is something that makes a set") from None

    def __getstate__(self):
        state = {**self.__dict__, "dtype": str(self.dtype).lower()}
        return {**state, "tokenize": None} if self.tokenizer_args[0] == "spacy" else state

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.dtype = getattr(mindspore, state["dtype"])
        self.tokenize = state["tokenize"] or get_tokenizer(*self.tokenizer_args)

    def __hash__(self):
        return 42

    def __eq__(self, other):
        return isinstance(other, RawField) and self.__dict__ == other.__dict__

    def preprocess(self, x):
        """The tokens of a text, after what the field does with them."""
        if self.sequential and isinstance(x, str):
            x = self.tokenize(x.rstrip("\n"))
        if self.lower:
            x = Pipeline(str.lower)(x)
        if self.sequential and self.use_vocab and self.stop_words is not None:
            x = [word for word in x if word not in self.stop_words]
        return super().preprocess(x)

    def process(self, batch, device=None):
        """The Tensor of a batch; `device` is of no account."""
        return self.numericalize(self.pad(batch), device=device)

    def pad(self, minibatch):
        """The lists of tokens in one length, with their own lengths if the field tells them."""
        minibatch = list(minibatch)
        if not self.sequential:
            return minibatch
        begins = [] if self.init_token is None else [self.init_token]
        ends = [] if self.eos_token is None else [self.eos_token]
        if self.fix_length is None:
            most = max(len(tokens) for tokens in minibatch)
        else:
            most = self.fix_length - len(begins) - len(ends)
        padded, lengths = [], []
        for tokens in minibatch:
            kept = list(tokens[-most:] if self.truncate_first else tokens[:most])
            filled = [self.pad_token] * max(0, most - len(tokens))
            whole = begins + kept + ends
            lengths.append(len(whole))
            padded.append(filled + whole if self.pad_first else whole + filled)
        return (padded, lengths) if self.include_lengths else padded

    def build_vocab(self, *args, **kwargs):
        """Make the vocabulary of what the columns of this field in data sets hold, or of other values."""
        counter = Counter()
        for column in columns_of(self, args):
            for value in column:
                values = value if self.sequential else [value]
                try:
                    counter.update(values)
                except TypeError:
                    counter.update(chain.from_iterable(values))
        special = [
            self.unk_token,
            self.pad_token,
            self.init_token,
            self.eos_token,
            *kwargs.pop("specials", []),
        ]
        special = list(dict.fromkeys(token for token in special if token is not None))
        self.vocab = self.vocab_cls(counter, specials=special, **kwargs)

    def numericalize(self, arr, device=None):
        """The Tensor of padded tokens, and with lengths those, too."""
        if self.include_lengths and not isinstance(arr, tuple):
            raise ValueError("a field with include_lengths=True takes a tuple of values and lengths")
        lengths = None
        if isinstance(arr, tuple):
            arr, lengths = arr
        values = self._numbers(arr)
        found = np.asarray(values) if self.sequential and values else values
        if self.sequential and not self.batch_first and np.ndim(found) == 2:
            found = found.T
        made = tensor(np.ascontiguousarray(found) if self.sequential else found, dtype=self.dtype)
        return (made, tensor(lengths, dtype=self.dtype)) if self.include_lengths else made

    def _numbers(self, values):
        if self.use_vocab:
            numbers = self.vocab.stoi
            values = (
                [[numbers[token] for token in tokens] for tokens in values]
                if self.sequential
                else [numbers[token] for token in values]
            )
        elif self.dtype not in self.dtypes:
            raise ValueError(f"a field of {self.dtype} needs a vocabulary")
        elif not self.sequential:
            number = self.dtypes[self.dtype]
            values = [number(value) if isinstance(value, str) else value for value in values]
        if self.postprocessing is None:
            return values
        return self.postprocessing(values, self.vocab if self.use_vocab else None)


def columns_of(field, given):
    """What fields make vocabularies of: the columns of a field in data sets, and what else is given."""
    columns = []
    for each in given:
        if isinstance(each, ExampleDataset):
            columns += [getattr(each, name) for name, other in each.fields.items() if other is field]
        else:
            columns.append(each)
    return columns


class LabelField(Field):
    """torchtext.data.LabelField: a column of classes."""

    def __init__(self, **kwargs):
        super().__init__(**{**kwargs, "sequential": False, "unk_token": None, "is_target": True})


class ReversibleField(Field):
    """torchtext.data.ReversibleField: a field that makes texts of numbers again."""

    def __init__(self, **kwargs):
        self.use_revtok = kwargs.get("tokenize") is not list
        if kwargs.get("tokenize") is None:
            kwargs["tokenize"] = "revtok"
        super().__init__(**{"unk_token": " UNK ", **kwargs})

    def reverse(self, batch):
        """The texts of a batch, each up to its last token."""
        rows = np.asarray(batch.asnumpy())
        found = []
        for row in rows if self.batch_first else rows.T:
            tokens = [self.vocab.itos[place] for place in row]
            if self.eos_token in tokens:
                tokens = tokens[: tokens.index(self.eos_token)]
            found.append([token for token in tokens if token not in (self.init_token, self.pad_token)])
        if not self.use_revtok:
            return ["".join(tokens) for tokens in found]
        import revtok

        return [revtok.detokenize(tokens) for tokens in found]


class NestedField(Field):
    """torchtext.data.NestedField: lists whose items are those of another field, as letters in words."""

    def __init__(
        self,
        nesting_field,
        use_vocab=True,
        init_token=None,
        eos_token=None,
        fix_length=None,
        dtype=mindspore.int64,
        preprocessing=None,
        postprocessing=None,
        tokenize=None,
        tokenizer_language="en",
        include_lengths=False,
        pad_token="<pad>",
        pad_first=False,
        truncate_first=False,
    ):
        if isinstance(nesting_field, NestedField):
            raise ValueError("nesting_field is no NestedField")
        if nesting_field.include_lengths:
            raise ValueError("nesting_field has include_lengths=False")
        super().__init__(
            use_vocab=use_vocab,
            init_token=init_token,
            eos_token=eos_token,
            fix_length=fix_length,
            dtype=dtype,
            preprocessing=preprocessing,
            postprocessing=postprocessing,
            lower=nesting_field.lower,
            tokenize=tokenize,
            tokenizer_language=tokenizer_language,
            batch_first=True,
            pad_token=nesting_field.pad_token if nesting_field.sequential else pad_token,
            unk_token=nesting_field.unk_token,
            pad_first=pad_first,
            truncate_first=truncate_first,
            include_lengths=include_lengths,
        )
        self.nesting_field = nesting_field
        self.nesting_field.batch_first = True

    def preprocess(self, xs):
        """What the other field makes of each token."""
        return [self.nesting_field.preprocess(x) for x in super().preprocess(xs)]

    def pad(self, minibatch):
        """The lists in one length, and their items in one."""
        minibatch, inner = list(minibatch), self.nesting_field
        if not inner.sequential:
            return super().pad(minibatch)
        before = self.pad_token, self.init_token, self.eos_token, self.include_lengths, inner.fix_length
        if inner.fix_length is None:
            longest = max(len(item) for items in minibatch for item in items)
            inner.fix_length = longest + 2 - (inner.init_token, inner.eos_token).count(None)
        self.pad_token = [self.pad_token] * inner.fix_length
        self.init_token = None if self.init_token is None else [self.init_token]
        self.eos_token = None if self.eos_token is None else [self.eos_token]
        self.include_lengths = inner.include_lengths = True
        padded, lengths = super().pad(minibatch)
        found, inner_lengths = [], []
        for items, length in zip(padded, lengths):
            filled, sizes = inner.pad(items)
            missing = len(items) - length
            if missing:
                place = slice(0, missing) if self.pad_first else slice(-missing, None)
                filled[place], sizes[place] = [self.pad_token] * missing, [0] * missing
            found.append(filled)
            inner_lengths.append(sizes)
        self.pad_token, self.init_token, self.eos_token, self.include_lengths, inner.fix_length = before
        return (found, lengths, inner_lengths) if self.include_lengths else found

    def build_vocab(self, *args, **kwargs):
        """Make one vocabulary for both fields."""
        items = [item for column in columns_of(self, args) for item in column]
        vectors = kwargs.pop("vectors", None)
        unknown, cache = kwargs.pop("unk_init", None), kwargs.pop("vectors_cache", None)
        self.nesting_field.build_vocab(*items, **kwargs)
        super().build_vocab()
        self.vocab.extend(self.nesting_field.vocab)
        self.vocab.freqs = self.nesting_field.vocab.freqs.copy()
        if vectors is not None:
            self.vocab.load_vectors(vectors, unk_init=unknown, cache=cache)
        self.nesting_field.vocab = self.vocab

    def numericalize(self, arrs, device=None):
        """The Tensors of the lists, one above the other, and with lengths those of lists and items."""
        inner = self.nesting_field
        inner.include_lengths = False
        if self.include_lengths:
            arrs, lengths, inner_lengths = arrs
        made = mindspore.ops.stack([inner.numericalize(arr, device=device) for arr in arrs])
        inner.include_lengths = True
        if not self.include_lengths:
            return made
        return made, tensor(lengths, dtype=self.dtype), tensor(inner_lengths, dtype=self.dtype)
