"""Random numbers of torch.Generator: the same from the same seed."""

import math
import os
import random

import mindspore
import numpy as np

# the dtypes of complex numbers, with those of their parts
PARTS_OF_COMPLEX = {mindspore.complex64: mindspore.float32, mindspore.complex128: mindspore.float64}


class Generator:
    """torch.Generator: a Mersenne Twister, whose numbers are those of PyTorch's on CPU."""

    def __init__(self, device="cpu"):
        self.device = device_named(device)
        self._bits = np.random.MT19937()
        self._seed = 67280421310721
        self.manual_seed(self._seed)

    def manual_seed(self, seed):
        self._seed = int(seed) % 2**64
        self._spare = None
        np.random.RandomState(self._bits).seed(self._seed % 2**32)
        return self

    def initial_seed(self):
        return self._seed

    def seed(self):
        self.manual_seed(int.from_bytes(os.urandom(8), "little") >> 1)
        return self._seed

    def get_state(self):
        """The state as bytes; not those of PyTorch's state."""
        state = self._bits.state["state"]
        words = np.array([*state["key"], state["pos"], self._seed % 2**32, self._seed >> 32], np.uint32)
        spare = np.array([np.nan if self._spare is None else self._spare]).view(np.uint8)
        return mindspore.Tensor(np.concatenate([words.view(np.uint8), spare]))

    def set_state(self, new_state):
        values = new_state.asnumpy()
        words, spare = values[:-8].view(np.uint32), float(values[-8:].copy().view(np.float64)[0])
        self._spare = None if math.isnan(spare) else spare
        state = {"key": words[:624].copy(), "pos": int(words[624])}
        self._bits.state = {"bit_generator": "MT19937", "state": state}
        self._seed = int(words[625]) | int(words[626]) << 32

    def clone_state(self):
        other = Generator(self.device)
        other.set_state(self.get_state())
        return other

    def words(self, count):
        """The next numbers of 32 bits."""
        return np.zeros(count, np.uint64) if ON_META else self._bits.random_raw(count)

    def long_words(self, count):
        """The next numbers of 64 bits."""
        pairs = self.words(2 * count).reshape(count, 2)
        return pairs[:, 0] << np.uint64(32) | pairs[:, 1]

    def new_seed(self):
        """A seed for another generator, as PyTorch's samplers draw it."""
        return int(self.long_words(1)[0] % np.uint64(2**63))

    def integers(self, low, high, count):
        """Integers from `low` to below `high`."""
        span = high - low
        drawn = self.words(count) if span < 2**28 else self.long_words(count)  # as PyTorch does
        return (drawn % np.uint64(span)).astype(np.int64) + low

    def uniform(self, count):
        """Numbers of double precision from 0 to below 1."""
        return (self.long_words(count) & np.uint64(2**53 - 1)).astype(np.float64) / 2**53

    def single(self, shape, low=0.0, high=1.0):
        """Numbers of single precision from `low` to below `high`."""
        count = int(np.prod(shape))
        shares = (self.words(count) & np.uint64(2**24 - 1)).astype(np.float32) / np.float32(2**24)
        low, high = np.float32(low), np.float32(high)
        return fused(shares, high - low, low).reshape(shape)

    def between(self, shape, low=0.0, high=1.0, dtype=mindspore.float32):
        """Numbers from `low` to below `high` as PyTorch draws them for a dtype."""
        if dtype in PARTS_OF_COMPLEX:
            return as_complex(self.between((*shape, 2), low, high, PARTS_OF_COMPLEX[dtype]))
        if dtype != mindspore.float64:
            return self.single(shape, low, high)
        return (self.uniform(math.prod(shape)) * (high - low) + low).reshape(shape)

    def chances(self, shape, p):
        """For each place whether it happens, with one probability for all."""
        return (self.uniform(math.prod(shape)) < p).reshape(shape)

    def exponential(self, shape, rate=1.0):
        """Exponentially distributed numbers of double precision."""
        return (-np.log1p(-self.uniform(math.prod(shape))) / rate).reshape(shape)

    def normal(self, shape, mean=0.0, std=1.0, dtype=mindspore.float32, in_pairs=False):
        """Normally distributed numbers: sixteen and more by the halves of blocks, fewer in pairs; `in_pairs`
        all of them, as those that do not follow each other in memory are. The parts of complex numbers have
        half of the variance each."""
        if dtype in PARTS_OF_COMPLEX:
            part, std = PARTS_OF_COMPLEX[dtype], std / math.sqrt(2.0)
            return as_complex(self.normal((*shape, 2), mean, std, part, in_pairs))
        kind = np.float64 if dtype == mindspore.float64 else np.float32
        count = int(np.prod(shape))
        if count < 16 or in_pairs:
            drawn = self.in_pairs(count) if count else np.zeros(0)
            return (drawn * std + mean).astype(kind).reshape(shape)
        whole, rest = count - count % 16, count % 16
        # numbers of 16 bits are drawn in whole blocks
        is_short = dtype in (mindspore.float16, mindspore.bfloat16)
        is_single = kind is np.float32 and not is_short
        shares = self.between((whole if is_short else count,), dtype=dtype)
        of_shares = single_normals if is_single else blocks_of_normals
        values = of_shares(shares[:whole], kind(mean), kind(std))
        if rest:
            last = of_shares(self.between((16,), dtype=dtype), kind(mean), kind(std))
            values = np.concatenate([values[: count - 16], last])
        return values.reshape(shape)

    def in_pairs(self, count):
        """Normally distributed numbers of double precision, two by two; one too many is kept for the next."""
        if ON_META:
            return np.zeros(count)
        kept, self._spare = [] if self._spare is None else [self._spare], None
        first, second = self.uniform(2 * math.ceil((count - len(kept)) / 2)).reshape((-1, 2)).T
        radius, angle = np.sqrt(-2.0 * np.log1p(-second)), 2.0 * math.pi * first
        drawn = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1).ravel()
        drawn = np.concatenate([kept, drawn])
        if drawn.size > count:
            self._spare = float(drawn[-1])
        return drawn[:count]

    def permutation(self, count):
        """The numbers below `count` in random order, as a list."""
        order = list(range(count))
        if count > 1:
            steps = self.words(count - 1) % np.arange(count, 1, -1, dtype=np.uint64)
            for place, step in enumerate(steps.tolist()):
                other = place + step
                order[place], order[other] = order[other], order[place]
        return order


