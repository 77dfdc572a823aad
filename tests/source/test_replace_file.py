"""Replacing a file: all or nothing, with what belongs to the file kept, and nothing left behind."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from mindport.source import replace_file as replacing
from mindport.source.replace_file import replace_file
from mindport.source.unfinished import Interrupted, create_original, create_unfinished, tidy

needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")
needs_root = pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0, reason="only root gives files away"
)
OLD, NEW = b"old content, longer than the new one\n" * 3, b"new\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.py"
    path.write_bytes(OLD)
    return path


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_a_new_file(tmp_path: Path) -> None:
    replace_file(tmp_path / "new.py", [b"one", b"two"])
    assert (tmp_path / "new.py").read_bytes() == b"onetwo"
    assert stat.S_IMODE((tmp_path / "new.py").stat().st_mode) == 0o644
    assert names(tmp_path) == ["new.py"]


@pytest.mark.parametrize("name", ["a" * 255, "模型" * 42 + ".py", "e\u0301" * 80])
def test_a_name_as_long_as_names_can_be(tmp_path: Path, name: str) -> None:
    replace_file(tmp_path / name, [NEW])
    assert names(tmp_path) == [name]


@needs_posix
def test_permissions_stay_unless_others_are_asked_for(file: Path) -> None:
    file.chmod(0o751)
    replace_file(file, [NEW])
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (NEW, 0o751)
    replace_file(file, [NEW], 0o640)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@needs_root
def test_the_owner_stays(file: Path) -> None:
    file.chmod(0o4755)
    os.chown(file, 12_345, 23_456)
    file.chmod(0o4755)
    replace_file(file, [NEW])
    found = file.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (12_345, 23_456, 0o4755)


@needs_root
def test_where_the_owner_cannot_stay_the_file_is_not_run_as_its_new_owner(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    os.chown(file, 12_345, 23_456)
    file.chmod(0o6755)
    monkeypatch.setattr(os, "chown", refuse)
    replace_file(file, [NEW])
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (NEW, 0o755)


@pytest.mark.skipif(sys.platform != "linux", reason="Python knows them on Linux only")
def test_extended_attributes_stay(file: Path) -> None:
    try:
        os.setxattr(file, "user.origin", b"kept")
    except OSError:
        pytest.skip("the file system has no extended attributes")
    replace_file(file, [NEW])
    assert (file.read_bytes(), os.getxattr(file, "user.origin")) == (NEW, b"kept")


@pytest.mark.skipif(sys.platform != "linux", reason="Python knows them on Linux only")
def test_an_access_control_list_stays(file: Path) -> None:
    # As setfacl writes it: user::rw-, user:12345:rw-, group::r--, mask::rw-, other::---
    entries = [(1, 6, 2**32 - 1), (2, 6, 12_345), (4, 4, 2**32 - 1), (16, 6, 2**32 - 1), (32, 0, 2**32 - 1)]
    packed = b"\x02\x00\x00\x00" + b"".join(
        tag.to_bytes(2, "little") + rights.to_bytes(2, "little") + number.to_bytes(4, "little")
        for tag, rights, number in entries
    )
    try:
        os.setxattr(file, "system.posix_acl_access", packed)
    except OSError:
        pytest.skip("the file system has no access control lists")
    mode = stat.S_IMODE(file.stat().st_mode)
    replace_file(file, [NEW])
    assert os.getxattr(file, "system.posix_acl_access") == packed
    assert stat.S_IMODE(file.stat().st_mode) == mode


@needs_posix
@pytest.mark.parametrize("new", [NEW, OLD * 3, b""])
def test_hard_links_stay_one_file(file: Path, new: bytes) -> None:
    other = file.with_name("other.py")
    other.hardlink_to(file)
    replace_file(file, [new])
    assert other.read_bytes() == new and other.samefile(file)
    assert names(file.parent) == ["a.py", "other.py"]


@needs_posix
def test_a_link_stays_and_what_it_leads_to_changes(file: Path) -> None:
    (file.parent / "link").symlink_to(file)
    file.chmod(0o600)
    replace_file(file.parent / "link", [NEW])
    assert (file.parent / "link").is_symlink()
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (NEW, 0o600)


def full(*_: object) -> int:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("is_linked", [False, pytest.param(True, marks=needs_posix)])
@pytest.mark.parametrize("step", ["fsync", "chmod", "replace", "making"])
def test_where_it_fails_everything_is_as_it_was(
    file: Path, monkeypatch: pytest.MonkeyPatch, is_linked: bool, step: str
) -> None:
    def parts():
        yield NEW
        if step == "making":
            full()

    if is_linked:
        file.with_name("other.py").hardlink_to(file)
    before = names(file.parent)
    with monkeypatch.context() as patched:
        if step == "fsync":
            patched.setattr(os, "fsync", full)
        elif step != "making":
            patched.setattr(Path, step, full)
        if is_linked and step in ("chmod", "replace"):
            replace_file(file, parts())  # needs neither
            return
        with pytest.raises(OSError, match="No space"):
            replace_file(file, parts())
    assert (file.read_bytes(), names(file.parent)) == (OLD, before)


@needs_posix
def test_a_disk_that_is_full_while_a_linked_file_is_written_into(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.with_name("other.py").hardlink_to(file)
    real, written = os.write, []

    def fail_once(handle: int, data: bytes) -> int:
        written.append(len(data))
        if len(written) == 1:
            return real(handle, data[:10])
        return full() if len(written) == 2 else real(handle, data)

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", fail_once)
        with pytest.raises(OSError, match="No space"):
            replace_file(file, [b"N" * 50])
    assert (file.read_bytes(), names(file.parent)) == (OLD, ["a.py", "other.py"])


@needs_posix
def test_it_is_on_disk_before_it_takes_its_place_and_so_is_the_folder_afterwards(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = []
    sync, replace = os.fsync, Path.replace

    def noting_sync(handle: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        sync(handle)

    def noting_replace(path: Path, target: Path) -> Path:
        steps.append("replace")
        return replace(path, target)

    monkeypatch.setattr(os, "fsync", noting_sync)
    monkeypatch.setattr(Path, "replace", noting_replace)
    replace_file(file, [NEW])
    assert steps == ["file", "replace", "folder"]


WRITER = """
import sys, time
from pathlib import Path
from mindport.source.replace_file import replace_file
def parts():
    yield b"half of it"
    print("writing", flush=True)
    time.sleep(60)
