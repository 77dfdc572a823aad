"""Train FlowerNet: python -m flowers.train --epochs 3"""

import argparse
import copy
import math
import os
import random
import time

import numpy as np
import torch
import torch.backends.cudnn as cudnn
import torch.nn.functional as F
from torch import nn, optim
from torch.nn.utils import clip_grad_norm_
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader

from .data import build_loaders
from . import model as models


def parse_args(argv=None):
    parser = argparse.ArgumentParser(description="FlowerNet 训练脚本")
    parser.add_argument("--arch", default="flownet_tiny", choices=["flownet_tiny", "flownet_base"])
    parser.add_argument("--epochs", default=3, type=int)
    parser.add_argument("--steps", default=0, type=int, help="stop an epoch after this many steps (0: never)")
    parser.add_argument("--batch-size", default=32, type=int)
    parser.add_argument("--length", default=256, type=int, help="pictures in the training set")
    parser.add_argument("--lr", default=1e-3, type=float)
    parser.add_argument("--opt", default="adamw", choices=["adamw", "sgd"])
    parser.add_argument("--weight-decay", default=0.05, type=float)
    parser.add_argument("--clip-grad", default=1.0, type=float)
    parser.add_argument("--amp", action="store_true", help="mixed precision")
    parser.add_argument("--sync-bn", action="store_true")
    parser.add_argument("--resume", default="", help="checkpoint to continue from")
    parser.add_argument("--output", default="runs/flowers")
    parser.add_argument("--seed", default=42, type=int)
    return parser.parse_args(argv)


def set_seed(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    cudnn.benchmark = False


class SoftTargetLoss(nn.Module):
    """软标签交叉熵"""

    def forward(self, logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        loss = torch.sum(-target * F.log_softmax(logits, dim=-1), dim=-1)
        return loss.mean()


class ModelEma:
    """Keeps an exponential moving average of the weights."""

    def __init__(self, model: nn.Module, decay: float = 0.99):
        self.module = copy.deepcopy(model).eval()
        self.decay = decay
        for param in self.module.parameters():
            param.requires_grad_(False)

    @torch.no_grad()
    def update(self, model: nn.Module) -> None:
        source = model.state_dict()
        for name, value in self.module.state_dict().items():
            if value.dtype.is_floating_point:
                value.mul_(self.decay).add_(source[name].detach(), alpha=1 - self.decay)
            else:
                value.copy_(source[name])


def param_groups(model: nn.Module, weight_decay: float):
    # 偏置和归一化层不做权重衰减
    decay, no_decay = [], []
    for name, param in model.named_parameters():
        if not param.requires_grad:
            continue
        (no_decay if param.dim() <= 1 or name.endswith("pos_embed") else decay).append(param)
    return [{"params": decay, "weight_decay": weight_decay}, {"params": no_decay, "weight_decay": 0.0}]


def build_optimizer(model: nn.Module, args, total_steps: int):
    groups = param_groups(model, args.weight_decay)
    if args.opt == "sgd":
        optimizer = torch.optim.SGD(groups, lr=args.lr, momentum=0.9, nesterov=True)
    else:
        optimizer = optim.AdamW(groups, lr=args.lr, betas=(0.9, 0.98))
    warmup = max(1, total_steps // 10)

    def factor(step: int) -> float:
        if step < warmup:
            return (step + 1) / warmup
        return 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, total_steps - warmup)))

    return optimizer, lr_scheduler.LambdaLR(optimizer, lr_lambda=factor)


def accuracy(output: torch.Tensor, target: torch.Tensor, topk=(1, 3)):
    maxk = max(topk)
    _, pred = output.topk(maxk, dim=1, largest=True, sorted=True)
    correct = pred.t().eq(target.view(1, -1).expand_as(pred.t()))
    return [correct[:k].reshape(-1).float().sum(0).mul_(100.0 / target.size(0)).item() for k in topk]


