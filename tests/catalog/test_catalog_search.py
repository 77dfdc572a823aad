"""Search: directions, words, typing errors, ranking."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mindport.catalog.catalog import Catalog
from mindport.catalog.explain import counterparts_text

DATA = Path(__file__).resolve().parents[2] / "mapping_data"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("torch.nn.Conv2d", "torch.nn.Conv2d"),
        ("conv2d", "torch.nn.Conv2d"),
        ("batch norm", "torch.nn.functional.batch_norm"),
        ("mindspore.ops.cat", "mindspore.ops.cat"),
        ("Dense", "mindspore.nn.Dense"),
        ("convd2d", "torch.nn.Conv2d"),
        ("softmx", "torch.nn.Softmax"),
        ("linaer", "torch.nn.Linear"),
        ("functional.rel", "torch.nn.functional.relu"),
    ],
)
def test_found_among_the_first(catalog: Catalog, query: str, expected: str) -> None:
    assert expected in [r.name for r in catalog.search(query, 5)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("批归一化", "torch.nn.BatchNorm2d"),
        ("梯度裁剪", "torch.nn.utils.clip_grad_norm_"),
        ("随机种子", "torch.manual_seed"),
        ("损失函数", "torch.nn.CrossEntropyLoss"),
        ("学习率预热策略", "torch.optim.lr_scheduler.LambdaLR"),
        ("如何冻结参数", "torch.nn.Module.requires_grad_"),
        ("保存训练好的模型", "torch.save"),
        ("取最大值的索引", "torch.argmax"),
        ("转为numpy数组", "torch.Tensor.numpy"),
        ("使用GPU", "torch.Tensor.to"),
        ("gradient clipping", "torch.nn.utils.clip_grad_norm_"),
        ("clip gradients by norm", "torch.nn.utils.clip_grad_norm_"),
        ("random seed", "torch.manual_seed"),
        ("load weights", "torch.nn.Module.load_state_dict"),
        ("GELU activation", "torch.nn.GELU"),
        ("to(device)", "torch.Tensor.to"),
        ("Normalise vectors", "torch.nn.functional.normalize"),
        ("how to freeze layers", "torch.nn.Module.requires_grad_"),
        ("early stopping", "mindspore.train.EarlyStopping"),
        ("randomly split data into train and validation", "torch.utils.data.random_split"),
        ("reproducible results with a random seed set once", "torch.manual_seed"),
        ("switch model to evaluation mode", "torch.nn.Module.eval"),
        ("sum messages over graph neighbors", "torch.scatter"),
        ("combine several datasets into one", "torch.utils.data.ConcatDataset"),
        ("防止梯度爆炸", "torch.nn.utils.clip_grad_norm_"),
        ("保存断点恢复训练", "torch.save"),
        ("语音频谱", "torch.stft"),
        ("replace a layer with identity", "torch.nn.Identity"),
        ("draw bounding boxes on an image", "torchvision.utils.draw_bounding_boxes"),
        ("gradient with respect to the input image", "torch.autograd.grad"),
        ("统计每个类别的样本数", "torch.bincount"),
    ],
)
def test_people_find_what_they_mean(catalog: Catalog, query: str, expected: str) -> None:
    assert expected in [r.name for r in catalog.search(query, 3)]


def test_every_api_of_a_concept_is_found_and_every_phrase_is_there_once(catalog: Catalog) -> None:
    table = json.loads((DATA / "curated" / "concepts.json").read_text(encoding="utf-8"))
    phrases = [phrase for entry in table for words in entry["words"].values() for phrase in words]
    assert len({phrase.lower() for phrase in phrases}) == len(phrases)
    for entry in table:
        assert set(entry["words"]) == {"en", "zh-cn"}
        first = entry["words"]["en"][0]
        assert set(entry["apis"]) <= {r.name for r in catalog.search(first, 400)}, first
    apis = {api for entry in table for api in entry["apis"]}
    assert all(catalog.canonical(api) == api for api in apis if api.startswith("torch."))
    assert all(catalog.mindspore_api(api) is not None for api in apis if api.startswith("mindspore."))


def test_words_of_a_sentence_may_be_missing(catalog: Catalog) -> None:
    names = [r.name for r in catalog.search("please replace that wretched lerp somewhere", 5)]
    assert "torch.lerp" in names
    assert catalog.search("zzzz qqqq wwww", 3) == []


def test_what_is_not_needed_is_told(catalog: Catalog) -> None:
    found = {r.name: r for r in catalog.search("to(device)", 5)}
    assert counterparts_text(found["torch.Tensor.cuda"], "en").startswith("(not needed)")
    missing = catalog.search("torch.fx.Tracer")[0]
    assert counterparts_text(missing, "zh-cn") == "（无对应接口）"
    assert counterparts_text(catalog.search("torch.nn.Conv2d")[0], "en").startswith("mindspore.")


def test_an_exact_name_comes_first(catalog: Catalog) -> None:
    first = catalog.search("torch.sum")[0]
    assert first.name == "torch.sum"
    assert first.score == 1.0
    assert "mindspore.mint.sum" in first.counterparts


def test_back_from_mindspore(catalog: Catalog) -> None:
    assert "torch.nn.Linear" in catalog.search("mindspore.nn.Dense")[0].counterparts


def test_nothing_and_nonsense(catalog: Catalog) -> None:
    assert catalog.search("") == []
    assert catalog.search("   ") == []
    assert catalog.search("conv", 0) == []
    assert catalog.search("zzzzqqqq") == []


def test_scores_fall(catalog: Catalog) -> None:
    scores = [r.score for r in catalog.search("norm", 20)]
    assert len(scores) == 20
    assert scores == sorted(scores, reverse=True)


def test_letters_of_chinese_phrases_are_no_words_of_an_english_sentence(catalog: Catalog) -> None:
    names = [r.name for r in catalog.search("reproducible results with a random seed set once", 3)]
    assert "torch.nn.MSELoss" not in names
