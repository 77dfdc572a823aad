"""torch.distributed: one process alone, or several through mindspore.communication."""

import contextlib
import enum
import os
from typing import ClassVar

import mindspore
from mindspore import communication, ops
from mindspore.mint import distributed

# What init_process_group was called with; empty before it
process_group = {}


def is_distributed_available():
    """torch.distributed.is_available."""
    return True


def is_torchelastic_launched():
    """torch.distributed.is_torchelastic_launched: whether `torchrun` started this process."""
    return "TORCHELASTIC_RUN_ID" in os.environ


class Backend(str):
    """torch.distributed.Backend: the name of what carries values between processes, in small letters."""

    UNDEFINED = "undefined"
    GLOO = "gloo"
    NCCL = "nccl"
    XCCL = "xccl"
    UCC = "ucc"
    MPI = "mpi"
    FAKE = "fake"
    backend_list: ClassVar = [UNDEFINED, GLOO, NCCL, XCCL, UCC, MPI, FAKE]
    default_device_backend_map: ClassVar = {"cpu": GLOO, "cuda": NCCL, "xpu": XCCL, "mps": GLOO}
    backend_capability: ClassVar = {
        GLOO: ["cpu", "cuda"],
        NCCL: ["cuda"],
        XCCL: ["xpu"],
        UCC: ["cpu", "cuda"],
        MPI: ["cpu", "cuda"],
        FAKE: ["cpu", "cuda", "hpu", "xpu"],
    }

    def __new__(cls, name):
        if not isinstance(name, str):
            raise ValueError(f"Backend constructor parameter must be string-ish: {name}")
        return name.lower()


def is_gloo_available():
    """torch.distributed.is_gloo_available: MindSpore has what does the same on CPU."""
    return True


def is_nccl_available():
    """torch.distributed.is_nccl_available: where there are devices."""
    return mindspore.get_context("device_target") != "CPU"


def is_initialized():
    """torch.distributed.is_initialized."""
    return bool(process_group)


def init_process_group(
    backend=None,
    init_method=None,
    timeout=None,
    world_size=-1,
    rank=-1,
    store=None,
    group_name="",
    pg_options=None,
    device_id=None,
):
    """torch.distributed.init_process_group; several processes are started by `msrun`."""
    if process_group:
        raise ValueError("the process group was made before")
    given = os.environ.get("RANK_SIZE") or os.environ.get("WORLD_SIZE") or 1
    count = world_size if world_size > 0 else int(given)
    if count > 1:
        communication.init()
    process_group.update(backend=backend or "mindspore", count=count)


def destroy_process_group(group=None):
    """torch.distributed.destroy_process_group."""
    if get_world_size() > 1:
        communication.release()
    process_group.clear()


class ProcessGroup:
    """torch.distributed.ProcessGroup: all processes."""

    def size(self):
        return get_world_size()

    def rank(self):
        return get_rank()


# The group of all processes
WORLD_GROUP = ProcessGroup()


class KindOfGroups(type):
    """Makes WORLD what there is between init_process_group and destroy_process_group."""

    WORLD = property(lambda cls: WORLD_GROUP if process_group else None)


class GroupMember(metaclass=KindOfGroups):
    """torch.distributed.group and GroupMember: the group of all processes."""

    NON_GROUP_MEMBER = -100


def new_group(ranks=None, timeout=None, backend=None, pg_options=None, **options):
    """torch.distributed.new_group: of all processes, or of this one where there is no other."""
    if ranks is not None and len(ranks) != get_world_size():
        raise NotImplementedError("a group of some of the processes is not made")
    return WORLD_GROUP


def get_world_size(group=None):
    """torch.distributed.get_world_size; 1 before init_process_group."""
    return communication.get_group_size() if process_group.get("count", 1) > 1 else 1


def get_rank(group=None):
    """torch.distributed.get_rank; 0 before init_process_group."""
    return communication.get_rank() if get_world_size() > 1 else 0


def get_process_group_ranks(group=None):
    """torch.distributed.get_process_group_ranks: of all processes."""
    return list(range(get_world_size()))


