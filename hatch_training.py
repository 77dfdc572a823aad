"""What the compiled modules do while the C compiler's profile is taken: a scan, and typing in a model.

Run by `hatch_build.py` with the instrumented package first on the path; nothing is kept of what comes of it.
The sample is PyTorch code as people write it, so that what is hot here is hot there, too.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

SAMPLE = '''
"""A small vision transformer, and how it is trained."""
import math
from functools import partial
from typing import Callable, List, Optional, Tuple, Type, Union

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


def drop_path(x, drop_prob: float = 0.0, training: bool = False):
    if drop_prob == 0.0 or not training:
        return x
    keep = 1 - drop_prob
    mask = x.new_empty((x.shape[0],) + (1,) * (x.ndim - 1)).bernoulli_(keep)
    if keep > 0.0:
        mask.div_(keep)
    return x * mask


class DropPath(nn.Module):
    def __init__(self, drop_prob: float = 0.0) -> None:
        super().__init__()
        self.drop_prob = drop_prob

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return drop_path(x, self.drop_prob, self.training)


class Mlp(nn.Module):
    def __init__(self, dim, hidden=None, act_layer: Type[nn.Module] = nn.GELU, drop=0.0, bias=True):
        super().__init__()
        hidden = hidden or dim
        self.fc1 = nn.Linear(dim, hidden, bias=bias)
        self.act = act_layer()
        self.fc2 = nn.Linear(hidden, dim, bias=bias)
        self.drop = nn.Dropout(drop)

    def forward(self, x):
        x = self.fc1(x)
        x = self.act(x)
        x = self.drop(x)
        return self.drop(self.fc2(x))


class Attention(nn.Module):
    fused: torch.jit.Final[bool]

    def __init__(self, dim: int, heads: int = 8, norm_layer: Optional[Callable] = None) -> None:
        super().__init__()
        assert dim % heads == 0, "dim should be divisible by heads"
        self.heads, self.scale = heads, (dim // heads) ** -0.5
        self.fused = hasattr(F, "scaled_dot_product_attention")
        self.qkv = nn.Linear(dim, dim * 3)
        self.norm = norm_layer(dim // heads) if norm_layer is not None else nn.Identity()
        self.proj = nn.Linear(dim, dim)
        self.bias = nn.Parameter(torch.zeros(heads, 1, 1))

    def forward(self, x: torch.Tensor, mask: Optional[torch.Tensor] = None) -> torch.Tensor:
        B, N, C = x.shape
        qkv = self.qkv(x).reshape(B, N, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        q, k = self.norm(q), self.norm(k)
        if self.fused:
            x = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        else:
            attn = (q * self.scale) @ k.transpose(-2, -1) + self.bias
            if mask is not None:
                attn = attn.masked_fill(mask == 0, float("-inf"))
            x = attn.softmax(dim=-1) @ v
        x = x.transpose(1, 2).reshape(B, N, C)
        return self.proj(x)


class Block(nn.Module):
    def __init__(self, dim, heads, ratio=4.0, drop=0.0, norm_layer=nn.LayerNorm, act_layer=nn.GELU):
        super().__init__()
        self.norm1 = norm_layer(dim)
        self.attn = Attention(dim, heads=heads, norm_layer=norm_layer)
        self.norm2 = norm_layer(dim)
        self.mlp = Mlp(dim, int(dim * ratio), act_layer=act_layer)
        self.paths = nn.ModuleList([DropPath(drop) if drop > 0.0 else nn.Identity() for _ in range(2)])

    def forward(self, x, mask=None):
        x = x + self.paths[0](self.attn(self.norm1(x), mask))
        return x + self.paths[1](self.mlp(self.norm2(x)))


class PatchEmbed(nn.Module):
    def __init__(self, size: Union[int, Tuple[int, int]] = 16, chans: int = 3, dim: int = 768):
        super().__init__()
        self.proj = nn.Conv2d(chans, dim, kernel_size=size, stride=size)
        self.pool = nn.Sequential(nn.BatchNorm2d(dim), nn.ReLU(inplace=True), nn.MaxPool2d(2))

    def forward(self, x):
        x = self.pool(self.proj(x))
        return x.flatten(2).transpose(1, 2).contiguous()


class Transformer(nn.Module):
    def __init__(self, depth=12, dim=768, heads=12, classes=1000, drop_rates: List[float] = ()):
        super().__init__()
        norm_layer = partial(nn.LayerNorm, eps=1e-6)
        self.embed = PatchEmbed(dim=dim)
        self.token = nn.Parameter(torch.randn(1, 1, dim) * 0.02)
        rates = [r.item() for r in torch.linspace(0, 0.1, depth)]
        self.blocks = nn.Sequential(*[
            Block(dim, heads, drop=rates[i], norm_layer=norm_layer) for i in range(depth)
        ])
        self.norm = norm_layer(dim)
        self.head = nn.Linear(dim, classes) if classes > 0 else nn.Identity()
        self.apply(self.init_weights)

    def init_weights(self, m: nn.Module) -> None:
        if isinstance(m, nn.Linear):
            nn.init.trunc_normal_(m.weight, std=0.02)
            if m.bias is not None:
                nn.init.zeros_(m.bias)
        elif isinstance(m, (nn.LayerNorm, nn.BatchNorm2d)):
            nn.init.constant_(m.weight, 1.0)
            nn.init.constant_(m.bias, 0)

    def features(self, x):
        x = self.embed(x)
        x = torch.cat((self.token.expand(x.shape[0], -1, -1), x), dim=1)
        for block in self.blocks:
            x = block(x)
        return self.norm(x)

    def forward(self, x):
        out = self.features(x)
        logits = self.head(out[:, 0])
        return logits if self.training else F.log_softmax(logits, dim=1)


class Images(Dataset):
    def __init__(self, paths, labels):
        self.paths, self.labels = paths, labels

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        image = torch.from_numpy(load(self.paths[index])).float().permute(2, 0, 1) / 255
        return image, torch.tensor(self.labels[index], dtype=torch.long)


def load(path):
    import numpy as np
    return np.load(path, mmap_mode="r").astype("float32")


def position(length: int, dim: int, device=None) -> torch.Tensor:
    table = torch.zeros(length, dim, device=device)
    place = torch.arange(0, length, dtype=torch.float, device=device).unsqueeze(1)
    scale = torch.exp(torch.arange(0, dim, 2).float() * (-math.log(10000.0) / dim))
    table[:, 0::2] = torch.sin(place * scale)
    table[:, 1::2] = torch.cos(place * scale)
    return table.unsqueeze(0)


def train(model, loader: DataLoader, optimizer: torch.optim.Optimizer, device: str = "cuda") -> float:
    model.train()
    total, criterion = 0.0, nn.CrossEntropyLoss(label_smoothing=0.1)
    for step, (images, labels) in enumerate(loader):
        images, labels = images.to(device), labels.to(device)
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item()
        if step % 100 == 0:
            print(f"step {step}: {total / (step + 1):.3f}")
    return total / max(len(loader), 1)


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    right, count = 0, 0
    for images, labels in loader:
        found = model(images).argmax(dim=-1)
        right += (found == labels).sum().item()
        count += labels.size(0)
    return {"accuracy": right / count if count else None}


if __name__ == "__main__":
    model = Transformer(depth=4, dim=192, heads=3, classes=10).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.05)
    loader = DataLoader(Images([], []), batch_size=32, shuffle=True, num_workers=4)
    for epoch in range(10):
        print(epoch, train(model, loader, optimizer), accuracy(model, loader))
    torch.save(model.state_dict(), "model.pth")
'''
FILES = 40
"""So many models are scanned; each imports from the one before."""
ROUNDS = 6


def scan(folder: Path) -> None:
    """Scan the sample, in several files that import from each other, and this package itself."""
    import mindport
    from mindport.project.discover import discover
    from mindport.project.setting_table import Settings
    from mindport.report.json_report import JsonReport
    from mindport.scan.scan import scan as scan_files

    for number in range(FILES):
        before = f"from models.model{number - 1} import Block, Mlp\n" if number else ""
        text = SAMPLE if not number else SAMPLE.replace("class Mlp(", "class OwnMlp(")
        (folder / f"model{number}.py").write_text(before + text, encoding="utf-8")
    own = Path(mindport.__file__).parent / "infer"
    settings = Settings()
    reporter = JsonReport(settings.ported_to, "en")
    for _ in scan_files(discover([folder, own], []), settings, reporter, jobs=1):
        pass


def type_in(path: Path) -> None:
    """Insert a letter and take it away again, at the end of every third line that is indented."""
    from mindport.lsp.diagnostics import publication
    from mindport.lsp.diagnostics_json import DiagnosticItems
    from mindport.lsp.engine import Engine
    from mindport.source.document import Change, Document

    class Client:
        encoding = "utf-16"
        describes_codes = shows_deprecated = keeps_data = True

    def fail(error: BaseException, uri: str) -> None:
        raise error

    engine = Engine(fail)
    engine.load()
    engine.configure([(None, {})])
    items = DiagnosticItems(engine, Client())  # type: ignore[arg-type]
    document = Document.open(str(path), path.read_bytes())
    lines = document.data.decode().split("\n")
    for _ in range(ROUNDS):
        for number, line in list(enumerate(lines))[::3]:
            if not line.startswith(" "):
                continue
            end = number, len(line)
            for change in (Change(end, end, "a"), Change(end, (number, len(line) + 1), "")):
                document = document.apply([change], 1, "utf-16")
                found = engine.session.analyse(str(path), document)
                publication(str(path), 1, items.of(str(path), found.shown(), document.lines)).encode()


def main() -> int:
    """Do both, with one process."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "models"
        folder.mkdir()
        scan(folder)
        type_in(folder / "model1.py")
    return 0


if __name__ == "__main__":
    sys.exit(main())
