"""What programs measure: memory and time of devices, profiles. On CPU MindSpore keeps no such numbers."""

import time
from contextlib import ContextDecorator

import mindspore


def no_memory(*args, **kwargs):
    """torch.cuda.memory_allocated and its like: nothing is counted."""
    return 0


def no_memory_stats(*args, **kwargs):
    """torch.cuda.memory_stats: nothing is counted."""
    return {}


def memory_summary(device=None, abbreviated=False):
    """torch.cuda.memory_summary."""
    return "MindSpore's helpers count no memory"


def synchronize(device=None):
    """torch.cuda.synchronize: waits for what runs on the device."""
    mindspore.runtime.synchronize()


class CudaEvent:
    """torch.cuda.Event: the time of this process."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False, external=False):
        self.time = None

    def record(self, stream=None):
        synchronize()
        self.time = time.perf_counter()

    def elapsed_time(self, end_event):
        return (end_event.time - self.time) * 1000.0

    def query(self):
        return True

    def wait(self, stream=None):
        """Nothing: what was recorded is done."""

    def synchronize(self):
        """Nothing: what was recorded is done."""


class record_function(ContextDecorator):
    """torch.profiler.record_function: nothing is recorded."""

    def __init__(self, name, args=None):
        self.name = name

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False


class ProfilerActivity:
    """torch.profiler.ProfilerActivity."""

    CPU = "cpu"
    CUDA = "cuda"
    XPU = "xpu"


class ProfileAverages(list):
    """What key_averages gives: no event."""

    def table(self, *args, **kwargs):
        return "MindSpore's helpers profile nothing: see mindspore.profiler.Profiler"

    def total_average(self):
        return None


class profile(ContextDecorator):
    """torch.profiler.profile: profiles nothing; `mindspore.profiler.Profiler` does."""

    def __init__(self, *args, on_trace_ready=None, **options):
        self.step_num = 0

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False

    def start(self):
        """Nothing: nothing is profiled."""

    def stop(self):
        """Nothing: nothing is profiled."""

    def step(self):
        self.step_num += 1

    def key_averages(self, *args, **kwargs):
        return ProfileAverages()

    def events(self):
        return ProfileAverages()

    def export_chrome_trace(self, path):
        """Nothing: nothing is profiled."""


def profiler_schedule(*, wait, warmup, active, repeat=0, skip_first=0, skip_first_wait=0):
    """torch.profiler.schedule: no step is recorded."""
    return lambda step: 0


def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False):
    """torch.profiler.tensorboard_trace_handler: there is no trace."""
    return nothing
