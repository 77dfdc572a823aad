"""torch.multiprocessing: Python's own processes, and `spawn`."""

import multiprocessing


def set_start_method(method, force=False):
    """torch.multiprocessing.set_start_method."""
    multiprocessing.set_start_method(method, force=force)


def get_start_method(allow_none=False):
    """torch.multiprocessing.get_start_method."""
    return multiprocessing.get_start_method(allow_none)


def get_context(method=None):
    """torch.multiprocessing.get_context."""
    return multiprocessing.get_context(method)


def cpu_count():
    """torch.multiprocessing.cpu_count."""
    return multiprocessing.cpu_count()


def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    """torch.multiprocessing.spawn: one process is this one; several are what `msrun` starts."""
    if nprocs != 1:
        raise NotImplementedError("start several processes of MindSpore with `msrun`")
    fn(0, *args)


# Python's own classes of torch.multiprocessing
Process = multiprocessing.Process
Queue = multiprocessing.Queue
Pool = multiprocessing.Pool
Manager = multiprocessing.Manager
Lock = multiprocessing.Lock
