"""A library whose APIs are to be run has to be there."""

from __future__ import annotations

import pytest
from mindport.verify.frameworks import Frameworks, FrameworksError

WITHOUT = Frameworks("/opt/python", "2.13.0", "2.10.0", "1.26.4", "3.11.7")


def test_without_torchaudio_its_apis_are_not_run() -> None:
    WITHOUT.require_libraries_of(["torch.abs", "torchtext.vocab.Vocab"])
    with pytest.raises(FrameworksError, match="does not have torchaudio") as raised:
        WITHOUT.require_libraries_of(["torch.abs", "torchaudio.functional.gain"])
    assert "/opt/python 中没有 torchaudio" in raised.value.render("zh-cn")
    Frameworks("/opt/python", "2.13.0", "2.10.0", "1.26.4", "3.11.7", "2.11.0").require_libraries_of(
        ["torchaudio.x"]
    )
