"""A generative adversarial network that draws rings."""
import argparse
import os

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset

from networks import Critic, Generator, weights_init

SIZE = 16


class Rings(Dataset):
    def __init__(self, count, seed):
        rng = np.random.RandomState(seed)
        self.centers = rng.uniform(5.5, 9.5, (count, 2))
        self.radii = rng.uniform(2.5, 5.0, count)

    def __len__(self):
        return len(self.radii)

    def __getitem__(self, index):
        y, x = np.mgrid[:SIZE, :SIZE]
        cy, cx = self.centers[index]
        distance = np.hypot(y - cy, x - cx)
        image = np.exp(-((distance - self.radii[index]) ** 2)) * 2 - 1
        return torch.as_tensor(image, dtype=torch.float32)[None]


def parse(argv):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--rings", type=int, default=1024)
    parser.add_argument("--latent", type=int, default=16)
    parser.add_argument("--width", type=int, default=16)
    parser.add_argument("--lr", type=float, default=2e-4)
    parser.add_argument("--beta1", type=float, default=0.5)
    parser.add_argument("--out", default="samples")
    return parser.parse_args(argv)


def main(argv=None):
    opt = parse(argv)
    os.makedirs(opt.out, exist_ok=True)
    torch.manual_seed(3)
    device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(Rings(opt.rings, 0), batch_size=opt.batch_size, shuffle=True, drop_last=True)

    netG = Generator(opt.latent, opt.width).to(device)
    netG.apply(weights_init)
    netD = Critic(opt.width).to(device)
    netD.apply(weights_init)
    criterion = nn.BCEWithLogitsLoss()
    fixed_noise = torch.randn(8, opt.latent, device=device)
    optimizerD = optim.Adam(netD.parameters(), lr=opt.lr, betas=(opt.beta1, 0.999))
    optimizerG = optim.Adam(netG.parameters(), lr=opt.lr, betas=(opt.beta1, 0.999))

    losses = []
    for epoch in range(opt.epochs):
        for i, real in enumerate(loader):
            # Update D: tell rings from what G draws
            netD.zero_grad()
            real = real.to(device)
            batch_size = real.size(0)
            label = torch.full((batch_size,), 0.9, dtype=real.dtype, device=device)
            errD_real = criterion(netD(real), label)
            errD_real.backward()

            noise = torch.randn(batch_size, opt.latent, device=device)
            fake = netG(noise)
            label.fill_(0.0)
            errD_fake = criterion(netD(fake.detach()), label)
            errD_fake.backward()
            errD = errD_real + errD_fake
            optimizerD.step()

            # Update G: be taken for a ring
            netG.zero_grad()
            label.fill_(1.0)
            errG = criterion(netD(fake), label)
            errG.backward()
            optimizerG.step()

            losses += [errD.item(), errG.item()]
            if i % 8 == 0:
                print(f"[{epoch}/{opt.epochs}][{i}/{len(loader)}] Loss_D: {errD.item():.4f} Loss_G: {errG.item():.4f}")
        with torch.no_grad():
            drawn = netG(fixed_noise).detach().cpu()
        np.save(os.path.join(opt.out, f"epoch_{epoch}.npy"), drawn.squeeze(1).numpy())
        torch.save(netG.state_dict(), os.path.join(opt.out, "generator.pth"))
    return losses, (netG, netD)


if __name__ == "__main__":
    main()