def train_one_epoch(model, ema, loader: DataLoader, criterion, optimizer, scheduler, scaler, device, args):
    model.train()
    total, seen = 0.0, 0
    for step, (images, targets) in enumerate(loader):
        if args.steps and step >= args.steps:
            break
        images = images.to(device, non_blocking=True)
        targets = targets.to(device, non_blocking=True)
        with torch.autocast(device_type=device.type, dtype=torch.bfloat16, enabled=args.amp):
            output = model(images)
            loss = criterion(output, targets)
        if not torch.isfinite(loss):
            raise RuntimeError(f"损失不是有限值：{loss.item()}")

        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), max_norm=args.clip_grad)
        scaler.step(optimizer)
        scaler.update()
        scheduler.step()
        ema.update(model)

        total += loss.detach().cpu().item() * images.size(0)
        seen += images.size(0)
    return total / max(seen, 1)


@torch.no_grad()
def evaluate(model, loader: DataLoader, device: torch.device, num_classes: int):
    model.eval()
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    confusion = torch.zeros(num_classes, num_classes, dtype=torch.int64)
    losses, logits, labels = [], [], []
    for images, target in loader:
        images, target = images.to(device), target.to(device)
        output = model(images)
        losses.append(criterion(output, target))
        logits.append(output.cpu())
        labels.append(target.cpu())
        index = target.cpu() * num_classes + output.argmax(1).cpu()
        confusion += torch.bincount(index, minlength=num_classes ** 2).reshape(num_classes, num_classes)
    top1, top3 = accuracy(torch.cat(logits), torch.cat(labels))
    recall = confusion.diag().float() / confusion.sum(dim=1).clamp(min=1)
    return {"loss": torch.stack(losses).mean().item(), "top1": top1, "top3": top3, "recall": recall.numpy()}


def save_checkpoint(path: str, model, ema, optimizer, scheduler, epoch: int) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    torch.save({
        "model": model.state_dict(),
        "ema": ema.module.state_dict(),
        "optimizer": optimizer.state_dict(),
        "scheduler": scheduler.state_dict(),
        "epoch": epoch,
    }, path)


def main(argv=None):
    args = parse_args(argv)
    set_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    num_classes = 6
    train_loader, val_loader = build_loaders(args.batch_size, num_classes, length=args.length)

    model = getattr(models, args.arch)(num_classes=num_classes)
    if args.sync_bn:
        model = nn.SyncBatchNorm.convert_sync_batchnorm(model)
    model = model.to(device)
    print(f"{args.arch}: {sum(p.numel() for p in model.parameters() if p.requires_grad):,} parameters")
    ema = ModelEma(model)

    steps = args.steps or len(train_loader)
    optimizer, scheduler = build_optimizer(model, args, total_steps=args.epochs * steps)
    scaler = torch.amp.GradScaler(device.type, enabled=args.amp and device.type == "cuda")
    criterion = SoftTargetLoss().to(device)

    start_epoch = 0
    if args.resume:
        checkpoint = torch.load(args.resume, map_location="cpu")
        model.load_state_dict(checkpoint["model"], strict=True)
        ema.module.load_state_dict(checkpoint["ema"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        scheduler.load_state_dict(checkpoint["scheduler"])
        start_epoch = checkpoint["epoch"] + 1

    for epoch in range(start_epoch, args.epochs):
        started = time.time()
        loss = train_one_epoch(model, ema, train_loader, criterion, optimizer, scheduler, scaler, device, args)
        result = evaluate(ema.module, val_loader, device, num_classes)
        print(f"epoch {epoch}: loss {loss:.4f}  val {result['loss']:.4f}  top1 {result['top1']:.1f}%  "
              f"top3 {result['top3']:.1f}%  {time.time() - started:.1f}s")
        save_checkpoint(os.path.join(args.output, "last.pth"), model, ema, optimizer, scheduler, epoch)


if __name__ == "__main__":
    main()
