"""A teacher: its fit, its labels, and a student of it."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gomoku_brain
from gomoku_brain.eval.evaluate import BoardEvaluator
from gomoku_brain.eval.weights import Part, pack_weights, unpack_weights
from gomoku_brain.lab.train import teacher, trainer
from gomoku_brain.lab.train.losses import sigmoid
from gomoku_brain.lab.train.packed import Positions, fingerprint, labels_in
from gomoku_brain.lab.train.teacher import TeacherRun, main, teacher_in
from gomoku_brain.lab.train.teacher_labels import main as label
from tests.lab.train.games import pack_files, write_lines

pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("default")  # torch has warnings of its own

SHIPPED = Path(gomoku_brain.__file__).parent / "data" / "weights-freestyle.bin"
SMALL = "--blocks 1 --channels 4 --batch 64 --epochs 2 --rate 0.01 --judged 40".split()


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Options of a run that corrects a file without any knowledge."""
    known = unpack_weights(SHIPPED.read_bytes())
    parts = known.parts.items()
    empty = {name: Part(part.shape, bytes(len(part.numbers))) for name, part in parts}
    path = tmp_path_factory.mktemp("weights") / "empty.bin"
    path.write_bytes(pack_weights(replace(known, parts=empty)))
    return [*SMALL, "--correct", str(path)]


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    return write_lines(tmp_path_factory.mktemp("lines"))


@pytest.fixture(scope="module")
def data(lines):
    return pack_files(lines)


@pytest.fixture(scope="module")
def run(data, small, tmp_path_factory):
    """A finished run."""
    folder = tmp_path_factory.mktemp("run")
    assert main([str(folder), *map(str, data), *small, "--test", str(data[1])]) == 0
    return folder


def losses_of(folder):
    lines = (folder / "losses.jsonl").read_text().splitlines()
    found = [json.loads(line) for line in lines]
    for line in found:
        line.pop("seconds", None)
        line.pop("positions_a_second", None)
    return found


def test_a_run_ends_with_losses_of_all_kinds(run, data):
    *steps, last = losses_of(run)
    assert steps[-1]["fitted"] < steps[0]["fitted"]
    kinds = {"results", "evaluated", "test"}
    for kind in kinds:
        assert 0.2 < last[f"{kind}_8"] < 1.5
        assert last[kind] != last[f"{kind}_8"]
        assert last[f"{kind}_aligned"] < last[kind]
    assert last["results_positions"] <= 40
    assert last["positions"] == (~Positions(data).held_out).sum()


def test_a_test_of_other_sizes_is_refused_before_the_fit(data, small, tmp_path, capsys):
    other = tmp_path / "other.packed"
    shutil.copytree(data[1], other)
    sizes = (other / "size").read_bytes()
    (other / "size").write_bytes(b"\r" * len(sizes))  # boards of 13
    words = [str(tmp_path / "run"), *map(str, data), *small, "--test", str(other)]
    assert main(words) == 2
    assert "--test has boards of sizes that the data lack" in capsys.readouterr().err


class Cut(Exception):
    pass


def test_a_run_that_was_cut_ends_with_the_same_numbers(
    run, data, small, tmp_path, monkeypatch
):
    words = [str(tmp_path), *map(str, data), *small, "--test", str(data[1])]
    whole = TeacherRun.train

    def cut(self):
        for _ in whole(self):
            yield
            if self.step == self.batches + 2:
                raise Cut

    with monkeypatch.context() as patch:
        patch.setattr(TeacherRun, "train", cut)
        with pytest.raises(Cut):
            main([*words, "--checkpoint", "0"])
    with pytest.raises(ValueError, match=r"step 1?[0-9] of [0-9]+: finish it"):
        teacher_in(tmp_path / "teacher.pt")
    assert main(words) == 0
    assert losses_of(tmp_path) == losses_of(run)
    both = [teacher_in(folder / "teacher.pt").net for folder in (tmp_path, run)]
    states = [net.state_dict() for net in both]
    assert all((states[0][name] == states[1][name]).all() for name in states[0])
    assert main(words) == 0  # nothing is left to do
    assert losses_of(tmp_path) == losses_of(run)


def test_fewer_positions_are_those_of_the_first_games(data, small, tmp_path, capsys):
    words = [str(tmp_path), *map(str, data), *small, "--positions", "100"]
    assert main(words) == 0
    assert losses_of(tmp_path)[-1]["positions"] == 100
    assert main([*words[:-1], "101"]) == 2
    assert "is of another run" in capsys.readouterr().err
    (tmp_path / "teacher.pt").write_bytes(b"nothing")
    assert main(words) == 2
    assert "not a checkpoint of a teacher" in capsys.readouterr().err


