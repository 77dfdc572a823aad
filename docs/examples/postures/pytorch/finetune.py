"""Fine-tunes a network of torchvision: first layers frozen, a rate for each part, averaged weights, mixed precision."""
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import models

from ema import ModelEMA
from figures import Figures


def pretrain(args, device):
    """Stands for weights that somebody else has trained."""
    model = models.squeezenet1_1(num_classes=3).to(device)
    loader = DataLoader(Figures(args.count, 3, seed=1), batch_size=args.batch_size, shuffle=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    losses = []
    for images, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(images.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    torch.save(model.state_dict(), args.weights)
    return losses


def build_model(args, poses):
    model = models.squeezenet1_1(weights=None)
    state_dict = torch.load(args.weights, map_location="cpu")
    state_dict = {k: v for k, v in state_dict.items() if not k.startswith("classifier.1.")}
    missing, unexpected = model.load_state_dict(state_dict, strict=False)
    assert set(missing) == {"classifier.1.weight", "classifier.1.bias"} and not unexpected
    model.classifier[1] = nn.Conv2d(512, poses, kernel_size=1)
    model.num_classes = poses
    nn.init.normal_(model.classifier[1].weight, std=0.01)
    for parameter in model.features[:6].parameters():
        parameter.requires_grad = False
    return model


def parameter_groups(model, lr, weight_decay):
    """The new head learns ten times as fast; biases do not decay."""
    head, decay, no_decay = [], [], []
    for name, parameter in model.named_parameters():
        if not parameter.requires_grad:
            continue
        if name.startswith("classifier."):
            head.append(parameter)
        elif parameter.ndim == 1:
            no_decay.append(parameter)
        else:
            decay.append(parameter)
    return [
        {"params": decay, "weight_decay": weight_decay},
        {"params": no_decay, "weight_decay": 0.0},
        {"params": head, "lr": 10 * lr, "weight_decay": weight_decay},
    ]


def evaluate(model, loader, device):
    model.eval()
    hits = loss = 0
    with torch.no_grad():
        for images, labels in loader:
            output = model(images.to(device))
            loss += nn.functional.cross_entropy(output, labels.to(device), reduction="sum").item()
            hits += (output.argmax(1).cpu() == labels).sum().item()
    return loss / len(loader.dataset), hits / len(loader.dataset)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", default="squeezenet-figures.pth")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--count", type=int, default=512)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--weight-decay", type=float, default=1e-3)
    parser.add_argument("--no-amp", dest="amp", action="store_false")
    args = parser.parse_args(argv)
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    losses = pretrain(args, device)

    poses = 5
    model = build_model(args, poses).to(device)
    ema = ModelEMA(model)
    loader = DataLoader(Figures(args.count, poses, 2, mirrored=True), batch_size=args.batch_size, shuffle=True)
    valid_loader = DataLoader(Figures(args.count // 4, poses, 3, mirrored=True), batch_size=args.batch_size)
    optimizer = torch.optim.SGD(parameter_groups(model, args.lr, args.weight_decay), lr=args.lr, momentum=0.9)
    total = args.epochs * len(loader)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / total)
    scaler = torch.cuda.amp.GradScaler(enabled=args.amp)
    criterion = nn.CrossEntropyLoss()

    for epoch in range(args.epochs):
        model.train()
        for images, labels in loader:
            images, labels = images.to(device), labels.to(device)
            with torch.autocast(device_type=device.type, enabled=args.amp and device.type == "cuda"):
                loss = criterion(model(images), labels)
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_([p for p in model.parameters() if p.requires_grad], max_norm=5.0)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
            scheduler.step()
            ema.update(model)
            losses.append(loss.item())
        valid_loss, accuracy = evaluate(ema.ema, valid_loader, device)
        losses.append(valid_loss)
        rates = ", ".join(f"{group['lr']:.1e}" for group in optimizer.param_groups)
        print(f"epoch {epoch}: loss {losses[-2]:.4f}, averaged weights {valid_loss:.4f} ({accuracy:.1%}), rates {rates}")
        torch.save({"model": model.state_dict(), "ema": ema.ema.state_dict(), "scaler": scaler.state_dict()}, "last.pth")
    return losses, (model, ema.ema)


if __name__ == "__main__":
    main()
