"""Training steps in the shapes that people write them, one after the other on small networks."""
import argparse
import math
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    """Two layers, one that is frozen, and one that is used now and then."""

    def __init__(self, size=6):
        super().__init__()
        self.first = nn.Linear(size, 8)
        self.frozen = nn.Linear(8, 8)
        self.rare = nn.Linear(8, 8)
        self.last = nn.Linear(8, 3)
        for parameter in self.frozen.parameters():
            parameter.requires_grad = False

    def forward(self, x, rare=False):
        x = torch.tanh(self.frozen(self.first(x)))
        if rare:
            x = self.rare(x)
        return self.last(x)


def batches(count, seed):
    torch.manual_seed(seed)
    x = torch.randn(count, 8, 6)
    return [(part, (part.sum(1) > 0).long() + (part[:, 0] > 1).long()) for part in x]


def in_a_loop(steps, history):
    """Weight decay and momentum move what has a gradient, and only that."""
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=0.1)
    correct = 0
    for number, (x, y) in enumerate(batches(steps, 1)):
        # what was before goes
        optimizer.zero_grad()
        output = model(x, rare=number % 3 == 1)
        loss = F.cross_entropy(output, y)  # of the batch
        loss.backward()
        optimizer.step()
        correct += (output.argmax(1) == y).sum().item()
        history.append(loss.item())
    history.append(correct)
    return model


def one_step(model, optimizer, x, y):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def with_clipping(steps, history):
    """The norm is that of all gradients, those the optimizer has nothing to do with as well."""
    model = Net()
    optimizer = torch.optim.Adam(model.last.parameters(), lr=0.05)
    for x, y in batches(steps, 2):
        optimizer.zero_grad()
        output = model(x)
        loss = F.cross_entropy(output, y)
        if not math.isfinite(loss.item()):
            print("Loss is {}, stopping training".format(loss.item()))
            sys.exit(1)
        loss.backward()
        history.append(torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5).item())
        optimizer.step()
    return model


def accumulated(steps, history):
    model = Net()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
    optimizer.zero_grad()
    running = 0.0
    for number, (x, y) in enumerate(batches(steps, 3)):
        loss = F.cross_entropy(model(x), y) / 2
        running += loss.item()
        loss.backward()
        if number % 2:
            optimizer.step()
            optimizer.zero_grad()
    history.append(running)
    return model


def over_time(steps, history):
    """A loss that is added up in a loop, and a state that goes on to the next step."""
    cell, head = nn.GRUCell(6, 5), nn.Linear(5, 3)
    optimizer = torch.optim.RMSprop([*cell.parameters(), *head.parameters()], lr=0.01)
    hidden = torch.zeros(1, 5)
    for x, y in batches(steps, 4):
        hidden = hidden.detach()
        loss = 0
        outputs = []
        for part, target in zip(x, y):
            hidden = cell(part.unsqueeze(0), hidden)
            outputs.append(head(hidden))
            loss = loss + F.cross_entropy(outputs[-1], target.unsqueeze(0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(loss.item() / len(outputs))
    return nn.ModuleList([cell, head])


def adversarial(steps, history):
    generator, judge = nn.Linear(4, 6), nn.Sequential(nn.Linear(6, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
    optimizer_g = torch.optim.Adam(generator.parameters(), lr=0.02, betas=(0.5, 0.999))
    optimizer_d = torch.optim.Adam(judge.parameters(), lr=0.02, betas=(0.5, 0.999))
    for x, _ in batches(steps, 5):
        valid, fake = torch.ones(8, 1), torch.zeros(8, 1)

        optimizer_g.zero_grad()
        noise = torch.randn(8, 4)
        made = generator(noise)
        g_loss = F.binary_cross_entropy_with_logits(judge(made), valid)
        g_loss.backward()
        optimizer_g.step()

        optimizer_d.zero_grad()
        real_loss = F.binary_cross_entropy_with_logits(judge(x), valid)
        fake_loss = F.binary_cross_entropy_with_logits(judge(made.detach()), fake)
        d_loss = (real_loss + fake_loss) / 2
        d_loss.backward()
        optimizer_d.step()
        history += [g_loss.item(), d_loss.item()]
    return nn.ModuleList([generator, judge])


def cleared_late(steps, history):
    """Two optimizers that clear gradients behind their steps: each gets those of both losses."""
    first, second = nn.Linear(6, 6), nn.Linear(6, 3)
    one = torch.optim.SGD(first.parameters(), lr=0.1)
    other = torch.optim.SGD(second.parameters(), lr=0.1)
    for x, y in batches(steps, 6):
        loss = F.cross_entropy(second(first(x)), y)
        loss.backward()
        one.step()
        one.zero_grad()
        again = F.cross_entropy(second(first(x)), y)
        again.backward()
        other.step()
        other.zero_grad()
        history += [loss.item(), again.item()]
    return nn.ModuleList([first, second])


class Trainer:
    """A class with a step of its own."""

    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, 2, 0.5)
        self.losses = []

    def step(self, batch):
        x, y = batch
        self.optimizer.zero_grad()
        logits = self.model(x)
        terms = {"class": F.cross_entropy(logits, y), "size": logits.pow(2).mean()}
        (terms["class"] + 0.1 * terms["size"]).backward()
        self.optimizer.step()
        self.scheduler.step()
        self.losses.append({name: value.item() for name, value in terms.items()})

    def fit(self, steps):
        for batch in batches(steps, 7):
            self.step(batch)
        return [value for each in self.losses for value in each.values()]


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=6)
    args = parser.parse_args(argv)
    torch.manual_seed(0)
    history = []
    shapes = (in_a_loop, with_clipping, accumulated, over_time, adversarial, cleared_late)
    models = [shape(args.steps, history) for shape in shapes]
    trainer = Trainer(Net())
    history += trainer.fit(args.steps)
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in batches(args.steps, 8):
        history.append(one_step(model, optimizer, x, y))
    return history, nn.ModuleList([*models, trainer.model, model])


if __name__ == "__main__":
    main()