def test_a_batch_has_one_size_and_an_epoch_every_position(data, small, tmp_path):
    seen = []

    class Seen(TeacherRun):
        def _fit(self, batch):
            seen.append(batch)

    run = Seen(teacher_options([str(tmp_path), *map(str, data), *small]))
    assert len(list(run.train())) == run.steps == 2 * run.batches
    for batch in seen:
        assert len(set(run.data.size[batch])) == 1
    for half in (seen[: run.batches], seen[run.batches :]):
        assert (np.sort(np.concatenate(half)) == run.fitted).all()


def teacher_options(words):
    """The options of a run, as the program parses them."""
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(teacher, "_train", found.append)
        main(words)
    return found[0]


def test_the_mean_of_all_images_is_equal_for_every_image(run, data):
    import torch

    from gomoku_brain.lab.train.packed import images

    known, packed = teacher_in(run / "teacher.pt"), Positions(data)
    which = np.flatnonzero(packed.size == 15)[:5]
    means = known.logits(packed, which, 8)
    known.net.eval()
    for k in (0, 3, 6):
        stones, _ = packed.stones(which, np.full(len(which), k))
        kinds = packed.kinds(which, stones).astype(np.int32)
        seen = [torch.from_numpy(each) for each in (stones, kinds)]
        with torch.inference_mode():
            values = [
                teacher.outputs(known.net, *(each[:, image] for each in seen))[0]
                for image in images(15)
            ]
        values.append(8 * known.start_of(packed, which, stones))
        found = torch.stack(values).sum(0).numpy() / 8
        assert found == pytest.approx(means, abs=1e-5)


def test_a_finished_teacher_has_statistics_for_each_size(run, data):
    import torch

    known, packed = teacher_in(run / "teacher.pt"), Positions(data)
    assert set(known.norms) == {9, 15}
    which = np.flatnonzero(packed.size == 9)[:64]
    plain = np.zeros(len(which), int)
    known.settle(packed, [(which, plain)])
    stones, _ = packed.stones(which, plain)
    kinds = packed.kinds(which, stones).astype(np.int32)
    known.net.train()
    with torch.no_grad():  # as in a fit: the statistics are those of the batch
        seen = [torch.from_numpy(each) for each in (stones, kinds)]
        values = teacher.outputs(known.net, *seen)[0].numpy()
    values += known.start_of(packed, which, stones).numpy()
    assert known.logits(packed, which, 1) == pytest.approx(values, abs=0.02)
    del known.norms[9]
    with pytest.raises(ValueError, match="no teacher for boards of 9 x 9"):
        known.logits(packed, which, 1)


def test_a_correction_begins_with_the_file_and_keeps_it(data, tmp_path, capsys):
    file = tmp_path / "before.bin"
    file.write_bytes(SHIPPED.read_bytes())
    folder = tmp_path / "run"
    words = [str(folder), *map(str, data), *SMALL, "--correct", str(file)]
    begin = TeacherRun(teacher_options(words))
    packed = begin.data
    which = np.flatnonzero(packed.size == 9)[:20]
    stones, _ = packed.stones(which, np.zeros(len(which), int))
    values = packed.values(which, stones, BoardEvaluator())
    assert begin.teacher.logits(packed, which, 8) == pytest.approx(values)
    assert main(words) == 0
    finished = teacher_in(folder / "teacher.pt")
    corrected = finished.logits(packed, which, 1)
    assert 0 < np.abs(corrected - values).mean() < 2
    file.write_bytes(b"lost")  # the teacher has the file
    again = teacher_in(folder / "teacher.pt").logits(packed, which, 1)
    assert (again == corrected).all()
    packed.rule = "RENJU"
    with pytest.raises(ValueError, match="positions of RENJU"):
        finished.logits(packed, which, 1)
    assert main(words) == 2
    assert "before.bin: " in capsys.readouterr().err
    file.write_bytes(SHIPPED.with_name("weights-renju.bin").read_bytes())
    assert main(words) == 2
    assert "weights for another rule" in capsys.readouterr().err
    known = unpack_weights(SHIPPED.read_bytes())
    nothing = {"tempo": Part((2, 2048), bytes(8192))}
    file.write_bytes(pack_weights(replace(known, parts=known.parts | nothing)))
    assert main(words) == 2
    assert "is of another run" in capsys.readouterr().err


