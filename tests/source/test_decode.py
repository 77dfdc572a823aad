"""Files on disk: what is read, what is refused and with which words, and what is written back."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mindport.source import decode as module
from mindport.source.decode import DecodedSource, SourceError, decode, encode, read_source
from source_texts import texts

CODECS = ("utf-8", "gbk", "gb18030", "big5", "shift_jis", "euc_kr", "latin-1", "cp1252", "koi8-r", "ascii")


def representable(text: str, codec: str) -> str:
    """`text` without the characters that the codec lacks."""
    return text.encode(codec, errors="ignore").decode(codec, errors="ignore")


@given(
    texts, st.sampled_from(CODECS), st.sampled_from(["# coding: {}", "#!/bin/sh\n# vim: fileencoding={} :"])
)
def test_written_back_unchanged(text: str, codec: str, cookie: str) -> None:
    body = representable(text.replace("\0", ""), codec)
    data = (cookie.format(codec) + "\n" + body).encode(codec)
    source = decode(data)
    assert source.text_utf8.decode() == data.decode(codec)
    assert source.encoding == codecs.lookup(codec).name
    if source.exact:
        assert encode(source.text_utf8, source) == data
    else:
        assert data.decode(codec).encode(codec) != data


@given(texts, st.booleans())
def test_utf8_is_written_back_unchanged(text: str, bom: bool) -> None:
    data = b"\n\n" + text.replace("\0", "").encode()
    data = codecs.BOM_UTF8 + data if bom else data
    source = decode(data)
    assert source == DecodedSource(data[3:] if bom else data, "utf-8", bom)
    assert encode(source.text_utf8, source) == data


@given(st.binary(max_size=60))
def test_any_bytes_are_either_read_or_refused(data: bytes) -> None:
    for cookie in (b"", b"# coding: gbk\n", b"# coding: utf-7\n"):
        try:
            source = decode(cookie + data)
        except SourceError as error:
            assert error.render("en") != error.render("zh-cn")
            continue
        source.text_utf8.decode()
        if source.exact:
            assert encode(source.text_utf8, source) == cookie + data


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"", "utf-8"),
        (b"# -*- coding: UTF8 -*-\n", "utf-8"),
        (b"# coding: utf-8-unix\n", "utf-8"),
        (b"# coding: Latin_1-dos\n\xe9", "iso8859-1"),
        (b"\x0c # coding=gbk\n", "gbk"),
        (b"\r\n# coding: gbk\r\n", "gbk"),
        (b"\r# coding: gbk\r", "gbk"),
        (b"# first\n# second\n# coding: unknown-here\n", "utf-8"),
        (b"x = 1\n# coding: unknown-here\n", "utf-8"),
        (b"x = 1 # coding: unknown-here\n", "utf-8"),
        (b"#" + b"x" * 5000 + b"\n# coding: gbk\n", "gbk"),
    ],
)
def test_the_encoding_is_found_as_python_finds_it(data: bytes, encoding: str) -> None:
    assert decode(data).encoding == encoding


REFUSED = [
    (b"\xff\xfea\0", None, "The file is encoded in UTF-16", "文件编码为 UTF-16"),
    (b"\xfe\xff\0a", None, "The file is encoded in UTF-16", "文件编码为 UTF-16"),
    (b"\xff\xfe\0\0a\0\0\0", None, "The file is encoded in UTF-32", "文件编码为 UTF-32"),
    (
        b"a\r\nb\0",
        2,
        "The file is not text: it has a NUL byte at offset 4 (line 2)",
        "偏移 4 处（第 2 行）有 NUL",
    ),
    (b"\x7fELF\x02\0", 1, "The file is not text", "文件不是文本"),
    (b"#\n# coding: klingon\n", 2, "Line 2 declares the encoding 'klingon'", "第 2 行声明的编码 'klingon'"),
    (b"# coding: hex\n", 1, "Line 1 declares the encoding 'hex'", "第 1 行声明的编码 'hex'"),
    (codecs.BOM_UTF8 + b"# coding: gbk\n", 1, "begins with a UTF-8 byte order mark", "以 UTF-8 字节序标记"),
    (b"# coding: cp500\n", 1, "the file is not in that encoding", "文件并非该编码"),
    (b"a\nb = '\xe9'\n", 2, "The byte at offset 7 (line 2) is not valid UTF-8", "偏移 7 处（第 2 行）的字节"),
    (
        codecs.BOM_UTF8 + b"\xff",
        1,
        "The byte at offset 3 (line 1) is not valid UTF-8",
        "偏移 3 处（第 1 行）",
    ),
    (b"# coding: gbk\n\xff", 2, "The byte at offset 14 (line 2) is not valid GBK", "偏移 14 处（第 2 行）"),
    (b"# coding: ascii\n\xc3\xa9", 2, "is not valid ASCII", "不是有效的 ASCII 编码"),
]


@pytest.mark.parametrize(("data", "line", "english", "chinese"), REFUSED)
def test_what_is_no_python_text_is_refused(data: bytes, line: int | None, english: str, chinese: str) -> None:
    with pytest.raises(SourceError) as caught:
        decode(data)
    assert english in str(caught.value)
    assert chinese in caught.value.render("zh-cn")
    assert caught.value.line == line


def test_a_character_the_encoding_lacks_is_not_written() -> None:
    source = decode(b"# coding: latin-1\n\nx = '\xe9'\n")
    with pytest.raises(SourceError) as caught:
        encode(source.text_utf8.replace("é".encode(), "好".encode()), source)
    assert str(caught.value).startswith("Line 3 has the character '好', which the file's encoding iso8859-1")
    assert caught.value.render("zh-cn").startswith("第 3 行的字符 '好' 无法用文件编码 iso8859-1 表示")
    assert caught.value.line == 3


def test_an_encoding_that_would_change_other_bytes_is_not_written() -> None:
    source = decode(b"# coding: utf-7\nx = '+AOk-'\n")
    assert source.text_utf8 == "# coding: utf-7\nx = 'é'\n".encode()
    assert not source.exact
    with pytest.raises(SourceError) as caught:
        encode(source.text_utf8, source)
    assert "cannot be written back in utf-7" in str(caught.value)
    assert "以 utf-7 写回文件会改动其他位置的字节" in caught.value.render("zh-cn")


def refusal(path: Path) -> SourceError:
    with pytest.raises(SourceError) as caught:
        read_source(path)
    return caught.value


def test_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes("# coding: gbk\r\n# 中文\r\n".encode("gbk"))
    assert read_source(path) == DecodedSource("# coding: gbk\r\n# 中文\r\n".encode(), "gbk", False)


@pytest.mark.parametrize("name", ["missing.py", "with\0nul.py", "file.txt/inside.py"])
def test_a_missing_file(tmp_path: Path, name: str) -> None:
    (tmp_path / "file.txt").touch()
    error = refusal(tmp_path / name)
    assert str(error) == f"No such file or folder: {tmp_path / name}"
    assert error.render("zh-cn") == f"文件或文件夹不存在：{tmp_path / name}"


def test_a_directory(tmp_path: Path) -> None:
    assert str(refusal(tmp_path)) == f"Not a file but a folder: {tmp_path}"
    assert refusal(tmp_path).render("zh-cn") == f"路径是文件夹而不是文件：{tmp_path}"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    path = tmp_path / "pipe.py"
    os.mkfifo(path)
    assert str(refusal(path)) == f"Not a regular file: {path}"
    assert refusal(path).render("zh-cn") == f"不是普通文件：{path}"


def test_a_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = 1\n")
    path.chmod(0)
    if os.access(path, os.R_OK):  # permissions do not hold for the superuser

        def refuse(*_: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "open", refuse)
    assert str(refusal(path)) == f"No permission to read: {path}"
    assert refusal(path).render("zh-cn") == f"没有读取权限：{path}"


def test_a_circle_of_links_tells_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.symlink_to(path)
    assert str(refusal(path)).startswith(f"Cannot read {path}: ")
    assert refusal(path).render("zh-cn").startswith(f"无法读取 {path}：")


def test_a_file_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_SOURCE_BYTES", 10)
    path = tmp_path / "a.py"
    path.write_bytes(b"#" * 10)
    assert len(read_source(path).text_utf8) == 10
    path.write_bytes(b"#" * 12)
    assert str(refusal(path)) == f"The file is too large: {path} has 12 bytes; the limit is 10 bytes."
    assert refusal(path).render("zh-cn") == f"文件过大：{path} 有 12 字节，上限为 10 字节。"
