"""Attention, transformers, recurrent layers, sequences."""

from __future__ import annotations

from case import Case, function, layer, script

CASES: list[Case] = []
QUERIES = {
    "inputs": {
        "k": "normal(2, 4, 6, 8)",
        "v": "normal(2, 4, 6, 5)",
        "m": "normal(5, 6) > 0",
        "a": "normal(2, 1, 5, 6)",
        "z": "np.arange(30).reshape(5, 6) > 11",
    }
}
for form in (
    "x, k, v",
    "x, k, v, is_causal=True",
    "x, k, v, m",
    "x, k, v, attn_mask=a, scale=0.3",
    "x, k, v, attn_mask=z",
    "query=x, key=k, value=v, dropout_p=0.0",
):
    CASES.append(
        function("torch.nn.functional.scaled_dot_product_attention", form, "normal(2, 4, 5, 8)", **QUERIES)
    )
CASES += [
    function(
        "torch.nn.functional.scaled_dot_product_attention",
        "x, k, v",
        "normal(5, 8)",
        inputs={"k": "normal(6, 8)", "v": "normal(6, 8)"},
    ),
    function(
        "torch.nn.functional.scaled_dot_product_attention",
        "x, k, v, enable_gqa=True",
        "normal(2, 4, 5, 8)",
        inputs={"k": "normal(2, 2, 6, 8)", "v": "normal(2, 2, 6, 8)"},
    ),
    function(
        "torch.nn.functional.scaled_dot_product_attention",
        "x, k, v, dropout_p=0.3",
        "np.ones((64, 8, 8), dtype='float32')",
        inputs={"k": "np.ones((64, 8, 8), dtype='float32')", "v": "np.ones((64, 8, 8), dtype='float32')"},
        random="result.mean(); result.std()",
        tolerance=0.05,
        gradients=False,
    ),
]

KEYS = {
    "k": "normal(6, 2, 8)",
    "v": "normal(6, 2, 8)",
    "p": "np.array([[0, 0, 0, 1, 0, 1], [0, 0, 0, 0, 0, 1]], dtype=bool)",
    "m": "np.triu(np.ones((5, 6), dtype=bool), 2)",
    "f": "normal(8, 5, 6)",
}
for made, called in (
    ("8, 4", "x, k, v"),
    ("8, 4", "x, k, v, need_weights=False"),
    ("8, 4", "x, k, v, average_attn_weights=False"),
    ("8, 2, 0.0, False", "x, k, v, p"),
    ("8, 4, add_bias_kv=True", "x, k, v, key_padding_mask=p, attn_mask=m"),
    ("8, 4, add_zero_attn=True", "x, k, v, p, True, m"),
    ("8, 4, add_bias_kv=True, add_zero_attn=True, bias=False", "x, k, v, attn_mask=f"),
):
    CASES.append(layer("torch.nn.MultiheadAttention", made, "normal(5, 2, 8)", called=called, inputs=KEYS))