def words_of_trainer(folder, lines):
    return [
        str(folder), *map(str, lines), "--out", f"{folder}.bin",
        "--epochs", "3", "--batch", "32", "--lambda", "0.8",
    ]  # fmt: skip


def test_labels_are_the_teachers_opinions_and_the_trainer_fits_them(
    run, data, lines, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(trainer, "plot", lambda run: None)
    folders = [tmp_path / path.stem for path in lines]
    known = str(run / "teacher.pt")
    for folder, packed in zip(folders, data, strict=True):
        monkeypatch.setattr("gomoku_brain.lab.train.teacher_labels.AT_ONCE", 64)
        assert label([str(folder), str(packed), known, "--symmetries", "8"]) == 0
        labels, _ = labels_in(folder)
        positions = Positions([packed])
        which = np.arange(len(positions))
        logits = teacher_in(run / "teacher.pt").logits(positions, which, 8)
        assert labels == pytest.approx(sigmoid(logits), abs=2e-5)
    # A killed run is continued, with the same labels.
    file = folders[0] / "labels-000.bin"
    whole = file.read_bytes()
    file.write_bytes(whole[:301])
    words = [str(folders[0]), str(data[0]), known, "--symmetries", "8"]
    assert label(words) == 0
    assert file.read_bytes() == whole
    assert label(words[:3]) == 2
    assert "has labels of other positions or options" in capsys.readouterr().err
    taught = words_of_trainer(tmp_path / "taught", lines)
    assert trainer.main([*taught, "--labels", str(folders[1])]) == 0
    assert trainer.main(words_of_trainer(tmp_path / "plain", lines)) == 0
    files = [(tmp_path / f"{name}.bin").read_bytes() for name in ("taught", "plain")]
    assert files[0] != files[1]
    capsys.readouterr()
    (tmp_path / "none").mkdir()
    header = {"positions": 0, "fingerprint": fingerprint(*[np.zeros(0)] * 3)}
    (tmp_path / "none" / "labels.json").write_text(json.dumps(header))
    for wrong, message in (
        (folders, "has labels of other positions: name a folder for each file"),
        (folders[:1], "has labels of other positions"),
        ([tmp_path / "none"], "evaluated positions have no labels: name"),
    ):
        assert trainer.main([*taught, "--labels", *map(str, wrong)]) == 2
        assert message in capsys.readouterr().err
    assert trainer.main(taught) == 2
    assert "is of another run" in capsys.readouterr().err
    (tmp_path / "none" / "labels.json").write_text("{}")
    assert trainer.main([*taught, "--labels", str(tmp_path / "none")]) == 2
    assert "labels.json: not of labels, or damaged" in capsys.readouterr().err
    over = [*taught, "--labels", str(folders[1]), "--out", str(folders[1] / file.name)]
    whole = (folders[1] / file.name).read_bytes()
    assert trainer.main(over) == 2
    assert (folders[1] / file.name).read_bytes() == whole


def test_the_trainer_fits_evaluated_positions_and_their_labels_alone(
    data, lines, tmp_path, monkeypatch
):
    monkeypatch.setattr(trainer, "plot", lambda run: None)
    fits = []

    class Kept(trainer.Training):
        def __init__(self, net, positions, wanted, **more):
            fits.append((net.samples, positions, wanted))
            super().__init__(net, positions, wanted, **more)

    monkeypatch.setattr(trainer, "Training", Kept)
    positions = Positions([data[1]])
    labels = np.arange(2 * len(positions), dtype="<u2") * 7
    header = {"positions": len(positions), "fingerprint": positions.fingerprint()}
    folders = [tmp_path / "first", tmp_path / "second"]
    for folder, part in zip(folders, np.split(labels, 2), strict=True):
        folder.mkdir()
        (folder / "labels.json").write_text(json.dumps(header))
        (folder / "labels-000.bin").write_bytes(part.tobytes())
    taught = words_of_trainer(tmp_path / "taught", [lines[1], lines[0], lines[1]])
    assert trainer.main([*taught, "--labels", *map(str, folders)]) == 0
    ((samples, fitted, wanted),) = fits
    evaluated = np.flatnonzero(~samples.played)
    assert np.array_equal(fitted, evaluated[~samples.held_out[evaluated]])
    known = np.full(len(samples), -1.0)
    known[evaluated] = labels / 65535
    assert wanted == pytest.approx(known[fitted])
