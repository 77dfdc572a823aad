"""torchtext: fields, vocabularies, vectors, data sets and their batches, with the release that was written in Python."""

from __future__ import annotations

from case import Case, script

CASES: list[Case] = []
FIELDS = "data.{0}Example data.{0}Dataset data.{0}Field data.{0}LabelField"


def both(apis: str, source: str, **options: object) -> None:
    """A script by the names of torchtext and of torchtext.legacy, of modules and of packages."""
    for package in ("torchtext.", "torchtext.legacy."):
        for modules in (False, True):
            names = [each if modules else shortened(each) for each in apis.split()]
            found = [each if each.startswith("torch.") else package + each for each in names]
            CASES.append(script(" ".join(found), source, **options))


def shortened(api: str) -> str:
    """data.Field of data.field.Field; what is in `data.utils` alone stays there."""
    kept = ("data.utils.ngrams_iterator", "data.utils.RandomShuffler")
    parts = api.split(".")
    is_short = len(parts) < 3 or api in kept or parts[0] == "torch"
    is_left = "nli" in parts and parts[-1] not in ("SNLI", "MultiNLI")
    return api if is_short or is_left else f"{parts[0]}.{parts[-1]}"


TEXTS = """
import random
random.seed(4)
words = "der Hund die Katze das Haus und geht groß klein 中文 alt neu".split()
texts = [" ".join(random.choices(words, k=random.randint(2, 9))) for _ in range(40)]
labels = [random.choice(["good", "bad", "ugly"]) for _ in texts]
"""
EXAMPLES = "data.example.Example data.dataset.Dataset data.field.Field data.field.LabelField"
SHOWN = """
def shown(batch):
    text = batch.text if isinstance(batch.text, tuple) else (batch.text,)
    return [*text, batch.label, batch.input_fields, batch.target_fields, len(batch), str(batch)]
"""
for field, build in (
    ("lower=True", ""),
    ("init_token='<s>', eos_token='</s>', batch_first=True", "max_size=5"),
    ("include_lengths=True, pad_first=True, stop_words=['und', 'alt']", "min_freq=9"),
    ("fix_length=6, truncate_first=True, eos_token='</s>'", "specials=['<mask>']"),
    ("fix_length=4, tokenize=list, pad_token='_', unk_token=None", "specials_first=False"),
    (
        "tokenize='basic_english', preprocessing=lambda words: words[::-1], postprocessing=lambda rows, vocab: [[n + 1 for n in row] for row in rows]",
        "",
    ),
    ("dtype=int32", ""),
):
    for iterator, given in (
        ("BucketIterator", "sort_key=lambda each: len(each.text), sort_within_batch=True"),
        ("BucketIterator", "sort_key=lambda each: len(each.text), sort=True"),
        ("Iterator", "sort=False"),
    ):
        both(
            f"{EXAMPLES} data.iterator.{iterator}",
            TEXTS
            + SHOWN
            + f"""
text, label = Field({field}), LabelField()
fields = [("text", text), ("label", label)]
examples = [Example.fromlist(each, fields) for each in zip(texts, labels)]
train, test = Dataset(examples, fields).split(0.7, random_state=random.getstate())
text.build_vocab(train{", " if build else ""}{build})
label.build_vocab(train)
result = [text.vocab.itos, sorted(text.vocab.stoi.items()), label.vocab.itos, len(text.vocab), text.vocab["nothing"]]
result.append([len(train), len(test), len(list(train.text)), test[0].text, train.fields["text"] is text])
for iterator in {iterator}.splits((train, test), batch_size=6, {given}):
    result += [len(iterator), [shown(batch) for batch in iterator], [shown(batch) for batch in iterator]]
for inputs, target in {iterator}(train, 20, {given}):
    result += [inputs, target]
# {field}; {build}; {given}
""",
        )
