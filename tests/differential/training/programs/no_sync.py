"""Written for several GPUs, run on one device: DDP, no_sync and all_reduce only where there are processes."""
import argparse
import os
from contextlib import nullcontext

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler


def is_distributed():
    return int(os.environ.get("WORLD_SIZE", "1")) > 1


def setup():
    if is_distributed():
        dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
        return int(os.environ["LOCAL_RANK"])
    return 0


def cleanup():
    if dist.is_available() and dist.is_initialized():
        dist.destroy_process_group()


def reduce_mean(value):
    if is_distributed():
        dist.all_reduce(value, op=dist.ReduceOp.SUM)
        value /= dist.get_world_size()
    return value


class Parity(Dataset):
    """Is the number of ones even?"""

    def __init__(self, bits, length):
        self.bits, self.length = bits, length

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        number = (index * 2654435761) % (1 << self.bits)
        digits = torch.tensor([float(number >> k & 1) for k in range(self.bits)])
        return digits, digits.sum() % 2


class Net(nn.Module):
    def __init__(self, bits):
        super().__init__()
        self.a = nn.Linear(bits, 32)
        self.b = nn.Linear(32, 32)
        self.c = nn.Linear(32, 1)

    def forward(self, x):
        x = F.gelu(self.a(x))
        x = x + F.gelu(self.b(x))
        return self.c(x).squeeze(1)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--bits", type=int, default=8)
    parser.add_argument("--length", type=int, default=256)
    parser.add_argument("--accumulate", type=int, default=2)
    args = parser.parse_args(argv)

    local_rank = setup()
    torch.manual_seed(0)
    if torch.cuda.is_available():
        torch.cuda.set_device(local_rank)
        device = torch.device("cuda", local_rank)
    else:
        device = torch.device("cpu")

    dataset = Parity(args.bits, args.length)
    sampler = DistributedSampler(dataset) if is_distributed() else None
    loader = DataLoader(dataset, batch_size=32, shuffle=(sampler is None), sampler=sampler)
    model = Net(args.bits).to(device)
    if is_distributed():
        model = DDP(model, device_ids=[local_rank] if device.type == "cuda" else None)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)

    history = []
    for epoch in range(args.epochs):
        if sampler is not None:
            sampler.set_epoch(epoch)
        optimizer.zero_grad()
        for step, (x, y) in enumerate(loader):
            x, y = x.to(device), y.to(device)
            is_last = (step + 1) % args.accumulate == 0
            context = model.no_sync() if hasattr(model, "no_sync") and not is_last else nullcontext()
            with context:
                loss = F.binary_cross_entropy_with_logits(model(x), y)
                (loss / args.accumulate).backward()
            if is_last:
                optimizer.step()
                optimizer.zero_grad()
            history.append(reduce_mean(loss.detach()).item())
        if local_rank == 0:
            print(f"epoch {epoch} loss {history[-1]:.4f}")
    cleanup()
    return history, model


if __name__ == "__main__":
    main()
