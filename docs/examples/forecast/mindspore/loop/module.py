"""What a task says of itself; the Trainer does the rest."""
import mindport_helpers as helpers
import mindspore


class TrainingModule(helpers.Module):
    def __init__(self):
        super().__init__()
        self.trainer = None
        self._logged = {}

    def training_step(self, batch, batch_idx):
        """The loss of a batch."""
        raise NotImplementedError

    def validation_step(self, batch, batch_idx):
        """Logs what is of interest."""

    def configure_optimizers(self):
        raise NotImplementedError

    def on_train_epoch_end(self):
        pass

    def log(self, name, value):
        value = mindspore.ops.stop_gradient(value) if isinstance(
            value, mindspore.Tensor
        ) else helpers.tensor(float(value))
        self._logged.setdefault(name, []).append(value)

    def logged(self, name):
        return helpers.stack(self._logged.pop(name)).mean().item()
