from copy import deepcopy

import torch


class ModelEMA:
    """An average of the weights of the last steps, which forgets exponentially."""

    def __init__(self, model, decay=0.99, tau=20):
        self.ema = deepcopy(model).eval()
        self.decay, self.tau, self.updates = decay, tau, 0
        for p in self.ema.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        self.updates += 1
        d = self.decay * (1 - pow(2.718281828, -self.updates / self.tau))
        msd = model.state_dict()
        for k, v in self.ema.state_dict().items():
            if v.dtype.is_floating_point:
                v *= d
                v += (1 - d) * msd[k].detach()
            else:
                v.copy_(msd[k])