CASES += [
    layer(
        "torch.nn.MultiheadAttention",
        "8, 4, kdim=3, vdim=5",
        "normal(5, 2, 8)",
        called="x, k, v",
        inputs={"k": "normal(6, 2, 3)", "v": "normal(6, 2, 5)"},
    ),
    layer(
        "torch.nn.MultiheadAttention",
        "8, 4, batch_first=True",
        "normal(5, 2, 8)",
        called="x, k, k",
        inputs={"k": "normal(5, 6, 8)"},
    ),
    layer(
        "torch.nn.MultiheadAttention", "8, 4", "normal(5, 8)", called="x, k, k", inputs={"k": "normal(6, 8)"}
    ),
    layer(
        "torch.nn.MultiheadAttention",
        "embed_dim=8, num_heads=1, device='cpu', dtype=float32",
        "normal(5, 2, 8)",
        called="x, x, x",
    ),
    layer("torch.nn.MultiheadAttention", "8, 4, 0.3", "normal(5, 2, 8)", called="x, x, x", train=False),
]
SOURCE = {
    "m": "np.triu(np.ones((5, 5), dtype=bool), 1)",
    "p": "np.array([[0, 0, 0, 0, 1], [0, 0, 0, 0, 0]], dtype=bool)",
    "f": "normal(5, 5)",
}
MEMORY = {"y": "normal(6, 2, 8)", **SOURCE}
for made, called, train in (
    ("8, 4, 16, 0.0", "x", True),
    ("8, 4, 16", "x, m", False),
    ("8, 2, dim_feedforward=16, dropout=0.0, activation='gelu', norm_first=True", "x, src_mask=f", True),
    ("8, 4, 16, 0.0, batch_first=False, bias=False", "x, src_key_padding_mask=p", True),
    ("8, 4, 16, 0.0, layer_norm_eps=1e-2, device=None, dtype=float32", "x, is_causal=True, src_mask=m", True),
):
    CASES.append(
        layer(
            "torch.nn.TransformerEncoderLayer",
            made,
            "normal(5, 2, 8)",
            called=called,
            inputs=SOURCE,
            train=train,
            tolerance=3e-5,
        )
    )
CASES.append(
    layer(
        "torch.nn.TransformerEncoderLayer",
        "8, 4, 16, 0.0, batch_first=True",
        "normal(2, 5, 8)",
        called="x",
        tolerance=3e-5,
    )
)
for made, called, train in (
    ("8, 4, 16, 0.0", "x, y", True),
    ("8, 4, 16, activation='gelu'", "x, y, m", False),
    ("8, 2, 16, 0.0, norm_first=True", "x, y, tgt_mask=f, tgt_key_padding_mask=p", True),
):
    CASES.append(
        layer(
            "torch.nn.TransformerDecoderLayer",
            made,
            "normal(5, 2, 8)",
            called=called,
            inputs=MEMORY,
            train=train,
            tolerance=3e-5,
        )
    )
NAMES = "torch.nn.TransformerEncoder torch.nn.TransformerEncoderLayer torch.nn.TransformerDecoder torch.nn.TransformerDecoderLayer torch.nn.LayerNorm torch.nn.init.constant_"
FILL = """
for number, value in enumerate(net.parameters()):
    constant_(value, 0.01 * (number % 5 + 1))
net.eval()
"""
CASES += [
    script(
        "torch.nn.modules.transformer._get_clones torch.nn.modules.transformer._get_activation_fn torch.nn.Linear",
        "layers = _get_clones(Linear(3, 3), 2)\n"
        "result = [_get_activation_fn('relu')(x), _get_activation_fn('gelu')(x), len(layers), list(layers.state_dict())]\n"
        "result += [layers[0].weight is layers[1].weight, (layers[0](x) == layers[1](x)).all()]\n"
        "try:\n    _get_activation_fn('tanh')\nexcept RuntimeError as error:\n    result.append(str(error))\n",
        inputs={"x": "normal(2, 3)"},
    ),
    script(
        NAMES,
        f"""
net = TransformerEncoder(TransformerEncoderLayer(8, 2, 16), 2, norm=LayerNorm(8), enable_nested_tensor=False)
{FILL}
result = [net(x), net(x, mask=f), list(net.state_dict())]
""",
        inputs={"x": "normal(5, 2, 8)", "f": "normal(5, 5)"},
    ),
    script(
        NAMES,
        f"""
net = TransformerDecoder(TransformerDecoderLayer(d_model=8, nhead=2, dim_feedforward=16, batch_first=True), num_layers=2)
{FILL}
result = [net(x, y), list(net.state_dict())]
""",
        inputs={"x": "normal(2, 5, 8)", "y": "normal(2, 6, 8)"},
    ),
    script(
        "torch.nn.Transformer torch.nn.init.constant_",
        f"""
net = Transformer(8, 2, 1, 2, 16, dropout=0.0)
{FILL}
mask = net.generate_square_subsequent_mask(5)
result = [net(y, x, tgt_mask=mask), mask, list(net.state_dict())]
""",
        inputs={"x": "normal(5, 2, 8)", "y": "normal(6, 2, 8)"},
    ),
]

