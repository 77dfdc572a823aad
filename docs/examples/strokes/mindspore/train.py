'''A variational autoencoder of strokes: one script, with a decoder that is reused to draw new ones.'''
import argparse
import math

import mindport_helpers as helpers
import mindspore


class Strokes(helpers.Dataset):
    '''A line through a grid of pixels, blurred.'''

    def __init__(self, count: int, size: int = 14) -> None:
        self.size = size
        generator = helpers.Generator().manual_seed(11)
        self.angles = helpers.rand(count, generator=generator) * math.pi
        self.offsets = helpers.rand(count, generator=generator) - 0.5

    def __len__(self) -> int:
        return self.angles.numel()

    def __getitem__(self, index: int) -> mindspore.Tensor:
        axis = helpers.linspace(-1, 1, self.size)
        y, x = mindspore.ops.meshgrid(axis, axis, indexing='ij')
        angle = self.angles[index]
        distance = x * helpers.cos(angle) + y * helpers.sin(angle) - self.offsets[index]
        return helpers.exp(-(distance ** 2) / 0.02).clamp(0, 1)


class VAE(helpers.Module):
    def __init__(self, size: int = 14, hidden: int = 64, latent: int = 4) -> None:
        super().__init__()
        self.shape = (size, size)
        self.encoder = helpers.Sequential(
            helpers.Flatten(), helpers.Linear(size * size, hidden), helpers.SiLU()
        )
        self.mean = helpers.Linear(hidden, latent)
        self.log_variance = helpers.Linear(hidden, latent)
        self.decoder = helpers.Sequential(
            helpers.Linear(latent, hidden), helpers.SiLU(), helpers.Linear(hidden, size * size),
            helpers.Unflatten(1, self.shape)
        )

    def encode(self, x: mindspore.Tensor) -> helpers.Normal:
        h = self.encoder(x)
        return helpers.Normal(self.mean(h), helpers.exp(0.5 * self.log_variance(h).clamp(-8, 8)))

    def construct(self, x: mindspore.Tensor) -> tuple[mindspore.Tensor, helpers.Normal]:
        posterior = self.encode(x)
        z = posterior.rsample() if self.training else posterior.mean
        return self.decoder(z), posterior


def loss_function(
    logits: mindspore.Tensor, x: mindspore.Tensor, posterior: helpers.Normal, beta: float
) -> dict[str, mindspore.Tensor]:
    reconstruction = helpers.binary_cross_entropy_with_logits(logits, x, reduction='sum') / x.shape[0]
    prior = helpers.Normal(mindspore.ops.zeros_like(posterior.loc), mindspore.ops.ones_like(posterior.scale))
    divergence = helpers.kl_divergence(posterior, prior).sum(dim=1).mean()
    return {'loss': reconstruction + beta * divergence, 'bce': reconstruction, 'kld': divergence}


def train(
    epoch: int, model: VAE, loader: helpers.DataLoader, optimizer: helpers.Optimizer, args
) -> list[float]:
    model.train()
    beta = min(1.0, epoch / args.warm_up)
    losses = []
    for step, x in enumerate(loader):
        def forward_fn(x):
            logits, posterior = model(x)
            terms = loss_function(logits, x, posterior, beta)
            return terms['loss'], terms

        grad_fn = helpers.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)
        (total_loss, terms), grads = grad_fn(x)
        optimizer(grads)
        losses.append(terms['loss'].item())
        if step % args.log_interval == 0:
            print('epoch {} [{}/{}] '.format(epoch, step * len(x), len(loader.dataset))
                  + ' '.join(f'{name} {value.item():.3f}' for name, value in terms.items()))
    return losses


def test(model: VAE, loader: helpers.DataLoader, args) -> float:
    model.eval()
    total = 0.
    with helpers.no_grad():
        for x in loader:
            logits, posterior = model(x)
            total += loss_function(logits, x, posterior, 1.0)['loss'].item() * len(x)
    return total / len(loader.dataset)


def sample(model: VAE, count: int, latent: int) -> str:
    '''New strokes, drawn with characters.'''
    with helpers.no_grad():
        images = helpers.sigmoid(model.decoder(helpers.randn(count, latent)))
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
    args.device = helpers.device(
        'cuda' if not args.no_cuda and (mindspore.get_context('device_target') != 'CPU') else 'cpu'
    )
    helpers.manual_seed(5)

    dataset = Strokes(args.count)
    loader = helpers.DataLoader(dataset, batch_size=args.batch_size, shuffle=True)
    model = VAE(latent=args.latent)
    optimizer = helpers.Adam(model.parameters(), lr=2e-3)
    losses = []
    for epoch in range(1, args.epochs + 1):
        losses += train(epoch, model, loader, optimizer, args)
        losses.append(test(model, loader, args))
        print(f'====> epoch {epoch}: test loss {losses[-1]:.3f}')
    print(sample(model, 2, args.latent))
    return losses, model


if __name__ == '__main__':
    main()
