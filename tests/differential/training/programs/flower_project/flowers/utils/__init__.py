from .logging_utils import MetricLogger, get_logger
from .checkpoint import save_on_master
