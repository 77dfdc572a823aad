"""Losses and distances."""

from __future__ import annotations

from case import Case, function, layer, script

CASES: list[Case] = []
REDUCTIONS = ("", "reduction='none'", "reduction='sum'", "size_average=False", "reduce=False")


def loss(
    kind: str,
    name: str,
    x: str,
    inputs: dict[str, str],
    options: tuple[str, ...] = (),
    old: bool = True,
    **more: object,
) -> None:
    """A loss as a layer and as a function, with each reduction and with options of both."""
    called = ", ".join(["x", *inputs])
    forms = [*(REDUCTIONS if old else REDUCTIONS[:3]), *options]
    for form in forms:
        CASES.append(layer(f"torch.nn.{kind}", form, x, called=called, inputs=inputs, train=False, **more))
        CASES.append(function(f"torch.nn.functional.{name}", f"{called}, {form}", x, inputs=inputs, **more))


MATRIX, OTHER = "normal(4, 5)", {"y": "normal(4, 5)"}
loss("L1Loss", "l1_loss", MATRIX, OTHER)
loss("MSELoss", "mse_loss", MATRIX, OTHER)
loss("MSELoss", "mse_loss", "normal(4, 5)", {"y": "normal(5)"})
loss("SmoothL1Loss", "smooth_l1_loss", MATRIX, OTHER, ("beta=0.5", "beta=0.0", "reduction='sum', beta=2.0"))
BROADCAST = {"y": "normal(1, 4)"}
loss("SmoothL1Loss", "smooth_l1_loss", "normal(4)", BROADCAST)
loss("HuberLoss", "huber_loss", "normal(4)", BROADCAST, old=False)
loss("HuberLoss", "huber_loss", MATRIX, OTHER, ("delta=0.5", "reduction='sum', delta=2.0"), old=False)
CASES += [
    function(
        f"torch.nn.functional.{name}",
        "x, y, weight=w, reduction='mean'",
        MATRIX,
        inputs={**OTHER, "w": "uniform(4, 5)"},
    )
    for name in ("l1_loss", "mse_loss", "huber_loss")
]
loss("BCELoss", "binary_cross_entropy", "uniform(4, 5)", {"y": "uniform(4, 5)"})
loss(
    "BCELoss",
    "binary_cross_entropy",
    "np.float32([0, 1, 0, 1, 0.5, 1e-7])",
    {"y": "np.float32([0, 1, 1, 0, 1, 1])"},
    tolerance=1e-4,
    fixed=("y",),
    singular=True,
)
WEIGHTED = {"y": "uniform(4, 5)", "w": "uniform(5)"}
CASES += [
    layer(
        "torch.nn.BCELoss",
        "w, reduction='sum'",
        "uniform(4, 5)",
        called="x, y",
        inputs=WEIGHTED,
        train=False,
        fixed=("w",),
    ),
    function(
        "torch.nn.functional.binary_cross_entropy", "x, y, w", "uniform(4, 5)", inputs=WEIGHTED, fixed=("w",)
    ),
    layer(
        "torch.nn.BCEWithLogitsLoss",
        "w, pos_weight=w * 3",
        "normal(4, 5)",
        called="x, y",
        inputs=WEIGHTED,
        train=False,
        fixed=("w",),
    ),
    function(
        "torch.nn.functional.binary_cross_entropy_with_logits",
        "x, y, pos_weight=w",
        "normal(4, 5)",
        inputs=WEIGHTED,
        fixed=("w",),
    ),
]
CASES.append(
    function(
        "torch.nn.functional.binary_cross_entropy_with_logits",
        "x, y, m, reduction='none'",
        "normal(4, 5)",
        inputs={"y": "uniform(4, 5)", "m": "integers((4, 5), 2)"},
        fixed=("m",),
    )
)
loss("BCEWithLogitsLoss", "binary_cross_entropy_with_logits", "normal(4, 5) * 30", {"y": "uniform(4, 5)"})
LABELS = {"y": "np.array([0, 2, 4, 2])"}
IGNORED = ("ignore_index=2", "ignore_index=2, reduction='none'", "ignore_index=4, reduction='sum'")
loss("NLLLoss", "nll_loss", MATRIX, LABELS, IGNORED)
loss("NLLLoss", "nll_loss", "normal(2, 5, 3, 4)", {"y": "integers((2, 3, 4), 5)"}, IGNORED)
loss("NLLLoss", "nll_loss", "normal(5)", {"y": "np.array(3)"}, old=False)
SMOOTH = (
    "label_smoothing=0.1",
    "label_smoothing=0.2, reduction='none'",
    "label_smoothing=0.3, reduction='sum', ignore_index=2",
)
loss("CrossEntropyLoss", "cross_entropy", MATRIX, LABELS, (*IGNORED, *SMOOTH))
loss(
    "CrossEntropyLoss",
    "cross_entropy",
    "normal(2, 5, 3, 4)",
    {"y": "integers((2, 3, 4), 5)"},
    (*IGNORED, *SMOOTH),
)
loss(
    "CrossEntropyLoss",
    "cross_entropy",
    "normal(2, 5, 3)",
    {"y": "np.array([[0, 1, -100], [-100, 4, 2]])"},
    SMOOTH[:2],
)
loss("CrossEntropyLoss", "cross_entropy", "normal(5)", {"y": "np.array(3)"}, SMOOTH, old=False)
loss("CrossEntropyLoss", "cross_entropy", "normal(4, 5)", {"y": "uniform(4, 5)"}, SMOOTH[:2])
loss("CrossEntropyLoss", "cross_entropy", "normal(2, 5, 3, 4)", {"y": "uniform(2, 5, 3, 4)"}, SMOOTH[:2])
loss("CrossEntropyLoss", "cross_entropy", "normal(2, 5) * 100", {"y": "np.array([1, 2])"}, old=False)
for form in ("", "reduction='none'", "reduction='sum'", "ignore_index=2", *SMOOTH):
    for api, name in (("CrossEntropyLoss", "cross_entropy"), ("NLLLoss", "nll_loss")):
        if "label" in form and name == "nll_loss":
            continue
        for labels in (
            "np.array([0, 2, 4, 2])",
            *(("uniform(4, 5)",) if name == "cross_entropy" and "ignore" not in form else ()),
        ):
            options = {"inputs": {"y": labels, "w": "uniform(5)"}, "fixed": ("w",)}
            CASES.append(
                layer(f"torch.nn.{api}", f"weight=w, {form}", MATRIX, called="x, y", train=False, **options)
            )  # type: ignore[arg-type]
            CASES.append(function(f"torch.nn.functional.{name}", f"x, y, w, {form}", MATRIX, **options))