CELLS = {"tolerance": 1e-5}
for kind in ("LSTM", "GRU", "RNN"):
    state = "h" if kind != "LSTM" else "(h, c)"
    STATES = {"h": "normal(2, 3, 4)", "c": "normal(2, 3, 4)"}
    CASES += [
        layer(f"torch.nn.{kind}", "5, 4", "normal(6, 3, 5)", **CELLS),
        layer(f"torch.nn.{kind}", "5, 4", "5 * normal(6, 3, 5)", **CELLS),
        layer(
            f"torch.nn.{kind}",
            "5, 4, 2",
            "normal(6, 3, 5)",
            called=f"x, {state}",
            inputs=STATES if kind == "LSTM" else {"h": STATES["h"]},
            **CELLS,
        ),
        layer(
            f"torch.nn.{kind}",
            "5, hidden_size=4, num_layers=2, bias=False, batch_first=True",
            "normal(3, 6, 5)",
            **CELLS,
        ),
        layer(
            f"torch.nn.{kind}",
            "5, 4, num_layers=2, bidirectional=True, dropout=0.2",
            "normal(6, 3, 5)",
            train=False,
            **CELLS,
        ),
        layer(f"torch.nn.{kind}", "5, 4, device='cpu', dtype=float32", "normal(6, 5)", **CELLS),
        layer(f"torch.nn.{kind}Cell", "5, 4", "normal(3, 5)", **CELLS),
        layer(
            f"torch.nn.{kind}Cell",
            "5, 4, False",
            "normal(3, 5)",
            called=f"x, {state}",
            inputs={"h": "normal(3, 4)", "c": "normal(3, 4)"} if kind == "LSTM" else {"h": "normal(3, 4)"},
            **CELLS,
        ),
        layer(f"torch.nn.{kind}Cell", "5, 4, bias=True", "normal(5)", **CELLS),
        script(
            f"torch.nn.{kind} torch.nn.utils.rnn.pack_padded_sequence torch.nn.utils.rnn.pad_packed_sequence torch.nn.init.constant_",
            f"""
kind = "{kind}"
net = {kind}(5, 4, batch_first=True, bidirectional=True)
for number, value in enumerate(net.parameters()):
    constant_(value, 0.05 * (number + 1))
out, state = net(pack_padded_sequence(x, tensor(np.array([2, 6, 4])), batch_first=True, enforce_sorted=False))
result = [pad_packed_sequence(out, batch_first=True), state, kind, net.flatten_parameters()]
""",
            inputs={"x": "normal(3, 6, 5)"},
            **CELLS,
        ),
    ]
for kind in ("LSTM", "GRU"):
    CASES += [
        script(
            f"torch.nn.{kind} torch.nn.utils.rnn.pack_padded_sequence torch.nn.utils.rnn.pad_packed_sequence torch.nn.init.constant_",
            f"""
net = {kind}(5, 4, 2, bias=False, bidirectional=True)
for number, value in enumerate(net.parameters()):
    constant_(value, 0.05 * (number + 1))
first = {"(h, c)" if kind == "LSTM" else "h"}
out, state = net(pack_padded_sequence(x, [6, 4, 4, 1], enforce_sorted=True), first)
mixed, other = net(pack_padded_sequence(x, [4, 1, 6, 4], enforce_sorted=False), first)
result = [pad_packed_sequence(out)[0], state, pad_packed_sequence(mixed)[0], other]
""",
            inputs={"x": "normal(6, 4, 5)", "h": "normal(4, 4, 4)"}
            | ({"c": "normal(4, 4, 4)"} if kind == "LSTM" else {}),
            **CELLS,
        ),
    ]
