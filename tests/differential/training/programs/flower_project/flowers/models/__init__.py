from .cnn import *
from .mixer import MlpMixer
from .registry import build_model, list_models
