import logging
from collections import defaultdict

import torch
from torch import nn

logger = logging.getLogger(__name__)


class Trainer:
    """Trains, validates, keeps the last and the best checkpoint, and goes on from one."""

    def __init__(self, model, train_loader, valid_loader, config):
        self.config = config
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = model.to(self.device)
        self.train_loader, self.valid_loader = train_loader, valid_loader
        self.criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(), lr=config.lr, weight_decay=config.weight_decay
        )
        self.scheduler = torch.optim.lr_scheduler.OneCycleLR(
            self.optimizer, max_lr=config.lr, epochs=config.epochs, steps_per_epoch=len(train_loader)
        )
        self.epoch, self.best = 0, float("inf")
        self.history = defaultdict(list)
        config.folder.mkdir(parents=True, exist_ok=True)

    def fit(self, epochs=None):
        last = self.config.epochs if epochs is None else min(self.config.epochs, self.epoch + epochs)
        while self.epoch < last:
            loss = self._train_epoch()
            valid_loss, accuracy = self.validate()
            self.epoch += 1
            logger.info(
                "epoch %d: loss %.4f, valid %.4f, accuracy %.3f, lr %.2e",
                self.epoch, loss, valid_loss, accuracy, self.scheduler.get_last_lr()[0],
            )
            self.history["valid"].append(valid_loss)
            self.save("last.pt")
            if valid_loss < self.best:
                self.best = valid_loss
                self.save("best.pt")
        return self.history

    def _train_epoch(self):
        self.model.train()
        total = 0.0
        for inputs, labels in self.train_loader:
            inputs = inputs.to(self.device, non_blocking=True)
            labels = labels.to(self.device, non_blocking=True)
            loss = self._train_step(inputs, labels)
            total += loss
            self.history["train"].append(loss)
        return total / len(self.train_loader)

    def _train_step(self, inputs, labels):
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.criterion(self.model(inputs), labels)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.config.max_norm)
        self.history["norm"].append(float(norm))
        self.optimizer.step()
        self.scheduler.step()
        return loss.item()

    @torch.inference_mode()
    def validate(self):
        self.model.eval()
        loss, hits, count = 0.0, 0, 0
        for inputs, labels in self.valid_loader:
            inputs, labels = inputs.to(self.device), labels.to(self.device)
            logits = self.model(inputs)
            loss += self.criterion(logits, labels).item() * labels.size(0)
            hits += logits.argmax(1).eq(labels).sum().item()
            count += labels.size(0)
        return loss / count, hits / count

    def save(self, name):
        torch.save(
            {
                "epoch": self.epoch,
                "best": self.best,
                "model": self.model.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "scheduler": self.scheduler.state_dict(),
                "history": dict(self.history),
            },
            self.config.folder / name,
        )

    def load(self, path):
        checkpoint = torch.load(path, map_location=self.device, weights_only=False)
        self.model.load_state_dict(checkpoint["model"])
        self.optimizer.load_state_dict(checkpoint["optimizer"])
        self.scheduler.load_state_dict(checkpoint["scheduler"])
        self.epoch, self.best = checkpoint["epoch"], checkpoint["best"]
        self.history.update(checkpoint["history"])
        logger.info("going on after epoch %d", self.epoch)
