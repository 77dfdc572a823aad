"""A generative adversarial network that draws rings."""
import argparse
import os

import mindport_helpers as helpers
import mindspore
import numpy as np

from networks import Critic, Generator, weights_init

SIZE = 16


class Rings(helpers.Dataset):
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
        return helpers.as_tensor(image, dtype=mindspore.float32)[None]


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
    helpers.manual_seed(3)
    device = helpers.device("cuda:0" if (mindspore.get_context('device_target') != 'CPU') else "cpu")
    loader = helpers.DataLoader(Rings(opt.rings, 0), batch_size=opt.batch_size, shuffle=True, drop_last=True)

    netG = Generator(opt.latent, opt.width)
    netG.apply(weights_init)
    netD = Critic(opt.width)
    netD.apply(weights_init)
    criterion = helpers.BCEWithLogitsLoss()
    fixed_noise = helpers.randn(8, opt.latent, device=device)
    optimizerD = helpers.Adam(netD.parameters(), lr=opt.lr, betas=(opt.beta1, 0.999))
    optimizerG = helpers.Adam(netG.parameters(), lr=opt.lr, betas=(opt.beta1, 0.999))

    losses = []
    for epoch in range(opt.epochs):
        for i, real in enumerate(loader):
            # Update D: tell rings from what G draws
            netD.zero_grad()
            batch_size = real.shape[0]
            label = mindspore.ops.full((batch_size,), 0.9, dtype=real.dtype)

            def forward_errD_real(real, label):
                errD_real = criterion(netD(real), label)
                return errD_real

            grad_fn = helpers.value_and_grad(forward_errD_real, None, optimizerD.parameters)
            errD_real, grads = grad_fn(real, label)
            helpers.add_gradients(optimizerD.parameters, grads)

            noise = helpers.randn(batch_size, opt.latent, device=device)

            def forward_errD_fake(noise, label):
                fake = netG(noise)
                helpers.fill_(label, 0.0)
                errD_fake = criterion(netD(mindspore.ops.stop_gradient(fake)), label)
                return errD_fake, fake

            grad_fn = helpers.value_and_grad(forward_errD_fake, None, optimizerD.parameters, has_aux=True)
            (errD_fake, fake), grads = grad_fn(noise, label)
            helpers.add_gradients(optimizerD.parameters, grads)
            errD = errD_real + errD_fake
            optimizerD.step()

            # Update G: be taken for a ring
            netG.zero_grad()

            def forward_errG(label, fake):
                helpers.fill_(label, 1.0)
                errG = criterion(netD(fake), label)
                return errG

            grad_fn = helpers.value_and_grad(forward_errG, None, optimizerG.parameters)
            errG, grads = grad_fn(label, fake)
            helpers.add_gradients(optimizerG.parameters, grads)
            optimizerG.step()

            losses += [errD.item(), errG.item()]
            if i % 8 == 0:
                print(f"[{epoch}/{opt.epochs}][{i}/{len(loader)}] Loss_D: {errD.item():.4f} Loss_G: {errG.item():.4f}")
        with helpers.no_grad():
            drawn = mindspore.ops.stop_gradient(netG(fixed_noise))
        np.save(os.path.join(opt.out, f"epoch_{epoch}.npy"), helpers.squeeze(drawn, 1).asnumpy())
        helpers.save(netG.state_dict(), os.path.join(opt.out, "generator.pth"))
    return losses, (netG, netD)


if __name__ == "__main__":
    main()
