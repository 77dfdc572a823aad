"""Random edits of modules that call each other: once what calls give has settled, what is kept up to date equals an
analysis from scratch."""

from __future__ import annotations

import calling_modules
from target import Target

TARGET = Target("calls", "edits", calling_modules.sequence)
