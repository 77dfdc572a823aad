"""Forecasts a series: a task with training_step and configure_optimizers, and a trainer that knows nothing of it."""
import argparse

import mindport_helpers as helpers
import mindspore
import numpy as np

from loop import Trainer, TrainingModule


class Series(helpers.Dataset):
    """Windows of daily and weekly rhythms, with the hours that follow."""

    def __init__(self, count, history, horizon, seed):
        rng = np.random.default_rng(seed)
        hours = rng.integers(0, 24 * 7, count)[:, None] + np.arange(history + horizon)
        daily, weekly = np.sin(2 * np.pi * hours / 24), np.cos(2 * np.pi * hours / (24 * 7))
        self.values = (daily * (1 + 0.5 * weekly) + 0.1 * rng.standard_normal(hours.shape)).astype(np.float32)
        self.hours, self.history = hours, history

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        past, future = np.split(self.values[index], [self.history])
        return {"past": past, "future": future, "hour": int(self.hours[index, self.history]) % 24}


class Forecaster(TrainingModule):
    def __init__(self, history, horizon, width=32, heads=4, lr=1e-3):
        super().__init__()
        self.lr = lr
        self.value = helpers.Linear(1, width)
        self.hour = helpers.Embedding(24, width)
        self.position = helpers.Parameter(mindspore.ops.zeros((1, history, width)))
        layer = helpers.TransformerEncoderLayer(
            width, heads, 2 * width, dropout=0.1, batch_first=True, norm_first=True
        )
        self.encoder = helpers.TransformerEncoder(layer, num_layers=2, enable_nested_tensor=False)
        self.head = helpers.Linear(width, horizon)
        helpers.trunc_normal_(self.position, std=0.02)

    def forward(self, past, hour):
        x = self.value(past.unsqueeze(-1)) + self.position + self.hour(hour).unsqueeze(1)
        return self.head(self.encoder(x)[:, -1])

    def training_step(self, batch, batch_idx):
        loss = helpers.smooth_l1_loss(self(batch["past"], batch["hour"]), batch["future"])
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, batch_idx):
        prediction = self(batch["past"], batch["hour"])
        self.log("valid_loss", mindspore.ops.mse_loss(prediction, batch["future"]))
        self.log("valid_mae", (prediction - batch["future"]).abs().mean())

    def on_train_epoch_end(self):
        print(f"epoch {self.trainer.current_epoch}: train loss {self.logged('train_loss'):.4f}")

    def configure_optimizers(self):
        optimizer = helpers.RAdam(self.parameters(), lr=self.lr, weight_decay=1e-4)
        scheduler = helpers.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
        return [optimizer], [scheduler]


class KeepBest:
    """A callback that saves the best weights."""

    def __init__(self, path):
        self.path, self.best = path, None

    def __call__(self, trainer, module):
        print(f"  valid loss {trainer.losses[-1]:.4f}, mean error {module.logged('valid_mae'):.4f}")
        if self.best is None or trainer.losses[-1] < self.best:
            self.best = trainer.losses[-1]
            helpers.save(module.state_dict(), self.path)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--count", type=int, default=1024)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--lr", type=float, default=1e-3)
    args = parser.parse_args(argv)
    helpers.manual_seed(2)
    history, horizon = 24, 6
    train_loader = helpers.DataLoader(Series(args.count, history, horizon, 0), args.batch_size, shuffle=True)
    valid_loader = helpers.DataLoader(Series(args.count // 4, history, horizon, 1), args.batch_size)
    module = Forecaster(history, horizon, lr=args.lr)
    keep_best = KeepBest("best.pt")
    trainer = Trainer(args.epochs, gradient_clip_val=0.5, accumulate_grad_batches=2, callbacks=[keep_best])
    trainer.fit(module, train_loader, valid_loader)
    module.load_state_dict(helpers.load(keep_best.path))
    return trainer.losses, module


if __name__ == "__main__":
    main()
