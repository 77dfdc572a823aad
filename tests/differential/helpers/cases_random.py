"""What is drawn at random is what PyTorch draws on CPU from the same seed; distributions."""

from __future__ import annotations

from case import Case, script

CASES: list[Case] = []
SEEDED = {"gradients": False}

for name, shape in (
    ("dropout", "3, 50"),
    ("dropout1d", "4, 6, 5"),
    ("dropout1d", "6, 5"),
    ("dropout2d", "4, 6, 3, 5"),
    ("dropout3d", "4, 6, 3, 5, 2"),
    ("alpha_dropout", "3, 50"),
    ("feature_alpha_dropout", "4, 6, 5"),
):
    CASES.append(
        script(
            f"torch.manual_seed torch.nn.functional.{name} torch.rand",
            f"manual_seed(5)\nresult = [{name}(x, 0.3, True), {name}(x, training=True), rand(3),"
            f" {name}(x.swapaxes(0, 1), 0.4, True)]",
            inputs={"x": f"normal({shape})"},
            tolerance=1e-6,
        )
    )
CASES.append(
    script(
        "torch.manual_seed torch.randint torch.Tensor.random_ torch.rand",
        "result = []\nfor last in (2**24, 2**28 - 1, 2**28, 2**28 + 1, 2**31, 2**32, 2**40):\n"
        "    manual_seed(3)\n    result += [randint(0, last, (3,)), randint(-5, last - 5, (2,)), random_(x * 1, 0, last), rand(1)]",
        inputs={"x": "np.zeros(2, np.int64)"},
        **SEEDED,
    )
)
CASES.append(
    script(
        "torch.manual_seed torch.rand_like torch.randn_like torch.randint_like torch.rand",
        "turned = [x.swapaxes(0, 1), x.permute(2, 0, 1), x[..., ::2], x[:, :1].expand(3, 4, 5), x]\nmanual_seed(5)\n"
        "result = [draw(z) for z in turned for draw in (rand_like, randn_like)]\n"
        "result += [randint_like(z, 9) for z in turned] + [rand(3)]",
        inputs={"x": "normal(3, 4, 5)"},
        tolerance=1e-6,
        **SEEDED,
    )
)
CASES.append(
    script(
        "torch.manual_seed torch.rand torch.randn torch.zeros torch.nn.init.uniform_ torch.nn.init.normal_"
        " torch.nn.init.kaiming_uniform_ torch.nn.init.xavier_normal_ torch.nn.init.trunc_normal_",
        "manual_seed(5)\ndrawn = [uniform_(zeros(4001), -0.3, 0.4), normal_(zeros(70, 601), 0.3, 0.02), rand(999), randn(70000)]\n"
        "drawn += [draw(zeros(64, 333)) for draw in (kaiming_uniform_, xavier_normal_, trunc_normal_)]\n"
        "result = [each.numpy().view(np.int32) for each in drawn]  # to the last bit",
        **SEEDED,
    )
)
# both parts of complex numbers are drawn
CASES.append(
    script(
        "torch.manual_seed torch.rand torch.randn torch.rand_like torch.randn_like torch.zeros"
        " torch.nn.init.uniform_ torch.nn.init.normal_",
        "result = []\nfor dtype in (y.dtype, z.dtype):\n    manual_seed(5)\n"
        "    drawn = [rand(4, 5, dtype=dtype), rand((), dtype=dtype), randn(3, dtype=dtype), randn(41, 7, dtype=dtype)]\n"
        "    drawn += [uniform_(zeros(3, 4, dtype=dtype), -1.0, 2.0), normal_(zeros(5, 4, dtype=dtype), 0.5, 2.0)]\n"
        "    drawn += [draw(zeros(3, 9, dtype=dtype).swapaxes(0, 1)) for draw in (rand_like, randn_like)]\n"
        "    result += [part for each in drawn for part in (each.numpy().real, each.numpy().imag)] + [rand(2)]",
        inputs={"y": "np.zeros(1, np.complex64)", "z": "np.zeros(1, np.complex128)"},
        tolerance=1e-6,
        **SEEDED,
    )
)
# what lies in memory with its channels last goes on so through layers of images, and dropout draws in that order
LAYOUT = {
    "torch.nn.functional.conv2d": "conv2d(x, w)",
    "torch.nn.functional.conv_transpose2d": "conv_transpose2d(x, w)",
    "torch.nn.functional.group_norm": "group_norm(x, 2)",
    "torch.nn.functional.batch_norm": "batch_norm(x, None, None, training=True)",
    "torch.nn.functional.max_pool2d": "max_pool2d(x, 2)",
    "torch.nn.functional.avg_pool2d": "avg_pool2d(x, 2)",
    "torch.nn.functional.adaptive_avg_pool2d": "adaptive_avg_pool2d(x, 3)",
    "torch.nn.functional.interpolate": "interpolate(x, scale_factor=2)",
    "torch.nn.functional.pad": "pad(x, (0, 1, 0, 1))",
    "torch.cat": "cat([x, x], 1)",
}
for name, call in LAYOUT.items():
    CASES.append(
        script(
            f"torch.manual_seed torch.nn.functional.dropout torch.rand {name}",
            f"x = z.permute(0, 3, 1, 2)\nmanual_seed(5)\nresult = [dropout({call}, 0.5, True), rand(3)]\n"
            "x = x.contiguous()\n"
            f"result += [dropout({call}, 0.5, True), rand(3)]",
            inputs={"z": "normal(2, 6, 7, 4)", "w": "normal(4, 4, 3, 3)"},
            tolerance=1e-5,
        )
    )
