"""Attention and transformers."""

import copy
import math

import mindspore
import numpy as np
from mindspore import ops


def causal_mask(rows, columns):
    """True where a query may look: at its own and earlier positions."""
    return mindspore.Tensor(np.tril(np.ones((rows, columns), dtype=bool)))


def masked_softmax(scores):
    """Softmax over the last axis; where everything is masked, 0."""
    masked = ops.amax(ops.stop_gradient(scores), -1, True) == -math.inf
    shares = softmax(scores.masked_fill(masked, 0.0), -1)
    return shares.masked_fill(masked, 0.0)


def additive_mask(mask, dtype, allowed):
    """A mask as a Tensor to add: minus infinity where a boolean mask is not `allowed`."""
    if mask is None or mask.dtype != mindspore.bool_:
        return mask if mask is None else mask.astype(dtype)
    mask = mask if allowed else ops.logical_not(mask)
    return ops.zeros(mask.shape, dtype).masked_fill(ops.logical_not(mask), -math.inf)


def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    """torch.nn.functional.scaled_dot_product_attention."""
    if enable_gqa:
        repeats = query.shape[-3] // key.shape[-3]
        key, value = (ops.repeat_interleave(part, repeats, part.ndim - 3) for part in (key, value))
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = ops.matmul(query * scale, key.swapaxes(-2, -1))
    if is_causal:
        attn_mask = causal_mask(query.shape[-2], key.shape[-2])
    if attn_mask is not None:
        scores = scores + additive_mask(attn_mask, scores.dtype, True)
    return ops.matmul(dropout(masked_softmax(scores), dropout_p, dropout_p > 0), value)


class MultiheadAttention(Module):
    """torch.nn.MultiheadAttention."""

    def __init__(
        self,
        embed_dim,
        num_heads,
        dropout=0.0,
        bias=True,
        add_bias_kv=False,
        add_zero_attn=False,
        kdim=None,
        vdim=None,
        batch_first=False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.add_zero_attn = add_zero_attn
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        for name, width in (("q", embed_dim), ("k", self.kdim), ("v", self.vdim)):
            own = None if self._qkv_same_embed_dim else empty_parameter((embed_dim, width), dtype)
            self.register_parameter(f"{name}_proj_weight", own)
        joined = (3 * embed_dim, embed_dim)
        self.in_proj_weight = empty_parameter(joined, dtype) if self._qkv_same_embed_dim else None
        self.in_proj_bias = empty_parameter((3 * embed_dim,), dtype) if bias else None
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias, dtype=dtype)
        self.bias_k = empty_parameter((1, 1, embed_dim), dtype) if add_bias_kv else None
        self.bias_v = empty_parameter((1, 1, embed_dim), dtype) if add_bias_kv else None
        self._reset_parameters()

    def _reset_parameters(self):
        for weight in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if weight is not None:
                xavier_uniform_(weight)
        for bias in (self.in_proj_bias, self.out_proj.bias):
            if bias is not None:
                zeros_(bias)
        for bias in (self.bias_k, self.bias_v):
            if bias is not None:
                xavier_normal_(bias)

    def construct(
        self,
        query,
        key,
        value,
        key_padding_mask=None,
        need_weights=True,
        attn_mask=None,
        average_attn_weights=True,
        is_causal=False,
    ):
        swapped = self.batch_first and query.ndim == 3
        if swapped:
            query, key, value = (part.swapaxes(0, 1) for part in (query, key, value))
        output, shares = multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            training=self.training,
            key_padding_mask=key_padding_mask,
            need_weights=need_weights,
            attn_mask=attn_mask,
            use_separate_proj_weight=not self._qkv_same_embed_dim,
            q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight,
            v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights,
        )
        return output.swapaxes(0, 1) if swapped else output, shares


