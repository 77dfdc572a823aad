"""Emacs with eglot and the server: problems, hover, a quick fix, all fixes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from editor_process import ALL_FIXED, COMMAND, HERE, ONE_FIXED, Project
from pages import shown

EDITOR = ["emacs", "--batch", "-l", str(HERE / "emacs.el"), "model.py"]


def has_eglot() -> bool:
    if shutil.which("emacs") is None:
        return False
    command = ["emacs", "--batch", "--eval", "(progn (package-initialize) (require 'eglot))"]
    return subprocess.run(command, capture_output=True, timeout=120, check=False).returncode == 0


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not has_eglot(), reason="Emacs with eglot is not on this machine"),
]


def test_what_a_user_does(tmp_path: Path) -> None:
    seen = Project(tmp_path).run(EDITOR, "\n".join(COMMAND))
    assert seen.code == 0 and seen.told is not None, seen.errors
    assert sorted(seen.told["before"]) == [[6, "torch.randn"], [7, "torch.nn.Conv2d"]]
    assert "mindspore.mint.randn" in seen.told["hover"]
    assert "Replace with mindspore.mint.randn" in seen.told["titles"]
    assert seen.told["fixed"] == ONE_FIXED
    assert seen.told["all_fixed"] == ALL_FIXED


def test_without_problems_the_session_fails(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.mindport]\nignore = ["MP"]\n')
    seen = Project(tmp_path).run(EDITOR, "\n".join(COMMAND), seconds=8)
    assert seen.code != 0 and seen.told is None
    assert "Nothing came: diagnostics" in seen.errors


def test_without_a_server_the_session_fails(tmp_path: Path) -> None:
    seen = Project(tmp_path).run(EDITOR, "mindport-that-is-not-there", seconds=1)
    assert seen.code != 0 and seen.told is None


def test_the_configuration_of_the_page(tmp_path: Path) -> None:
    [configuration] = shown("emacs.md", "elisp")
    program = f'("{COMMAND[0]}" "-m" "mindport" "serve" "--stdio")'
    assert configuration.count('("mindport" "serve" "--stdio")') == 1
    (tmp_path / "init.el").write_text(configuration.replace('("mindport" "serve" "--stdio")', program))
    check = """(progn (package-initialize) (require 'eglot) (load (expand-file-name "init.el"))
      (setq eglot-sync-connect 60) (find-file "model.py") (run-hooks 'post-command-hook)
      (let ((left 1200))
        (while (and (> left 0) (not (and (eglot-managed-p) (progn (flymake-start) (flymake-diagnostics)))))
          (accept-process-output nil 0.05) (setq left (1- left)))
        (kill-emacs (if (= 2 (length (flymake-diagnostics))) 0 1))))"""
    seen = Project(tmp_path).run(["emacs", "--batch", "--eval", check], "")
    assert seen.code == 0, seen.errors
