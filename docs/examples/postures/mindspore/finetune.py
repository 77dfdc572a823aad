"""Fine-tunes a network of torchvision: first layers frozen, a rate for each part, averaged weights, mixed precision."""
import argparse

import mindport_helpers as helpers
import mindspore

from ema import ModelEMA
from figures import Figures


def pretrain(args, device):
    """Stands for weights that somebody else has trained."""
    model = helpers.squeezenet1_1(num_classes=3)
    loader = helpers.DataLoader(Figures(args.count, 3, seed=1), batch_size=args.batch_size, shuffle=True)
    optimizer = helpers.SGD(model.parameters(), lr=0.01, momentum=0.9)
    losses = []
    for images, labels in loader:
        def forward_fn(images, labels):
            loss = helpers.cross_entropy(model(images), labels)
            return loss

        grad_fn = helpers.value_and_grad(forward_fn, None, optimizer.parameters)
        loss, grads = grad_fn(images, labels)
        optimizer(grads)
        losses.append(loss.item())
    helpers.save(model.state_dict(), args.weights)
    return losses


def build_model(args, poses):
    model = helpers.squeezenet1_1(weights=None)
    state_dict = helpers.load(args.weights, map_location="cpu")
    state_dict = {k: v for k, v in state_dict.items() if not k.startswith("classifier.1.")}
    missing, unexpected = model.load_state_dict(state_dict, strict=False)
    assert set(missing) == {"classifier.1.weight", "classifier.1.bias"} and not unexpected
    model.classifier[1] = helpers.Conv2d(512, poses, kernel_size=1)
    model.num_classes = poses
    helpers.normal_(model.classifier[1].weight, std=0.01)
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
    with helpers.no_grad():
        for images, labels in loader:
            output = model(images)
            loss += helpers.cross_entropy(output, labels, reduction="sum").item()
            hits += (helpers.argmax(output, 1) == labels).sum().item()
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
    helpers.manual_seed(0)
    device = helpers.device("cuda" if (mindspore.get_context('device_target') != 'CPU') else "cpu")
    losses = pretrain(args, device)

    poses = 5
    model = build_model(args, poses)
    ema = ModelEMA(model)
    loader = helpers.DataLoader(Figures(args.count, poses, 2, mirrored=True), batch_size=args.batch_size, shuffle=True)
    valid_loader = helpers.DataLoader(Figures(args.count // 4, poses, 3, mirrored=True), batch_size=args.batch_size)
    optimizer = helpers.SGD(parameter_groups(model, args.lr, args.weight_decay), lr=args.lr, momentum=0.9)
    total = args.epochs * len(loader)
    scheduler = helpers.LambdaLR(optimizer, lambda step: 1 - step / total)
    scaler = helpers.CudaGradScaler(enabled=args.amp)
    criterion = helpers.CrossEntropyLoss()

    for epoch in range(args.epochs):
        model.train()
        for images, labels in loader:
            with helpers.autocast(device_type=device.type, enabled=args.amp and device.type == "cuda"):
                loss = criterion(model(images), labels)
            # NOTE(mindport): `backward` stays, which computes the same: it is not known which weights are clipped or updated
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            helpers.clip_grad_norm_([p for p in model.parameters() if p.requires_grad], max_norm=5.0)
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
        helpers.save(
            {"model": model.state_dict(), "ema": ema.ema.state_dict(), "scaler": scaler.state_dict()}, "last.pth"
        )
    return losses, (model, ema.ema)


if __name__ == "__main__":
    main()
