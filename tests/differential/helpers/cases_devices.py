"""Where Tensors are, how they lie in memory, and training with one process."""

from __future__ import annotations

from case import Case, script

FORMATS = "channels_last channels_last_3d contiguous_format preserve_format"
CASES: list[Case] = [
    script(
        "torch.Tensor.to",
        "x, other = tensor([1.5, -2.0]), tensor([1])\n"
        "result = [to(x, 'cpu'), to(x, float64), to(x, 'cpu', int64), to(x, dtype=float16), to(x, other), "
        "to(x, device='cpu', dtype=int32)]",
    ),
    script("torch.Tensor.cpu", "result = [cpu(tensor([1.5, -2.0]))]"),
    script(
        f"torch.Tensor.cuda torch.Tensor.to {' '.join(f'torch.{name}' for name in FORMATS.split())}",
        f"x = tensor(np.arange(12.0).reshape(1, 2, 2, 3))\n"
        f"result = [to(x, memory_format=f) for f in (channels_last, contiguous_format, preserve_format)]\n"
        f"result += [len({{{', '.join(FORMATS.split())}}})]",
    ),
    script(
        "torch.nn.DataParallel torch.nn.parallel.data_parallel torch.nn.Linear torch.nn.init.constant_",
        "net = Linear(3, 2)\nfor p in net.parameters():\n    constant_(p, 0.5)\n"
        "both = DataParallel(net)\nx = tensor(np.ones((4, 3), 'f4'))\n"
        "result = [both(x), data_parallel(net, x), both.module is net, [name for name, _ in both.named_parameters()]]",
    ),
    script(
        "torch.distributed.init_process_group torch.distributed.is_initialized torch.distributed.get_rank "
        "torch.distributed.get_world_size torch.distributed.all_reduce torch.distributed.broadcast torch.distributed.reduce "
        "torch.distributed.barrier torch.distributed.destroy_process_group torch.distributed.ReduceOp "
        "torch.nn.parallel.DistributedDataParallel torch.nn.Linear torch.nn.init.constant_",
        "result = [is_initialized()]\n"
        "init_process_group('gloo', init_method='tcp://127.0.0.1:29555', world_size=1, rank=0)\n"
        "x = tensor(np.ones((4, 3), 'f4'))\nresult += [is_initialized(), get_rank(), get_world_size()]\n"
        "all_reduce(x, op=ReduceOp.SUM)\nbroadcast(x, 0)\nreduce(x, 0)\nbarrier()\n"
        "net = Linear(3, 2)\nfor p in net.parameters():\n    constant_(p, 0.5)\n"
        "parallel = DistributedDataParallel(net)\nwith parallel.no_sync():\n    result += [x, parallel(x), list(parallel.state_dict())]\n"
        "destroy_process_group()\nresult += [is_initialized()]",
    ),
]