def as_complex(drawn):
    """Complex numbers of drawn parts, two by two along the last axis."""
    kind = np.complex128 if drawn.dtype == np.float64 else np.complex64
    return np.ascontiguousarray(drawn).view(kind)[..., 0]


def blocks_of_normals(shares, mean, std):
    """Normally distributed numbers of uniform ones: of each block of 16, by the first half the radius, by the
    second one the angle."""
    blocks = shares.reshape((-1, 2, 8))
    radius = np.sqrt(-2 * np.log(1 - blocks[:, 0]))
    angle = blocks.dtype.type(2 * math.pi) * blocks[:, 1]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1).ravel() * std + mean


def single_normals(shares, mean, std):
    """`blocks_of_normals` of single precision to the last bit: by PyTorch's formulas for processors with
    AVX2, where polynomials approximate logarithms, sines and cosines."""
    values = np.empty_like(shares)
    for start in range(0, shares.size, 16384):  # so many stay in the processor's cache
        blocks = shares[start : start + 16384].reshape((-1, 2, 8))
        radius = np.sqrt(np.float32(-2) * single_log(np.float32(1) - blocks[:, 0]))
        sine, cosine = single_sine_and_cosine(np.float32(2 * math.pi) * blocks[:, 1])
        drawn = np.stack([radius * cosine, radius * sine], 1).ravel()
        values[start : start + 16384] = fused(drawn, std, mean)
    return values


def fused(factor, other, added):
    """`factor * other + added` of single precision, rounded once, as processors do it."""
    return (np.multiply(factor, other, dtype=np.float64) + added).astype(np.float32)


def polynomial(x, *factors):
    """A polynomial of single precision, the factor of the highest power first, which may be values, too."""
    value = np.full_like(x, np.float32(factors[0]))
    for factor in factors[1:]:
        value = fused(value, x, np.float32(factor))
    return value