def attend_heads(
    query, key, value, num_heads, biases_kv, add_zero_attn, key_padding_mask, attn_mask, dropout_p
):
    """Attention of each head, on projections of shape (length, batch, width); the output and the shares."""
    length, batch, width = query.shape
    added = 0
    if biases_kv[0] is not None:
        key, value = (
            ops.cat([part, ops.broadcast_to(bias, (1, batch, width))], 0)
            for part, bias in zip((key, value), biases_kv)
        )
        added += 1
    if add_zero_attn:
        key, value = (ops.cat([part, ops.zeros((1, batch, width), part.dtype)], 0) for part in (key, value))
        added += 1
    query, key, value = (
        part.reshape((part.shape[0], batch, num_heads, width // num_heads)).permute((1, 2, 0, 3))
        for part in (query, key, value)
    )
    scores = ops.matmul(query * math.sqrt(num_heads / width), key.swapaxes(-2, -1))
    if attn_mask is not None:
        mask = pad(additive_mask(attn_mask, scores.dtype, False), (0, added))
        scores = scores + (mask.reshape((batch, num_heads, *mask.shape[1:])) if mask.ndim == 3 else mask)
    if key_padding_mask is not None:
        mask = pad(additive_mask(key_padding_mask, scores.dtype, False), (0, added))
        scores = scores + mask.expand_dims(1).expand_dims(1)
    shares = dropout(softmax(scores, -1), dropout_p, dropout_p > 0)
    return ops.matmul(shares, value).permute((2, 0, 1, 3)).reshape((length, batch, width)), shares


def multi_head_attention_forward(
    query,
    key,
    value,
    embed_dim_to_check,
    num_heads,
    in_proj_weight,
    in_proj_bias,
    bias_k,
    bias_v,
    add_zero_attn,
    dropout_p,
    out_proj_weight,
    out_proj_bias,
    training=True,
    key_padding_mask=None,
    need_weights=True,
    attn_mask=None,
    use_separate_proj_weight=False,
    q_proj_weight=None,
    k_proj_weight=None,
    v_proj_weight=None,
    static_k=None,
    static_v=None,
    average_attn_weights=True,
    is_causal=False,
):
    """torch.nn.functional.multi_head_attention_forward, without `static_k` and `static_v`."""
    if static_k is not None or static_v is not None:
        raise NotImplementedError("static_k and static_v")
    single = query.ndim == 2
    if single:
        query, key, value = (part.expand_dims(1) for part in (query, key, value))
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.expand_dims(0)
    weights = (q_proj_weight, k_proj_weight, v_proj_weight)
    if not use_separate_proj_weight:
        weights = ops.chunk(in_proj_weight, 3, 0)
    biases = (None,) * 3 if in_proj_bias is None else ops.chunk(in_proj_bias, 3, 0)
    output, shares = attend_heads(
        *(linear(*parts) for parts in zip((query, key, value), weights, biases)),
        num_heads,
        (bias_k, bias_v),
        add_zero_attn,
        key_padding_mask,
        attn_mask,
        dropout_p if training else 0.0,
    )
    output = linear(output, out_proj_weight, out_proj_bias)
    output = output.squeeze(1) if single else output
    if not need_weights:
        return output, None
    shares = shares.mean(1) if average_attn_weights else shares
    return output, shares.squeeze(0) if single else shares


def activation_of(activation):
    """The function that a transformer layer is given, also by name; for names also
    torch.nn.modules.transformer._get_activation_fn."""
    if not isinstance(activation, str):
        return activation
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    return relu if activation == "relu" else gelu


class TransformerLayerBase(Module):
    """What PyTorch's transformer layers have in common: attention to itself, and two linear layers."""

    def __init__(
        self,
        d_model,
        nhead,
        dim_feedforward=2048,
        dropout=0.1,
        activation="relu",
        layer_norm_eps=1e-5,
        batch_first=False,
        norm_first=False,
        bias=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.norm_first = norm_first
        self.activation = activation_of(activation)
        attentions = ("self_attn", "multihead_attn")[: self.parts - 1]
        for name in attentions:
            attention = MultiheadAttention(
                d_model, nhead, dropout, bias, batch_first=batch_first, dtype=dtype
            )
            setattr(self, name, attention)
        self.linear1 = Linear(d_model, dim_feedforward, bias, dtype=dtype)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, dtype=dtype)
        for number in range(1, self.parts + 1):
            setattr(self, f"norm{number}", LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype))
        for number in range(1, self.parts + 1):
            setattr(self, f"dropout{number}", Dropout(dropout))

    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        options = {"attn_mask": attn_mask, "key_padding_mask": key_padding_mask, "need_weights": False}
        return self.dropout1(self.self_attn(x, x, x, **options)[0])

    def _feed_forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))


