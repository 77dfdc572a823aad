"""Tells kinds of leaves apart: pictures in folders, torchvision's transforms, mixup."""
import argparse
import random

import mindport_helpers as helpers
import mindspore
import numpy as np

from dataset import MEAN, STD, build_loaders
from pictures import collect


class ConvBNAct(helpers.Sequential):
    def __init__(self, c1, c2, k=3, s=1, g=1, act=True):
        super().__init__(
            helpers.Conv2d(c1, c2, k, s, k // 2, groups=g, bias=False),
            helpers.BatchNorm2d(c2),
            helpers.Hardswish(inplace=True) if act else helpers.Identity(),
        )


class SqueezeExcite(helpers.Module):
    def __init__(self, channels, reduction=4):
        super().__init__()
        self.pool = helpers.AdaptiveAvgPool2d(1)
        self.fc = helpers.Sequential(
            helpers.Conv2d(channels, channels // reduction, 1), helpers.ReLU(),
            helpers.Conv2d(channels // reduction, channels, 1), helpers.Sigmoid()
        )

    def construct(self, x):
        return x * self.fc(self.pool(x))


class InvertedResidual(helpers.Module):
    def __init__(self, c1, c2, stride, expand=3):
        super().__init__()
        hidden = c1 * expand
        self.use_shortcut = stride == 1 and c1 == c2
        self.block = helpers.Sequential(
            ConvBNAct(c1, hidden, 1), ConvBNAct(hidden, hidden, s=stride, g=hidden), SqueezeExcite(hidden),
            ConvBNAct(hidden, c2, 1, act=False),
        )

    def construct(self, x):
        y = self.block(x)
        return x + y if self.use_shortcut else y


class LeafNet(helpers.Module):
    def __init__(self, num_classes, width=8):
        super().__init__()
        layers, channels = [ConvBNAct(3, width, s=2)], width
        for out, stride in ((width, 1), (2 * width, 2), (2 * width, 1)):
            layers.append(InvertedResidual(channels, out, stride))
            channels = out
        self.features = helpers.Sequential(*layers)
        self.classifier = helpers.Linear(channels, num_classes)

    def construct(self, x):
        return self.classifier(self.features(x).mean([2, 3]))


def accuracy(output, target, topk=(1,)):
    """How many targets are among the k best, in percent."""
    with helpers.no_grad():
        _, pred = helpers.topk(output, max(topk), 1, True, True)
        correct = pred.t().eq(target.view(1, -1).expand_as(pred.t()))
        return [correct[:k].reshape(-1).float().sum(0) * (100.0 / target.shape[0]) for k in topk]


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default="pictures")
    parser.add_argument("--pictures", type=int, default=600)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch-size", type=int, default=24)
    parser.add_argument("--lr", type=float, default=0.02)
    parser.add_argument("--workers", type=int, default=0)
    args = parser.parse_args(argv)
    random.seed(0)
    np.random.seed(0)
    helpers.manual_seed(0)
    device = helpers.device("cuda" if (mindspore.get_context('device_target') != 'CPU') else "cpu")

    collect(args.data, args.pictures)
    train_loader, valid_loader, classes = build_loaders(args.data, args.batch_size, num_workers=args.workers)
    model = LeafNet(len(classes))
    optimizer = helpers.SGD(model.parameters(), args.lr, momentum=0.9, weight_decay=1e-4, nesterov=True)
    warm_up = helpers.LinearLR(optimizer, start_factor=0.2, total_iters=2)
    scheduler = helpers.SequentialLR(
        optimizer, [warm_up, helpers.CosineAnnealingLR(optimizer, max(args.epochs - 2, 1))], [2]
    )

    losses, best_acc = [], 0.0
    for epoch in range(args.epochs):
        model.train()
        for images, targets in train_loader:
            def forward_fn(images, targets):
                loss = helpers.cross_entropy(model(images), targets)
                return loss

            grad_fn = helpers.value_and_grad(forward_fn, None, optimizer.parameters)
            loss, grads = grad_fn(images, targets)
            optimizer(grads)
            losses.append(loss.item())
        scheduler.step()

        model.eval()
        outputs, labels, missed = [], [], []
        with helpers.no_grad():
            for images, target, names in valid_loader:
                output = model(images)
                outputs.append(output)
                labels.append(target)
                missed += [name for name, right in zip(names, helpers.argmax(output, 1) == target) if not right]
        outputs, labels = helpers.cat(outputs), helpers.cat(labels)
        losses.append(helpers.cross_entropy(outputs, labels).item())
        acc1, acc2 = accuracy(outputs, labels, topk=(1, 2))
        print(
            f"epoch {epoch}: loss {losses[-1]:.4f} acc@1 {acc1.item():.1f} acc@2 {acc2.item():.1f}, missed: {missed[:4]}"
        )
        if acc1 >= best_acc:
            best_acc = acc1
            helpers.save({"epoch": epoch, "classes": classes, "state_dict": model.state_dict()}, "best.pth.tar")

    mean, std = helpers.tensor(MEAN).view(3, 1, 1), helpers.tensor(STD).view(3, 1, 1)
    helpers.save_image(helpers.make_grid(images[:8] * std + mean, nrow=4), "last_batch.png")
    return losses, model


if __name__ == "__main__":
    main()
