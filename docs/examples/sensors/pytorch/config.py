from dataclasses import dataclass
from pathlib import Path


@dataclass
class Config:
    epochs: int = 10
    batch_size: int = 32
    lr: float = 3e-3
    weight_decay: float = 1e-2
    max_norm: float = 1.0
    hidden: int = 24
    dropout: float = 0.1
    windows: int = 1500
    seed: int = 17
    folder: Path = Path("runs")
    resume: str = ""
