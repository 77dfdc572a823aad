"""Collects the wheels that the VS Code extension brings: mindport, what it needs, and pip to install them.

For the target `universal` these are the wheels that are the same on every platform; for the others, such as
`linux-x64` or `win32-arm64`, the native ones are added for every Python that mindport supports, so that a
private environment is made without network. Versions are those of constraints.txt. Compiled wheels of
mindport, as cibuildwheel leaves them in a folder, come along where they are for the target: of each only the
libraries, as a wheel of its own that is installed beside the pure one (`only_libraries`). Files in the other
wheels are not compressed: the package compresses each wheel as a whole, which is 2 MB smaller. `wheels.json`
lists what was collected, with the digest of each wheel here and as it was published.

    python scripts/vscode_wheels.py --target linux-x64 --wheel dist/mindport-0.1.0-py3-none-any.whl
    python scripts/vscode_wheels.py --target linux-x64 --compiled dist
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from email.message import Message
from email.parser import HeaderParser
from pathlib import Path
from zipfile import ZIP_LZMA, ZIP_STORED, ZipFile, ZipInfo

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

ROOT = Path(__file__).resolve().parents[1]
WHEELS = ROOT / "vscode-client" / "wheels"
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
COMPILED_FOR = ("3.11", "3.12", "3.13", "3.14")
"""The Pythons that get the compiled server: 3.10 is no longer maintained, and gets the pure one."""
UNIVERSAL = "universal"
PLATFORMS: dict[str, tuple[tuple[str, ...], str]] = {
    "linux-x64": (("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"), "linux"),
    "linux-arm64": (("manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64"), "linux"),
    "darwin-x64": (("macosx_11_0_x86_64", "macosx_10_12_x86_64", "macosx_10_9_x86_64"), "darwin"),
    "darwin-arm64": (("macosx_11_0_arm64",), "darwin"),
    "win32-x64": (("win_amd64",), "win32"),
    "win32-arm64": (("win_arm64",), "win32"),
}
"""By the target of VS Code: what pip calls the platform, and the value of `sys.platform` there."""
PLATFORMS_OF_WHEELS = {
    "linux-x64": r"manylinux\w*_x86_64",
    "linux-arm64": r"manylinux\w*_aarch64",
    "darwin-x64": r"macosx_\w+_x86_64",
    "darwin-arm64": r"macosx_\w+_arm64",
    "win32-x64": "win_amd64",
    "win32-arm64": "win_arm64",
}
"""By the target of VS Code: a pattern of the platforms that compiled wheels of mindport are for."""
COMPILED = "mindport_compiled-"
"""How the names of wheels begin that have the libraries alone."""
LACKING = {("win32-arm64", "3.10")}
"""Where no wheels are looked for: python.org has no Python 3.10 for Windows on Arm."""
ONE_OF_EACH = ("linux-x64", "darwin-arm64", "win32-x64")
"""A platform of each system: together they need every pure wheel that any needs."""


def collect(
    target: str,
    mindport: Path,
    folder: Path,
    pythons: Sequence[str] = PYTHONS,
    compiled: Sequence[Path] = (),
) -> list[Path]:
    """Fill `folder` with the wheels for `target`, and nothing else; the wheels, sorted.

    `mindport` is the pure wheel, `compiled` are wheels of which those for `target` come along. Raises
    subprocess.CalledProcessError if pip finds no wheel of a version in constraints.txt.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy2(mindport, folder)
    for wheel in compiled:
        if suits(wheel, target, pythons):
            only_libraries(wheel, folder)
    pythons = [python for python in pythons if (target, python) not in LACKING]
    download(["pip"], folder, ONE_OF_EACH[0], pythons[0])
    for platform in ONE_OF_EACH if target == UNIVERSAL else [target]:
        for python in pythons:
            collect_one(platform, python, mindport, folder)
    if target == UNIVERSAL:
        for wheel in folder.glob("*.whl"):
            if is_native(wheel):
                wheel.unlink()
    wheels = sorted(folder.glob("*.whl"))
    published = {wheel: digest(wheel) for wheel in wheels}
    for wheel in wheels:
        if not wheel.name.startswith(COMPILED):
            pack_anew(wheel, ZIP_STORED)
    described = [{**describe(wheel), "published": published[wheel]} for wheel in wheels]
    listed = {"target": target, "pythons": list(pythons), "wheels": described}
    (folder / "wheels.json").write_text(json.dumps(listed, indent=1) + "\n", "utf-8")
    return wheels


