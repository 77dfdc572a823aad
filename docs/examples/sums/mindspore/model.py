"""A small GPT."""
import math
from dataclasses import dataclass

import mindport_helpers as helpers
import mindspore


@dataclass
class GPTConfig:
    vocab_size: int = 13
    block_size: int = 16
    n_layer: int = 3
    n_head: int = 4
    n_embd: int = 48
    dropout: float = 0.1
    bias: bool = False


class LayerNorm(helpers.Module):
    """LayerNorm with an optional bias."""

    def __init__(self, ndim, bias):
        super().__init__()
        self.weight = helpers.Parameter(helpers.ones(ndim))
        self.bias = helpers.Parameter(mindspore.ops.zeros(ndim)) if bias else None

    def construct(self, input):
        return mindspore.ops.LayerNorm(
            input.ndim - len(self.weight.shape), input.ndim - len(self.weight.shape), 1e-5
        )(
            input,
            mindspore.ops.ones(
                tuple(self.weight.shape), input.dtype
            ) if self.weight is None else self.weight,
            mindspore.ops.zeros(tuple(self.weight.shape), input.dtype) if self.bias is None else self.bias
        )[0]


class CausalSelfAttention(helpers.Module):
    def __init__(self, config):
        super().__init__()
        assert config.n_embd % config.n_head == 0
        self.c_attn = helpers.Linear(config.n_embd, 3 * config.n_embd, bias=config.bias)
        self.c_proj = helpers.Linear(config.n_embd, config.n_embd, bias=config.bias)
        self.attn_dropout = helpers.Dropout(config.dropout)
        self.resid_dropout = helpers.Dropout(config.dropout)
        self.n_head, self.n_embd, self.dropout = config.n_head, config.n_embd, config.dropout
        self.flash = True and config.dropout == 0
        mask = mindspore.ops.tril(helpers.ones(config.block_size, config.block_size))
        self.register_buffer("mask", mask.view(1, 1, config.block_size, config.block_size), persistent=False)

    def construct(self, x):
        B, T, C = x.shape
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        k = k.view(B, T, self.n_head, C // self.n_head).swapaxes(1, 2)  # (B, nh, T, hs)
        q = q.view(B, T, self.n_head, C // self.n_head).swapaxes(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).swapaxes(1, 2)
        if self.flash:
            y = helpers.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            att = (q @ k.swapaxes(-2, -1)) * (1.0 / math.sqrt(k.shape[-1]))
            att = helpers.masked_fill(att, self.mask[:, :, :T, :T] == 0, float("-inf"))
            att = self.attn_dropout(helpers.softmax(att, dim=-1))
            y = att @ v
        y = y.swapaxes(1, 2).contiguous().view(B, T, C)
        return self.resid_dropout(self.c_proj(y))


class Block(helpers.Module):
    def __init__(self, config):
        super().__init__()
        self.ln_1 = LayerNorm(config.n_embd, bias=config.bias)
        self.attn = CausalSelfAttention(config)
        self.ln_2 = LayerNorm(config.n_embd, bias=config.bias)
        self.mlp = helpers.ModuleDict(dict(
            c_fc=helpers.Linear(config.n_embd, 4 * config.n_embd, bias=config.bias),
            act=helpers.GELU(approximate="tanh"),
            c_proj=helpers.Linear(4 * config.n_embd, config.n_embd, bias=config.bias),
            dropout=helpers.Dropout(config.dropout),
        ))
        m = self.mlp
        self.mlpf = lambda x: m.dropout(m.c_proj(m.act(m.c_fc(x))))

    def construct(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlpf(self.ln_2(x))


class GPT(helpers.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.transformer = helpers.ModuleDict(dict(
            wte=helpers.Embedding(config.vocab_size, config.n_embd),
            wpe=helpers.Embedding(config.block_size, config.n_embd),
            drop=helpers.Dropout(config.dropout),
            h=helpers.ModuleList([Block(config) for _ in range(config.n_layer)]),
            ln_f=LayerNorm(config.n_embd, bias=config.bias),
        ))
        self.lm_head = helpers.Linear(config.n_embd, config.vocab_size, bias=False)
        self.transformer.wte.weight = self.lm_head.weight
        self.apply(self._init_weights)
        for pn, p in self.named_parameters():
            if pn.endswith("c_proj.weight"):
                helpers.normal_(p, mean=0.0, std=0.02 / math.sqrt(2 * config.n_layer))
        print("number of parameters: %.1fk" % (sum(p.numel() for p in self.parameters()) / 1e3,))

    def _init_weights(self, module):
        if isinstance(module, helpers.Linear):
            helpers.normal_(module.weight, mean=0.0, std=0.02)
            if module.bias is not None:
                helpers.zeros_(module.bias)
        elif isinstance(module, helpers.Embedding):
            helpers.normal_(module.weight, mean=0.0, std=0.02)

    def configure_optimizers(self, weight_decay, learning_rate, betas):
        """Matrices decay, norms and biases do not."""
        params = {name: p for name, p in self.named_parameters() if p.requires_grad}
        groups = [
            {"params": [p for p in params.values() if p.ndimension() >= 2], "weight_decay": weight_decay},
            {"params": [p for p in params.values() if p.ndimension() < 2], "weight_decay": 0.0},
        ]
        return helpers.AdamW(
            groups, lr=learning_rate, betas=betas, fused=mindspore.get_context('device_target') != 'CPU'
        )

    def construct(self, idx, targets=None):
        _, t = idx.shape
        assert t <= self.config.block_size, f"Cannot forward sequence of length {t}"
        pos = mindspore.ops.arange(0, t, dtype=mindspore.int64)
        x = self.transformer.drop(self.transformer.wte(idx) + self.transformer.wpe(pos))
        for block in self.transformer.h:
            x = block(x)
        x = self.transformer.ln_f(x)
        if targets is None:
            return self.lm_head(x[:, [-1], :]), None
        logits = self.lm_head(x)
        return logits, helpers.cross_entropy(
            logits.view(-1, logits.shape[-1]), targets.view(-1), ignore_index=-1
        )

    @helpers.no_grad()
    def generate(self, idx, max_new_tokens, temperature=1.0, top_k=None):
        for _ in range(max_new_tokens):
            logits, _ = self(idx[:, -self.config.block_size:])
            logits = logits[:, -1, :] / temperature
            if top_k is not None:
                v, _ = helpers.topk(logits, min(top_k, logits.shape[-1]))
                logits[logits < v[:, [-1]]] = -float("Inf")
            idx_next = helpers.multinomial(helpers.softmax(logits, dim=-1), num_samples=1)
            idx = helpers.cat((idx, idx_next), dim=1)
        return idx
