import argparse
import math
import time

import torch
import torch.nn as nn

from corpus import Corpus, batchify, get_batch
from model import RNNModel

parser = argparse.ArgumentParser(description="A recurrent language model, trained by truncated backpropagation")
parser.add_argument("--emsize", type=int, default=48, help="size of word embeddings")
parser.add_argument("--nlayers", type=int, default=2, help="number of layers")
parser.add_argument("--lr", type=float, default=5, help="initial learning rate")
parser.add_argument("--clip", type=float, default=0.25, help="gradient clipping")
parser.add_argument("--epochs", type=int, default=6, help="upper epoch limit")
parser.add_argument("--batch-size", type=int, default=16)
parser.add_argument("--bptt", type=int, default=12, help="sequence length")
parser.add_argument("--dropout", type=float, default=0.2)
parser.add_argument("--sentences", type=int, default=2000)
parser.add_argument("--log-interval", type=int, default=20)
parser.add_argument("--save", type=str, default="model.pt", help="path to save the final model")


def repackage_hidden(h):
    """Wraps hidden states in new Tensors, to detach them from their history."""
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


def evaluate(model, criterion, data_source, args):
    # Turn on evaluation mode which disables dropout.
    model.eval()
    total_loss = 0.0
    hidden = model.init_hidden(data_source.size(1))
    with torch.no_grad():
        for i in range(0, data_source.size(0) - 1, args.bptt):
            data, targets = get_batch(data_source, i, args.bptt)
            output, hidden = model(data, hidden)
            hidden = repackage_hidden(hidden)
            total_loss += len(data) * criterion(output, targets).item()
    return total_loss / (len(data_source) - 1)


def train(model, criterion, train_data, epoch, lr, args):
    # Turn on training mode which enables dropout.
    model.train()
    losses, total_loss, start_time = [], 0.0, time.time()
    hidden = model.init_hidden(args.batch_size)
    for batch, i in enumerate(range(0, train_data.size(0) - 1, args.bptt)):
        data, targets = get_batch(train_data, i, args.bptt)
        # Starting each batch, we detach the hidden state from how it was previously produced.
        # If we didn't, the model would try backpropagating all the way to start of the dataset.
        model.zero_grad()
        hidden = repackage_hidden(hidden)
        output, hidden = model(data, hidden)
        loss = criterion(output, targets)
        loss.backward()

        # `clip_grad_norm` helps prevent the exploding gradient problem in RNNs / LSTMs.
        torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr)

        losses.append(loss.item())
        total_loss += loss.item()
        if batch % args.log_interval == 0 and batch > 0:
            cur_loss = total_loss / args.log_interval
            elapsed = time.time() - start_time
            print(f"| epoch {epoch:3d} | batch {batch:4d} | lr {lr:.2f} | ms/batch {elapsed * 1000 / args.log_interval:5.1f} "
                  f"| loss {cur_loss:5.2f} | ppl {math.exp(cur_loss):8.2f}")
            total_loss, start_time = 0.0, time.time()
    return losses


def main(argv=None):
    args = parser.parse_args(argv)
    torch.manual_seed(1111)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    corpus = Corpus(args.sentences)
    train_data = batchify(corpus.train, args.batch_size, device)
    val_data = batchify(corpus.valid, args.batch_size, device)
    model = RNNModel(len(corpus.dictionary), args.emsize, args.nlayers, args.dropout).to(device)
    criterion = nn.NLLLoss()

    lr, best_val_loss, losses = args.lr, None, []
    for epoch in range(1, args.epochs + 1):
        losses += train(model, criterion, train_data, epoch, lr, args)
        val_loss = evaluate(model, criterion, val_data, args)
        losses.append(val_loss)
        print(f"| end of epoch {epoch:3d} | valid loss {val_loss:5.2f} | valid ppl {math.exp(val_loss):8.2f}")
        # Save the model if the validation loss is the best we've seen so far.
        if not best_val_loss or val_loss < best_val_loss:
            with open(args.save, "wb") as f:
                torch.save(model.state_dict(), f)
            best_val_loss = val_loss
        else:
            # Anneal the learning rate if no improvement has been seen in the validation dataset.
            lr /= 4.0

    # Load the best saved model.
    with open(args.save, "rb") as f:
        model.load_state_dict(torch.load(f))
    losses.append(evaluate(model, criterion, val_data, args))
    return losses, model


if __name__ == "__main__":
    main()
