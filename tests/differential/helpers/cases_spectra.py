"""Complex numbers, Fourier transforms, windows."""

from __future__ import annotations

from case import Case, function, script

CASES: list[Case] = []
CUBE = "normal(2, 3, 4)"
PAIR = {"x": CUBE, "y": "uniform(2, 3, 4)"}

for name, given in {
    "fft": "",
    "ifft": ", n=6, dim=1",
    "fft2": ", dim=(-2, -1), norm='ortho'",
    "ifft2": ", s=(2, 4)",
    "fftn": ", dim=(1, 2)",
    "ifftn": "",
    "rfft": ", dim=1",
    "rfft2": ", norm='forward'",
    "rfftn": ", s=(2, 4), dim=(1, 2)",
}.items():
    CASES.append(script(f"torch.fft.{name}", f"result = abs({name}(x{given}) + 3)", inputs={"x": CUBE}))
for given in (
    "",
    ", s=(3, 5)",
    ", dim=(0, 1)",
    ", s=(2, 6), dim=(1, 2), norm='ortho'",
    ", dim=1",
    ", s=4, dim=-2",
):
    for name in ("irfftn", "irfft2", "hfftn", "hfft2", "ihfftn", "ihfft2"):
        if "ih" in name:
            source = f"result = abs({name}(x{given}) + 3)"
        else:
            source = f"result = {name}(complex(x, y){given})"
        CASES.append(script(f"torch.complex torch.fft.{name}", source, inputs={"x": CUBE, "y": CUBE}))
CASES += [
    script("torch.polar", "result = abs(polar(y, x) + 3)", inputs=PAIR),
    script("torch.view_as_complex", "result = abs(view_as_complex(x) + 3)", inputs={"x": "normal(3, 2)"}),
]
for expression in (
    "z * z",
    "z * y",
    "y * z",
    "z / y",
    "y / z",
    "z / z.conj()",
    "z * 2",
    "z * 1j",
    "2j * z",
    "z / (1 + 2j)",
    "z + 1j",
    "1j - z",
    "z - 1j",
    "z**2",
    "z**3",
    "(z * z + 4) ** 0.5",
    "z.mul(y)",
    "z.div(y)",
    "z.square()",
    "z.pow(2)",
    "z.mean(1)",
    "z @ z.transpose(1, 2)",
    "z.matmul(z.transpose(1, 2))",
    "(1j * y).exp() * z",
    "abs(z) * z",
    "z.abs() + z",
    "z.cumprod(dim=1)",
    "z.prod()",
    "z.prod(-1)",
    "z.prod(1, True)",
    "z.cumsum(-1)",
    "z[0] @ z[1].mT",
    "z.bmm(z.conj().mT)",
    "z[0].mm(z[1].conj().mT)",
    "z[0, 0].outer(z[1, 1])",
    "z[0, 0].outer(y[1, 1])",
    "z.diagonal(0, 1, 2)",
    "z.tril()",
    "z.triu(1)",
    "z.narrow(1, 1, 2) * z[:, :2]",
    "z.norm()",
):
    source = f"z = complex(x, y)\nresult = abs({expression} + 3)"
    CASES.append(script("torch.complex", source, inputs=PAIR))
CASES.append(
    script(
        "torch.complex",
        "result = abs(complex(x, x))",
        inputs={"x": "np.zeros((2,), np.float32)"},
    )
)
CASES += [
    script("torch.complex", f"z = complex(x, y)\n{change}\nresult = abs(z + 3)", inputs=PAIR)
    for change in (
        "w = z * 2\nw *= z\nz = w",
        "w = z * 2\nw[0] = 1.0\nw[:, 1] = 2j\nz = w",
        "w = z * 0\nw[:, 1:] = z[:, :-1]\nw[1, 1:] = z[0, 1:]\nz = w",
        "z = z.isfinite() * y + z.isnan() * x + z.isinf() * x",
    )
]
CASES += [
    script(f"{api} torch.complex", f"result = abs({call} + 3)", inputs=PAIR, tolerance=1e-4)
    for api, call in (
        ("torch.diag_embed", "diag_embed(complex(x, y))"),
        ("torch.linalg.inv", "inv(complex(x, y)[:, :3, :3])"),
        ("torch.linalg.solve", "solve(complex(x, y)[:, :3, :3], complex(y, x)[:, :3])"),
        ("torch.linalg.det", "det(complex(x, y)[:, :3, :3])"),
        ("torch.linalg.slogdet", "slogdet(complex(x, y)[:, :3, :3])[1]"),
        ("torch.linalg.vector_norm", "vector_norm(complex(x, y), dim=-1)"),
        ("torch.norm", "norm(complex(x, y))"),
        ("torch.full", "full((2,), 2 + 1j) * complex(x, y)[0, 0, 0]"),
    )
]
for name in ("hann", "hamming", "blackman", "bartlett", "kaiser"):
    CASES += [
        function(f"torch.{name}_window", "8", gradients=False),
        function(f"torch.{name}_window", "7, False", gradients=False),
        function(f"torch.{name}_window", "5, periodic=True, dtype=float64, device='cpu'", gradients=False),
        function(f"torch.{name}_window", "1", gradients=False),
    ]