both(
    f"{EXAMPLES} data.field.RawField data.batch.Batch data.iterator.Iterator",
    """
text, number, raw = Field(), Field(sequential=False, use_vocab=False, dtype=float32), RawField(postprocessing=len)
fields = {"t": [("text", text), ("again", text)], "n": ("number", number), "r": ("raw", raw), "none": None}
rows = [{"t": "a b c", "n": "1.5", "r": 2, "none": 1}, {"t": "b c", "n": 2, "r": [3], "none": 2}, {"t": "c", "n": 3.5, "r": {}, "none": 3}]
examples = [Example.fromdict(row, fields) for row in rows]
data = Dataset(examples, [pair for pair in [("text", text), ("again", text), ("number", number), ("raw", raw)]], filter_pred=lambda each: each.number != 2)
text.build_vocab(data, [["c", "d"], ["d"]])
result = [text.vocab.itos, len(data), [sorted(vars(each).items()) for each in examples]]
iterator = Iterator(data, 2, sort_key=lambda each: len(each.text), train=False)
for batch in iterator:
    result += [batch.text, batch.again, batch.number, batch.raw, list(batch.fields), iterator.iterations, iterator.epoch]
batch = Batch.fromvars(data, 2, text=batch.text)
result += [batch.text, str(batch), str(Batch()), iterator.state_dict()["iterations"]]
data.filter_examples(["text"])
for wrong in (lambda: Example.fromdict({"t": ""}, {"x": ("x", text)}), lambda: Field(stop_words=3), lambda: data.split(1.5), lambda: data.split([1]), lambda: data.split("a"), lambda: Field(use_vocab=False, dtype=bool_).process([["a"]])):
    try:
        wrong()
    except (AssertionError, ValueError) as error:
        result.append(type(error).__name__)
result.append([text == Field(), Field() == Field(), Field() == 3, hash(Field()) == hash(Field())])
""",
)
both(
    f"{EXAMPLES} data.iterator.BucketIterator",
    TEXTS
    + """
text, label = Field(), LabelField()
fields = [(("text", "again"), (text, text)), ("label", label)]
data = Dataset([Example.fromlist(each, fields) for each in zip(texts, labels)], fields)
data.sort_key = lambda each: len(each.text)
text.build_vocab(data)
label.build_vocab(data)
result = [sorted(data.fields)]
parts = data.split([2, 1, 1], stratified=True, random_state=random.getstate())
result += [sorted(map(len, part.again)) for part in data.split([2.0, 1.0], random_state=random.getstate())]
result += [len(part) for part in parts] + [part.sort_key is data.sort_key for part in parts]
by_words = BucketIterator(data, 30, batch_size_fn=lambda new, count, size: size + len(new.text), repeat=False)
result += [[batch.text.shape for batch in by_words], [batch.text for batch in by_words][:2]]
first = iter(by_words)
next(first), next(first)
state = by_words.state_dict()
again = BucketIterator(data, 30, batch_size_fn=lambda new, count, size: size + len(new.text), repeat=False)
again.load_state_dict(state)
result += [[batch.text for batch in again], again.iterations]
try:
    len(by_words)
except NotImplementedError:
    result.append("no length")
ever = iter(BucketIterator(data, 16, repeat=True))
result += [next(ever).label for _ in range(7)]
""",
)
both(
    "data.iterator.batch data.iterator.pool data.utils.RandomShuffler data.utils.interleave_keys",
    """
import random
random.seed(2)
items = [list(range(n)) for n in (3, 1, 4, 1, 5, 9, 2, 6)]
result = [list(batch(items, 3)), list(batch(items, 7, lambda new, count, size: size + len(new)))]
shuffle = RandomShuffler()
result += [list(pool(items, 3, len, random_shuffler=shuffle, shuffle=True, sort_within_batch=True)), list(pool(items, 3, len))]
state = shuffle.random_state
result += [shuffle(range(9)), RandomShuffler(state)(range(9)), interleave_keys(5, 300), interleave_keys(0, 0)]
shuffle.random_state = state
result.append(shuffle("abcdef"))
""",
)
both(
    "data.field.NestedField data.field.Field data.example.Example data.dataset.Dataset data.iterator.Iterator",
    """
result = []
for inner, outer in (
    (Field(pad_token="<c>", init_token="<w>", eos_token="</w>", tokenize=list), {"init_token": "<s>", "eos_token": "</s>"}),
    (Field(tokenize=list, fix_length=3), {"include_lengths": True, "pad_first": True}),
    (Field(tokenize=list), {"include_lengths": True, "fix_length": 4}),
    (Field(sequential=False), {}),
):
    field = NestedField(inner, **outer)
    data = Dataset([Example.fromlist([text], [("text", field)]) for text in ("john loves mary", "mary cries", "a b")], [("text", field)])
    result += [data[0].text, field.pad(list(data.text))]
    if inner.sequential:
        field.build_vocab(data)
        result.append(field.vocab.itos)
        for each in Iterator(data, 2, sort_key=lambda each: len(each.text), train=False):
            result.append(each.text)
for wrong in (lambda: NestedField(NestedField(Field())), lambda: NestedField(Field(include_lengths=True))):
    try:
        wrong()
    except ValueError:
        result.append("wrong")
""",
)
both(
    "data.field.LabelField data.field.Field",
    """
takes = "tensor_type" in Field.__init__.__code__.co_varnames  # as until torchtext 0.3
field = LabelField(use_vocab=False, **({"tensor_type": type('', (), {'dtype': float32})} if takes else {"dtype": float32}))
result = field.process(["1", "2.5"])
""",
)
both(
    "data.pipeline.Pipeline data.field.ReversibleField",
    """
pipeline = Pipeline(lambda word: word + "!").add_before(str.upper).add_after(Pipeline(lambda word: word[::-1]))
result = [pipeline(["ab", "c"]), pipeline("ab"), Pipeline()("x"), Pipeline(lambda word, more: word + more)(["a"], "b")]
try:
    Pipeline(3)
except ValueError:
    result.append("wrong")
field = ReversibleField(tokenize=list, eos_token="$", init_token="^")
field.build_vocab([list("hello"), list("low")])
made = field.process([list("hello"), list("low")])
result += [field.unk_token, made, field.reverse(made)]
""",
)
FILES = """
import os, tempfile
folder = tempfile.mkdtemp()
def written(name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return path
"""
both(
    "data.dataset.TabularDataset data.field.Field data.field.LabelField data.example.Example",
    FILES
    + """
text, label = Field(), LabelField()
rows = [("t", "l"), ("a b, c", "x"), ("中 文", "y"), ("d", "x")]
comma = written("a.csv", "".join(f'"{t}",{l}\\n' for t, l in rows))
tabbed = written("a.tsv", "".join(f"{t}\\t{l}\\r\\n" for t, l in rows))
objects = written("a.json", '{"t": "a b", "deep": {"l": "x"}, "many": [{"w": "u"}, {"w": "v"}]}\\n{"t": "c", "deep": {"l": "y"}, "many": []}\\n')
listed, named = [("text", text), ("label", label)], {"l": ("label", label), "t": [("text", text), ("again", text)]}
result = []
for data in (
    TabularDataset(comma, "csv", listed, skip_header=True),
    TabularDataset(comma, "CSV", named, csv_reader_params={"quotechar": '"'}),
    TabularDataset(tabbed, "tsv", named, filter_pred=lambda each: each.label == "x"),
    TabularDataset(tabbed, "tsv", [("text", text), (None, None)]),
    TabularDataset(objects, "json", {"t": ("text", text), "deep.l": ("label", label), "many.w": ("words", text)}),
    *TabularDataset.splits(path=folder, train="a.csv", test="a.tsv", format="csv", fields=listed),
):
    result += [[sorted(vars(each).items()) for each in data], sorted(str(name) for name in data.fields)]
for wrong in (lambda: TabularDataset(comma, "csv", named, skip_header=True), lambda: Example.fromJSON('{"a": 1}', {"b": ("b", text)})):
    try:
        wrong()
    except ValueError:
        result.append("wrong")
""",
)
both(
    "data.field.Field data.iterator.BPTTIterator datasets.language_modeling.LanguageModelingDataset "
    "datasets.language_modeling.WikiText2 datasets.language_modeling.WikiText103 datasets.language_modeling.PennTreebank",
    FILES
    + """
path = written("wikitext-2/wikitext-2/wiki.train.tokens", "a b c\\n\\nd e f g\\nh\\n" * 3)
for name in ("wikitext-2/wikitext-2/wiki.valid.tokens", "wikitext-2/wikitext-2/wiki.test.tokens"):
    written(name, "c b a\\n e\\n")
for part in ("train", "valid", "test"):
    written(f"penn-treebank/ptb.{part}.txt", "x y\\n z\\n")
    written(f"wikitext-103/wikitext-103/wiki.{part}.tokens", "u v\\n")
result = []
for first in (False, True):
    text = Field(lower=True, batch_first=first)
    train, valid, test = WikiText2.splits(text, root=folder)
    text.build_vocab(train)
    result += [text.vocab.itos, len(train), train[0].text, test[0].text]
    for iterator in BPTTIterator.splits((train, valid), batch_size=3, bptt_len=4, device="cpu"):
        result += [len(iterator), [[batch.text, batch.target, len(batch)] for batch in iterator]]
for kind in (WikiText103, PennTreebank):
    result += [[each[0].text for each in kind.splits(Field(), root=folder)]]
result += [[batch.text for batch in each] for each in WikiText2.iters(batch_size=2, bptt_len=3, root=folder)]
result.append(LanguageModelingDataset(path, Field(), newline_eos=False)[0].text)
""",
)
both(
    "data.field.Field data.iterator.BucketIterator datasets.translation.TranslationDataset datasets.translation.Multi30k "
    "datasets.translation.IWSLT datasets.translation.WMT14",
    FILES
    + """
for part, count in (("train", 5), ("val", 2), ("test2016", 3), ("test", 1)):
    for name, language in (("multi30k", "de"), ("multi30k", "en"), ("wmt14", "de"), ("wmt14", "en")):
        written(f"{name}/{part}.{language}", "".join(f"{language} {n} {'x ' * n}\\n" for n in range(count)) + "\\n")
for name in ("train.tok.clean.bpe.32000", "newstest2013.tok.bpe.32000", "newstest2014.tok.bpe.32000"):
    for language in ("en", "de"):
        written(f"wmt14/{name}.{language}", f"{language} a@@ b\\n")
source, target = Field(init_token="<s>", eos_token="</s>"), Field()
parts = Multi30k.splits(exts=(".de", ".en"), fields=(source, target), root=folder)
source.build_vocab(parts[0], min_freq=2)
target.build_vocab(parts[0])
result = [source.vocab.itos, [[each.src, each.trg] for part in parts for each in part], [sorted(part.fields) for part in parts]]
for iterator in BucketIterator.splits(parts, batch_sizes=(2, 3, 3)):
    result += [[batch.src, batch.trg] for batch in iterator]
path = os.path.join(folder, "multi30k", "")
result += [len(part) for part in TranslationDataset.splits((".en", ".de"), (source, target), path=path, test=None)]
result += [each.src for each in TranslationDataset(path + "val", (".de", ".en"), [("src", source), ("trg", target)])]
result += [each[0].trg for each in WMT14.splits((".en", ".de"), (source, target), root=folder)]
one = "iwslt/de-en/"
written(one + "train.tags.de-en.de", "<url>u</url>\\n ein Satz \\n")
written(one + "train.tags.de-en.en", "<url>u</url>\\n a sentence \\n")
for name in ("IWSLT16.TED.tst2013.de-en", "IWSLT16.TED.tst2014.de-en"):
    for language in ("de", "en"):
        written(one + f"{name}.{language}.xml", f"<m><s><doc><seg> {language} x </seg><seg>y</seg></doc></s></m>")
result += [[each.src, each.trg] for part in IWSLT.splits((".de", ".en"), (source, target), root=folder) for each in part]
""",
)
both(
    "data.field.Field data.field.LabelField datasets.imdb.IMDB datasets.trec.TREC datasets.sst.SST",
    FILES
    + """
import sys, types
class Tree:
    def __init__(self, label, parts):
        self._label, self.parts = label, parts
    @classmethod
    def fromstring(cls, text):
        def read(at):
            label = text[at + 1]
            at, parts = at + 3, []
            while text[at] != ")":
                if text[at] == "(":
                    part, at = read(at)
                    parts.append(part)
                else:
                    end = text.index(")", at)
                    parts.append(text[at:end])
                    at = end
                at += text[at] == " "
            return cls(label, parts), at + 1
        return read(0)[0]
    def label(self):
        return self._label
    def leaves(self):
        return [leaf for part in self.parts for leaf in (part.leaves() if isinstance(part, Tree) else [part])]
    def subtrees(self):
        yield self
        for part in self.parts:
            if isinstance(part, Tree):
                yield from part.subtrees()
sys.modules["nltk"], sys.modules["nltk.tree"] = types.ModuleType("nltk"), types.ModuleType("nltk.tree")
sys.modules["nltk.tree"].Tree = Tree
text, label = Field(), LabelField()
for part in ("train", "test"):
    for kind in ("pos", "neg"):
        written(f"imdb/aclImdb/{part}/{kind}/0.txt", f"{part} {kind} film\\nmore")
for name in ("train_5500", "TREC_10"):
    written(f"trec/{name}.label", "LOC:city Where is it ?\\nNUM:date When ?\\n")
for name in ("train", "dev", "test"):
    written(f"sst/trees/{name}.txt", "(3 (2 It) (4 (2 is) (4 good)))\\n(0 bad)\\n")
result = [[[each.text, each.label] for each in part] for part in IMDB.splits(text, label, root=folder)]
result += [[[each.text, each.label] for each in part] for part in TREC.splits(text, label, root=folder)]
result += [[[each.text, each.label] for each in part] for part in TREC.splits(text, label, root=folder, fine_grained=True)]
result += [[[each.text, each.label] for each in part] for part in SST.splits(text, label, root=folder)]
result += [[[each.text, each.label] for each in part] for part in SST.splits(text, label, root=folder, train_subtrees=True, fine_grained=True)]
for kind in (IMDB, TREC, SST):
    for iterator in kind.iters(batch_size=4, root=folder, device=-1):
        result += [[sorted(batch.label.tolist()), batch.text.shape] for batch in iterator]
result.append(SST.sort_key(SST.splits(text, label, root=folder)[0][0]))
""",
)
both(
    "data.field.Field data.field.LabelField datasets.nli.NLIDataset datasets.nli.ParsedTextField "
    "datasets.nli.ShiftReduceField datasets.nli.SNLI datasets.nli.MultiNLI",
    FILES
    + """
lines = '{"sentence1": "a dog", "sentence2": "it is", "gold_label": "neutral", "genre": "g", "sentence1_binary_parse": "( a dog )", "sentence2_binary_parse": "( it is )"}\\n'
lines += lines.replace("neutral", "-") + lines.replace("a dog", "a small dog").replace("neutral", "entailment")
for part in ("train", "dev", "test"):
    written(f"snli/snli_1.0/snli_1.0_{part}.jsonl", lines)
for part in ("train", "dev_matched", "dev_mismatched"):
    written(f"multinli/multinli_1.0/multinli_1.0_{part}.jsonl", lines)
for part in ("train", "val", "test"):
    written(f"nli/{part}.jsonl", lines)
text, label, genre = Field(), LabelField(), LabelField()
result = [[sorted(vars(each).items()) for each in part] for part in SNLI.splits(text, label, root=folder)]
result += [[sorted(vars(each).items()) for each in part] for part in MultiNLI.splits(text, label, genre_field=genre, root=folder)]
result += [[each.label for each in part] for part in NLIDataset.splits(text, label, root=folder)]
for reverse in (False, True):
    parsed, moves = ParsedTextField(reverse=reverse), ShiftReduceField()
    parts = SNLI.splits(parsed, label, moves, root=folder)
    parsed.build_vocab(parts[0])
    result += [[sorted(vars(each).items()) for each in parts[0]], moves.vocab.itos, [SNLI.sort_key(each) for each in parts[0]]]
    result += [parsed.process(list(parts[0].premise))]
""",
)
both(
    "data.field.Field datasets.sequence_tagging.SequenceTaggingDataset datasets.sequence_tagging.UDPOS "
    "datasets.sequence_tagging.CoNLL2000Chunking",
    FILES
    + """
rows = "".join(f"w{n}\\tN\\tX\\nv{n}\\tV\\n" + "\\n" * (n % 2 + 1) for n in range(20))
path = written("a.tsv", rows)
for part in ("train", "dev", "test"):
    written(f"udpos/en-ud-v2/en-ud-tag.v2.{part}.txt", rows)
for part in ("train", "test"):
    written(f"conll2000/{part}.txt", rows.replace("\\t", " "))
words, tags = Field(), Field(unk_token=None)
fields = [("word", words), ("tag", tags), (None, None)]
data = SequenceTaggingDataset(path, fields[:2])
result = [[[each.word, each.tag] for each in data], SequenceTaggingDataset.sort_key(data[0])]
result += [[len(part) for part in UDPOS.splits(fields, root=folder)]]
result += [[[each.word for each in part] for part in CoNLL2000Chunking.splits(fields, root=folder)]]
""",
)
VECTORS = (
    FILES
    + """
import collections
path = written("some.vec", "4 3\\nthe 0.5 -1 2\\nHund 2 3.25 1\\n中 1e-3 4 0\\n")
os.chdir(folder)
def filled(vector):
    return tensor(np.full(tuple(vector.shape), 7, np.float32))
"""
)
both(
    "torch.Tensor.zero_ vocab.Vocab vocab.Vectors vocab.GloVe vocab.FastText vocab.CharNGram",
    VECTORS
    + """
result = []
for given in ({}, {"unk_init": filled}, {"max_vectors": 2}, {"max_vectors": 2, "cache": "other"}, {"unk_init": zero_}):
    vectors = Vectors(path, **given)
    result += [vectors.itos, vectors.stoi, vectors.vectors, vectors.dim, vectors["Hund"], vectors["nothing"]]
    result += [vectors.get_vecs_by_tokens(["the", "THE"]), vectors.get_vecs_by_tokens(["the", "THE"], lower_case_backup=True)]
    result += [vectors.get_vecs_by_tokens("the"), sorted(os.listdir(given.get("cache", ".vector_cache")))]
counter = collections.Counter("a b a the the the Hund".split())
words = Vocab(counter, vectors=Vectors(path, unk_init=filled), min_freq=1)
result += [words.itos, words.vectors, words.freqs == counter, Vocab(counter) == Vocab(counter)]
words.load_vectors([Vectors(path), Vectors(path, unk_init=filled)])
result.append(words.vectors)
words.set_vectors({"the": 1, "Hund": 0}, tensor(np.array([[1, 2, 3], [4, 5, 6]], np.float32)), 3, filled)
result.append(words.vectors)
words.set_vectors({"the": 1}, tensor(np.array([[1, 2, 3], [4, 5, 6]], np.float32)), 3)
result.append(words.vectors)
more = Vocab(collections.Counter("z y a".split()), specials=["<pad>"])
words.extend(more, sort=True)
result += [words.itos, more.itos, more["nothing"], Vocab(counter, max_size=1, specials=["<unk>"], specials_first=False).stoi["?"]]
import copy
result += [copy.deepcopy(words).stoi["nothing"], len(words)]
written(".vector_cache/glove.6B.50d.txt", "the 1 2 3\\n")
written(".vector_cache/wiki.simple.vec", "the 3 4 5\\n")
written(".vector_cache/charNgram.txt", "2gram-#BEGIN#a 1 2 3\\n2gram-ab 3 5 7\\n3gram-#BEGIN#ab 0 1 1\\n")
words = Vocab(counter, vectors=["glove.6B.50d", "fasttext.simple.300d"])
result += [words.vectors, GloVe("6B", 50)["the"], FastText("simple").dim, CharNGram()["ab"], CharNGram()["x"], CharNGram()["<unk>"]]
for wrong in (lambda: words.load_vectors("nothing"), lambda: words.load_vectors(3), lambda: Vocab(counter, unk_init=filled)):
    try:
        wrong()
    except (AssertionError, ValueError) as error:
        result.append(type(error).__name__)
try:
    Vectors("nothing.txt")
except RuntimeError:
    result.append("no file")
""",
)
both("vocab.pretrained_aliases", "result = sorted(pretrained_aliases)")
both(
    "data.utils.get_tokenizer data.utils.ngrams_iterator data.metrics.bleu_score",
    """
english = get_tokenizer("basic_english")
result = [english("You'll \\"see\\": it, (here) <br />now!  Ok; no? End."), get_tokenizer(None)("a  b\\tc"), get_tokenizer(list)("ab")]
for wrong in (lambda: get_tokenizer("nothing"), lambda: get_tokenizer("basic_english", language="de")):
    try:
        wrong()
    except ValueError:
        result.append("wrong")
result += [list(ngrams_iterator("here we are now".split(), n)) for n in (1, 2, 3)]
candidates = [["My", "full", "pytorch", "test", "now"], ["Another", "Sentence", "of", "some", "words"]]
references = [[["My", "full", "pytorch", "test", "now"], ["Completely", "Different"]], [["No", "Match"], ["Another", "Sentence", "of", "some"]]]
result += [bleu_score(candidates, references), bleu_score(candidates, references, max_n=2, weights=[0.3, 0.7]), bleu_score([["x"]], [[["y"]]])]
for wrong in (lambda: bleu_score(candidates, references[:1]), lambda: bleu_score(candidates, references, max_n=3)):
    try:
        wrong()
    except AssertionError:
        result.append("wrong")
""",
)
for place in ("torchtext.data.functional.", "torchtext.data."):
    CASES.append(
        script(
            " ".join(
                place + name
                for name in (
                    "custom_replace",
                    "simple_space_split",
                    "numericalize_tokens_from_iterator",
                    "load_sp_model",
                    "generate_sp_model",
                    "sentencepiece_numericalizer",
                    "sentencepiece_tokenizer",
                )
            ),
            """
import sys, types
class Processor:
    def Load(self, path):
        self.path = path
    def EncodeAsIds(self, line):
        return [len(word) for word in line.split()]
    def EncodeAsPieces(self, line):
        return line.split() + [self.path]
trained = []
package = types.ModuleType("sentencepiece")
package.SentencePieceProcessor = Processor
package.SentencePieceTrainer = types.SimpleNamespace(train=lambda line: trained.append(line.split()))
before = sys.modules.get("sentencepiece")
sys.modules["sentencepiece"] = package
model = load_sp_model("a.model")
generate_sp_model("a.csv", vocab_size=30, model_prefix="b")
lines = ["S a  b", "SS c"]
result = [list(custom_replace([(r"S", "s"), (r"\\\\s+", " ")])(lines)), list(simple_space_split(lines)), trained]
result += [list(sentencepiece_numericalizer(model)(lines)), list(sentencepiece_tokenizer(model)(lines))]
numbers = {"S": 0, "a": 1, "b": 2, "SS": 3, "c": 4}
result += [list(each) for each in numericalize_tokens_from_iterator(numbers, simple_space_split(lines))]
result += [list(each) for each in numericalize_tokens_from_iterator(numbers, simple_space_split(lines), ["a", "SS"])]
sys.modules.pop("sentencepiece") if before is None else sys.modules.update(sentencepiece=before)
""",
        )
    )
