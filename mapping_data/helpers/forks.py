"""Processes that a program forks, by whatever means: MindSpore makes its threads ready for that in
`mindspore.multiprocessing` alone."""

import os

from mindspore._c_expression import fork_utils
from mindspore.nn.cell import _pynative_executor


def child_of_a_fork():
    """Compute in this process from now on, and record what the first one would."""
    is_recorded = _pynative_executor.grad_flag()
    fork_utils.child_at_fork()
    _pynative_executor.set_grad_flag(is_recorded)


def processes_may_fork():
    """Let processes that this one forks compute, also after it has computed itself."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=fork_utils.prepare_before_fork,
            after_in_parent=fork_utils.parent_at_fork,
            after_in_child=child_of_a_fork,
        )
    return True


# whether forked processes compute
FORKS_COMPUTE = processes_may_fork()
