"""Cases of torchvision's collections of images: each lays out a few files as those who publish them do."""

from __future__ import annotations

from case import Case, script
from cases_image_data import FILES, D

LAID_OUT = (
    FILES
    + """
import bz2, csv, io, json, lzma, sys, tarfile
from pathlib import Path
def picture(name, *, gray=False):
    shape = (4, 5) if gray else (4, 5, 3)
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    Image.fromarray(draw.integers(0, 256, shape, dtype=np.uint8)).save(path)
def text(name, lines):
    write(name, ''.join(line + '\\n' for line in lines).encode())
def table(name, **values):
    from scipy.io import savemat
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    savemat(path, values)
def unchecked(kind):  # the files here are not those whose sums torchvision knows
    module = sys.modules.get(kind.__module__)
    if hasattr(module, 'check_integrity'):
        module.check_integrity = lambda path, md5=None: os.path.isfile(path)
def told(value):
    if isinstance(value, Image.Image):
        return [value.mode, np.asarray(value)]
    if isinstance(value, (str, Path)):
        return str(value).replace(folder, 'there')
    if isinstance(value, dict):
        return {told(key): told(item) for key, item in value.items()}
    return [told(item) for item in value] if isinstance(value, (list, tuple)) else value
def all_of(d, *names):
    return [len(d), [told(d[i]) for i in range(len(d))], d.extra_repr()] + [told(getattr(d, name)) for name in names]
def error_of(make):
    try:
        return make() and ''
    except Exception as error:
        return type(error).__name__
changed = {'transform': lambda image: np.asarray(image).astype(np.int64).sum(), 'target_transform': lambda target: [target, 1]}
def in_order(d, names, key=None):  # of the file system, which is another one in another folder
    found = [sorted(told(getattr(d, name)), key=key) for name in names]
    return [len(d), sorted([told(d[i]) for i in range(len(d))], key=lambda sample: str(sample)), found]
"""
)


def collection(kind: str, source: str, gone: str = "folder + '/none'") -> Case:
    """What `source` adds to `result`, of a data set of this name; with the arguments `gone` its files are missing."""
    missing = f"result.append(error_of(lambda: {kind}({gone})))\n" if gone else ""
    return script(f"{D}{kind}", f"{LAID_OUT}unchecked({kind})\nresult = []\n{source}{missing}")
