"""A GAN on images with R1 regularization: the squared gradient of a convolutional discriminator."""
import argparse

import torch
import torch.nn.functional as F
from torch import nn, optim


class Generator(nn.Module):
    def __init__(self, nz, channels=8):
        super().__init__()
        self.fc = nn.Linear(nz, channels * 4 * 4)
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.norm = nn.InstanceNorm2d(channels, affine=True)
        self.out = nn.ConvTranspose2d(channels, 3, 4, stride=2, padding=1)

    def forward(self, z):
        h = self.fc(z).view(z.size(0), -1, 4, 4)
        h = F.interpolate(h, scale_factor=2, mode='nearest')
        h = F.leaky_relu(self.norm(self.conv(h)), 0.2)
        return torch.tanh(self.out(h))


class ResidualBlock(nn.Module):
    def __init__(self, fin, fout):
        super().__init__()
        self.conv1 = nn.Conv2d(fin, fout, 3, 1, 1)
        self.conv2 = nn.Conv2d(fout, fout, 3, 1, 1)
        self.shortcut = nn.Conv2d(fin, fout, 1, bias=False)
        self.norm = nn.GroupNorm(2, fout)

    def forward(self, x):
        h = self.norm(self.conv1(F.softplus(x)))
        return self.shortcut(x) + 0.1 * self.conv2(F.softplus(h))


class Discriminator(nn.Module):
    def __init__(self, channels=8):
        super().__init__()
        self.first = nn.Conv2d(3, channels, 3, padding=1)
        self.blocks = nn.Sequential(
            ResidualBlock(channels, channels),
            nn.AvgPool2d(3, stride=2, padding=1),
            ResidualBlock(channels, 2 * channels),
            nn.MaxPool2d(2),
        )
        self.fc = nn.Linear(2 * channels * 4 * 4, 1)

    def forward(self, x):
        h = self.blocks(self.first(x))
        return self.fc(h.flatten(1)).squeeze(1)


def compute_grad2(d_out, x_in):
    batch_size = x_in.size(0)
    grad_dout = torch.autograd.grad(
        outputs=d_out.sum(), inputs=x_in, create_graph=True, retain_graph=True, only_inputs=True
    )[0]
    grad_dout2 = grad_dout.pow(2)
    assert grad_dout2.size() == x_in.size()
    return grad_dout2.view(batch_size, -1).sum(1)


def toggle_grad(model, requires_grad):
    for p in model.parameters():
        p.requires_grad_(requires_grad)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument('--steps', type=int, default=100)
    parser.add_argument('--batch-size', type=int, default=4)
    parser.add_argument('--reg', type=float, default=10.0)
    args = parser.parse_args(argv)
    torch.manual_seed(3)

    generator, discriminator = Generator(6), Discriminator()
    g_optimizer = optim.RMSprop(generator.parameters(), lr=1e-4, alpha=0.99)
    d_optimizer = optim.RMSprop(discriminator.parameters(), lr=1e-4, alpha=0.99)
    losses = []
    for step in range(args.steps):
        toggle_grad(generator, False)
        toggle_grad(discriminator, True)
        d_optimizer.zero_grad()
        x_real = torch.rand(args.batch_size, 3, 16, 16) * 2 - 1
        x_real.requires_grad_()
        d_real = discriminator(x_real)
        loss_real = F.binary_cross_entropy_with_logits(d_real, torch.ones_like(d_real))
        loss_real.backward(retain_graph=True)
        reg = args.reg * compute_grad2(d_real, x_real).mean()
        reg.backward()
        with torch.no_grad():
            x_fake = generator(torch.randn(args.batch_size, 6))
        d_fake = discriminator(x_fake)
        loss_fake = F.softplus(d_fake).mean()
        loss_fake.backward()
        d_optimizer.step()

        toggle_grad(generator, True)
        toggle_grad(discriminator, False)
        g_optimizer.zero_grad()
        g_loss = F.softplus(-discriminator(generator(torch.randn(args.batch_size, 6)))).mean()
        g_loss.backward()
        g_optimizer.step()
        losses += [loss_real.item() + loss_fake.item(), reg.item(), g_loss.item()]
        print(f'{step}: d {losses[-3]:.5f} reg {losses[-2]:.5f} g {losses[-1]:.5f}')
    return losses, (generator, discriminator)


if __name__ == '__main__':
    main()
