"""A denoising convolutional autoencoder."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Shapes(Dataset):
    def __init__(self, n, size=16):
        self.n, self.size = n, size

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        if not 0 <= index < self.n:
            raise IndexError(index)
        canvas = torch.zeros(1, self.size, self.size)
        side = 3 + index % 6
        top = (index * 5) % (self.size - side)
        left = (index * 3) % (self.size - side)
        if index % 2:
            canvas[:, top:top + side, left:left + side] = 1
        else:
            for k in range(side):
                canvas[0, top + k, left:left + k + 1] = 1
        return canvas


class Autoencoder(nn.Module):
    def __init__(self, latent=12):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 8, 3, stride=2, padding=1),  # 8 x 8
            nn.ReLU(True),
            nn.Conv2d(8, 16, 3, stride=2, padding=1),  # 4 x 4
            nn.ReLU(True),
            nn.Flatten(),
            nn.Linear(256, latent),
        )
        self.decoder = nn.Sequential(
            nn.Linear(latent, 256),
            nn.ReLU(True),
            nn.Unflatten(dim=1, unflattened_size=(16, 4, 4)),
            nn.ConvTranspose2d(16, 8, 3, stride=2, padding=1, output_padding=1),
            nn.ReLU(True),
            nn.Upsample(scale_factor=2, mode="bilinear", align_corners=False),
            nn.Conv2d(8, 1, 3, padding=1),
            nn.Sigmoid(),
        )

    def forward(self, x):
        return self.decoder(self.encoder(x))


def add_noise(x, sigma):
    return torch.clamp(x + sigma * torch.randn(x.shape), 0.0, 1.0)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--n", type=int, default=200)
    parser.add_argument("--sigma", type=float, default=0.2)
    args = parser.parse_args(argv)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)

    loader = DataLoader(Shapes(args.n), args.batch, shuffle=True)
    model = Autoencoder().to(device)
    criterion = nn.BCELoss(reduction="mean")
    optimizer = torch.optim.Rprop(model.parameters(), lr=1e-3) if args.batch >= args.n else \
        torch.optim.RAdam(model.parameters(), lr=3e-3)
    scheduler = torch.optim.lr_scheduler.MultiplicativeLR(optimizer, lr_lambda=lambda epoch: 0.95)

    history = []
    for epoch in range(1, args.epochs + 1):
        model.train()
        running = 0.
        for img in loader:
            img = img.to(device)
            noisy = add_noise(img.cpu(), args.sigma).to(device)
            output = model(noisy)
            loss = criterion(output, img)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            running += loss.data.item()
            history.append(loss.data.item())
        scheduler.step()
        model.eval()
        with torch.inference_mode():
            first = next(iter(DataLoader(Shapes(4), 4)))
            error = nn.functional.mse_loss(model(first.to(device)).cpu(), first)
        history.append(error.item())
        print("epoch [{}/{}], loss:{:.4f}, clean error {:.4f}".format(epoch, args.epochs, running / len(loader), error))
    return history, model


if __name__ == "__main__":
    main()
