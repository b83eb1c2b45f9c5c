"""Folders that other programs read: arrays for HRM and TRM, the parts of a split, and a dataset of a hub."""

import json

import pytest

import sudoku_pipeline as sp

np = pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def puzzles():
    return sp.generate(30, seed=6).to_arrow()


def test_tables_and_streams_are_written_for_hrm(puzzles, tmp_path, command):
    import subprocess

    sp.dedup(puzzles).write(tmp_path / "of.arrow")
    subprocess.run([command, "convert", tmp_path / "of.arrow", "-o", tmp_path / "theirs", "--format", "hrm"], check=True)
    assert sp.dedup(puzzles).write(tmp_path / "ours", format="hrm") == 30
    assert sp.convert(puzzles).write(tmp_path / "stream", format="hrm") == 30
    theirs = sorted(path.name for path in (tmp_path / "theirs").iterdir() if path.suffix == ".npy")
    assert theirs
    for name in theirs:
        expected = np.load(tmp_path / "theirs" / name)
        for folder in ("ours", "stream"):
            assert (np.load(tmp_path / folder / name) == expected).all()
    with pytest.raises(sp.PipelineError, match="exists"):
        sp.dedup(puzzles).write(tmp_path / "ours", format="hrm")
    sp.augment(puzzles, 1, seed=1).write(tmp_path / "ours", format="hrm", overwrite=True)


@pytest.mark.parametrize("format", ["parquet", "csv.gz", "hrm"])
def test_parts_are_written_to_a_folder(puzzles, tmp_path, format):
    parts = sp.split(puzzles, {"train": 0.7, "test": 0.3}, seed=1)
    rows = parts.write(tmp_path / "sets", format=format)
    assert rows == {name: len(part) for name, part in parts.items()} and sum(rows.values()) == 30
    if format == "hrm":
        assert json.loads((tmp_path / "sets" / "identifiers.json").read_text()) == ["<blank>"]
        assert len(list((tmp_path / "sets" / "train").glob("*.npy"))) > 2
    else:
        read = sp.convert(tmp_path / "sets" / f"train.{format}").to_dict()["puzzle"]
        assert read == parts["train"].to_dict()["puzzle"]


def test_an_audit_is_written_as_a_dataset_of_a_hub(puzzles, tmp_path):
    datasets = pytest.importorskip("datasets")
    audit = sp.audit({"train": puzzles, "test": puzzles.slice(20)})
    rows = audit.write(tmp_path / "hub")
    card = (tmp_path / "hub" / "README.md").read_text()
    assert "train.parquet" in card and ".arrow" not in card.split("## ")[0]
    page = (tmp_path / "hub" / "_report.html").read_text()
    for text in (card, page):
        assert "pipeline validate hub/train.parquet" in text and "hub/train.arrow" not in text and "sudoku-pipeline-" not in text
    assert "pipeline validate audit/train.arrow" in audit.card and "sudoku-pipeline-" not in audit.page
    assert "_charts.svg" not in card or (tmp_path / "hub" / "_charts.svg").exists()
    loaded = datasets.load_dataset(str(tmp_path / "hub"), cache_dir=str(tmp_path / "cache"))
    assert {name: len(part) for name, part in loaded.items()} == rows == {"train": 20, "test": 10}


def test_hugging_face_opens_an_arrow_stream_without_a_copy(puzzles, tmp_path):
    datasets = pytest.importorskip("datasets")
    sp.dedup(puzzles).write(tmp_path / "made.arrows")
    assert len(datasets.Dataset.from_file(str(tmp_path / "made.arrows"))) == 30