CASES.append(
    script(
        "torch.manual_seed torch.nn.functional.dropout torch.rand torch.cat torch.nn.functional.conv3d",
        "x = z.permute(0, 4, 1, 2, 3)\nmanual_seed(5)\n"
        "y = conv3d(x, w)\ny += 1\ny *= y\ny -= w.sum()\ny /= 2\n"
        "result = [dropout(y, 0.5, True), dropout(cat([x, x.contiguous()], 1), 0.5, True), rand(3)]",
        inputs={"z": "normal(2, 4, 3, 5, 4)", "w": "normal(4, 4, 2, 2, 2)"},
        tolerance=1e-5,
    )
)
for name, call in (
    ("relu", "relu({})"),
    ("gelu", "gelu({})"),
    ("silu", "silu({})"),
    ("leaky_relu", "leaky_relu({}, 0.2)"),
    ("elu", "elu({}, 1.5)"),
    ("hardtanh", "hardtanh({})"),
    ("softplus", "softplus({})"),
    ("hardswish", "hardswish({})"),
    ("mish", "mish({})"),
    ("tanh", "tanh({})"),
):
    # what an activation gives of a transposed Tensor lies in memory as that does
    CASES.append(
        script(
            f"torch.manual_seed torch.nn.functional.dropout torch.nn.functional.{name} torch.rand",
            f"manual_seed(5)\nresult = [dropout({call.format('x.swapaxes(0, 2)')}, 0.5), dropout({call.format('x.permute(1, 2, 0)')}, 0.5), rand(2)]",
            inputs={"x": "normal(3, 4, 5)"},
            tolerance=1e-5,
        )
    )
for made in (
    "x.swapaxes(0, 1) + y, y + x.swapaxes(0, 1), y - 2 * x.swapaxes(0, 1)",
    "x.permute(2, 0, 1) * x.permute(2, 0, 1)[:1], x.permute(2, 0, 1)[:1] / x.permute(2, 0, 1)",
    "1 - x.permute(1, 2, 0), x.permute(1, 2, 0) / 2 + x[0, 0, 0], y[0] * x.permute(1, 0, 2) + 1",
):
    # what is computed of a transposed Tensor lies in memory as that does, and so do the numbers that are drawn for it
    CASES.append(
        script(
            "torch.manual_seed torch.nn.functional.dropout",
            f"manual_seed(5)\nresult = [dropout(z, 0.3, True) for z in ({made})]",
            inputs={"x": "normal(3, 4, 5)", "y": "normal(4, 3, 5)"},
            tolerance=1e-6,
        )
    )
for apis, source in (
    (
        "torch.multinomial",
        "multinomial(x, 1), multinomial(x, 3), multinomial(x, 4, True), multinomial(x[0], 1, True)",
    ),
    ("torch.bernoulli", "bernoulli(x), bernoulli(x, 0.3), bernoulli(y)"),
    ("torch.Tensor.bernoulli_", "bernoulli_(x, 0.3), bernoulli_(x), bernoulli_(y, x)"),
    ("torch.Tensor.exponential_", "exponential_(x), exponential_(y, 2.0)"),
    ("torch.Tensor.random_", "random_(x, 3, 9), random_(n), random_(n, 5), random_(x)"),
    ("torch.nn.functional.gumbel_softmax", "gumbel_softmax(x), gumbel_softmax(x, tau=0.5, hard=True)"),
    ("torch.normal", "normal(x, 2.0), normal(0.0, x), normal(x, x), normal(1.0, 2.0, (3, 7))"),
    ("torch.normal", "normal(mean=0.0, std=1.0, size=(2, 4)), normal(x[:1], x[:, :1])"),
    ("torch.nn.init.sparse_", "sparse_(x, 0.4), sparse_(x, 0.1, std=2.0)"),
):
    CASES.append(
        script(
            f"torch.manual_seed {apis} torch.rand",
            f"manual_seed(8)\nresult = [{source}, rand(3)]",
            inputs={"x": "uniform(4, 7)", "y": "uniform(4, 7).astype('float64')", "n": "integers((30,), 5)"},
            tolerance=1e-6,
        )
    )
