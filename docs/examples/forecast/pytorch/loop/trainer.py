import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, (tuple, list)):
        return type(batch)(move_to(value, device) for value in batch)
    return batch


class Trainer:
    def __init__(self, max_epochs, gradient_clip_val=None, accumulate_grad_batches=1, callbacks=()):
        self.max_epochs = max_epochs
        self.gradient_clip_val = gradient_clip_val
        self.accumulate_grad_batches = accumulate_grad_batches
        self.callbacks = list(callbacks)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.global_step, self.losses = 0, []

    def fit(self, module, train_loader, valid_loader):
        module.trainer = self
        module.to(self.device)
        optimizers, schedulers = module.configure_optimizers()
        self.optimizer, self.scheduler = optimizers[0], schedulers[0]
        for self.current_epoch in range(self.max_epochs):
            self._train_epoch(module, train_loader)
            self._validate(module, valid_loader)
            if isinstance(self.scheduler, torch.optim.lr_scheduler.ReduceLROnPlateau):
                self.scheduler.step(self.losses[-1])
            else:
                self.scheduler.step()
            for callback in self.callbacks:
                callback(self, module)

    def _train_epoch(self, module, loader):
        module.train()
        for batch_idx, batch in enumerate(loader):
            batch = move_to(batch, self.device)
            loss = module.training_step(batch, batch_idx)
            (loss / self.accumulate_grad_batches).backward()
            self.losses.append(loss.item())
            if (batch_idx + 1) % self.accumulate_grad_batches and batch_idx + 1 < len(loader):
                continue
            if self.gradient_clip_val is not None:
                torch.nn.utils.clip_grad_value_(module.parameters(), self.gradient_clip_val)
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.global_step += 1
        module.on_train_epoch_end()

    @torch.no_grad()
    def _validate(self, module, loader):
        module.eval()
        for batch_idx, batch in enumerate(loader):
            module.validation_step(move_to(batch, self.device), batch_idx)
        self.losses.append(module.logged("valid_loss"))
