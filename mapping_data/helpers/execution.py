"""When operators run."""

import mindspore


def operators_run_at_once():
    """On CPU, let a call give back when its operators have run, as in PyTorch: an error comes from the call
    that it is of, and `try` catches it. Otherwise the threads of MindSpore wait for each other by looking
    again and again, which on two processors makes training four to twelve times slower."""
    if mindspore.get_context("device_target") == "CPU":
        mindspore.runtime.launch_blocking()
    return True


# whether operators have run when a call gives back
RUNS_AT_ONCE = operators_run_at_once()