def rank_in_other_group(group, rank):
    """torch.distributed.get_global_rank and get_group_rank: the groups are of all processes."""
    return rank


def get_backend(group=None):
    """torch.distributed.get_backend: the name that init_process_group was given."""
    if not process_group:
        raise ValueError("init_process_group was not called")
    return process_group["backend"]


def monitored_barrier(group=None, timeout=None, wait_all_ranks=False):
    """torch.distributed.monitored_barrier; nobody is told which process is late."""
    barrier(group)


class Work:
    """torch.distributed.Work: what `async_op=True` gives back; here the work is done by then."""

    def __init__(self, tensors=()):
        self.tensors = list(tensors)

    def wait(self, timeout=None):
        """Whether it succeeded."""
        return True

    def is_completed(self):
        return True

    def is_success(self):
        return True

    def exception(self):
        """The error, if there was one."""

    def synchronize(self):
        """Nothing: there is nothing to wait for."""

    def result(self):
        """The Tensors that were computed."""
        return self.tensors


def work_if_asked(async_op, *tensors):
    """What a collective gives back: Work of these Tensors if `async_op` is true, else None."""
    return Work(tensors) if async_op else None


def barrier(group=None, async_op=False, device_ids=None):
    """torch.distributed.barrier."""
    if get_world_size() > 1:
        ops.Barrier()()
    return work_if_asked(async_op)


class RedOpType(enum.Enum):
    """torch.distributed.ReduceOp.RedOpType: the names of MindSpore's, and of those that it does not have."""

    SUM = "sum"
    AVG = "avg"
    PRODUCT = "prod"
    MIN = "min"
    MAX = "max"
    BAND = "band"
    BOR = "bor"
    BXOR = "bxor"
    PREMUL_SUM = "premul_sum"


class KindOfReduceOp(type):
    """Makes the members of RedOpType objects of ReduceOp."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, RedOpType)


class ReduceOp(metaclass=KindOfReduceOp):
    """torch.distributed.ReduceOp: what is made of the values of all processes."""

    RedOpType = RedOpType
    SUM = RedOpType.SUM
    AVG = RedOpType.AVG
    PRODUCT = RedOpType.PRODUCT
    MIN = RedOpType.MIN
    MAX = RedOpType.MAX
    BAND = RedOpType.BAND
    BOR = RedOpType.BOR
    BXOR = RedOpType.BXOR
    PREMUL_SUM = RedOpType.PREMUL_SUM

    def __new__(cls, op):
        return op


def all_reduce(tensor, op=ReduceOp.SUM, group=None, async_op=False):
    """torch.distributed.all_reduce: in place."""
    if get_world_size() > 1:
        total = ops.AllReduce((ReduceOp.SUM if op == ReduceOp.AVG else op).value)(tensor)
        write_(tensor, total / get_world_size() if op == ReduceOp.AVG else total)
    return work_if_asked(async_op, tensor)


def reduce_to_one(tensor, dst=None, op=ReduceOp.SUM, group=None, async_op=False, group_dst=None):
    """torch.distributed.reduce; here all processes get the result."""
    return all_reduce(tensor, op, async_op=async_op)


def broadcast(tensor, src=None, group=None, async_op=False, group_src=None):
    """torch.distributed.broadcast: in place."""
    if get_world_size() > 1:
        write_(tensor, ops.Broadcast(src or 0)((tensor,))[0])
    return work_if_asked(async_op, tensor)


def all_gather(tensor_list, tensor, group=None, async_op=False):
    """torch.distributed.all_gather: into the Tensors of a list."""
    count = get_world_size()
    gathered = ops.AllGather()(tensor.expand_dims(0)) if count > 1 else tensor.expand_dims(0)
    for place in range(count):
        write_(tensor_list[place], gathered[place])
    return work_if_asked(async_op, *tensor_list)


def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    """torch.distributed.all_gather_into_tensor: one behind the other, or each as a row."""
    gathered = ops.AllGather()(input_tensor) if get_world_size() > 1 else input_tensor
    write_(output_tensor, gathered.reshape(output_tensor.shape))
    return work_if_asked(async_op, output_tensor)


def reduce_scatter_tensor(output, input, op=ReduceOp.SUM, group=None, async_op=False):
    """torch.distributed.reduce_scatter_tensor: this process's part of the sum."""
    part = input
    if get_world_size() > 1:
        rows = input.reshape((-1, *output.shape[1:]))
        part = ops.ReduceScatter((ReduceOp.SUM if op == ReduceOp.AVG else op).value)(rows)
        part = part / get_world_size() if op == ReduceOp.AVG else part
    write_(output, part.reshape(output.shape))
    return work_if_asked(async_op, output)


