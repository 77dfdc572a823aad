from copy import deepcopy

import mindport_helpers as helpers
import mindspore


class ModelEMA:
    """An average of the weights of the last steps, which forgets exponentially."""

    def __init__(self, model, decay=0.99, tau=20):
        self.ema = deepcopy(model).eval()
        self.decay, self.tau, self.updates = decay, tau, 0
        for p in self.ema.parameters():
            helpers.requires_grad_(p, False)

    @helpers.no_grad()
    def update(self, model):
        self.updates += 1
        d = self.decay * (1 - pow(2.718281828, -self.updates / self.tau))
        msd = model.state_dict()
        for k, v in self.ema.state_dict().items():
            if v.dtype.is_floating_point:
                v = helpers.assign_in_place(v, v * d)
                v = helpers.assign_in_place(v, v + (1 - d) * mindspore.ops.stop_gradient(msd[k]))
            else:
                helpers.copy_(v, msd[k])