replace_file(Path(sys.argv[1]), parts())
"""


@needs_posix
def test_what_a_killed_run_left_is_removed_and_nothing_else(file: Path) -> None:
    others = {".a.py.abcd1234": b"theirs", "mindport-unfinished": b"theirs", ".a.py.mindport-unfinished": b""}
    for name, content in others.items():
        (file.parent / name).write_bytes(content)
    command = [sys.executable, "-c", WRITER, str(file)]
    environment = {**os.environ, "PYTHONPATH": str(Path(replacing.__file__).parents[2])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as running:
        assert running.stdout is not None
        running.stdout.readline()
        assert len(names(file.parent)) == len(others) + 2
        assert tidy(file.parent) == []
        assert len(names(file.parent)) == len(others) + 2  # it is being written
        running.send_signal(signal.SIGKILL)
        running.wait()
    assert len(names(file.parent)) == len(others) + 2
    assert tidy(file.parent) == []
    assert names(file.parent) == sorted([*others, "a.py"])
    assert file.read_bytes() == OLD


@needs_root
def test_what_another_user_left_stays(file: Path) -> None:
    handle, left = create_unfinished(file)
    os.close(handle)
    os.chown(left, 12_345, -1)
    tidy(file.parent)
    assert left.exists()


@needs_posix
def test_a_run_that_tidies_up_while_a_file_is_made(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    program = "import sys, time\nfrom pathlib import Path\nfrom mindport.source.unfinished import tidy\n"
    program += "print('', flush=True)\nwhile True: tidy(Path(sys.argv[1]))\n"
    environment = {**os.environ, "PYTHONPATH": str(Path(replacing.__file__).parents[2])}
    command = [sys.executable, "-c", program, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as tidying:
        assert tidying.stdout is not None
        tidying.stdout.readline()
        try:
            for number in range(300):
                replace_file(path, [b"%d" % number])
                assert path.read_bytes() == b"%d" % number
        finally:
            tidying.kill()
            tidying.wait()
    tidy(tmp_path)
    assert names(tmp_path) == ["a.py"]


@needs_posix
def test_the_copy_of_a_linked_file_stays_where_it_is_the_only_whole_one(file: Path) -> None:
    handle, original = create_original(file)
    os.write(handle, OLD)
    os.close(handle)
    file.write_bytes(NEW + OLD[len(NEW) :])  # a run was killed here
    assert tidy(file.parent) == [Interrupted(file, original)]
    assert original.read_bytes() == OLD
    file.write_bytes(OLD)  # the user has put it right
    assert tidy(file.parent) == []
    assert names(file.parent) == ["a.py"]


def test_a_folder_that_is_not_there_has_nothing_to_tidy_up(tmp_path: Path) -> None:
    assert tidy(tmp_path / "nowhere") == []