def collect_one(target: str, python: str, mindport: Path, folder: Path) -> None:
    """Download what mindport needs on one platform with one Python.

    pip heeds the markers of the Python that it runs in, so what others name is asked for until nothing lacks.
    """
    wanted = {"mindport": str(mindport)}
    while True:
        with tempfile.TemporaryDirectory() as temporary:
            download(list(wanted.values()), Path(temporary), target, python)
            found = {project(wheel): wheel for wheel in Path(temporary).glob("*.whl")}
            lacking = needed(found, target, python) - found.keys()
            if not lacking:
                for wheel in found.values():
                    shutil.copy2(wheel, folder)
                return
        wanted.update({name: name for name in lacking})


def needed(found: dict[str, Path], target: str, python: str) -> set[str]:
    """The names of all packages that mindport needs on this platform, as far as their wheels are found."""
    environment = facts(target, python)
    names: set[str] = set()
    waiting = ["mindport"]
    while waiting:
        name = waiting.pop()
        if name in names:
            continue
        names.add(name)
        if name in found:
            requirements = map(Requirement, metadata(found[name]).get_all("Requires-Dist") or [])
            waiting.extend(
                canonicalize_name(each.name)
                for each in requirements
                if each.marker is None or each.marker.evaluate(environment)
            )
    return names


def facts(target: str, python: str) -> dict[str, str]:
    """What the markers of requirements ask for, with a Python on a platform of VS Code."""
    system = PLATFORMS[target][1]
    return {
        "extra": "",
        "implementation_name": "cpython",
        "implementation_version": f"{python}.0",
        "os_name": "nt" if system == "win32" else "posix",
        "platform_machine": "arm64" if target.endswith("arm64") else "x86_64",
        "platform_python_implementation": "CPython",
        "platform_release": "",
        "platform_system": {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}[system],
        "platform_version": "",
        "python_full_version": f"{python}.0",
        "python_version": python,
        "sys_platform": system,
    }


def download(requirements: Sequence[str], folder: Path, target: str, python: str) -> None:
    """Download wheels as pip chooses them for a platform and a Python, within constraints.txt."""
    places = [argument for tag in PLATFORMS[target][0] for argument in ("--platform", tag)]
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as constraints:
        constraints.writelines(f"{pin}\n" for pin in pins(target, python))
        constraints.flush()
        command = [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"),
            *("--only-binary", ":all:", "--implementation", "cp", "--python-version", python, *places),
            *("--constraint", constraints.name, "--dest", str(folder), *requirements),
        ]
        subprocess.run(command, check=True)


def pins(target: str, python: str) -> Iterator[str]:
    """The lines of constraints.txt that hold for this Python: pip itself would ask the Python it runs in."""
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            pin = Requirement(line)
            if pin.marker is None or pin.marker.evaluate(facts(target, python)):
                yield f"{pin.name}{pin.specifier}"


def describe(wheel: Path) -> dict[str, str]:
    """What the list of wheels says of one."""
    header = metadata(wheel)
    return {
        "file": wheel.name,
        "name": header["Name"],
        "version": header["Version"],
        "license": license_of(header),
        "sha256": digest(wheel),
    }


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def pack_anew(archive: Path, compression: int, level: int | None = None) -> None:
    """Write a wheel or a package anew, the same files in the same order, compressed like this."""
    made = archive.with_suffix(".anew")
    with ZipFile(archive) as before, ZipFile(made, "w") as after:
        for info in before.infolist():
            written = ZipInfo(info.filename, info.date_time)
            written.external_attr = info.external_attr
            after.writestr(written, before.read(info), compression, level)
    made.replace(archive)


def license_of(header: Message) -> str:
    """The licence a package states: as an expression, else by its classifiers, else in words."""
    if header["License-Expression"]:
        return str(header["License-Expression"])
    classifiers = [
        each.split(" :: ")[-1] for each in header.get_all("Classifier") or [] if "License ::" in each
    ]
    return ", ".join(classifiers) or str(header["License"] or "").split("\n")[0]