def reduce_scatter(output, input_list, op=ReduceOp.SUM, group=None, async_op=False):
    """torch.distributed.reduce_scatter: the sum of the Tensors that are for this process."""
    return reduce_scatter_tensor(output, ops.cat(list(input_list)), op, group, async_op)


def gather_to_one(tensor, gather_list=None, dst=None, group=None, async_op=False, group_dst=None):
    """torch.distributed.gather: into the Tensors of a list of one process."""
    into = gather_list or [ops.zeros_like(tensor) for _ in range(get_world_size())]
    all_gather(into, tensor)
    return work_if_asked(async_op, *(gather_list or ()))


def scatter_from_one(tensor, scatter_list=None, src=None, group=None, async_op=False, group_src=None):
    """torch.distributed.scatter: MindSpore's own between several processes."""
    if get_world_size() > 1:
        return distributed.scatter(tensor, scatter_list, src or 0, async_op=async_op)
    write_(tensor, scatter_list[0])
    return work_if_asked(async_op, tensor)


def all_to_all(output_tensor_list, input_tensor_list, group=None, async_op=False):
    """torch.distributed.all_to_all: MindSpore's own between several processes."""
    if get_world_size() > 1:
        return distributed.all_to_all(output_tensor_list, input_tensor_list, async_op=async_op)
    write_(output_tensor_list[0], input_tensor_list[0])
    return work_if_asked(async_op, *output_tensor_list)


def all_to_all_single(
    output, input, output_split_sizes=None, input_split_sizes=None, group=None, async_op=False
):
    """torch.distributed.all_to_all_single: MindSpore's own between several processes."""
    if get_world_size() > 1:
        sizes = (output_split_sizes, input_split_sizes)
        return distributed.all_to_all_single(output, input, *sizes, async_op=async_op)
    write_(output, input.reshape(output.shape))
    return work_if_asked(async_op, output)


def all_gather_object(object_list, obj, group=None):
    """torch.distributed.all_gather_object: MindSpore's own between several processes."""
    if get_world_size() > 1:
        distributed.all_gather_object(object_list, obj)
    else:
        object_list[0] = obj


def gather_object(obj, object_gather_list=None, dst=None, group=None, group_dst=None):
    """torch.distributed.gather_object: MindSpore's own between several processes."""
    if get_world_size() > 1:
        distributed.gather_object(obj, object_gather_list, dst or 0)
    else:
        object_gather_list[0] = obj


def scatter_object_list(
    scatter_object_output_list, scatter_object_input_list=None, src=None, group=None, group_src=None
):
    """torch.distributed.scatter_object_list: MindSpore's own between several processes."""
    if get_world_size() > 1:
        given = (scatter_object_output_list, scatter_object_input_list)
        distributed.scatter_object_list(*given, src or 0)
    else:
        scatter_object_output_list[0] = scatter_object_input_list[0]


def broadcast_object_list(object_list, src=None, group=None, device=None, group_src=None):
    """torch.distributed.broadcast_object_list: MindSpore's own between several processes."""
    if get_world_size() > 1:
        distributed.broadcast_object_list(object_list, src or 0)


