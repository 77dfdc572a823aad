"""Functions that graph mode does not compile."""


def with_try(x):
    try:
        return x + 1
    except ValueError:
        return x


def with_branch(x):
    if x.sum() > 0:
        y = x
    return y


def recursive(x):
    return recursive(x)
