"""A model that is saved for a hub and read again, and what programs that read models ask of PyTorch; writes what it
saw."""

import json
import sys
from pathlib import Path

import torch
from huggingface_hub import PyTorchModelHubMixin, split_torch_state_dict_into_shards
from torch import nn
from torch.utils import _pytree as pytree

fast = hasattr(nn.functional, "scaled_dot_product_attention")
SETTINGS = {"width": 4, "depth": 3, "dtype": "float32"}


class Net(nn.Module, PyTorchModelHubMixin, license="mit"):
    def __init__(self, width: int, depth: int = 2, dtype: str = "float32"):
        super().__init__()
        self.dtype = getattr(torch, dtype)
        self.layers = nn.Sequential(*[nn.Linear(width, width, dtype=self.dtype) for _ in range(depth)])

    def with_heads(self, value: int) -> torch.Tensor:
        return value.view([*value.size()[:-1], 2, 2]).permute(0, 2, 1)

    def forward(self, value):
        return self.with_heads(self.layers(value))


def told(dtype):
    return str(dtype).split(".")[1], "float" in str(dtype), str(dtype) == "torch.float32"


torch.manual_seed(1)
net, folder = Net(**SETTINGS), Path(sys.argv[1]).with_name("saved")
with torch.no_grad():
    for place, parameter in enumerate(net.parameters()):
        parameter.copy_(torch.linspace(-1, 1, parameter.numel()).view_as(parameter) / (place + 1))
net.save_pretrained(folder, config=SETTINGS)
again = Net.from_pretrained(folder)
value = torch.linspace(0, 1, 8).reshape(2, 4)
shards = split_torch_state_dict_into_shards(net.state_dict(), max_shard_size=200)
seen = [net(value).tolist(), again(value).tolist(), again.training, len(again.layers)]
seen += [shards.is_sharded, shards.filename_to_tensors]
seen += [told(value.dtype), told(getattr(torch, "float16")), fast]  # noqa: B009
seen += [hasattr(torch, "npu"), hasattr(torch, "cuda")]
seen += [pytree.tree_map(lambda one: one * 2, {"a": [1, (2, 3)]}), torch.finfo(torch.float8_e4m3fn).max]
Path(sys.argv[1]).write_text(json.dumps(seen))
