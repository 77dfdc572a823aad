"""torchvision.datasets.utils: files that programs download for data sets of their own, and archives."""

import bz2
import gzip
import hashlib
import lzma
import os
import shutil
import tarfile
import zipfile
from pathlib import Path


def verify_str_arg(value, arg=None, valid_values=None, custom_msg=None):
    """torchvision.datasets.utils.verify_str_arg: a text that is one of those allowed."""
    if not isinstance(value, str):
        raise ValueError(f"{arg or 'the argument'} is a text, not {type(value).__name__}")
    if valid_values is not None and value not in valid_values:
        raise ValueError(custom_msg or f"{arg} is one of {tuple(valid_values)}, not {value}")
    return value


def iterable_to_str(iterable):
    """torchvision.datasets.utils.iterable_to_str: in quotes, with commas between them."""
    joined = "', '".join(map(str, iterable))
    return f"'{joined}'"


def list_dir(root, prefix=False):
    """torchvision.datasets.utils.list_dir: the folders in a folder, in the order of the file system."""
    root = os.path.expanduser(root)
    found = [name for name in os.listdir(root) if os.path.isdir(os.path.join(root, name))]
    return [os.path.join(root, name) for name in found] if prefix is True else found


def list_files(root, suffix, prefix=False):
    """torchvision.datasets.utils.list_files: the files in a folder that end so."""
    root = os.path.expanduser(root)
    names = [name for name in os.listdir(root) if name.endswith(suffix)]
    found = [name for name in names if os.path.isfile(os.path.join(root, name))]
    return [os.path.join(root, name) for name in found] if prefix is True else found


def calculate_md5(fpath, chunk_size=1024 * 1024):
    """torchvision.datasets.utils.calculate_md5: the sum by which a file is known."""
    found = hashlib.md5(usedforsecurity=False)
    with open(fpath, "rb") as file:
        while part := file.read(chunk_size):
            found.update(part)
    return found.hexdigest()


def check_md5(fpath, md5, **kwargs):
    """torchvision.datasets.utils.check_md5."""
    return md5 == calculate_md5(fpath, **kwargs)


def check_integrity(fpath, md5=None):
    """torchvision.datasets.utils.check_integrity: whether a file is there, with this sum."""
    return os.path.isfile(fpath) and (md5 is None or check_md5(fpath, md5))


def fetched(path, md5, fetch):
    """Has `fetch` write a file that is not there, or not with this sum."""
    if check_integrity(path, md5):
        return
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    fetch()
    if not check_integrity(path, md5):
        raise RuntimeError(f"{path} is not what was to be downloaded")


def download_url(url, root, filename=None, md5=None, max_redirect_hops=3):
    """torchvision.datasets.utils.download_url; `max_redirect_hops` is of no account."""
    path = os.path.join(os.path.expanduser(root), filename or os.path.basename(url))
    fetched(path, md5, lambda: download_url_to_file(url, path))


def download_file_from_google_drive(file_id, root, filename=None, md5=None):
    """torchvision.datasets.utils.download_file_from_google_drive: what is not there needs gdown, as with
    torchvision."""
    path = os.path.join(os.path.expanduser(root), filename or file_id)

    def fetch():
        try:
            import gdown
        except ImportError:
            raise RuntimeError(f"gdown is not installed, which downloads {path}") from None
        gdown.download(id=file_id, output=path, quiet=False)

    fetched(path, md5, fetch)


# What opens compressed files, by their endings
OPENERS = {".bz2": bz2.open, ".gz": gzip.open, ".xz": lzma.open}


def kind_of_archive(path):
    """A file's ending, the kind of archive that it stands for, and how that is compressed."""
    short = {".tbz": (".tar", ".bz2"), ".tbz2": (".tar", ".bz2"), ".tgz": (".tar", ".gz")}
    endings = ["", *Path(path).suffixes]
    last, before = endings[-1], endings[-2] if len(endings) > 1 else ""
    if last in short:
        return (last, *short[last])
    if last in (".tar", ".zip"):
        return last, last, None
    if last in OPENERS:
        return (before + last, before, last) if before in (".tar", ".zip") else (last, None, last)
    raise RuntimeError(f"the ending of {path} stands for no archive that is known")


def extract_archive(from_path, to_path=None, remove_finished=False):
    """torchvision.datasets.utils.extract_archive: unpacks an archive or a compressed file."""
    ending, archive, packing = kind_of_archive(from_path)
    made = os.path.dirname(from_path) if to_path is None else to_path
    if archive == ".tar":
        with tarfile.open(from_path) as packed:
            packed.extractall(made, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    elif archive == ".zip":
        with zipfile.ZipFile(from_path) as packed:
            packed.extractall(made)
    else:
        made = os.path.join(made, os.path.basename(from_path).replace(ending, ""))
        with OPENERS[packing](from_path) as packed, open(made, "wb") as file:
            shutil.copyfileobj(packed, file)
    if remove_finished:
        os.remove(from_path)
    return os.fspath(made) if isinstance(from_path, str) else Path(made)


def download_and_extract_archive(
    url, download_root, extract_root=None, filename=None, md5=None, remove_finished=False
):
    """torchvision.datasets.utils.download_and_extract_archive."""
    folder = os.path.expanduser(download_root)
    name = filename or os.path.basename(url)
    download_url(url, folder, name, md5)
    extract_archive(os.path.join(folder, name), extract_root or folder, remove_finished)
