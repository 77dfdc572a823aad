"""Sentences of a small made-up language, so that nothing has to be downloaded."""
import random

import mindport_helpers as helpers
import mindspore

SUBJECTS = ["the cat", "a child", "my neighbour", "the old gardener", "nobody"]
VERBS = ["sees", "follows", "paints", "forgets", "waters"]
OBJECTS = ["the roses", "a blue boat", "the moon", "every door", "them"]
PLACES = ["in the morning", "behind the house", "", "by the river", ""]


class Dictionary:
    def __init__(self):
        self.word2idx = {}
        self.idx2word = []

    def add_word(self, word):
        if word not in self.word2idx:
            self.idx2word.append(word)
            self.word2idx[word] = len(self.idx2word) - 1
        return self.word2idx[word]

    def __len__(self):
        return len(self.idx2word)


class Corpus:
    def __init__(self, sentences, seed=0):
        self.dictionary = Dictionary()
        rng = random.Random(seed)
        self.train = self.tokenize(rng, sentences)
        self.valid = self.tokenize(rng, sentences // 5)

    def tokenize(self, rng, sentences):
        ids = []
        for _ in range(sentences):
            parts = [rng.choice(part) for part in (SUBJECTS, VERBS, OBJECTS, PLACES)]
            words = " ".join(part for part in parts if part).split() + ["<eos>"]
            ids.append(
                helpers.tensor_type(
                    helpers.tensor([self.dictionary.add_word(word) for word in words]), mindspore.int64
                )
            )
        return helpers.cat(ids)


def batchify(data, bsz, device):
    # Work out how cleanly we can divide the dataset into bsz parts.
    nbatch = data.shape[0] // bsz
    # Trim off any extra elements that wouldn't cleanly fit (remainders).
    data = helpers.narrow(data, 0, 0, nbatch * bsz)
    return data.view(bsz, -1).t().contiguous()


def get_batch(source, i, bptt):
    seq_len = min(bptt, len(source) - 1 - i)
    return source[i : i + seq_len], source[i + 1 : i + 1 + seq_len].reshape(-1)
