"""Classifies sentences of different lengths: collate_fn pads, a mask keeps the padding out."""
import argparse
from collections import Counter
from functools import partial

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

PAD, UNK = "<pad>", "<unk>"
GOOD = ["a lovely film", "great fun and well acted", "truly moving , go and see it", "i liked every minute"]
BAD = ["a dull film", "no fun at all and badly acted", "truly boring , stay at home", "i disliked every single minute of it"]


class Vocab:
    def __init__(self, texts, min_freq=1):
        counter = Counter(token for text in texts for token in text.split())
        self.itos = [PAD, UNK] + [t for t, c in sorted(counter.items()) if c >= min_freq]
        self.stoi = {t: i for i, t in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def __call__(self, text):
        return [self.stoi.get(token, self.stoi[UNK]) for token in text.split()]


class Reviews(Dataset):
    def __init__(self, repeats, vocab):
        texts = [(t, 1) for t in GOOD] + [(t, 0) for t in BAD]
        self.items = [(vocab(t + " indeed" * (k % 3)), label) for k in range(repeats) for t, label in texts]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        tokens, label = self.items[i]
        return torch.tensor(tokens), label


def collate(batch, pad_idx=0):
    sequences, labels = zip(*batch)
    lengths = torch.tensor([len(s) for s in sequences])
    padded = pad_sequence(sequences, batch_first=True, padding_value=pad_idx)
    return padded, lengths, torch.tensor(labels, dtype=torch.float)


class Classifier(nn.Module):
    def __init__(self, vocab_size, dim, pad_idx):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim, padding_idx=pad_idx)
        self.attend = nn.Linear(dim, 1)
        self.fc = nn.Linear(dim * 2, 1)

    def forward(self, tokens, lengths):
        emb = self.embedding(tokens)
        mask = torch.arange(tokens.size(1), device=tokens.device)[None, :] < lengths[:, None]
        scores = self.attend(emb).squeeze(-1).masked_fill(~mask, -1e9)
        weights = torch.softmax(scores, dim=1).unsqueeze(1)
        attended = torch.bmm(weights, emb).squeeze(1)
        mean = (emb * mask.unsqueeze(-1)).sum(1) / lengths.unsqueeze(1)
        return self.fc(torch.cat([attended, mean], dim=1)).squeeze(1)


def binary_accuracy(preds, y):
    rounded_preds = torch.round(torch.sigmoid(preds))
    return (rounded_preds == y).float().mean()


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=8)
    args = parser.parse_args(argv)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(1)

    vocab = Vocab(GOOD + BAD)
    loader = DataLoader(Reviews(args.repeats, vocab), batch_size=args.batch_size, shuffle=True,
                        collate_fn=partial(collate, pad_idx=vocab.stoi[PAD]))
    model = Classifier(len(vocab), 16, vocab.stoi[PAD]).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    criterion = nn.BCEWithLogitsLoss()

    history = []
    for epoch in range(args.epochs):
        epoch_loss = epoch_acc = 0
        model.train()
        for tokens, lengths, labels in loader:
            tokens, lengths, labels = tokens.to(device), lengths.to(device), labels.to(device)
            optimizer.zero_grad()
            predictions = model(tokens, lengths)
            loss = criterion(predictions, labels)
            acc = binary_accuracy(predictions, labels)
            loss.backward()
            optimizer.step()
            epoch_loss += loss.item()
            epoch_acc += acc.item()
            history.append(loss.item())
        print(f"Epoch {epoch + 1}: loss {epoch_loss / len(loader):.3f}, acc {epoch_acc / len(loader):.2f}")
    return history, model


if __name__ == "__main__":
    main()
