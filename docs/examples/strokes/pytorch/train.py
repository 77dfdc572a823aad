'''A variational autoencoder of strokes: one script, with a decoder that is reused to draw new ones.'''
import argparse
import math

import torch
from torch import Tensor, nn
from torch.distributions import Normal, kl_divergence
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset


class Strokes(Dataset):
    '''A line through a grid of pixels, blurred.'''

    def __init__(self, count: int, size: int = 14) -> None:
        self.size = size
        generator = torch.Generator().manual_seed(11)
        self.angles = torch.rand(count, generator=generator) * math.pi
        self.offsets = torch.rand(count, generator=generator) - 0.5

    def __len__(self) -> int:
        return self.angles.numel()

    def __getitem__(self, index: int) -> Tensor:
        axis = torch.linspace(-1, 1, self.size)
        y, x = torch.meshgrid(axis, axis, indexing='ij')
        angle = self.angles[index]
        distance = x * torch.cos(angle) + y * torch.sin(angle) - self.offsets[index]
        return torch.exp(-(distance ** 2) / 0.02).clamp(0, 1)


class VAE(nn.Module):
    def __init__(self, size: int = 14, hidden: int = 64, latent: int = 4) -> None:
        super().__init__()
        self.shape = (size, size)
        self.encoder = nn.Sequential(nn.Flatten(), nn.Linear(size * size, hidden), nn.SiLU())
        self.mean = nn.Linear(hidden, latent)
        self.log_variance = nn.Linear(hidden, latent)
        self.decoder = nn.Sequential(
            nn.Linear(latent, hidden), nn.SiLU(), nn.Linear(hidden, size * size), nn.Unflatten(1, self.shape)
        )

    def encode(self, x: Tensor) -> Normal:
        h = self.encoder(x)
        return Normal(self.mean(h), torch.exp(0.5 * self.log_variance(h).clamp(-8, 8)))

    def forward(self, x: Tensor) -> tuple[Tensor, Normal]:
        posterior = self.encode(x)
        z = posterior.rsample() if self.training else posterior.mean
        return self.decoder(z), posterior


def loss_function(logits: Tensor, x: Tensor, posterior: Normal, beta: float) -> dict[str, Tensor]:
    reconstruction = F.binary_cross_entropy_with_logits(logits, x, reduction='sum') / x.size(0)
    prior = Normal(torch.zeros_like(posterior.loc), torch.ones_like(posterior.scale))
    divergence = kl_divergence(posterior, prior).sum(dim=1).mean()
    return {'loss': reconstruction + beta * divergence, 'bce': reconstruction, 'kld': divergence}


def train(epoch: int, model: VAE, loader: DataLoader, optimizer: torch.optim.Optimizer, args) -> list[float]:
    model.train()
    beta = min(1.0, epoch / args.warm_up)
    losses = []
    for step, x in enumerate(loader):
        x = x.to(args.device)
        optimizer.zero_grad()
        logits, posterior = model(x)
        terms = loss_function(logits, x, posterior, beta)
        terms['loss'].backward()
        optimizer.step()
        losses.append(terms['loss'].item())
        if step % args.log_interval == 0:
            print('epoch {} [{}/{}] '.format(epoch, step * len(x), len(loader.dataset))
                  + ' '.join(f'{name} {value.item():.3f}' for name, value in terms.items()))
    return losses


def test(model: VAE, loader: DataLoader, args) -> float:
    model.eval()
    total = 0.
    with torch.no_grad():
        for x in loader:
            x = x.to(args.device)
            logits, posterior = model(x)
            total += loss_function(logits, x, posterior, 1.0)['loss'].item() * len(x)
    return total / len(loader.dataset)


def sample(model: VAE, count: int, latent: int) -> str:
    '''New strokes, drawn with characters.'''
    with torch.no_grad():
        images = torch.sigmoid(model.decoder(torch.randn(count, latent)))
    rows = [''.join(' .:#'[int(3.99 * pixel)] for pixel in row) for image in images for row in image.tolist()]
    return '\n'.join(rows)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--epochs', type=int, default=20)
    parser.add_argument('--batch-size', type=int, default=64)
    parser.add_argument('--count', type=int, default=2048)
    parser.add_argument('--latent', type=int, default=4)
    parser.add_argument('--warm-up', type=int, default=5, help='epochs until the divergence counts in full')
    parser.add_argument('--log-interval', type=int, default=8)
    parser.add_argument('--no-cuda', action='store_true')
    args = parser.parse_args(argv)
    args.device = torch.device('cuda' if not args.no_cuda and torch.cuda.is_available() else 'cpu')
    torch.manual_seed(5)

    dataset = Strokes(args.count)
    loader = DataLoader(dataset, batch_size=args.batch_size, shuffle=True)
    model = VAE(latent=args.latent).to(args.device)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for epoch in range(1, args.epochs + 1):
        losses += train(epoch, model, loader, optimizer, args)
        losses.append(test(model, loader, args))
        print(f'====> epoch {epoch}: test loss {losses[-1]:.3f}')
    print(sample(model, 2, args.latent))
    return losses, model


if __name__ == '__main__':
    main()