CASES += [
    function("torch.hamming_window", "8, True, 0.5, 0.5", gradients=False),
    function("torch.kaiser_window", "8, True, 5.0", gradients=False),
]
for given in (
    "16, return_complex=True",
    "16, 4, 12, window=hann_window(12), return_complex=True",
    "16, hop_length=8, win_length=16, window=hann_window(16), center=False, return_complex=True",
    "16, 4, normalized=True, onesided=False, pad_mode='constant', return_complex=True",
):
    source = f"result = abs(stft(x, {given}) + 3)"
    CASES.append(script("torch.stft torch.hann_window", source, inputs={"x": "normal(2, 40)"}))
CASES += [
    script(
        "torch.Tensor.stft",
        "result = abs(stft(x, 8, 4, return_complex=True) + 3)",
        inputs={"x": "normal(40)"},
    ),
    script(
        "torch.stft torch.istft torch.hann_window",
        """
window = hann_window(16)
result = istft(stft(x, 16, 4, window=window, return_complex=True), 16, 4, window=window, length=40)
""",
        inputs={"x": "normal(2, 40)"},
    ),
    script(
        "torch.stft torch.istft torch.Tensor.istft torch.hann_window",
        """
window = hann_window(12)
values = stft(x, 16, 4, 12, window, normalized=True, return_complex=True)
result = istft(values, 16, 4, 12, window=window, normalized=True)
""",
        inputs={"x": "normal(40)"},
    ),
    script(
        "torch.linalg.eigvals torch.linalg.eig",
        "result = [abs(eigvals(x)).sum(), abs(eig(x)[0] + 2).sum()]",
        inputs={"x": "normal(3, 3)"},
        gradients=False,
        tolerance=1e-4,
    ),
    script(
        "torch.linalg.eigvals torch.linalg.eig torch.view_as_real torch.ones",
        """values, vectors = eig(ones(3, 3) * 2 + x.T @ x)
result = [view_as_real(values), view_as_real(vectors).abs(), view_as_real(eigvals(x)).abs()]
""",
        inputs={"x": "normal(3, 3)"},
        gradients=False,
        tolerance=1e-4,
    ),
]

CASES += [
    script(
        "torch.Tensor.real torch.Tensor.imag torch.complex",
        "c = complex(x, y)\nc.imag *= -2\nc.real = c.real + 1\nresult = [c, c.real, c.imag, x.real]",
        inputs={"x": "normal(2, 3)", "y": "normal(2, 3)"},
    ),
    script(
        "torch.Tensor.real torch.view_as_real torch.complex",
        "c = complex(x, y)\nresult = [view_as_real(c) * x[0, 0], c.real]",
        inputs={"x": "normal(2, 3)", "y": "normal(2, 3)"},
    ),
    script(
        "torch.Tensor.real torch.Tensor.imag torch.complex",
        "c = complex(x * 0, x * 0)\nc.real, c.imag = x, y\nresult = c",
        inputs={"x": "normal(2, 3)", "y": "normal(2, 3)"},
    ),
]

for name, options in {
    "bartlett": "",
    "blackman": "",
    "cosine": "",
    "exponential": ", tau=2.0",
    "gaussian": ", std=2.0",
    "general_cosine": ", a=[0.5, 0.3, 0.2]",
    "general_hamming": ", alpha=0.6",
    "hamming": "",
    "hann": "",
    "kaiser": ", beta=8.0",
    "nuttall": "",
}.items():
    for size in (1, 2, 9):
        for sides in ("", ", sym=False", ", dtype=float64"):
            CASES.append(function(f"torch.signal.windows.{name}", f"{size}{options}{sides}", gradients=False))
for given in ("", ", 6", ", dim=0", ", n=3, dim=1, norm='ortho'", ", norm='forward'"):
    CASES += [
        script(
            "torch.complex torch.fft.hfft",
            f"result = hfft(complex(x, y){given})",
            inputs={"x": CUBE, "y": CUBE},
        ),
        script("torch.fft.ihfft", f"result = abs(ihfft(x{given}) + 3)", inputs={"x": CUBE}),
    ]