loss(
    "KLDivLoss",
    "kl_div",
    MATRIX,
    {"y": "uniform(4, 5)"},
    ("reduction='batchmean'", "log_target=True", "reduction='sum', log_target=True"),
)
CASES.append(
    function(
        "torch.nn.functional.kl_div",
        "x, y, reduction='sum'",
        MATRIX,
        inputs={"y": "np.zeros((4, 5), dtype='float32')"},
        gradients=False,
    )
)
loss("KLDivLoss", "kl_div", "normal(4)", {"y": "uniform(1, 4)"}, ("log_target=True",))
loss("PoissonNLLLoss", "poisson_nll_loss", MATRIX, {"y": "uniform(4, 5) * 5"}, ("log_input=True, full=True",))
loss(
    "PoissonNLLLoss",
    "poisson_nll_loss",
    "uniform(4, 5)",
    {"y": "uniform(4, 5) * 5"},
    ("log_input=False", "log_input=False, full=True, eps=1e-3, reduction='none'"),
    old=False,
)
loss(
    "GaussianNLLLoss",
    "gaussian_nll_loss",
    MATRIX,
    {"y": "normal(4, 5)", "v": "uniform(4, 5)"},
    ("full=True", "eps=0.5"),
    old=False,
)
loss(
    "GaussianNLLLoss",
    "gaussian_nll_loss",
    MATRIX,
    {"y": "normal(4, 5)", "v": "uniform(4)"},
    ("full=True",),
    old=False,
)
CASES.append(
    function("torch.nn.functional.gaussian_nll_loss", "x, y, 0.3", MATRIX, inputs={"y": "normal(4, 5)"})
)
SIGNS = {"y": "np.sign(normal(4, 5)).astype('int64')"}
loss("HingeEmbeddingLoss", "hinge_embedding_loss", MATRIX, SIGNS, ("margin=0.3",))
loss("SoftMarginLoss", "soft_margin_loss", "normal(4, 5) * 20", {"y": "np.sign(normal(4, 5))"}, fixed=("y",))
loss(
    "MarginRankingLoss",
    "margin_ranking_loss",
    "normal(4)",
    {"z": "normal(4)", "y": "np.float32([1, -1, 1, -1])"},
    ("margin=0.4",),
)
SIGN = "np.array([1, -1, 1, -1])"
loss(
    "CosineEmbeddingLoss", "cosine_embedding_loss", MATRIX, {"z": "normal(4, 5)", "y": SIGN}, ("margin=0.4",)
)
loss(
    "MultiLabelSoftMarginLoss",
    "multilabel_soft_margin_loss",
    MATRIX,
    {"y": "integers((4, 5), 2).astype('float32')"},
)
loss("MultiMarginLoss", "multi_margin_loss", MATRIX, LABELS, ("p=2", "margin=0.4"))
loss("MultiMarginLoss", "multi_margin_loss", "normal(5)", {"y": "np.array(3)"}, old=False)
MANY = {"y": "np.array([[0, 2, -1, 3, 1], [4, -1, 2, 0, 0], [-1, 0, 0, 0, 0], [1, 0, 2, 3, 4]])"}
loss("MultiLabelMarginLoss", "multilabel_margin_loss", MATRIX, MANY)
CASES += [
    function(
        "torch.nn.functional.multi_margin_loss",
        "x, y, weight=w",
        MATRIX,
        inputs={**LABELS, "w": "uniform(5)"},
        fixed=("w",),
    ),
    layer(
        "torch.nn.MultiMarginLoss",
        "weight=w",
        MATRIX,
        called="x, y",
        inputs={**LABELS, "w": "uniform(5)"},
        fixed=("w",),
        train=False,
    ),
    layer(
        "torch.nn.MultiLabelSoftMarginLoss",
        "w",
        MATRIX,
        called="x, y",
        inputs={"y": "integers((4, 5), 2).astype('float32')", "w": "uniform(5)"},
        gradients=False,
        train=False,
    ),
    function(
        "torch.nn.functional.multilabel_soft_margin_loss",
        "x, y, weight=w",
        MATRIX,
        inputs={"y": "integers((4, 5), 2).astype('float32')", "w": "uniform(5)"},
        gradients=False,
    ),
]
TRIPLE = {"y": "normal(4, 5)", "z": "normal(4, 5)"}
loss(
    "TripletMarginLoss",
    "triplet_margin_loss",
    MATRIX,
    TRIPLE,
    ("margin=0.5, p=1", "swap=True", "p=3.0, eps=1e-3"),
)
loss(
    "TripletMarginWithDistanceLoss",
    "triplet_margin_with_distance_loss",
    MATRIX,
    TRIPLE,
    ("margin=0.5, swap=True", "distance_function=lambda a, b: ((a - b) ** 2).sum(-1)"),
    old=False,
)
for made in ("", "0, 1e-4", "dim=-1"):
    CASES.append(layer("torch.nn.CosineSimilarity", made, MATRIX, called="x, y", inputs=OTHER, train=False))
    CASES.append(function("torch.nn.functional.cosine_similarity", f"x, y, {made}", MATRIX, inputs=OTHER))
