"""Recognizes activities from an accelerometer. Stopped halfway, it goes on from its checkpoint."""
import argparse
import dataclasses
import logging
import random
from pathlib import Path

import mindport_helpers as helpers
import numpy as np

from config import Config
from data import ACTIVITIES, build_loaders
from network import ActivityNet
from trainer import Trainer


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    helpers.manual_seed(seed)


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    for field in dataclasses.fields(Config):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=field.type, default=field.default)
    parser.add_argument("--stop-after", type=int, help="epochs after which to stop this run")
    return parser.parse_args(argv)


def build_trainer(config):
    set_seed(config.seed)
    train_loader, valid_loader = build_loaders(config)
    model = ActivityNet(3, len(ACTIVITIES), config.hidden, config.dropout)
    return Trainer(model, train_loader, valid_loader, config)


def main(argv=None):
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    options = vars(parse(argv))
    stop_after = options.pop("stop_after")
    config = Config(**options)
    trainer = build_trainer(config)
    if config.resume:
        trainer.load(config.resume)
    history = trainer.fit(stop_after)
    if trainer.epoch < config.epochs:  # as if started anew
        trainer = build_trainer(config)
        trainer.load(Path(config.folder) / "last.pt")
        history = trainer.fit()
    return history["train"] + history["valid"] + history["norm"], trainer.model


if __name__ == "__main__":
    main()
