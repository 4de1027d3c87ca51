import shutil
from pathlib import Path

import pytest
import torch

from bench import Setup
from suites.workloads.photographs import photographs
from suites.workloads.practices import Options, Workload, loader, training
from suites.workloads.vision import FOLDER, from_files, in_memory, labelled

pytest.importorskip("sklearn")


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    return Setup(torch.device("cpu"), tmp_path, smoke=True)


def batches(w: Workload, options: Options) -> list[tuple[torch.Tensor, torch.Tensor]]:
    return list(w.load(w.samples, options))


def test_files_are_decoded_to_what_is_in_memory(setup: Setup) -> None:
    for (x, y), (known_x, known_y) in zip(
        batches(from_files(setup), Options()), batches(in_memory(setup), Options()), strict=True
    ):
        assert x.shape == (4, 3, 32, 32)
        assert torch.equal(x, known_x)
        assert y.tolist() == known_y.tolist() == [0, 1, 0, 1]


def test_workers_load_what_the_training_process_loads(setup: Setup) -> None:
    w = from_files(setup)
    alone, beside = batches(w, Options()), batches(w, Options(workers=True))
    assert all(torch.equal(a[0], b[0]) and torch.equal(a[1], b[1]) for a, b in zip(alone, beside, strict=True))
    assert loader(w.samples, 2, 2, Options()).num_workers == 0
    assert loader(w.samples, 2, 2, Options(workers=True)).num_workers == 2


def test_channels_last_is_what_the_network_sees(setup: Setup) -> None:
    w = in_memory(setup)
    step, seen = training(w, Options(channels_last=True)), []
    hook = torch.nn.modules.module.register_module_forward_pre_hook(lambda module, inputs: seen.append(inputs[0]))
    step()
    hook.remove()
    assert seen[0].is_contiguous(memory_format=torch.channels_last)
    torch.testing.assert_close(training(w, Options(channels_last=True))(), training(w, Options())(), rtol=1e-2, atol=0)


def test_training_learns(setup: Setup) -> None:
    step = training(in_memory(setup), Options())
    first, *_, last = [float(step().mean()) for _ in range(30)]
    assert last < 0.5 * first


def test_the_users_own_folder_is_read(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    cat, dog, bird = photographs(3, side=48)
    for name, source in {"cat/1.jpg": cat, "dog/deep/2.JPEG": dog, "bird/3.jpg": bird}.items():
        (setup.folder / name).parent.mkdir(parents=True)
        shutil.copy(source, setup.folder / name)
    (setup.folder / "cat/notes.txt").write_text("no photograph")
    monkeypatch.setenv(FOLDER, str(setup.folder))
    files = labelled(setup, 6)
    # Three files are repeated; classes are numbered in the order of their names: bird, cat, dog.
    assert files.classes == 3
    numbers = {p.relative_to(setup.folder).parts[0]: n for p, n in zip(files.paths, files.labels, strict=True)}
    assert numbers == {"bird": 0, "cat": 1, "dog": 2}
    assert len(files.paths) == 6
    assert training(from_files(setup), Options())().isfinite().all()


def test_a_folder_without_photographs_is_named(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(setup.folder))
    with pytest.raises(ValueError, match=f"{FOLDER}={setup.folder}: no file below it"):
        labelled(setup, 1)
