"""Mixed precision where there is a GPU, plain float32 where there is none."""
import argparse

import numpy as np
import torch
from torch import nn
from torch.cuda.amp import GradScaler, autocast
from torch.utils.data import DataLoader, TensorDataset


def conv_bn(inp, oup, stride):
    return nn.Sequential(
        nn.Conv2d(inp, oup, 3, stride, 1, bias=False),
        nn.BatchNorm2d(oup),
        nn.Hardswish(),
    )


class SqueezeExcite(nn.Module):
    def __init__(self, channels, reduction=4):
        super().__init__()
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc1 = nn.Conv2d(channels, channels // reduction, 1)
        self.fc2 = nn.Conv2d(channels // reduction, channels, 1)

    def forward(self, x):
        scale = self.fc2(torch.relu(self.fc1(self.pool(x))))
        return x * torch.sigmoid(scale)


class TinyNet(nn.Module):
    def __init__(self, num_classes=5):
        super().__init__()
        self.layers = nn.Sequential(conv_bn(3, 8, 2), SqueezeExcite(8), conv_bn(8, 16, 2), SqueezeExcite(16))
        self.fc = nn.Linear(16, num_classes)

    def forward(self, x):
        return self.fc(self.layers(x).mean([2, 3]))


def make_data(n):
    rng = np.random.RandomState(4)
    y = rng.randint(0, 5, n)
    x = rng.normal(y[:, None, None, None] * 0.3, 1.0, (n, 3, 16, 16))
    return TensorDataset(torch.tensor(x, dtype=torch.float32), torch.tensor(y))


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--n", type=int, default=128)
    parser.add_argument("--no-amp", action="store_true")
    parser.add_argument("--new-api", action="store_true", help="torch.amp in place of torch.cuda.amp")
    args = parser.parse_args(argv)

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    use_amp = not args.no_amp and device.type == "cuda"
    torch.backends.cudnn.benchmark = True
    torch.manual_seed(0)

    loader = DataLoader(make_data(args.n), batch_size=32, shuffle=True, pin_memory=use_amp)
    model = TinyNet().to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    scaler = torch.amp.GradScaler(device.type, enabled=use_amp) if args.new_api else GradScaler(enabled=use_amp)

    history = []
    for epoch in range(args.epochs):
        model.train()
        for x, y in loader:
            x = x.to(device, non_blocking=True)
            y = y.to(device, non_blocking=True)
            optimizer.zero_grad(set_to_none=True)
            if args.new_api:
                with torch.autocast(device_type=device.type, dtype=torch.float16, enabled=use_amp):
                    loss = criterion(model(x), y)
            else:
                with autocast(enabled=use_amp):
                    output = model(x)
                    loss = criterion(output, y)
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
            scaler.step(optimizer)
            scaler.update()
            history.append(loss.item())
        print(f"epoch {epoch}: {np.mean(history[-len(loader):]):.4f}, scale {scaler.get_scale()}")
    if device.type == "cuda":
        print(f"peak memory {torch.cuda.max_memory_allocated() / 2 ** 20:.0f} MiB")
    return history, model


if __name__ == "__main__":
    main()