class DataParallel(Module):
    """torch.nn.DataParallel: the module itself, as `module`; MindSpore computes on one device per process."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module
        self.device_ids = device_ids

    def construct(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)


def scattered_to(inputs, target_gpus, dim=0):
    """torch.nn.parallel.scatter: a part of each Tensor for every device, all else for each."""
    if isinstance(inputs, mindspore.Tensor):
        return tuple(ops.chunk(inputs, len(target_gpus), dim))
    if isinstance(inputs, (tuple, list, dict)) and len(inputs):
        values = inputs.values() if isinstance(inputs, dict) else inputs
        rows = zip(*(scattered_to(each, target_gpus, dim) for each in values))
        if isinstance(inputs, dict):
            return [type(inputs)(zip(inputs, row)) for row in rows]
        return [rebuilt(inputs, row) for row in rows]
    return [inputs for _ in target_gpus]


def scatter_kwargs(inputs, kwargs, target_gpus, dim=0):
    """torch.nn.parallel.scatter_gather.scatter_kwargs."""
    inputs = scattered_to(inputs, target_gpus, dim) if inputs else []
    kwargs = scattered_to(kwargs, target_gpus, dim) if kwargs else []
    count = max(len(inputs), len(kwargs))
    inputs = (*inputs, *(() for _ in range(count - len(inputs))))
    return inputs, (*kwargs, *({} for _ in range(count - len(kwargs))))


def gathered_from(outputs, target_device, dim=0):
    """torch.nn.parallel.gather: what the devices gave, one behind the other."""
    first = outputs[0]
    if isinstance(first, mindspore.Tensor):
        return ops.cat([each.reshape(1) if each.ndim == 0 else each for each in outputs], dim)
    if first is None:
        return None
    if isinstance(first, dict):
        rows = ([each[key] for each in outputs] for key in first)
        return type(first)(zip(first, (gathered_from(row, target_device, dim) for row in rows)))
    return rebuilt(first, [gathered_from(row, target_device, dim) for row in zip(*outputs)])


def replicate(network, devices, detach=False):
    """torch.nn.parallel.replicate: the network itself for every device."""
    return [network for _ in devices]


def parallel_apply(modules, inputs, kwargs_tup=None, devices=None):
    """torch.nn.parallel.parallel_apply: one module after the other."""
    kwargs_tup = kwargs_tup or [{}] * len(modules)
    return [
        module(*(given if isinstance(given, (list, tuple)) else (given,)), **options)
        for module, given, options in zip(modules, inputs, kwargs_tup)
    ]


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    """torch.nn.parallel.data_parallel: on the one device that a process has."""
    return module(*(inputs if isinstance(inputs, tuple) else (inputs,)), **(module_kwargs or {}))


class Reducer:
    """torch.distributed.Reducer: of one process there is nothing to put together."""

    def prepare_for_backward(self, outputs):
        """Nothing: all gradients are there."""

    def _rebuild_buckets(self):
        return False


class DistributedDataParallel(DataParallel):
    """torch.nn.parallel.DistributedDataParallel, for one process."""

    def __init__(
        self,
        module,
        device_ids=None,
        output_device=None,
        dim=0,
        broadcast_buffers=True,
        init_sync=True,
        process_group=None,
        bucket_cap_mb=None,
        find_unused_parameters=False,
        gradient_as_bucket_view=False,
        static_graph=False,
        **options,
    ):
        if get_world_size() > 1:
            raise NotImplementedError(
                "gradients of several processes are not averaged: use mindspore.nn.DistributedGradReducer"
            )
        super().__init__(module, device_ids, output_device, dim)
        self.process_group = process_group or WORLD_GROUP
        self.broadcast_buffers = broadcast_buffers
        self.find_unused_parameters = find_unused_parameters
        self.gradient_as_bucket_view = gradient_as_bucket_view
        self.static_graph = static_graph
        self.require_backward_grad_sync = self.require_forward_param_sync = True
        self.reducer = Reducer()

    def _set_static_graph(self):
        self.static_graph = True

    def _get_ddp_logging_data(self):
        return {"can_set_static_graph": False}

    @contextlib.contextmanager
    def no_sync(self):
        before, self.require_backward_grad_sync = self.require_backward_grad_sync, False
        try:
            yield
        finally:
            self.require_backward_grad_sync = before
