"""The page about one API."""

from __future__ import annotations

import pytest
from mindport.catalog.catalog import Catalog
from mindport.catalog.explain import explain
from mindport.catalog.target import Target


def test_parts_of_a_page(catalog: Catalog) -> None:
    page = explain(catalog, "torch.nn.Conv2d", Target(device="cpu"), "en")
    assert page.startswith("### `torch.nn.Conv2d` → `mindspore.nn.Conv2d`\n")
    assert "torch.nn.Conv2d(in_channels, out_channels, kernel_size, stride=1" in page
    assert "mindspore.nn.Conv2d(in_channels, out_channels, kernel_size" in page
    assert "| `bias=True` | `has_bias=False` |" in page
    assert "documented for Ascend, GPU, CPU" in page
    assert "https://docs.pytorch.org/docs/2.13/generated/torch.nn.Conv2d.html" in page
    assert "https://www.mindspore.cn/docs/en/r2.10.0/api_python/nn/mindspore.nn.Conv2d.html" in page


def test_grave_differences_come_first(catalog: Catalog) -> None:
    page = explain(catalog, "torch.nn.Conv2d", Target(device="cpu"), "en")
    assert page.index("`has_bias=False`") < page.index("`device=None`")


def test_chinese(catalog: Catalog) -> None:
    page = explain(catalog, "torch.nn.BatchNorm2d", Target(style="classic"), "zh-cn")
    assert "移动统计量" in page
    assert "/docs/zh-CN/r2.10.0/" in page
    assert "Documented" not in page


def test_aliases_lead_to_the_same_page(catalog: Catalog) -> None:
    first = explain(catalog, "torch.nn.modules.conv.Conv2d", Target(), "en")
    assert first == explain(catalog, "torch.nn.Conv2d", Target(), "en")


@pytest.mark.parametrize("language", ["en", "zh-cn"])
def test_not_needed_has_advice(catalog: Catalog, language: str) -> None:
    page = explain(catalog, "torch.no_grad", Target(), language)  # type: ignore[arg-type]
    assert "value_and_grad" in page


def test_mindspore_names_are_explained(catalog: Catalog) -> None:
    page = explain(catalog, "mindspore.nn.Dense", Target(), "en")
    assert "Equivalent of:\n\n- `torch.nn.Linear`" in page


def test_templates_are_shown_as_code(catalog: Catalog) -> None:
    page = explain(catalog, "torch.special.entr", Target(), "en")
    assert "```python\nmindspore.ops.where(input > 0" in page
    assert "MindSpore 2." in page


def test_missing_apis_have_a_reason_and_a_way_out(catalog: Catalog) -> None:
    page = explain(catalog, "torch.special.chebyshev_polynomial_t", Target(), "en")
    assert "Why: " in page
    assert "Workaround: wrap existing APIs in a helper." in page
    assert "```python\ndef chebyshev_polynomial_t(" in page
    assert "解决办法：" in explain(catalog, "torch.special.chebyshev_polynomial_t", Target(), "zh-cn")


def test_a_parameter_is_told_of_once(catalog: Catalog) -> None:
    page = explain(catalog, "torch.Tensor.to", Target(), "en")
    assert page.count("\n| `device") == 1 and "There is no `device`" not in page
    page = explain(catalog, "torch.nn.Module.load_state_dict", Target(), "en")
    assert (
        "mindspore.nn.Cell.load_state_dict(state_dict, strict=True)" in page
        and page.count("\n| `assign") == 1
    )


def test_the_same_parameters_are_in_both_signatures(catalog: Catalog) -> None:
    page = explain(catalog, "torch.cuda.amp.GradScaler", Target(), "en")
    assert "`growth_factor`" not in page.replace("growth_factor=2.0", "")
    page = explain(catalog, "torch.addcdiv", Target(device="cpu"), "en")
    same = next(line for line in page.splitlines() if line.startswith("Same parameters"))
    assert "`tensor1`" in same and "`self`" not in same


def test_unknown_names_get_suggestions(catalog: Catalog) -> None:
    page = explain(catalog, "torch.nn.Convd2d", Target(), "en")
    assert "`torch.nn.Convd2d` is not in the mapping table." in page
    assert "`torch.nn.Conv2d`" in page


def test_tensor_methods_and_modules_have_links(catalog: Catalog) -> None:
    page = explain(catalog, "torch.Tensor.permute", Target(), "en")
    assert "generated/torch.Tensor.permute.html" in page
    assert "api_python/mindspore/Tensor/mindspore.Tensor.permute.html" in page
    assert "docs/2.13/nn.html" in explain(catalog, "torch.nn", Target(), "en")


def test_every_page_can_be_written(catalog: Catalog) -> None:
    for name in list(catalog.correspondences)[::20]:
        for language in ("en", "zh-cn"):
            assert explain(catalog, name, Target(), language).startswith(("### `", "`", "映射表中没有"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("mindspore.runtime.synchronize", "runtime/mindspore.runtime.synchronize.html"),
        (
            "mindspore.runtime.Stream.query",
            "runtime/mindspore.runtime.Stream.html#mindspore.runtime.Stream.query",
        ),
        ("mindspore.hal.is_available", "hal/mindspore.hal.is_available.html"),
    ],
)
def test_modules_with_a_folder_of_their_own(catalog: Catalog, name: str, page: str) -> None:
    link = catalog.mindspore_link(name, "2.10", "en")
    assert link == f"https://www.mindspore.cn/docs/en/r2.10.0/api_python/{page}"