CASES.append(
    script(
        "torch.manual_seed torch.nn.utils.spectral_norm torch.nn.Linear",
        "manual_seed(8)\nlayer = spectral_norm(Linear(5, 4))\nresult = [layer(x), layer.weight_u]",
        inputs={"x": "normal(3, 5)"},
    )
)
CASES.append(
    script(
        "torch.manual_seed torch.nn.LSTM torch.nn.TransformerEncoderLayer",
        "manual_seed(8)\nlstm = LSTM(5, 6, 2, dropout=0.4)\nlayer = TransformerEncoderLayer(6, 2, 8, batch_first=True)\n"
        "manual_seed(2)\nresult = layer(lstm(x)[0])",
        tolerance=1e-6,
        inputs={"x": "normal(4, 3, 5)"},
    )
)

POSITIVE = {
    "x": "normal(3, 4)",
    "s": "uniform(3, 4)",
    "v": "uniform(2, 3, 4)",
    "y": "normal(4)",
    "t": "uniform(4)",
}
INTEGERS = {**POSITIVE, "i": "integers((2, 3), 4)"}
BOTH = "[sample.sample((2,)), sample.sample(), sample.log_prob({value}), sample.entropy(), sample.mean, sample.variance, sample.stddev, list(sample.batch_shape), list(sample.event_shape)]"
for kind, made, other, value in (
    ("Normal", "x, s", "y, t", "v"),
    ("Normal", "0.0, 1.0", "tensor(np.float32(1)), 2.0", "v"),
    ("Normal", "x, scale=0.5", "loc=0.1, scale=s", "v"),
    ("LogNormal", "x, s", "y, t", "v"),
    ("Uniform", "-s, s + 1", "-2.0, 3.0", "v"),
    ("Exponential", "s", "t", "v"),
    ("laplace.Laplace", "x, s", "y, t", "v"),
    ("Bernoulli", "s", "logits=x", "(v > 0.5) * 1.0"),
    ("Bernoulli", "logits=x", "probs=s", "(v > 0.5) * 1.0"),
):
    CASES.append(
        script(
            f"torch.manual_seed torch.distributions.{kind} torch.distributions.kl_divergence",
            f"manual_seed(4)\nsample = {kind.rpartition('.')[2]}({made})\nresult = {BOTH.format(value=value)}"
            f" + [kl_divergence(sample, {kind.rpartition('.')[2]}({other}))]",
            inputs=POSITIVE,
        )
    )
for made in ("s", "logits=x", "probs=v", "y * y"):
    CASES.append(
        script(
            "torch.manual_seed torch.distributions.Categorical torch.distributions.kl_divergence",
            f"manual_seed(4)\nsample = Categorical({made})\nresult = [sample.sample(), sample.sample((5,)), sample.probs,"
            " sample.logits, sample.entropy(), sample.log_prob(i), sample.log_prob(sample.sample()), sample.mode,"
            f" kl_divergence(sample, Categorical(logits=y)), list(sample.batch_shape), list(sample.param_shape)]",
            inputs=INTEGERS,
        )
    )
CASES.append(
    script(
        "torch.manual_seed torch.distributions.OneHotCategorical torch.distributions.kl_divergence",
        "manual_seed(4)\nsample = OneHotCategorical(s)\ndrawn = sample.sample((2,))\n"
        "result = [drawn, sample.log_prob(drawn), sample.entropy(), sample.mean, sample.variance,"
        " kl_divergence(sample, OneHotCategorical(logits=x)), list(sample.event_shape)]",
        inputs=INTEGERS,
    )
)
NORMALS = {"x": "normal(3, 4)", "m": "normal(4, 4)", "d": "uniform(3, 4)", "v": "normal(2, 3, 4)"}
for made, other in (
    ("x, m @ m.T + tensor(np.eye(4, dtype='f'))", "x * 0, covariance_matrix=tensor(np.eye(4, dtype='f'))"),
    (
        "x, precision_matrix=m @ m.T + tensor(np.eye(4, dtype='f'))",
        "x, scale_tril=tensor(2 * np.eye(4, dtype='f'))",
    ),
    ("x[0], tensor(np.diag([0.5, 1, 2, 3]).astype('f'))", "x, scale_tril=tensor(2 * np.eye(4, dtype='f'))"),
):
    CASES.append(
        script(
            "torch.manual_seed torch.distributions.MultivariateNormal torch.distributions.kl_divergence",
            f"manual_seed(4)\nsample = MultivariateNormal({made})\nresult = [sample.sample((3,)), sample.log_prob(v),"
            " sample.entropy(), sample.mean, sample.variance, sample.covariance_matrix,"
            f" kl_divergence(sample, MultivariateNormal({other})), list(sample.batch_shape), list(sample.event_shape)]",
            inputs=NORMALS,
            tolerance=3e-5,
        )
    )
