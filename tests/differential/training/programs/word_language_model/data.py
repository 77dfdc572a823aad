import os
import torch

WORDS = ("the a cat dog bird sees hears follows small quick green old house tree river near under "
         "behind and while it sleeps runs sings").split()


class Dictionary(object):
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


class Corpus(object):
    def __init__(self, path):
        self.dictionary = Dictionary()
        if not os.path.exists(os.path.join(path, 'train.txt')):
            write_synthetic(path)
        self.train = self.tokenize(os.path.join(path, 'train.txt'))
        self.valid = self.tokenize(os.path.join(path, 'valid.txt'))

    def tokenize(self, path):
        """Tokenizes a text file."""
        assert os.path.exists(path)
        # Add words to the dictionary
        with open(path, 'r', encoding="utf8") as f:
            for line in f:
                words = line.split() + ['<eos>']
                for word in words:
                    self.dictionary.add_word(word)

        # Tokenize file content
        with open(path, 'r', encoding="utf8") as f:
            idss = []
            for line in f:
                words = line.split() + ['<eos>']
                ids = []
                for word in words:
                    ids.append(self.dictionary.word2idx[word])
                idss.append(torch.tensor(ids).type(torch.int64))
            ids = torch.cat(idss)

        return ids


def write_synthetic(path):
    """Sentences that repeat with a shift: something to learn, nothing to download."""
    os.makedirs(path, exist_ok=True)
    for name, lines, start in (('train.txt', 60, 0), ('valid.txt', 12, 5)):
        with open(os.path.join(path, name), 'w', encoding='utf8') as f:
            for number in range(lines):
                picked = [WORDS[(start + number * 7 + k * (3 + number % 4)) % len(WORDS)] for k in range(6 + number % 5)]
                f.write(' '.join(picked) + '\n')
