"""Processes that a program forks, by whatever means: MindSpore makes its threads ready for that in
`mindspore.multiprocessing` alone."""

import os
import threading
import time
from pathlib import Path

from mindspore._c_expression import fork_utils
from mindspore.nn.cell import _pynative_executor


def is_running(thread):
    """Whether a thread of this process, a folder of /proc, runs or is about to."""
    try:
        # its number, its name in brackets, its state
        return (thread / "stat").read_text().rpartition(") ")[2].startswith("R")
    except OSError:
        return False


def before_a_fork():
    """Let MindSpore finish what it computes, and its threads go to sleep: the forked process has no such
    threads, and would wait forever for a lock that one of them holds. Where the system does not tell, or
    a thread runs on for a second, fork all the same."""
    fork_utils.prepare_before_fork()
    threads, ours = Path("/proc/self/task"), str(threading.get_native_id())
    until = time.monotonic() + 1
    while time.monotonic() < until and any(is_running(one) for one in threads.glob("*") if one.name != ours):
        time.sleep(0.0002)


def child_of_a_fork():
    """Compute in this process from now on, and record what the first one would."""
    is_recorded = _pynative_executor.grad_flag()
    fork_utils.child_at_fork()
    _pynative_executor.set_grad_flag(is_recorded)


def processes_may_fork():
    """Let processes that this one forks compute, also after it has computed itself."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=before_a_fork,
            after_in_parent=fork_utils.parent_at_fork,
            after_in_child=child_of_a_fork,
        )
    return True


# whether forked processes compute
FORKS_COMPUTE = processes_may_fork()
