"""Two objectives that share a graph: each is run backward by itself."""
import argparse

import torch
from torch import nn, optim


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(10, 16), nn.Tanh(), nn.Linear(16, 6), nn.Tanh())
        self.decoder = nn.Linear(6, 10)
        self.classifier = nn.Linear(6, 2)

    def forward(self, x):
        code = self.encoder(x)
        return code, self.decoder(code), self.classifier(code)


def batches(n_batches, batch_size):
    generator = torch.Generator().manual_seed(99)
    for _ in range(n_batches):
        x = torch.randn(batch_size, 10, generator=generator)
        yield x, (x.sum(dim=1) > 0).long()


def gradient_norm(parameters):
    return torch.sqrt(sum(p.grad.pow(2).sum() for p in parameters if p.grad is not None)).item()


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--batches", type=int, default=50)
    parser.add_argument("--batch-size", type=int, default=20)
    args = parser.parse_args(argv)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(0)
    model = Shared().to(device)
    reconstruction, classification = nn.MSELoss(), nn.CrossEntropyLoss()
    optimizer = optim.Adagrad(model.parameters(), lr=0.05)

    log = []
    for step, (x, y) in enumerate(batches(args.batches, args.batch_size)):
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        code, decoded, logits = model(x)
        code.retain_grad()
        first = reconstruction(decoded, x)
        second = classification(logits, y)
        first.backward(retain_graph=True)
        of_first = gradient_norm(model.encoder.parameters())
        second.backward()
        of_both = gradient_norm(model.encoder.parameters())
        optimizer.step()
        log.extend([first.item(), second.item(), of_first, of_both, code.grad.abs().mean().item()])
        print(f"{step}: {first.item():.4f} {second.item():.4f} gradient {of_first:.4f} -> {of_both:.4f}")
    return log, model


if __name__ == "__main__":
    main()
