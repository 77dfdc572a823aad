"""Wasserstein GAN with a gradient penalty, on a ring of Gaussians."""
import argparse
import math

import torch
import torch.autograd as autograd
import torch.nn as nn
import torch.optim as optim


class Generator(nn.Module):
    def __init__(self, dim=32):
        super(Generator, self).__init__()
        self.main = nn.Sequential(
            nn.Linear(2, dim),
            nn.ReLU(True),
            nn.Linear(dim, dim),
            nn.ReLU(True),
            nn.Linear(dim, 2),
        )

    def forward(self, noise):
        return self.main(noise)


class Discriminator(nn.Module):
    def __init__(self, dim=32):
        super(Discriminator, self).__init__()
        self.main = nn.Sequential(
            nn.Linear(2, dim),
            nn.LeakyReLU(0.2),
            nn.Linear(dim, dim),
            nn.Tanh(),
            nn.Linear(dim, 1),
        )

    def forward(self, inputs):
        return self.main(inputs).view(-1)


def ring(batch_size, step):
    angles = torch.arange(batch_size).float() * (2 * math.pi / 8) + step
    return torch.stack([angles.cos(), angles.sin()], dim=1) * 2


def calc_gradient_penalty(netD, real_data, fake_data, lambda_, device):
    alpha = torch.rand(real_data.size(0), 1, device=device)
    alpha = alpha.expand(real_data.size())
    interpolates = alpha * real_data + ((1 - alpha) * fake_data)
    interpolates = autograd.Variable(interpolates, requires_grad=True)
    disc_interpolates = netD(interpolates)
    gradients = autograd.grad(outputs=disc_interpolates, inputs=interpolates,
                              grad_outputs=torch.ones(disc_interpolates.size(), device=device),
                              create_graph=True, retain_graph=True, only_inputs=True)[0]
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean() * lambda_


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument('--iterations', type=int, default=100)
    parser.add_argument('--critic-iters', type=int, default=3)
    parser.add_argument('--batch-size', type=int, default=16)
    parser.add_argument('--gp', type=float, default=0.5)
    args = parser.parse_args(argv)
    torch.manual_seed(1)
    device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')

    netG, netD = Generator().to(device), Discriminator().to(device)
    optimizerD = optim.Adam(netD.parameters(), lr=1e-3, betas=(0.5, 0.9))
    optimizerG = optim.Adam(netG.parameters(), lr=1e-3, betas=(0.5, 0.9))

    losses = []
    for iteration in range(args.iterations):
        # (1) Update D network
        for p in netD.parameters():  # reset requires_grad
            p.requires_grad = True  # they are set to False below in netG update
        for k in range(args.critic_iters):
            real = ring(args.batch_size, 0.01 * k).to(device)
            netD.zero_grad()
            with torch.no_grad():
                noise = torch.randn(args.batch_size, 2, device=device)
            fake = netG(noise).detach()
            D_real, D_fake = netD(real).mean(), netD(fake).mean()
            gradient_penalty = calc_gradient_penalty(netD, real, fake, args.gp, device)
            D_cost = D_fake - D_real + gradient_penalty
            D_cost.backward()
            optimizerD.step()
            losses.append(D_cost.item())

        # (2) Update G network
        for p in netD.parameters():
            p.requires_grad = False  # to avoid computation
        netG.zero_grad()
        G_cost = -netD(netG(torch.randn(args.batch_size, 2, device=device))).mean()
        G_cost.backward()
        optimizerG.step()
        losses.append(G_cost.item())
        print(f'{iteration}: D {D_cost.item():.4f} W {(D_real - D_fake).item():.4f} G {G_cost.item():.4f}')
    return losses, (netG, netD)


if __name__ == '__main__':
    main()
