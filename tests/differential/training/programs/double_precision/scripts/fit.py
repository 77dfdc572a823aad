"""Fits the network in double precision."""

import argparse
import os
import sys

import torch

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from series import Forecast, count_of, waves


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--cuda", action="store_true")
    args = parser.parse_args(argv)

    torch.set_default_dtype(torch.float64)
    torch.manual_seed(4)
    network = Forecast(3, 8, 10)
    series, wanted = waves(16, 10, 3)
    if args.cuda:
        network.cuda()
    optimizer = torch.optim.AdamW(network.parameters(), lr=0.01)
    history = [count_of(network), series.dtype == torch.float64]
    for step in range(args.steps):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(network(series), wanted)
        loss.backward()
        optimizer.step()
        history.append(loss.item())
        print(f"step {step} loss {loss.item():.6f}")
    return history, network


if __name__ == "__main__":
    main()