def single_log(x):
    """The logarithms of positive numbers of single precision by a polynomial of the Cephes library."""
    bits = x.view(np.int32)
    power = ((bits >> 23) - 126).astype(np.float32)
    x = ((bits & 0x7FFFFF) | 0x3F000000).view(np.float32)
    is_small = x < np.float32(0.707106781186547524)
    power -= is_small
    x = (x - np.float32(1)) + np.where(is_small, x, np.float32(0))
    square = x * x
    value = polynomial(x, 7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1)
    value = polynomial(x, value, 1.4249322787e-1, -1.6668057665e-1, 2.0000714765e-1)
    value = x * polynomial(x, value, -2.4999993993e-1, 3.3333331174e-1)
    value = fused(value, square, power * np.float32(-2.12194440e-4))
    value = x + fused(-square, np.float32(0.5), value)
    return fused(power, np.float32(0.693359375), value)


def single_sine_and_cosine(x):
    """The sines and cosines of numbers of single precision from 0 by polynomials of the Cephes library."""
    eighth = ((x * np.float32(1.27323954473516)).astype(np.int32) + 1) & ~1
    for part in (-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8):
        x = fused(eighth.astype(np.float32), np.float32(part), x)
    square = x * x
    cosine = polynomial(square, 2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
    cosine = fused(cosine * square, square, square * np.float32(-0.5)) + np.float32(1)
    sine = polynomial(square, -1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
    sine = fused(sine * square, x, x)
    is_straight = (eighth & 2) == 0
    sines, cosines = np.where(is_straight, sine, cosine), np.where(is_straight, cosine, sine)
    return np.where(eighth & 4, -sines, sines), np.where((eighth - 2) & 4, cosines, -cosines)


def device_named(name):
    """A torch.device by its name, or as it is."""
    return name if isinstance(name, device) else device(name)


# torch.default_generator: what draws where no generator is given
default_generator = Generator()


def manual_seed(seed):
    """torch.manual_seed: seeds what the helpers draw, and MindSpore. What Python and NumPy draw goes on as
    before; MindSpore's own function seeds these, too."""
    of_python, of_numpy = random.getstate(), np.random.get_state()
    mindspore.set_seed(int(seed) % 2**32)
    random.setstate(of_python)
    np.random.set_state(of_numpy)
    return default_generator.manual_seed(seed)


def seed():
    """torch.seed: a seed that nobody knows before."""
    drawn = int.from_bytes(os.urandom(8), "little") >> 1
    manual_seed(drawn)
    return drawn


def initial_seed():
    """torch.initial_seed."""
    return default_generator.initial_seed()


def get_rng_state(device="cpu"):
    """torch.get_rng_state: that of the helpers and that of MindSpore, one behind the other."""
    ours, theirs = default_generator.get_state().asnumpy(), mindspore.get_rng_state().asnumpy()
    return mindspore.Tensor(np.concatenate([ours, theirs.view(np.uint8)]))


def set_rng_state(new_state, device="cpu"):
    """torch.set_rng_state: what get_rng_state gave."""
    values = new_state.asnumpy()
    size = 627 * 4 + 8
    default_generator.set_state(mindspore.Tensor(values[:size]))
    kind = mindspore.get_rng_state().asnumpy().dtype
    mindspore.set_rng_state(mindspore.Tensor(values[size:].copy().view(kind)))


def get_device_rng_states():
    """torch.cuda.get_rng_state_all: one for each device, all of this process; none on CPU."""
    return [get_rng_state()] * device_count()


def set_device_rng_states(new_states):
    """torch.cuda.set_rng_state_all: what get_rng_state_all gave, which may be none."""
    for state in new_states[:1]:
        set_rng_state(state)


class fork_rng:
    """torch.random.fork_rng: what is drawn inside leaves the numbers outside as they are."""

    def __init__(self, devices=None, enabled=True, device_type="cuda", **options):
        self.enabled = enabled

    def __enter__(self):
        self.state = get_rng_state() if self.enabled else None

    def __exit__(self, *exception):
        if self.enabled:
            set_rng_state(self.state)
        return False