CASES.append(
    function(
        "torch.nn.functional.cosine_similarity",
        "x, y, dim=-1",
        "normal(4, 1, 5)",
        inputs={"y": "normal(3, 5)"},
    )
)
for made in ("", "1.0", "p=3.0, keepdim=True"):
    CASES.append(layer("torch.nn.PairwiseDistance", made, MATRIX, called="x, y", inputs=OTHER, train=False))
    CASES.append(function("torch.pairwise_distance", f"x, y, {made}", MATRIX, inputs=OTHER))
CTC = {"y": "integers((3, 4), 5, 1)", "s": "np.array([10, 7, 8])", "t": "np.array([4, 2, 3])"}
for made in ("", "reduction='none'", "reduction='sum', zero_infinity=True", "blank=5"):
    CASES.append(
        layer(
            "torch.nn.CTCLoss",
            made,
            "normal(10, 3, 6) - 2",
            called="x, y, s, t",
            inputs=CTC,
            train=False,
            tolerance=3e-5,
            gradients=False,
        )
    )
    CASES.append(
        function(
            "torch.nn.functional.ctc_loss",
            f"x, y, s, t, {made}",
            "normal(10, 3, 6) - 2",
            inputs=CTC,
            tolerance=3e-5,
            gradients=False,
        )
    )