CASES += [
    layer("torch.nn.RNN", "5, 4, 1, 'relu'", "normal(6, 3, 5)"),
    layer("torch.nn.RNN", "5, 4, nonlinearity='relu', bias=False", "normal(6, 3, 5)"),
    layer("torch.nn.RNNCell", "5, 4, nonlinearity='relu'", "normal(3, 5)"),
    layer("torch.nn.LSTM", "5, 4, proj_size=3, num_layers=2", "normal(6, 3, 5)", **CELLS),
    script(
        "torch.nn.RNNBase",
        "net = RNNBase('GRU', 5, 4, 2, bidirectional=True)\nresult = [[(n, list(p.shape)) for n, p in net.named_parameters()], net.mode]",
    ),
    script(
        "torch.nn.RNNCellBase",
        "cell = RNNCellBase(3, 4, True, 2)\nresult = [[list(p.shape) for p in cell.parameters()], cell.hidden_size, cell.bias]",
    ),
    script(
        "torch.nn.utils.rnn.pack_padded_sequence torch.nn.utils.rnn.pad_packed_sequence torch.nn.utils.rnn.PackedSequence",
        """
packed = pack_padded_sequence(x, [4, 3, 1])
mixed = pack_padded_sequence(x, tensor(np.array([1, 4, 2])), enforce_sorted=False)
result = [packed.data, packed.batch_sizes, mixed.data, mixed.batch_sizes, mixed.sorted_indices, mixed.unsorted_indices,
          pad_packed_sequence(packed, padding_value=-1.0), pad_packed_sequence(mixed, batch_first=True, total_length=5), isinstance(packed, PackedSequence)]
""",
        inputs={"x": "normal(4, 3, 2)"},
    ),
    script(
        "torch.nn.utils.rnn.pad_sequence torch.nn.utils.rnn.pack_sequence",
        """
parts = [x, x[:1], x[:3]]
result = [pad_sequence(parts), pad_sequence(parts, batch_first=True, padding_value=2.0), pack_sequence(parts, enforce_sorted=False).data, pad_sequence([x[0], x[1][:1]], True, 1, padding_side="left")]
""",
        inputs={"x": "normal(4, 2)"},
    ),
]

PROJECTIONS = {"k": "normal(6, 2, 8)", "w": "normal(24, 8)", "b": "normal(24)", "o": "normal(8, 8)"}
CASES += [
    function(
        "torch.nn.functional.multi_head_attention_forward",
        "x, k, k, 8, 4, w, b, None, None, False, 0.0, o, b[:8]",
        "normal(5, 2, 8)",
        inputs=PROJECTIONS,
    ),
    function(
        "torch.nn.functional.multi_head_attention_forward",
        "query=x, key=k, value=k, embed_dim_to_check=8, num_heads=4, q_proj_weight=w[:8], k_proj_weight=w[8:16], "
        "v_proj_weight=w[16:], in_proj_weight=None, in_proj_bias=b, bias_k=None, bias_v=None, add_zero_attn=False, "
        "dropout_p=0.3, out_proj_weight=o, out_proj_bias=None, use_separate_proj_weight=True, training=False, need_weights=False",
        "normal(5, 2, 8)",
        inputs=PROJECTIONS,
    ),
    function(
        "torch.nn.functional.multi_head_attention_forward",
        "x, k[:, 0], k[:, 1], 8, 2, w, None, None, None, True, 0.0, o, None, average_attn_weights=False",
        "normal(5, 8)",
        inputs={**PROJECTIONS},
        fixed=("b",),
    ),
]
CASES.append(
    script(
        "torch.nn.Embedding torch.nn.EmbeddingBag",
        "result = [Embedding(3, 2).sparse, EmbeddingBag(3, 2, sparse=True).sparse]",
        gradients=False,
    )
)
