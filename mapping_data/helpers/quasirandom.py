"""Sobol sequences."""

import mindspore
import numpy as np


def bits_of(numbers, count):
    """The last bits of whole numbers, the highest one first."""
    return numbers[..., None] >> np.arange(count - 1, -1, -1) & 1


class SobolEngine:
    """torch.quasirandom.SobolEngine: the same points, also scrambled with the same seed. What the sequence is
    made of, the direction numbers of Joe and Kuo, is SciPy's."""

    MAXBIT = 30
    MAXDIM = 21201

    def __init__(self, dimension, scramble=False, seed=None):
        if not 1 <= dimension <= self.MAXDIM:
            raise ValueError(f"Supported range of dimensionality for SobolEngine is [1, {self.MAXDIM}]")
        self.dimension, self.scramble, self.seed = dimension, scramble, seed
        self._directions = self._unscrambled()
        self._shift = np.zeros(dimension, np.int64)
        if scramble:
            self._scramble()
        self.reset()

    sobolstate = property(lambda self: mindspore.Tensor(self._directions))
    shift = property(lambda self: mindspore.Tensor(self._shift))
    quasi = property(lambda self: mindspore.Tensor(self._quasi))

    def _unscrambled(self):
        from scipy.stats import qmc  # takes long to import

        return qmc.Sobol(self.dimension, scramble=False, bits=self.MAXBIT)._sv.astype(np.int64)

    def _scramble(self):
        generator = default_generator
        if self.seed is not None:
            generator = Generator()
            generator.manual_seed(self.seed)
        size, bits = self.dimension, self.MAXBIT
        drawn = generator.integers(0, 2, size * bits).reshape(size, bits)
        self._shift = drawn @ 2 ** np.arange(bits)
        drawn = generator.integers(0, 2, size * bits * bits).reshape(size, bits, bits)
        matrices = np.tril(drawn, -1) + np.eye(bits, dtype=np.int64)
        products = bits_of(self._directions, bits) @ matrices.swapaxes(-1, -2)
        self._directions = (products & 1) @ 2 ** np.arange(bits - 1, -1, -1)

    def reset(self):
        """Begin again."""
        self._quasi, self.num_generated = self._shift.copy(), 0
        return self

    def _points(self, count):
        """The next points as whole numbers; they stay the last ones."""
        first = [self._quasi] if self.num_generated == 0 else []
        steps = np.arange(max(self.num_generated, 1), self.num_generated + count)
        lowest = np.log2(steps & -steps).astype(np.int64)
        changes = np.concatenate([self._quasi[None], self._directions[:, lowest].T])
        made = np.bitwise_xor.accumulate(changes)
        self._quasi = made[-1]
        self.num_generated += count
        return np.concatenate([*(one[None] for one in first), made[1:]])

    def draw(self, n=1, out=None, dtype=None):
        """The next points, between 0 and 1."""
        dtype, is_first = dtype or get_default_dtype(), self.num_generated == 0
        points = self._points(n)
        found = points.astype(numpy_type(dtype)) / numpy_type(dtype)(2**self.MAXBIT)
        if is_first and n:
            found[0] = points[0].astype(numpy_type(get_default_dtype())) / 2**self.MAXBIT
        found = mindspore.Tensor(found, dtype)
        return found if out is None else write_(out, found)

    def draw_base2(self, m, out=None, dtype=None):
        """The next 2 ** m points, so that all in all there are a power of 2."""
        count, total = 2**m, self.num_generated + 2**m
        if total & (total - 1):
            raise ValueError(
                "The balance properties of Sobol' points require n to be a power of 2. "
                f"{self.num_generated} points have been previously generated, then: "
                f"n={self.num_generated}+2**{m}={total}. If you still want to do this, please use "
                "'SobolEngine.draw()' instead."
            )
        return self.draw(count, out, dtype)

    def fast_forward(self, n):
        """Leave out the next points."""
        self._points(n)
        return self

    def __repr__(self):
        shown = [f"dimension={self.dimension}"]
        if self.scramble:
            shown.append("scramble=True")
        if self.seed is not None:
            shown.append(f"seed={self.seed}")
        return f"{type(self).__name__}({', '.join(shown)})"
