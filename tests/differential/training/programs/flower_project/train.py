"""python train.py --arch mlp_mixer: trains one of the models of the package."""
import argparse
import os

import torch

from flowers.data import build_dataloaders
from flowers.engine import evaluate, train_one_epoch
from flowers.losses import build_criterion
from flowers.models import build_model, list_models
from flowers.utils import MetricLogger, get_logger, save_on_master


def get_args_parser():
    parser = argparse.ArgumentParser("flowers", add_help=True)
    parser.add_argument("--arch", default="small_cnn", choices=list_models())
    parser.add_argument("--epochs", default=10, type=int)
    parser.add_argument("--batch-size", default=16, type=int)
    parser.add_argument("--opt", default="sgd", choices=["sgd", "adamw"])
    parser.add_argument("--lr", default=0.05, type=float)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--output-dir", default="output")
    parser.add_argument("--num-images", default=128, type=int)
    parser.add_argument("--eval", action="store_true")
    parser.add_argument("--resume", default="")
    return parser


def main(argv=None):
    args = get_args_parser().parse_args(argv)
    logger = get_logger()
    device = torch.device(args.device)
    torch.manual_seed(0)

    train_loader, val_loader = build_dataloaders(args.num_images, args.batch_size)
    model = build_model(args.arch, num_classes=4)
    model.to(device)
    logger.info("parameters: %d", sum(p.numel() for p in model.parameters()))

    criterion = build_criterion(smoothing=0.1)
    if args.opt == "sgd":
        optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    else:
        optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=args.epochs, power=0.9)

    if args.resume:
        checkpoint = torch.load(args.resume, map_location="cpu")
        model.load_state_dict(checkpoint["model"], strict=True)
    if args.eval:
        return evaluate(model, val_loader, device)

    metrics = MetricLogger()
    for epoch in range(args.epochs):
        train_one_epoch(model, criterion, train_loader, optimizer, device, metrics)
        scheduler.step()
        accuracy, loss = evaluate(model, val_loader, device)
        metrics.add("val", loss)
        logger.info("epoch %d: accuracy %.3f loss %.4f", epoch, accuracy, loss)
        if args.output_dir:
            os.makedirs(args.output_dir, exist_ok=True)
            save_on_master({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "args": args, "epoch": epoch},
                           os.path.join(args.output_dir, f"{args.arch}.pth"))
    return metrics.values("loss") + metrics.values("val"), model


if __name__ == "__main__":
    main()
