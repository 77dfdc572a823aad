"""Trains the model of words."""

import argparse
import math

import torch
import torch.nn as nn

import data
import model

parser = argparse.ArgumentParser()
parser.add_argument("--path", default="text")
parser.add_argument("--kind", default="LSTM")
parser.add_argument("--bptt", type=int, default=35)
args = parser.parse_args()

torch.manual_seed(11)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
corpus = data.Corpus(args.path)


def batchify(source, bsz):
    nbatch = source.size(0) // bsz
    source = source.narrow(0, 0, nbatch * bsz)
    source = source.view(bsz, -1).t().contiguous()
    return source.to(device)


train_data = batchify(corpus.train, 20)
val_data = batchify(corpus.valid, 10)
ntokens = len(corpus.dictionary)
net = model.WordModel(args.kind, ntokens, 200, 200, 2).to(device)
criterion = nn.NLLLoss()


def repackage_hidden(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    else:
        return tuple(repackage_hidden(v) for v in h)


def get_batch(source, i):
    length = min(args.bptt, len(source) - 1 - i)
    words = source[i : i + length]
    target = source[i + 1 : i + 1 + length].view(-1)
    return words, target


def evaluate(source):
    net.eval()
    total = 0.0
    hidden = net.init_hidden(10)
    with torch.no_grad():
        for i in range(0, source.size(0) - 1, args.bptt):
            words, targets = get_batch(source, i)
            output, hidden = net(words, hidden)
            hidden = repackage_hidden(hidden)
            total += len(words) * criterion(output, targets).item()
    return total / (len(source) - 1)


def train(lr):
    net.train()
    total = 0.0
    hidden = net.init_hidden(20)
    for i in range(0, train_data.size(0) - 1, args.bptt):
        words, targets = get_batch(train_data, i)
        net.zero_grad()
        hidden = repackage_hidden(hidden)
        output, hidden = net(words, hidden)
        loss = criterion(output, targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 0.25)
        for p in net.parameters():
            p.data.add_(p.grad, alpha=-lr)
        total += loss.item()
    print(math.exp(total))


best = None
lr = 20.0
for epoch in range(1, 5):
    train(lr)
    val_loss = evaluate(val_data)
    if not best or val_loss < best:
        with open("model.pt", "wb") as f:
            torch.save(net, f)
        best = val_loss
    else:
        lr /= 4.0

with open("model.pt", "rb") as f:
    net = torch.load(f)
    net.rnn.flatten_parameters()
print(evaluate(val_data))
