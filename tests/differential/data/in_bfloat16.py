"""Networks in bfloat16: trained, saved and loaded, changed in place, and within autocast. Writes the losses and the
dtypes that were seen."""

import json
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

RANDOM = np.random.RandomState(0)
SEEN = Path(sys.argv[1])


def named(dtype):
    return str(dtype).replace("torch.", "").lower()


def drawn(*shape):
    return torch.from_numpy(RANDOM.randn(*shape).astype(np.float32))


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        wide = x.float()
        wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)
        return self.weight * wide.to(x.dtype)


class Decoder(nn.Module):
    def __init__(self, words, width, heads):
        super().__init__()
        self.heads = heads
        self.embedding = nn.Embedding(words, width)
        self.norm, self.last = Norm(width), nn.LayerNorm(width)
        self.joined = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))
        self.head = nn.Linear(width, words, bias=False)

    def attend(self, x, cache=None, start=0):
        batch, length, width = x.shape
        parts = self.joined(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        query, key, value = parts.unbind(0)
        if cache is not None:
            cache[0][:, :, start : start + length] = key
            cache[1][:, :, start : start + length] = value
            key, value = cache[0][:, :, : start + length], cache[1][:, :, : start + length]
        scores = query @ key.transpose(-2, -1) * (width // self.heads) ** -0.5
        if length > 1:
            least = torch.finfo(x.dtype).min
            scores = scores + torch.full((length, length), least, dtype=x.dtype).triu(1)
        weights = F.softmax(scores, dim=-1, dtype=torch.float32).to(x.dtype)
        return self.out((weights @ value).transpose(1, 2).reshape(batch, length, width))

    def forward(self, tokens, cache=None, start=0):
        x = self.embedding(tokens)
        x = x + self.attend(self.norm(x), cache, start)
        return self.head(self.last(x + self.mlp(x)))


def train_decoder():
    torch.manual_seed(1)
    saved = SEEN.with_suffix(".pt")
    torch.save(Decoder(11, 16, 2).to(torch.bfloat16).state_dict(), saved)
    state = torch.load(saved)
    model = Decoder(11, 16, 2).to(state["head.weight"].dtype)
    model.load_state_dict(state)
    tokens = (torch.arange(8) * 3 + torch.arange(6)[:, None]) % 11
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=0.1)
    losses = []
    for _ in range(12):
        logits = model(tokens)
        loss = F.cross_entropy(logits[:, :-1].reshape(-1, 11).float(), tokens[:, 1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    state = optimizer.state[model.head.weight]["exp_avg"]
    with torch.no_grad():
        cache = torch.zeros(2, 6, 2, 8, 8, dtype=torch.bfloat16)
        parts = [model(tokens[:, :5], cache, 0), model(tokens[:, 5:6], cache, 5)]
        steps = (torch.cat(parts, 1) - model(tokens[:, :6])).abs().max().item()
    dtypes = [named(each.dtype) for each in (logits, state, model.head.weight.grad, cache)]
    return [losses, round(steps, 1), dtypes]


class Images(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm = nn.Conv2d(3, 6, 3, padding=1, bias=False), nn.BatchNorm2d(6)
        self.second = nn.ConvTranspose2d(6, 4, 2, stride=2)
        self.last = nn.Linear(4 * 6 * 6, 3)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.first(x)), inplace=True), 2)
        x = F.adaptive_avg_pool2d(F.silu(self.second(x)), 6)
        return self.last(torch.flatten(x, 1))


def train_images(within):
    torch.manual_seed(2)
    model = Images()
    if not within:
        model.bfloat16()
    labels = torch.arange(12) % 3
    images = drawn(12, 3, 8, 8) + labels[:, None, None, None] * 0.5
    average = [each.detach().clone() for each in model.parameters()]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    losses, dtypes = [], []
    for _ in range(8):
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=within):
            logits = model(images if within else images.to(torch.bfloat16))
            loss = nn.CrossEntropyLoss()(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            for kept, new in zip(average, model.parameters(), strict=True):
                kept.mul_(0.9).add_(new, alpha=0.1)
        losses.append(loss.item())
        dtypes = [named(each.dtype) for each in (logits, loss, model.last.weight, model.norm.running_mean)]
    return [losses, dtypes, [each.float().norm().item() for each in average]]


def change_views():
    table = torch.zeros(4, 6, dtype=torch.bfloat16)
    row, turned = table[1], table.t()
    row += 0.35
    turned[2].add_(0.7)
    table[2:, :3] = drawn(2, 3)
    table[table > 0.5] = 0.51
    table.view(2, 12)[0, -1] = 3.3
    start = drawn(4, 6).to(torch.bfloat16).requires_grad_(True)
    changed = start * 1.1
    changed[:, :4].mul_(0.3)
    changed[0] = 0.1
    (changed * table).sum().backward()
    return [table.float().tolist(), start.grad.float().tolist(), named(start.grad.dtype), named(row.dtype)]


if __name__ == "__main__":
    seen = {
        "decoder": train_decoder(),
        "images": train_images(within=False),
        "autocast": train_images(within=True),
        "views": change_views(),
    }
    SEEN.write_text(json.dumps(list(seen.items())))
