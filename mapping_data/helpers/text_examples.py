"""torchtext.data: examples, data sets of them, and batches."""

import functools
import json
import os

import mindspore


class Example:
    """torchtext.data.Example: one row, whose attributes are what its fields keep."""

    @classmethod
    def fromlist(cls, data, fields):
        """From values in the order of the fields."""
        made = cls()
        for (name, field), value in zip(fields, data):
            if field is None:
                continue
            value = value.rstrip("\n") if isinstance(value, str) else value
            pairs = zip(name, field) if isinstance(name, tuple) else [(name, field)]
            for each, kind in pairs:
                setattr(made, each, kind.preprocess(value))
        return made

    @classmethod
    def fromdict(cls, data, fields):
        """From values by name; `fields` has a pair, or several, for each name."""
        made = cls()
        for key, given in fields.items():
            if key not in data:
                raise ValueError(f"Specified key {key} was not found in the input data")
            made._keep(given, data[key])
        return made

    @classmethod
    def fromJSON(cls, data, fields):
        """From the text of a JSON object; a name with points leads into objects within it."""
        made, whole = cls(), json.loads(data)
        for key, given in fields.items():
            if given is not None:
                made._keep(given, functools.reduce(part_of_json, key.split("."), whole))
        return made

    @classmethod
    def fromCSV(cls, data, fields, field_to_index=None):
        """From a row, by the places of names where the fields are a dictionary."""
        if field_to_index is None:
            return cls.fromlist(data, fields)
        return cls.fromdict({name: data[place] for name, place in field_to_index.items()}, fields)

    @classmethod
    def fromtree(cls, data, fields, subtrees=False):
        """From a tree in brackets, read by NLTK: its words and its label."""
        from nltk.tree import Tree

        tree = Tree.fromstring(data)
        found = [
            cls.fromlist([" ".join(each.leaves()), each.label()], fields)
            for each in (tree.subtrees() if subtrees else [tree])
        ]
        return found if subtrees else found[0]

    def _keep(self, given, value):
        if given is not None:
            for name, field in given if isinstance(given, list) else [given]:
                setattr(self, name, field.preprocess(value))


def part_of_json(whole, key):
    """What an object has by a name, or each object in a list has."""
    for each in whole if isinstance(whole, list) else [whole]:
        if key not in each:
            raise ValueError(f"Specified key {key} was not found in the input data")
    return [each[key] for each in whole] if isinstance(whole, list) else whole[key]


class ExampleDataset(Dataset):
    """torchtext.data.Dataset: examples, and their fields by name."""

    sort_key = None

    def __init__(self, examples, fields, filter_pred=None):
        if filter_pred is not None:
            kept = filter(filter_pred, examples)
            examples = list(kept) if isinstance(examples, list) else kept
        self.examples = examples
        self.fields = {}
        for name, field in dict(fields).items():
            self.fields.update(zip(name, field) if isinstance(name, tuple) else [(name, field)])

    @classmethod
    def splits(cls, path=None, root=".data", train=None, validation=None, test=None, **kwargs):
        """The data sets of the files named, in that order."""
        path = cls.download(root) if path is None else path
        names = (train, validation, test)
        return tuple(cls(os.path.join(path, name), **kwargs) for name in names if name is not None)

    def split(self, split_ratio=0.7, stratified=False, strata_field="label", random_state=None):
        """Two or three data sets of these examples at random: for training, validation and tests."""
        ratios, shuffle = parts_of_whole(split_ratio), RandomShuffler(random_state)
        groups = [self.examples]
        if stratified:
            if strata_field not in self.fields:
                raise ValueError(f"Invalid field name for strata_field {strata_field}")
            values = [getattr(example, strata_field) for example in self.examples]
            groups = [
                [example for example, other in zip(self.examples, values) if other == value]
                for value in set(values)
            ]
        parts = ([], [], [])
        for group in groups:
            for part, found in zip(parts, divided_at_random(group, ratios, shuffle)):
                part.extend(found)
        made = tuple(ExampleDataset(part, self.fields) for part in (parts[0], parts[2], parts[1]) if part)
        if self.sort_key:
            for each in made:
                each.sort_key = self.sort_key
        return made

    def __getitem__(self, i):
        return self.examples[i]

    def __len__(self):
        try:
            return len(self.examples)
        except TypeError:
            return 2**32

    def __iter__(self):
        yield from self.examples

    def __getattr__(self, attr):
        if attr in self.__dict__.get("fields", {}):
            return (getattr(example, attr) for example in self.examples)
        raise AttributeError(f"{type(self).__name__} has no attribute or field {attr!r}")

    @classmethod
    def download(cls, root, check=None):
        """The folder of the files, which are downloaded if there is none."""
        folder = os.path.join(root, cls.name)
        if not os.path.isdir(folder if check is None else check):
            for url in cls.urls:
                fetch_and_extract(url, folder)
        return os.path.join(folder, cls.dirname)

    def filter_examples(self, field_names):
        """Leave out the tokens that are in no vocabulary."""
        for example in self.examples:
            for name in field_names:
                known = self.fields[name].vocab.stoi
                setattr(example, name, [token for token in getattr(example, name) if token in known])


