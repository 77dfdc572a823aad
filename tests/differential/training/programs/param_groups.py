"""A vision transformer for tiny images; weight decay where it belongs, a rate for each depth."""
import argparse
import json

import numpy as np
import torch
import torch.nn as nn


class Attention(nn.Module):
    def __init__(self, dim, num_heads=4, qkv_bias=True):
        super().__init__()
        self.num_heads = num_heads
        self.scale = (dim // num_heads) ** -0.5
        self.qkv = nn.Linear(dim, dim * 3, bias=qkv_bias)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        B, N, C = x.shape
        qkv = self.qkv(x).reshape(B, N, 3, self.num_heads, C // self.num_heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        attn = (q @ k.transpose(-2, -1)) * self.scale
        attn = attn.softmax(dim=-1)
        x = (attn @ v).transpose(1, 2).reshape(B, N, C)
        return self.proj(x)


class Block(nn.Module):
    def __init__(self, dim, num_heads, mlp_ratio=2., norm_layer=nn.LayerNorm, act_layer=nn.GELU):
        super().__init__()
        self.norm1 = norm_layer(dim)
        self.attn = Attention(dim, num_heads)
        self.norm2 = norm_layer(dim)
        hidden = int(dim * mlp_ratio)
        self.mlp = nn.Sequential(nn.Linear(dim, hidden), act_layer(), nn.Linear(hidden, dim))

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class TinyViT(nn.Module):
    def __init__(self, img_size=16, patch_size=4, dim=32, depth=2, num_heads=4, num_classes=5):
        super().__init__()
        self.patch_embed = nn.Conv2d(1, dim, kernel_size=patch_size, stride=patch_size)
        self.cls_token = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos_embed = nn.Parameter(torch.zeros(1, (img_size // patch_size) ** 2 + 1, dim))
        self.blocks = nn.ModuleList([Block(dim, num_heads) for i in range(depth)])
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, num_classes)
        nn.init.trunc_normal_(self.pos_embed, std=.02)
        nn.init.trunc_normal_(self.cls_token, std=.02)
        self.apply(self._init_weights)

    def _init_weights(self, m):
        if isinstance(m, nn.Linear):
            nn.init.trunc_normal_(m.weight, std=.02)
            if isinstance(m, nn.Linear) and m.bias is not None:
                nn.init.constant_(m.bias, 0)
        elif isinstance(m, nn.LayerNorm):
            nn.init.constant_(m.bias, 0)
            nn.init.constant_(m.weight, 1.0)

    def no_weight_decay(self):
        return {'pos_embed', 'cls_token'}

    def forward(self, x):
        x = self.patch_embed(x).flatten(2).transpose(1, 2)
        cls = self.cls_token.expand(x.shape[0], -1, -1)
        x = torch.cat((cls, x), dim=1) + self.pos_embed
        for blk in self.blocks:
            x = blk(x)
        return self.head(self.norm(x)[:, 0])


def layer_id(name, num_layers):
    if name in ('cls_token', 'pos_embed') or name.startswith('patch_embed'):
        return 0
    if name.startswith('blocks'):
        return int(name.split('.')[1]) + 1
    return num_layers


def param_groups_lrd(model, weight_decay=0.05, no_weight_decay_list=(), layer_decay=.75, lr=1e-3):
    """Parameter groups for layer-wise lr decay"""
    groups = {}
    num_layers = len(model.blocks) + 1
    layer_scales = [layer_decay ** (num_layers - i) for i in range(num_layers + 1)]
    for n, p in model.named_parameters():
        if not p.requires_grad:
            continue
        # no decay: all 1D parameters and model specific ones
        if p.ndim == 1 or n in no_weight_decay_list:
            g_decay, this_decay = "no_decay", 0.
        else:
            g_decay, this_decay = "decay", weight_decay
        depth = layer_id(n, num_layers)
        group = groups.setdefault("layer_%d_%s" % (depth, g_decay), {
            "lr": lr * layer_scales[depth], "weight_decay": this_decay, "params": [], "names": []})
        group["params"].append(p)
        group["names"].append(n)
    print(json.dumps({k: {"lr": g["lr"], "names": g.pop("names")} for k, g in groups.items()}, indent=1)[:400])
    return list(groups.values())


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument('--steps', type=int, default=50)
    parser.add_argument('--batch-size', type=int, default=16)
    parser.add_argument('--lr', type=float, default=2e-3)
    args = parser.parse_args(argv)
    device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
    torch.manual_seed(0)
    model = TinyViT().to(device)
    optimizer = torch.optim.AdamW(
        param_groups_lrd(model, no_weight_decay_list=model.no_weight_decay(), lr=args.lr), lr=args.lr, betas=(0.9, 0.95))
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)

    rng = np.random.RandomState(0)
    history = []
    for step in range(args.steps):
        labels = rng.randint(0, 5, args.batch_size)
        images = rng.rand(args.batch_size, 1, 16, 16) * 0.2
        for row, label in enumerate(labels):
            images[row, 0, label * 3:label * 3 + 3] += 1
        x = torch.from_numpy(images).to(device, torch.float32)
        y = torch.from_numpy(labels).to(device).long()
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(loss.item())
        print(f'step {step} loss {loss.item():.4f} lrs {[round(g["lr"], 6) for g in optimizer.param_groups][:3]}')
    return history, model


if __name__ == '__main__':
    main()
