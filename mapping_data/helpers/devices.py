"""Devices."""


class device:
    """torch.device: a name to compare and to print; MindSpore computes on the device of its context."""

    def __init__(self, type="cuda", index=None):
        if isinstance(type, device):
            type, index = type.type, type.index
        if isinstance(type, int):
            type, index = "cuda", type
        name, colon, number = type.partition(":")
        self.type = name
        self.index = int(number) if colon else index

    def __eq__(self, other):
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self):
        return hash((self.type, self.index))

    def __str__(self):
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self):
        return f"device(type='{self.type}'" + ("" if self.index is None else f", index={self.index}") + ")"

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False


def device_of(tensor):
    """torch.Tensor.device."""
    return device({"Ascend": "npu", "GPU": "cuda"}.get(tensor.device.partition(":")[0], "cpu"))
