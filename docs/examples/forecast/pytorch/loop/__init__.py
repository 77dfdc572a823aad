from .module import TrainingModule
from .trainer import Trainer

__all__ = ["TrainingModule", "Trainer"]
