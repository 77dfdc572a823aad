"""Truncated backpropagation through time over one long sequence."""
import argparse
import math

import torch
import torch.nn as nn


class Forecaster(nn.Module):
    def __init__(self, hidden=20):
        super().__init__()
        self.hidden = hidden
        self.gru = nn.GRUCell(2, hidden)
        self.head = nn.Linear(hidden, 1)

    def initial_state(self, batch_size, device):
        return torch.zeros(batch_size, self.hidden, device=device)

    def forward(self, window, state):
        outputs = []
        for t in range(window.size(1)):
            state = self.gru(window[:, t], state)
            outputs.append(self.head(state))
        return torch.stack(outputs, dim=1), state


def long_sequence(batch, length):
    time = torch.arange(length, dtype=torch.float32).unsqueeze(0).repeat(batch, 1)
    offset = torch.arange(batch, dtype=torch.float32).unsqueeze(1) * 0.7
    signal = torch.sin(time / 5 + offset) + 0.3 * torch.cos(time / 1.7)
    calendar = torch.sin(2 * math.pi * time / 24)
    return torch.stack((signal, calendar), dim=-1)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--k1", type=int, default=10, help="how far the window moves")
    parser.add_argument("--length", type=int, default=200)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--loss-every", type=int, default=1)
    args = parser.parse_args(argv)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    torch.manual_seed(3)
    model = Forecaster().to(device)
    optimizer = torch.optim.NAdam(model.parameters(), lr=1e-2)
    criterion = nn.HuberLoss(delta=0.5)
    sequence = long_sequence(4, args.length).to(device)

    losses = []
    for epoch in range(args.epochs):
        state = model.initial_state(sequence.size(0), device)
        for start in range(0, args.length - 1, args.k1):
            end = min(start + args.k1, args.length - 1)
            window, target = sequence[:, start:end], sequence[:, start + 1:end + 1, :1]

            state = state.detach()
            optimizer.zero_grad()
            prediction, state = model(window, state)
            loss = criterion(prediction, target)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0, norm_type="inf")
            optimizer.step()
            losses.append(loss.item())
        print("epoch", epoch, "last loss", round(losses[-1], 5), "state", state.norm().item())
    return losses, model


if __name__ == "__main__":
    main()