CASES.append(
    script(
        "torchtext.utils.unicode_csv_reader torchtext.utils.download_from_url torchtext.utils.extract_archive",
        FILES
        + """
import io, tarfile, zipfile
one = written("one.txt", "1")
archives = [os.path.join(folder, name) for name in ("a.zip", "b.tar.gz", "c.tgz")]
with zipfile.ZipFile(archives[0], "w") as file:
    file.write(one, "in/one.txt")
for name in archives[1:]:
    with tarfile.open(name, "w:gz") as file:
        file.add(one, "in/one.txt")
result = []
for name in archives:
    for again in (False, True):
        found = extract_archive(name, name + "-files", overwrite=again)
        result += [[os.path.relpath(each, folder) for each in found], [open(each).read() for each in found]]
try:
    extract_archive(one)
except NotImplementedError:
    result.append("no archive")
result.append(list(unicode_csv_reader(io.StringIO('a,"b,c"\\\\nd,' + "x" * 200000), delimiter=","))[0])
""",
    )
)

LATER = "AG_NEWS DBpedia SogouNews YelpReviewPolarity YelpReviewFull YahooAnswers AmazonReviewPolarity AmazonReviewFull"
CASES += [
    script(
        "torchtext.legacy.vocab.build_vocab_from_iterator",
        "made = build_vocab_from_iterator([['a', 'b'], ['a']])\nresult = [made.itos, made['nothing']]",
    ),
    script(
        "torchtext.vocab.vocab torchtext.vocab.build_vocab_from_iterator",
        """
from collections import OrderedDict
lines = [line.split() for line in ("b a c a", "a b d <pad>", "e")]
made = [
    build_vocab_from_iterator(iter(lines), specials=["<unk>", "<pad>"]),
    build_vocab_from_iterator(lines, min_freq=2, specials=["<pad>"], special_first=False),
    build_vocab_from_iterator(lines, max_tokens=4, specials=["<unk>"]),
    vocab(OrderedDict([("z", 2), ("y", 1), ("x", 3)]), min_freq=2),
    vocab(OrderedDict([("z", 2), ("y", 1)]), specials=["y", "<unk>"]),
]
result = [[each.get_itos(), each.get_stoi(), len(each), "a" in each, each.get_default_index()] for each in made]
first = made[0]
try:
    first["nothing"]
except RuntimeError as error:
    result.append(str(error))
first.set_default_index(first["<unk>"])
result += [first["nothing"], first(["a", "nothing", "b"]), first.lookup_indices(["a"]), first.lookup_tokens([0, 2]), first.lookup_token(1)]
first.append_token("new")
first.insert_token("newer", 1)
result += [first.get_itos(), first["new"], first["a"], first.forward(["newer"])]
for wrong in (lambda: first.append_token("new"), lambda: first.insert_token("x", 99), lambda: first.lookup_token(99), lambda: first.lookup_token(-1)):
    try:
        wrong()
    except RuntimeError:
        result.append("wrong")
try:
    build_vocab_from_iterator(lines, max_tokens=1, specials=["<unk>"])
except AssertionError:
    result.append("no place")
import copy
result.append(copy.deepcopy(first)(["a", "nothing"]))
""",
    ),
    script(
        "torchtext.data.functional.to_map_style_dataset "
        + " ".join(f"torchtext.datasets.{name}" for name in LATER.split()),
        FILES
        + f"""
names = {LATER.split()}
kinds = [{LATER.replace(" ", ", ")}]
folders = "ag_news dbpedia sogou_news yelp_review_polarity yelp_review_full yahoo_answers amazon_review_polarity amazon_review_full".split()
result = []
for name, kind, given in zip(names, kinds, folders):
    for part in ("train", "test"):
        written(f"{{given}}_csv/{{part}}.csv", f'3,"a, {{given}}",of {{part}}\\n1,b,""\\n')
    train, test = kind(root=folder)
    alone = kind(split="test", root=folder)
    result += [list(train), list(test), next(alone), next(alone)]
mapped = to_map_style_dataset(AG_NEWS(folder, "train"))
result += [len(mapped), mapped[1], list(AG_NEWS(folder, "train").map(lambda row: row[0]))]
""",
    ),
    script(
        "torchtext.datasets.WikiText2 torchtext.datasets.IMDB torchtext.datasets.Multi30k torchtext.datasets.PennTreebank",
        FILES
        + """
for part in ("train", "valid", "test"):
    written(f"wikitext-2/wikitext-2/wiki.{part}.tokens", f" a {part} \\n\\n b\\n")
    written(f"penn-treebank/ptb.{part}.txt", f"x {part}\\n")
for part in ("train", "test"):
    for kind in ("pos", "neg"):
        written(f"imdb/aclImdb/{part}/{kind}/0.txt", f"{part} {kind} film")
for part in ("train", "val", "test2016"):
    for language in ("de", "en"):
        written(f"multi30k/{part}.{language}", f"{language} {part}\\nb\\n")
result = [list(each) for each in WikiText2(root=folder)] + [list(WikiText2(split="valid", root=folder))]
result += [list(each) for each in IMDB(root=folder)] + [list(IMDB(folder, "test"))]
result += [list(each) for each in Multi30k(root=folder)] + [list(Multi30k(root=folder, split="train", language_pair=("en", "de")))]
result += [list(each) for each in PennTreebank(folder, split=("train", "test"))]
""",
    ),
]
