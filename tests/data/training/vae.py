"""Trains a variational autoencoder on handwritten digits."""

import argparse

import torch
from torch import nn, optim
from torch.nn import functional as F
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
from torchvision.utils import save_image

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=5)
args = parser.parse_args()
torch.manual_seed(3)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

train_loader = DataLoader(
    datasets.MNIST("data", train=True, transform=transforms.ToTensor()), batch_size=100, shuffle=True
)
test_loader = DataLoader(datasets.MNIST("data", train=False, transform=transforms.ToTensor()), batch_size=100)


class Autoencoder(nn.Module):
    def __init__(self):
        super(Autoencoder, self).__init__()
        self.shared = nn.Linear(784, 300)
        self.mean = nn.Linear(300, 16)
        self.spread = nn.Linear(300, 16)
        self.inner = nn.Linear(16, 300)
        self.outer = nn.Linear(300, 784)

    def encode(self, x):
        h = F.relu(self.shared(x))
        return self.mean(h), self.spread(h)

    def draw(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        noise = torch.randn_like(std)
        return mu + noise * std

    def decode(self, z):
        h = F.relu(self.inner(z))
        return torch.sigmoid(self.outer(h))

    def forward(self, x):
        mu, logvar = self.encode(x.view(-1, 784))
        z = self.draw(mu, logvar)
        return self.decode(z), mu, logvar


model = Autoencoder().to(device)
optimizer = optim.Adam(model.parameters(), lr=1e-3)


def loss_of(rebuilt, x, mu, logvar):
    likelihood = F.binary_cross_entropy(rebuilt, x.view(-1, 784), reduction="sum")
    divergence = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return likelihood + divergence


def train(epoch):
    model.train()
    total = 0
    for step, (data, _) in enumerate(train_loader):
        data = data.to(device)
        optimizer.zero_grad()
        rebuilt, mu, logvar = model(data)
        loss = loss_of(rebuilt, data, mu, logvar)
        loss.backward()
        total += loss.item()
        optimizer.step()
    print("epoch", epoch, "loss", total / len(train_loader.dataset))


def test(epoch):
    model.eval()
    total = 0
    with torch.no_grad():
        for i, (data, _) in enumerate(test_loader):
            data = data.to(device)
            rebuilt, mu, logvar = model(data)
            total += loss_of(rebuilt, data, mu, logvar).item()
            if i == 0:
                n = min(data.size(0), 8)
                both = torch.cat([data[:n], rebuilt.view(100, 1, 28, 28)[:n]])
                save_image(both.cpu(), "rebuilt.png", nrow=n)
    print("loss", total / len(test_loader.dataset))


if __name__ == "__main__":
    for epoch in range(1, args.epochs + 1):
        train(epoch)
        test(epoch)
        with torch.no_grad():
            sample = torch.randn(64, 16).to(device)
            sample = model.decode(sample).cpu()
            save_image(sample.view(64, 1, 28, 28), "sample.png")
