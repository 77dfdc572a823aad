"""The text of an issue that asks the MindSpore community for an API it does not have."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mindport.app.environment import installed_version
from mindport.catalog.explain import code_block, signature_lines
from mindport.catalog.ran_text import DEVICES
from mindport.language import Language, Text
from mindport.source.error import TextError

if TYPE_CHECKING:
    from mindport.catalog.answer import Answer
    from mindport.catalog.catalog import Catalog
    from mindport.catalog.target import Target

TRACKER: Final = "https://atomgit.com/mindspore/mindspore"
"""The repository of MindSpore, whose issues are to be filed there."""
_PACKAGES: Final = ("mindspore", "torch", "numpy")
_TITLE = Text("# Add an equivalent of `{api}`", "# 希望增加 `{api}` 的对应接口")
_MISSING = Text(
    "MindSpore {version} has no equivalent of [`{api}`]({link}) ({device}). We need it to migrate PyTorch "
    "code.",
    "MindSpore {version} 中没有 [`{api}`]({link}) 的对应接口（{device}）。我们在迁移 PyTorch 代码时需要该接"
    "口。",
)
_SIGNATURE = Text("## Signature in PyTorch", "## PyTorch 中的签名")
_CALL = Text("## Our call", "## 我们的调用")
_PLACEHOLDER = Text(
    "# Your call, with the shapes and dtypes of its arguments",
    "# 请填写您的调用，以及各实参的 shape 和 dtype",
)
_KNOWN = Text("## What is known", "## 已知情况")
_EXPECTED = Text("## What we expect", "## 期望")
_SAME = Text(
    "The results and gradients of PyTorch for the same inputs, in PyNative mode and in graph mode.",
    "对同样的输入，结果和梯度与 PyTorch 一致，动态图模式（PyNative）和静态图模式均可用。",
)
_ENVIRONMENT = Text("## Environment", "## 环境")
_TARGET = Text("- MindSpore to migrate to: {version}, {device}", "- 目标 MindSpore：{version}，{device}")
_NOT_INSTALLED = Text("not installed", "未安装")
_PACKAGE = Text("- {name}: {version}", "- {name}：{version}")
_SYSTEM = Text("- system: {system}", "- 系统：{system}")
_NOT_MISSING = Text(
    "Nothing to ask for: {api} is not missing in MindSpore {version}. See: mindport explain {api}",
    "无需提交 issue：MindSpore {version} 并不缺少 {api}。请参阅：mindport explain {api}",
)


class NotMissingError(TextError):
    """An API that nobody needs to ask for."""


def missing_api_issue(catalog: Catalog, name: str, target: Target, language: Language, call: str = "") -> str:
    """An issue in Markdown about a torch API (any of its names in the catalog) that MindSpore does not have:
    its signature, the user's call, what is known, and the versions of this environment. Raises
    NotMissingError."""
    api = catalog.canonical(name)
    if api is None or catalog.answer(api, target).status != "missing":
        raise NotMissingError(_NOT_MISSING, api=api or name, version=target.version)
    known = catalog.api(api)
    values = {
        "api": api,
        "link": catalog.torch_link(api),
        "version": target.version,
        "device": DEVICES[target.device],
    }
    parts = [
        _TITLE.render(language, **values),
        _MISSING.render(language, **values),
        _SIGNATURE.render(language),
        code_block(signature_lines(known) if known is not None else [api]),
        _CALL.render(language),
        code_block([call or _PLACEHOLDER.render(language)]),
        *_what_is_known(catalog.answer(api, target), language),
        _EXPECTED.render(language),
        _SAME.render(language),
        _ENVIRONMENT.render(language),
        "\n".join([_TARGET.render(language, **values), *_environment(language)]),
    ]
    return "\n\n".join(parts) + "\n"


def _what_is_known(answer: Answer, language: Language) -> Iterator[str]:
    """Why the API is missing and what serves instead, as far as somebody wrote it down."""
    way_out = answer.way_out
    texts = [
        text for text in (answer.reason, way_out.text if way_out is not None else None) if text is not None
    ]
    if not texts:
        return
    yield _KNOWN.render(language)
    yield from (text.render(language) for text in texts)
    if way_out is not None and way_out.code:
        yield code_block([way_out.code])


def _environment(language: Language) -> Iterator[str]:
    for name in _PACKAGES:
        version = installed_version(name) or _NOT_INSTALLED.render(language)
        yield _PACKAGE.render(language, name=name, version=version)
    yield _PACKAGE.render(language, name="Python", version=platform.python_version())
    yield _SYSTEM.render(language, system=platform.platform())
