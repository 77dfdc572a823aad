import argparse

import mindport_helpers as helpers
import mindspore

from data import build_loaders
from model import DigitNet


def train(model, device, loader, optimizer, epoch):
    model.train()
    losses = []
    for step, (images, labels) in enumerate(loader):
        optimizer.zero_grad()

        def forward_fn(images, labels):
            loss = helpers.cross_entropy(model(images), labels)
            return loss

        weights = helpers.weights_of(optimizer, model)
        grad_fn = helpers.value_and_grad(forward_fn, None, weights)
        loss, grads = grad_fn(images, labels)
        helpers.add_gradients(weights, grads)
        helpers.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
        if step % 10 == 0:
            print(f"epoch {epoch} step {step}/{len(loader)} loss {loss.item():.4f}")
    return losses


@helpers.no_grad()
def test(model, device, loader):
    model.eval()
    loss, correct = 0.0, 0
    for images, labels in loader:
        logits = model(images)
        loss += helpers.cross_entropy(logits, labels, reduction="sum").item()
        correct += (helpers.argmax(logits, dim=1) == labels).sum().item()
    count = len(loader.dataset)
    print(f"test loss {loss / count:.4f}, accuracy {correct / count:.1%}")
    return loss / count


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--length", type=int, default=2000)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--dropout", type=float, default=0.25)
    args = parser.parse_args(argv)

    helpers.manual_seed(0)
    device = helpers.device("cuda" if (mindspore.get_context('device_target') != 'CPU') else "cpu")
    train_loader, test_loader = build_loaders(args.batch_size, args.length)
    model = DigitNet(dropout=args.dropout)
    optimizer = helpers.SGD(model.parameters(), lr=args.lr, momentum=0.9, weight_decay=1e-4)
    scheduler = helpers.StepLR(optimizer, step_size=1, gamma=0.7)

    losses = []
    for epoch in range(1, args.epochs + 1):
        losses += train(model, device, train_loader, optimizer, epoch)
        losses.append(test(model, device, test_loader))
        scheduler.step()
    helpers.save(model.state_dict(), "digits.pt")
    return losses, model


if __name__ == "__main__":
    main()