CASES.append(
    script(
        "torch.manual_seed torch.distributions.Independent torch.distributions.Normal torch.distributions.kl_divergence",
        "manual_seed(4)\nsample = Independent(Normal(x, d), 1)\nresult = [sample.sample((3,)), sample.log_prob(v),"
        " sample.entropy(), sample.mean, sample.variance, list(sample.batch_shape), list(sample.event_shape),"
        " kl_divergence(sample, Independent(Normal(d, 1.0), 1))]",
        inputs=NORMALS,
    )
)
CASES.append(
    script(
        "torch.distributions.Distribution torch.distributions.Normal torch.distributions.register_kl"
        " torch.distributions.kl_divergence",
        "class Squashed(Distribution):\n"
        "    def __init__(self, base):\n"
        "        super().__init__(base.batch_shape)\n"
        "        self.base = base\n"
        "    def log_prob(self, value):\n"
        "        return self.base.log_prob(value) - 1\n"
        "@register_kl(Squashed, Normal)\n"
        "def divergence(p, q):\n"
        "    return p.log_prob(q.loc)\n"
        "a = Squashed(Normal(x, d))\n"
        "result = [kl_divergence(a, Normal(d, 1.0)), isinstance(a, Distribution), list(a.batch_shape), a.has_rsample]",
        inputs=NORMALS,
    )
)
for kind, made, value in (
    ("Normal", "x, s", "v"),
    ("laplace.Laplace", "x, s", "v"),
    ("Bernoulli", "logits=x * s", "(v > 0.5) * 1.0"),
    ("Categorical", "s / x", "i"),
    ("Categorical", "logits=s * x", "i"),
    ("MultivariateNormal", "x, scale_tril=tensor(np.eye(4, dtype='f')) * s[:, None]", "v"),
    ("MultivariateNormal", "x, tensor(np.eye(4, dtype='f')) * (s[:, None] + 1) + 0.1", "v"),
):
    CASES.append(
        script(
            f"torch.distributions.{kind}",
            "def total(x, s):\n"
            f"    made = {kind.rpartition('.')[2]}({made})\n"
            f"    return made.log_prob({value}).sum() + made.entropy().sum()\n"
            "result = gradients(total, x * x + 0.1, s)",
            inputs=INTEGERS,
            tolerance=3e-5,
        )
    )
CASES.append(
    script(
        "torch.manual_seed torch.distributions.Normal torch.distributions.MultivariateNormal",
        "def total(x, s):\n"
        "    manual_seed(3)\n"
        "    made = MultivariateNormal(x, scale_tril=tensor(np.eye(4, dtype='f')) * s[:, None])\n"
        "    return (Normal(x, s).rsample((2,)) ** 2).sum() + (made.rsample() ** 2).sum() + Normal(x, s).sample().sum()\n"
        "result = gradients(total, x, s)",
        inputs=POSITIVE,
    )
)
CASES.append(
    script(
        "torch.manual_seed torch.rand",
        """
import random
random.seed(1)
np.random.seed(1)
manual_seed(2)
result = [random.random(), np.random.rand(2), rand(2)]
""",
    )
)
CASES.append(
    script(
        "torch.manual_seed torch.rand torch.randn torch.normal torch.randint torch.randint_like torch.zeros",
        """
manual_seed(5)
size = (2, 3)
result = [rand(size=size), randn(size=size), normal(mean=0.0, std=2.0, size=size), randint(low=1, high=9, size=size)]
result += [normal(0.0, 1.0, size, requires_grad=True).requires_grad]
result += [randint(0, 3, size, dtype=x.dtype, requires_grad=True).requires_grad]
result += [randint_like(x, 3, requires_grad=True).requires_grad, zeros(size=size)]
""",
        inputs={"x": "normal(2)"},
        gradients=False,
    )
)
