"""A character RNN in a plain loop, with clipping by value."""
import argparse
import string

import torch
import torch.nn as nn
import torch.optim as optim

ALPHABET = string.ascii_lowercase + " .,"
TEXT = "the quick brown fox jumps over the lazy dog, and the dog does not mind at all. " * 8


class CharRNN(nn.Module):
    def __init__(self, vocab, hidden_size, num_layers=1, cell="rnn"):
        super().__init__()
        self.hidden_size, self.num_layers = hidden_size, num_layers
        self.embed = nn.Embedding(vocab, hidden_size)
        layer = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}[cell]
        self.rnn = layer(hidden_size, hidden_size, num_layers, batch_first=True)
        self.out = nn.Linear(hidden_size, vocab)

    def forward(self, x, h=None):
        y, h = self.rnn(self.embed(x), h)
        return self.out(y), h


def encode(text):
    return torch.tensor([ALPHABET.index(c) for c in text], dtype=torch.long)


def sample(model, prime, length, device):
    model.eval()
    chars = list(prime)
    hidden = None
    x = encode(prime).unsqueeze(0).to(device)
    with torch.no_grad():
        for _ in range(length):
            logits, hidden = model(x, hidden)
            index = logits[0, -1].argmax().item()
            chars.append(ALPHABET[index])
            x = torch.tensor([[index]], device=device)
    model.train()
    return "".join(chars)


def main(argv=None):
    parser = argparse.ArgumentParser(description="char-level RNN")
    parser.add_argument("--iterations", type=int, default=500)
    parser.add_argument("--seq-len", type=int, default=24)
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--cell", choices=["rnn", "gru", "lstm"], default="rnn")
    parser.add_argument("--clip", type=float, default=0.05)
    parser.add_argument("--lr", type=float, default=5e-3)
    args = parser.parse_args(argv)
    device = torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")
    torch.manual_seed(5)

    text = encode(TEXT)
    model = CharRNN(len(ALPHABET), 32, num_layers=2, cell=args.cell).to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.RMSprop(model.parameters(), lr=args.lr)

    history = []
    for iteration in range(args.iterations):
        starts = [(iteration * 37 + k * 61) % (len(text) - args.seq_len - 1) for k in range(args.batch_size)]
        inputs = torch.stack([text[s:s + args.seq_len] for s in starts]).to(device)
        targets = torch.stack([text[s + 1:s + args.seq_len + 1] for s in starts]).to(device)

        optimizer.zero_grad()
        logits, _ = model(inputs)
        loss = criterion(logits.transpose(1, 2), targets)
        loss.backward()
        nn.utils.clip_grad_value_(model.parameters(), args.clip)
        optimizer.step()

        history.append(loss.item())
        if iteration % 4 == 0:
            print(f"{iteration:4d} {loss.item():.4f} {sample(model, 'the ', 12, device)!r}")
    return history, model


if __name__ == "__main__":
    main()
