"""torch.nn.parallel for comparisons: PyTorch has it on CUDA alone; here each device is the processor."""

from __future__ import annotations

from typing import Any

import torch


def scatter(inputs: Any, target_gpus: list[Any], dim: int = 0) -> Any:
    count = len(target_gpus)
    if isinstance(inputs, torch.Tensor):
        return inputs.split(-(-inputs.shape[dim] // count), dim)
    if isinstance(inputs, dict) and inputs:
        parts = {key: scatter(value, target_gpus, dim) for key, value in inputs.items()}
        least = min(map(len, parts.values()))
        return [{key: value[number] for key, value in parts.items()} for number in range(least)]
    if isinstance(inputs, (list, tuple)) and inputs:
        rows = [scatter(value, target_gpus, dim) for value in inputs]
        return [type(inputs)(row[number] for row in rows) for number in range(min(map(len, rows)))]
    return [inputs] * count


def scatter_kwargs(inputs: Any, kwargs: Any, target_gpus: list[Any], dim: int = 0) -> Any:
    left = list(scatter(inputs, target_gpus, dim)) if inputs else []
    right = list(scatter(kwargs, target_gpus, dim)) if kwargs else []
    while len(left) < len(right):
        left.append(())
    while len(right) < len(left):
        right.append({})
    return tuple(left), tuple(right)


def gather(outputs: Any, target_device: Any, dim: int = 0) -> Any:
    if isinstance(outputs[0], torch.Tensor):
        return torch.cat([torch.atleast_1d(each) for each in outputs], dim)
    if isinstance(outputs[0], dict):
        return {key: gather([each[key] for each in outputs], target_device, dim) for key in outputs[0]}
    if outputs[0] is None:
        return None
    return type(outputs[0])(gather(list(each), target_device, dim) for each in zip(*outputs, strict=True))


def parallel_apply(modules: Any, inputs: Any, kwargs_tup: Any = None, devices: Any = None) -> Any:
    options = kwargs_tup or [{} for _ in modules]
    return [
        module(*given, **extra) if isinstance(given, tuple) else module(given, **extra)
        for module, given, extra in zip(modules, inputs, options, strict=True)
    ]


def data_parallel(
    module: Any,
    inputs: Any,
    device_ids: Any = None,
    output_device: Any = None,
    dim: int = 0,
    module_kwargs: Any = None,
) -> Any:
    return module(*inputs, **(module_kwargs or {})) if isinstance(inputs, tuple) else module(inputs)


PARALLEL = {
    "torch.nn.parallel.scatter": scatter,
    "torch.nn.parallel.scatter_gather.scatter_kwargs": scatter_kwargs,
    "torch.nn.parallel.gather": gather,
    "torch.nn.parallel.replicate": lambda network, devices, detach=False: [network] * len(devices),
    "torch.nn.parallel.parallel_apply": parallel_apply,
    "torch.nn.parallel.data_parallel": data_parallel,
}
