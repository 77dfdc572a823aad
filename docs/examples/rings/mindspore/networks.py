import mindport_helpers as helpers


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1:
        helpers.normal_(m.weight.data, 0.0, 0.02)
    elif classname.find("BatchNorm") != -1:
        helpers.normal_(m.weight.data, 1.0, 0.02)
        helpers.constant_(m.bias.data, 0)


class Generator(helpers.Module):
    def __init__(self, latent, width):
        super().__init__()

        def up(inputs, outputs, *args):
            return [
                helpers.ConvTranspose2d(inputs, outputs, 4, *args, bias=False),
                helpers.BatchNorm2d(outputs),
                helpers.ReLU(True)
            ]

        self.main = helpers.Sequential(
            *up(latent, width * 2, 1, 0),
            *up(width * 2, width, 2, 1),
            helpers.ConvTranspose2d(width, 1, 4, 2, 1),
            helpers.Tanh(),
        )

    def construct(self, z):
        return self.main(z[:, :, None, None])


class Critic(helpers.Module):
    def __init__(self, width):
        super().__init__()
        self.main = helpers.Sequential(
            helpers.spectral_norm(helpers.Conv2d(1, width, 4, 2, 1)),
            helpers.LeakyReLU(0.2, inplace=True),
            helpers.spectral_norm(helpers.Conv2d(width, width * 2, 4, 2, 1)),
            helpers.LeakyReLU(0.2, inplace=True),
            helpers.Conv2d(width * 2, 1, 4, 1, 0),
        )

    def construct(self, images):
        return self.main(images).flatten()
