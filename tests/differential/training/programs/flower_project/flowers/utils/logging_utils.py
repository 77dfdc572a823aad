import logging
from collections import defaultdict


class MetricLogger:
    def __init__(self):
        self._values = defaultdict(list)

    def add(self, name, value):
        self._values[name].append(value)

    def values(self, name):
        return list(self._values[name])


def get_logger(name="flowers"):
    logger = logging.getLogger(name)
    if not logger.handlers:
        logger.addHandler(logging.StreamHandler())
        logger.setLevel(logging.INFO)
    return logger
