"""Words as numbers."""

import os

import torch


class Dictionary:
    def __init__(self):
        self.numbers = {}
        self.words = []

    def add_word(self, word):
        if word not in self.numbers:
            self.words.append(word)
            self.numbers[word] = len(self.words) - 1
        return self.numbers[word]

    def __len__(self):
        return len(self.words)


class Corpus:
    def __init__(self, path):
        self.dictionary = Dictionary()
        self.train = self.tokenize(os.path.join(path, "train.txt"))
        self.valid = self.tokenize(os.path.join(path, "valid.txt"))

    def tokenize(self, path):
        with open(path, encoding="utf8") as f:
            for line in f:
                for word in line.split() + ["<eos>"]:
                    self.dictionary.add_word(word)
        with open(path, encoding="utf8") as f:
            found = []
            for line in f:
                ids = []
                for word in line.split() + ["<eos>"]:
                    ids.append(self.dictionary.numbers[word])
                found.append(torch.tensor(ids).type(torch.int64))
            return torch.cat(found)