CASES += [
    function(
        "torch.nn.functional.ctc_loss",
        "x, y, (10, 3, 8), (4, 4, 3), reduction='none'",
        "normal(10, 3, 6) - 2",
        inputs={"y": "np.tile(np.array([[1, 1, 2, 2]]), (3, 1))"},
        gradients=False,
    ),
    function(
        "torch.nn.functional.ctc_loss",
        "x, y, (10, 3, 8), (4, 4, 3), reduction='none', zero_infinity=True",
        "normal(10, 3, 6) - 2",
        inputs={"y": "np.tile(np.array([[1, 1, 2, 2]]), (3, 1))"},
        gradients=False,
    ),
    function(
        "torch.nn.functional.ctc_loss",
        "x, y, (10, 9, 8), (2, 1, 3)",
        "normal(10, 3, 6) - 2",
        inputs={"y": "np.array([1, 2, 3, 1, 4, 5])"},
        gradients=False,
        tolerance=3e-5,
    ),
    script(
        "torch.nn.functional.ctc_loss torch.nn.functional.log_softmax",
        "result = ctc_loss(log_softmax(x, 2), y, (10, 9, 8), (4, 3, 2))",
        inputs={"x": "normal(10, 3, 6)", "y": "integers((3, 4), 6, 1)"},
        tolerance=3e-5,
    ),
    script(
        "torch.nn.modules.loss._Loss torch.nn.modules.loss._WeightedLoss",
        """
class Mine(_Loss):
    def __init__(self, size_average=None, reduce=None, reduction="mean", factor=2.0):
        super().__init__(size_average, reduce, reduction)
        self.factor = factor
    def forward(self, x):
        return (x * self.factor).sum() if self.reduction == "sum" else x
class Weighted(_WeightedLoss):
    def forward(self, x):
        return (x * self.weight).sum()
result = [Mine(reduction="sum")(x), Mine(size_average=False).reduction, Mine(reduce=False).reduction, Weighted(x)(x), list(Weighted(x).state_dict()), Weighted().weight]
""",
        inputs={"x": "normal(4)"},
    ),
]
NUMBERS = """result = [get_enum(name) for name in ("none", "mean", "sum")]
for size_average in (None, True, False):
    for reduce in (None, True, False):
        result += [legacy_get_string(size_average, reduce, False), legacy_get_enum(size_average, reduce, emit_warning=False)]
"""
CASES += [
    script(
        " ".join(f"{module}.{name}" for name in ("get_enum", "legacy_get_enum", "legacy_get_string")), NUMBERS
    )
    for module in ("torch.nn._reduction", "torch.nn.functional._Reduction")
]
CASES += [
    script(
        "torch.nn.functional.cosine_similarity torch.nn.functional.hinge_embedding_loss",
        "result = [cosine_similarity(x, y, dim=-2), cosine_similarity(x, y), hinge_embedding_loss(x, x.round(), 2.0)]",
        inputs={"x": "normal(1, 2, 3)", "y": "normal(2, 1, 3)"},
    ),
]
