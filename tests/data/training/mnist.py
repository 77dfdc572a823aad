"""Trains a small convolutional network to tell handwritten digits apart."""

import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.optim.lr_scheduler import StepLR
from torchvision import datasets, transforms


class DigitNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(1, 16, 3)
        self.second = nn.Conv2d(16, 32, 3)
        self.drop = nn.Dropout(0.3)
        self.hidden = nn.Linear(4608, 64)
        self.scores = nn.Linear(64, 10)

    def forward(self, x):
        x = F.relu(self.first(x))
        x = F.relu(self.second(x))
        x = F.max_pool2d(x, 2)
        x = torch.flatten(x, 1)
        x = self.drop(x)
        x = F.relu(self.hidden(x))
        return F.log_softmax(self.scores(x), dim=1)


def train(args, model, device, train_loader, optimizer, epoch):
    model.train()
    for step, (data, target) in enumerate(train_loader):
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad()
        output = model(data)
        loss = F.nll_loss(output, target)
        loss.backward()
        optimizer.step()
        if step % args.log_every == 0:
            print("epoch", epoch, "loss", loss.item(), "of", len(train_loader.dataset))


def test(model, device, test_loader):
    model.eval()
    total = 0
    right = 0
    with torch.no_grad():
        for data, target in test_loader:
            data, target = data.to(device), target.to(device)
            output = model(data)
            total += F.nll_loss(output, target, reduction="sum").item()
            guess = output.argmax(dim=1, keepdim=True)
            right += guess.eq(target.view_as(guess)).sum().item()
    print("loss", total / len(test_loader.dataset), "right", right)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=1.0)
    parser.add_argument("--log-every", type=int, default=20)
    args = parser.parse_args()
    torch.manual_seed(7)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    prepare = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.13,), (0.31,))])
    training = datasets.MNIST("data", train=True, download=True, transform=prepare)
    testing = datasets.MNIST("data", train=False, transform=prepare)
    train_loader = torch.utils.data.DataLoader(training, batch_size=64, shuffle=True)
    test_loader = torch.utils.data.DataLoader(testing, batch_size=500)

    model = DigitNet().to(device)
    optimizer = optim.Adadelta(model.parameters(), lr=args.lr)
    scheduler = StepLR(optimizer, step_size=1, gamma=0.7)
    for epoch in range(1, args.epochs + 1):
        train(args, model, device, train_loader, optimizer, epoch)
        test(model, device, test_loader)
        scheduler.step()
    torch.save(model.state_dict(), "digits.pt")


if __name__ == "__main__":
    main()