def fetch_and_extract(url, folder):
    """Downloads a file, or a file with the name it gets, unless it is there, and unpacks archives."""
    url, name = url if isinstance(url, tuple) else (url, os.path.basename(url))
    path = os.path.join(folder, name)
    if not os.path.isfile(path):
        print(f"downloading {name}")
        download_url_to_file(url, path)
    if name.endswith((".zip", ".tgz", ".gz")):
        extract_archive(path, folder)


def parts_of_whole(split_ratio):
    """The parts for training, tests and validation."""
    if isinstance(split_ratio, float):
        if not 0 < split_ratio < 1:
            raise AssertionError(f"Split ratio {split_ratio} not between 0 and 1")
        return split_ratio, 1 - split_ratio, 0.0
    if not isinstance(split_ratio, list):
        raise ValueError(f"Split ratio must be float or a list, got {type(split_ratio)}")
    if len(split_ratio) not in (2, 3):
        raise AssertionError(f"Length of split ratio list should be 2 or 3, got {split_ratio}")
    whole = sum(split_ratio)
    parts = split_ratio if whole == 1 else [float(part) / whole for part in split_ratio]
    return (*parts, 0.0) if len(parts) == 2 else tuple(parts)


def divided_at_random(examples, ratios, shuffle):
    """Examples for training, tests and validation, in the order that is drawn."""
    train, test, validation = ratios
    count = len(examples)
    order = shuffle(range(count))
    first = round(train * count)
    second = first + (round(test * count) if validation else count - first)
    parts = order[:first], order[first:second], order[second:]
    return [[examples[place] for place in part] for part in parts]


class TabularDataset(ExampleDataset):
    """torchtext.data.TabularDataset: examples from a file of CSV, TSV or JSON lines."""

    def __init__(self, path, format, fields, skip_header=False, csv_reader_params=None, **kwargs):
        kinds = {
            "json": Example.fromJSON,
            "dict": Example.fromdict,
            "tsv": Example.fromCSV,
            "csv": Example.fromCSV,
        }
        kind, make = format.lower(), kinds[format.lower()]
        with open(os.path.expanduser(path), encoding="utf8") as file:
            rows = file
            if kind in ("csv", "tsv"):
                options = {"delimiter": "\t"} if kind == "tsv" else {}
                rows = unicode_csv_reader(file, **options, **(csv_reader_params or {}))
                if isinstance(fields, dict):
                    if skip_header:
                        raise ValueError("fields in a dictionary are found by the header: skip_header=False")
                    header = next(rows)
                    places = {name: header.index(name) for name in fields}
                    make = functools.partial(make, field_to_index=places)
            if skip_header:
                next(rows)
            examples = [make(row, fields) for row in rows]
        if isinstance(fields, dict):
            several = [each if isinstance(each, list) else [each] for each in fields.values()]
            fields = [pair for pairs in several for pair in pairs]
        super().__init__(examples, fields, **kwargs)


class Batch:
    """torchtext.data.Batch: the Tensors of some examples, by the names of their fields."""

    def __init__(self, data=None, dataset=None, device=None):
        if data is None:
            return
        self.batch_size = len(data)
        self.dataset = dataset
        self.fields = dataset.fields.keys()
        known = {name: field for name, field in dataset.fields.items() if field is not None}
        self.input_fields = [name for name, field in known.items() if not field.is_target]
        self.target_fields = [name for name, field in known.items() if field.is_target]
        for name, field in known.items():
            values = [getattr(example, name) for example in data]
            setattr(self, name, field.process(values, device=device))

    @classmethod
    def fromvars(cls, dataset, batch_size, train=None, **kwargs):
        """A batch of Tensors that are there."""
        made = cls()
        made.batch_size = batch_size
        made.dataset = dataset
        made.fields = dataset.fields.keys()
        for name, value in kwargs.items():
            setattr(made, name, value)
        return made

    def __repr__(self):
        if not self.__dict__:
            return "Empty torchtext.data.batch.Batch instance"
        name = getattr(self.dataset, "name", None)
        source = f" from {name.upper()}" if isinstance(name, str) else ""
        lines = [
            f"\t[.{each}]:{description_of_value(getattr(self, each))}"
            for each in self.fields
            if each is not None and hasattr(self, each)
        ]
        return f"\n[torchtext.data.batch.Batch of size {self.batch_size}{source}]\n" + "\n".join(lines)

    def __len__(self):
        return self.batch_size

    def __iter__(self):
        yield self._values(self.input_fields)
        yield self._values(self.target_fields)

    def _values(self, names):
        found = tuple(getattr(self, name) for name in names)
        return found[0] if len(found) == 1 else found or None


def description_of_value(value):
    """What a batch tells of a value."""
    if isinstance(value, tuple):
        return str(tuple(description_of_value(each) for each in value))
    if not isinstance(value, mindspore.Tensor):
        return str(value)
    return f"[{typename(value)} of size {'x'.join(str(size) for size in value.shape)}]"
