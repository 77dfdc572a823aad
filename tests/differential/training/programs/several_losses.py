"""A keypoint network with an auxiliary head: three losses, weighted and summed."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import Dataset, DataLoader


class Keypoints(Dataset):
    """A bright dot at a random place; the task is to find it."""

    def __init__(self, n, size=24, seed=0):
        gen = torch.Generator()
        gen.manual_seed(seed)
        self.centres = torch.randint(4, size - 4, (n, 2), generator=gen)
        self.size = size

    def __len__(self):
        return self.centres.size(0)

    def __getitem__(self, i):
        row, col = self.centres[i].tolist()
        image = torch.zeros(1, self.size, self.size)
        image[0, row - 1:row + 2, col - 1:col + 2] = 1.0
        quadrant = int(row >= self.size // 2) * 2 + int(col >= self.size // 2)
        return {"image": image, "point": self.centres[i].float() / self.size, "quadrant": quadrant}


class KeypointNet(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(1, width, 5, padding=2), nn.ELU(),
            nn.MaxPool2d(2),
            nn.Conv2d(width, width * 2, 3, padding=1), nn.ELU(),
            nn.AvgPool2d(2),
        )
        self.aux = nn.Linear(width * 2, 4)
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(width * 2 * 36, 32), nn.ELU())
        self.point = nn.Linear(32, 2)
        self.quadrant = nn.Linear(32, 4)

    def forward(self, x):
        features = self.stem(x)
        hidden = self.head(features)
        out = {"point": torch.sigmoid(self.point(hidden)), "quadrant": self.quadrant(hidden)}
        if self.training:
            out["aux"] = self.aux(features.mean(dim=(2, 3)))
        return out


def compute_losses(out, batch, weights):
    losses = {
        "point": F.mse_loss(out["point"], batch["point"]),
        "quadrant": F.cross_entropy(out["quadrant"], batch["quadrant"], label_smoothing=0.1),
    }
    if "aux" in out:
        losses["aux"] = F.cross_entropy(out["aux"], batch["quadrant"])
    total = sum(weights[name] * loss for name, loss in losses.items())
    return total, losses


def main(argv=None):
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=10)
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--n", type=int, default=256)
    p.add_argument("--l1", type=float, default=1e-5)
    args = p.parse_args(argv)

    torch.manual_seed(0)
    device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(Keypoints(args.n), batch_size=args.batch, shuffle=True)
    val_loader = DataLoader(Keypoints(args.n // 4, seed=1), batch_size=args.batch)

    model = KeypointNet().to(device)
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-3, alpha=0.9, momentum=0.5)
    weights = {"point": 10.0, "quadrant": 1.0, "aux": 0.3}
    history = []
    for epoch in range(args.epochs):
        model.train()
        for batch in loader:
            batch = {k: v.to(device) for k, v in batch.items()}
            out = model(batch["image"])
            loss, parts = compute_losses(out, batch, weights)
            l1 = sum(param.abs().sum() for param in model.parameters())
            loss = loss + args.l1 * l1
            opt.zero_grad()
            loss.backward()
            opt.step()
            history.append(loss.item())
            print(epoch, " ".join(f"{k}={v.item():.4f}" for k, v in parts.items()))

        model.eval()
        distance, right, seen = 0.0, 0, 0
        with torch.no_grad():
            for batch in val_loader:
                out = model(batch["image"].to(device))
                distance += torch.norm(out["point"].cpu() - batch["point"], dim=1).sum().item()
                right += (out["quadrant"].argmax(1).cpu() == batch["quadrant"]).sum().item()
                seen += len(batch["image"])
        history.append(distance / seen)
        print(f"epoch {epoch}: distance {distance / seen:.3f}, accuracy {right / seen:.2%}")
    return history, model


if __name__ == "__main__":
    main()