class TransformerEncoderLayer(TransformerLayerBase):
    """torch.nn.TransformerEncoderLayer."""

    parts = 2

    def _ff_block(self, x):
        return self.dropout2(self._feed_forward(x))

    def construct(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        masks = (src_mask, src_key_padding_mask, is_causal)
        if self.norm_first:
            src = src + self._sa_block(self.norm1(src), *masks)
            return src + self._ff_block(self.norm2(src))
        src = self.norm1(src + self._sa_block(src, *masks))
        return self.norm2(src + self._ff_block(src))


class TransformerDecoderLayer(TransformerLayerBase):
    """torch.nn.TransformerDecoderLayer."""

    parts = 3

    def _mha_block(self, x, memory, attn_mask, key_padding_mask, is_causal=False):
        options = {"attn_mask": attn_mask, "key_padding_mask": key_padding_mask, "need_weights": False}
        return self.dropout2(self.multihead_attn(x, memory, memory, **options)[0])

    def _ff_block(self, x):
        return self.dropout3(self._feed_forward(x))

    def construct(
        self,
        tgt,
        memory,
        tgt_mask=None,
        memory_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        tgt_is_causal=False,
        memory_is_causal=False,
    ):
        own = (tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        other = (memory, memory_mask, memory_key_padding_mask, memory_is_causal)
        if self.norm_first:
            tgt = tgt + self._sa_block(self.norm1(tgt), *own)
            tgt = tgt + self._mha_block(self.norm2(tgt), *other)
            return tgt + self._ff_block(self.norm3(tgt))
        tgt = self.norm1(tgt + self._sa_block(tgt, *own))
        tgt = self.norm2(tgt + self._mha_block(tgt, *other))
        return self.norm3(tgt + self._ff_block(tgt))


def get_clones(module, N):
    """torch.nn.modules.transformer._get_clones: copies of a module with parameters of their own."""
    return ModuleList(copy.deepcopy(module) for _ in range(N))


class TransformerEncoder(Module):
    """torch.nn.TransformerEncoder."""

    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers = get_clones(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def construct(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        for layer in self.layers:
            src = layer(src, src_mask=mask, src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(Module):
    """torch.nn.TransformerDecoder."""

    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = get_clones(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def construct(
        self,
        tgt,
        memory,
        tgt_mask=None,
        memory_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        tgt_is_causal=None,
        memory_is_causal=False,
    ):
        for layer in self.layers:
            tgt = layer(
                tgt,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
            )
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Module):
    """torch.nn.Transformer."""

    def __init__(
        self,
        d_model=512,
        nhead=8,
        num_encoder_layers=6,
        num_decoder_layers=6,
        dim_feedforward=2048,
        dropout=0.1,
        activation="relu",
        custom_encoder=None,
        custom_decoder=None,
        layer_norm_eps=1e-5,
        batch_first=False,
        norm_first=False,
        bias=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        layer = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps)
        options = {"batch_first": batch_first, "norm_first": norm_first, "bias": bias, "dtype": dtype}
        self.encoder = custom_encoder or TransformerEncoder(
            TransformerEncoderLayer(*layer, **options),
            num_encoder_layers,
            LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype),
        )
        self.decoder = custom_decoder or TransformerDecoder(
            TransformerDecoderLayer(*layer, **options),
            num_decoder_layers,
            LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype),
        )
        self._reset_parameters()
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def _reset_parameters(self):
        for weight in self.parameters():
            if weight.ndim > 1:
                xavier_uniform_(weight)

    @staticmethod
    def generate_square_subsequent_mask(sz, device=None, dtype=None):
        mask = np.triu(np.full((sz, sz), -np.inf), 1)
        return mindspore.Tensor(mask, get_default_dtype() if dtype is None else dtype)

    def construct(
        self,
        src,
        tgt,
        src_mask=None,
        tgt_mask=None,
        memory_mask=None,
        src_key_padding_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        src_is_causal=None,
        tgt_is_causal=None,
        memory_is_causal=False,
    ):
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
        )
