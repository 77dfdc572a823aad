import mindport_helpers as helpers
import mindspore


def move_to(batch, device):
    if isinstance(batch, mindspore.Tensor):
        return batch
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
        self.device = helpers.device(
            "cuda" if (mindspore.get_context('device_target') != 'CPU') else "cpu"
        )
        self.global_step, self.losses = 0, []

    def fit(self, module, train_loader, valid_loader):
        module.trainer = self
        optimizers, schedulers = module.configure_optimizers()
        self.optimizer, self.scheduler = optimizers[0], schedulers[0]
        for self.current_epoch in range(self.max_epochs):
            self._train_epoch(module, train_loader)
            self._validate(module, valid_loader)
            if isinstance(self.scheduler, helpers.ReduceLROnPlateau):
                self.scheduler.step(self.losses[-1])
            else:
                self.scheduler.step()
            for callback in self.callbacks:
                callback(self, module)

    def _train_epoch(self, module, loader):
        module.train()
        for batch_idx, batch in enumerate(loader):
            def forward_fn(batch, batch_idx):
                batch = move_to(batch, self.device)
                loss = module.training_step(batch, batch_idx)
                return loss / self.accumulate_grad_batches, batch, loss

            weights = helpers.weights_of(self.optimizer, module)
            grad_fn = helpers.value_and_grad(forward_fn, None, weights, has_aux=True)
            (total_loss, batch, loss), grads = grad_fn(batch, batch_idx)
            helpers.add_gradients(weights, grads)
            self.losses.append(loss.item())
            if (batch_idx + 1) % self.accumulate_grad_batches and batch_idx + 1 < len(loader):
                continue
            if self.gradient_clip_val is not None:
                helpers.clip_grad_value_(module.parameters(), self.gradient_clip_val)
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.global_step += 1
        module.on_train_epoch_end()

    @helpers.no_grad()
    def _validate(self, module, loader):
        module.eval()
        for batch_idx, batch in enumerate(loader):
            module.validation_step(move_to(batch, self.device), batch_idx)
        self.losses.append(module.logged("valid_loss"))