def metadata(wheel: Path) -> Message:
    with ZipFile(wheel) as archive:
        name = next(each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
        return HeaderParser().parsestr(archive.read(name).decode("utf-8"))


def project(wheel: Path) -> str:
    return str(parse_wheel_filename(wheel.name)[0])


def is_native(wheel: Path) -> bool:
    return any(tag.platform != "any" for tag in parse_wheel_filename(wheel.name)[3])


def suits(wheel: Path, target: str, pythons: Sequence[str]) -> bool:
    """Whether a compiled wheel is for one of the Pythons on a platform of VS Code, whose Linux has glibc."""
    if target == UNIVERSAL:
        return False
    interpreters = {f"cp{python.replace('.', '')}" for python in pythons if python in COMPILED_FOR}
    return any(
        tag.interpreter in interpreters and re.fullmatch(PLATFORMS_OF_WHEELS[target], tag.platform)
        for tag in parse_wheel_filename(wheel.name)[3]
    )


def only_libraries(wheel: Path, folder: Path) -> Path:
    """A wheel of the package `mindport-compiled` with the libraries of a compiled wheel of mindport alone.

    Python imports these before the sources that the pure wheel has; all else would be in the package once for
    each Python. It is packed with LZMA, which is a quarter smaller: pip unpacks that where Python can.
    """
    made = folder / wheel.name.replace("mindport-", COMPILED, 1)
    with ZipFile(wheel) as before, ZipFile(made, "w", ZIP_LZMA) as after:
        known = {info.filename: info for info in before.infolist()}
        tags = next(name for name in known if name.endswith(".dist-info/WHEEL"))
        folder_name = tags.split("/")[0].replace("mindport-", COMPILED, 1)
        version = wheel.name.split("-")[1]
        contents = {name: before.read(name) for name in known if name.endswith((".so", ".pyd"))}
        contents[f"{folder_name}/METADATA"] = (
            f"Metadata-Version: 2.1\nName: mindport-compiled\nVersion: {version}\n"
            f"License-Expression: Apache-2.0\nRequires-Dist: mindport=={version}\n"
        ).encode()
        contents[f"{folder_name}/WHEEL"] = before.read(tags)
        record = [f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in contents.items()]
        contents[f"{folder_name}/RECORD"] = "".join([*record, f"{folder_name}/RECORD,,\n"]).encode()
        for name, data in contents.items():
            info = ZipInfo(name, known[tags].date_time)
            info.external_attr = known[name].external_attr if name in known else 0o644 << 16
            after.writestr(info, data, ZIP_LZMA)
    return made


def _digest(data: bytes) -> str:
    """The digest of a file as wheels record it."""
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


def compiled_in(folder: Path | None) -> list[Path]:
    """The compiled wheels of mindport in a folder. Raises SystemExit if there is none."""
    if folder is None:
        return []
    wheels = [wheel for wheel in sorted(folder.glob("mindport-*.whl")) if is_native(wheel)]
    if not wheels:
        raise SystemExit(f"{folder}: there is no compiled wheel of mindport: build them with cibuildwheel")
    return wheels


def build_mindport(folder: Path) -> Path:
    """Build the wheel that is the same on every platform into `folder`."""
    environment = {**os.environ, "MINDPORT_COMPILE": ""}
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    return next(folder.glob("mindport-*.whl"))


def sizes(wheels: Sequence[Path]) -> Iterator[str]:
    """Lines that say how large the wheels are."""
    sizes = {wheel: packed_size(wheel) for wheel in wheels}
    native = sum(size for wheel, size in sizes.items() if is_native(wheel))
    total = sum(sizes.values())
    yield f"{len(wheels)} wheels, {total / 1e6:.1f} MB in a package, of which native {native / 1e6:.1f} MB"


def packed_size(wheel: Path) -> int:
    """How much of a package a wheel is."""
    return len(zlib.compress(wheel.read_bytes()))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--target", choices=[UNIVERSAL, *PLATFORMS], default=UNIVERSAL)
    parser.add_argument("--python", action="append", choices=PYTHONS, help="only for this Python; repeatable")
    parser.add_argument("--wheel", type=Path, help="mindport's own wheel; built if absent")
    parser.add_argument("--compiled", type=Path, help="a folder with compiled wheels of mindport")
    parser.add_argument("--folder", type=Path, default=WHEELS)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        wheel = arguments.wheel or build_mindport(Path(temporary))
        compiled = compiled_in(arguments.compiled)
        wheels = collect(arguments.target, wheel, arguments.folder, arguments.python or PYTHONS, compiled)
    print(f"{arguments.target}:", *sizes(wheels))


if __name__ == "__main__":
    main()
