"""For tests of a project: a model, converted, computes what it computes in PyTorch."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.catalog.target import parse_version
from mindport.project.settings import load_settings
from mindport.verify.frameworks import FrameworksError, find_frameworks
from mindport.verify.model import verify_model
from mindport.verify.model_spec import ModelInput, ModelSpec
from mindport.verify.model_text import comparison, failure


def check_model(
    file: Path, expression: str, *inputs: str, folder: Path | None = None, tolerance: float = 1e-4
) -> None:
    """Convert the program that `file` belongs to, build the model with `expression` in both frameworks, and
    compare outputs and gradients for `inputs` (see `mindport verify model`). Skips the test where the
    frameworks are not there. Raises AssertionError where something differs by more than `tolerance`, a part
    of the largest number, and ModelError or ModelSpecError where nothing can be compared."""
    try:
        frameworks = find_frameworks(None)
    except FrameworksError as error:
        pytest.skip(error.render("en"))
    spec = ModelSpec.parse(f"{file}:{expression}", tuple(map(ModelInput.parse, inputs)), folder)
    loaded = load_settings(spec.folder, command_line={"device": "cpu"}, check_target=parse_version)
    language = loaded.settings.language
    outcome = verify_model(spec, loaded.settings, frameworks, language, tolerance)
    said = [*comparison(outcome, tolerance, language), failure(outcome, language) or ""]
    assert outcome.differences and outcome.is_equal(tolerance), "\n".join(said).strip()
