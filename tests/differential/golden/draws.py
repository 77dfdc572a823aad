"""Random numbers that are the same in both frameworks, for models that draw in `forward`."""

import numpy as np

SEED = 7


class Draws:
    """Takes the place of `rand`: numbers of NumPy, as a Tensor that `tensor` makes."""

    def __init__(self, tensor) -> None:
        self._generator = np.random.default_rng(SEED)
        self._tensor = tensor

    def __call__(self, *size, **_options):
        return self._tensor(self._generator.random(size).astype(np.float32))
