"""Axes of numbers: where the advice begins and ceases to help, and from where more workers gain nothing."""

from __future__ import annotations

import re
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest

from bench.claims import Claims
from bench.results import Point, PointRecord, Run
from report.page import Page, page
from report.sweep import Sweep, chart
from report.view import View, look
from report.words import words_of

Looked = Callable[..., View]


@pytest.fixture
def looked(
    make_run: Callable[..., Run],
    make_record: Callable[..., PointRecord],
    make_controls: Callable[[], list[PointRecord]],
    claims: Claims,
) -> Looked:
    """``looked({value: ratio, …})``: a run of a pair at these values of an axis."""

    def made(ratios: dict[float | str, float], axis: str = "batch", lang: str = "en") -> View:
        points = [
            make_record("a/b", "set-to-none", ratio, seed=i, point=Point(axis=axis, value=value))
            for i, (value, ratio) in enumerate(ratios.items())
        ]
        return look(make_run(points=[*make_controls(), *points]), claims, lang)

    return made


@pytest.fixture
def swept(looked: Looked) -> Callable[..., Sweep]:
    def made(ratios: dict[float | str, float], axis: str = "batch") -> Sweep:
        view = looked(ratios, axis)
        (found,) = [sweep for claim in view.claims for sweep in claim.sweeps]
        return found

    return made


def test_a_crossing_is_interpolated_between_the_points_that_disagree(swept: Callable[..., Sweep]) -> None:
    sweep = swept({1: 1.21, 4: 1.0, 64: 1 / 1.02**3, 256: 0.5})
    assert [p.x for p in sweep.points] == [1, 4, 64, 256]
    helps, harms = sweep.sentences
    # A third of the way in logs from 4 to 64, where the gain is that of the zone's edge.
    (told,) = re.findall(r"Helps from batch ≈ ([\d.]+) up \(between 4 and 64\)\.", helps)
    assert float(told) == pytest.approx(10, rel=0.15)
    assert re.fullmatch(r"Harms up to batch ≈ [34](\.\d)? \(between 1 and 4\)\.", harms)
    assert sweep.crossings[0] == pytest.approx(float(told), rel=0.05)


@pytest.mark.parametrize(
    ("ratios", "told"),
    [
        ({8: 0.5, 16: 0.5, 32: 0.5}, "Helps all along, from batch 8 to 32."),
        ({8: 1.5, 16: 1.5, 32: 1.5}, "Harms all along, from batch 8 to 32."),
        ({8: 1.0, 16: 1.0, 32: 1.0}, ""),
        ({8: 0.5, 16: 0.5, 32: 1.0}, "Helps up to batch ≈ 31"),
    ],
)
def test_what_holds_along_the_axis_is_said(swept: Callable[..., Sweep], ratios: dict[float, float], told: str) -> None:
    assert " ".join(swept(ratios).sentences).startswith(told)


@pytest.mark.parametrize(
    ("ratios", "told"),
    [
        ({1: 0.7, 2: 0.4, 4: 0.398, 8: 0.41}, "Saturates at 2 workers"),
        ({1: 0.7, 2: 0.4, 4: 0.25}, "Not saturated: 4 workers"),
        ({1: 1.3, 2: 1.4, 4: 1.5}, "No number of workers is better than none."),
    ],
)
def test_workers_saturate(swept: Callable[..., Sweep], ratios: dict[float, float], told: str) -> None:
    sweep = swept(ratios, axis="workers")
    assert sweep.from_none
    assert sweep.sentences[-1].startswith(told)


def test_fewer_than_three_numbers_are_no_axis(looked: Looked) -> None:
    for ratios in ({1: 0.5, 2: 0.5}, {1: 0.5, 2: 0.5, "cores": 0.5}, {"a": 0.5, "b": 0.5, "c": 0.5}):
        assert [claim.sweeps for claim in looked(ratios).claims if claim.sweeps] == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_chart_is_sound_and_says_its_numbers(looked: Looked, lang: str) -> None:
    view = looked({0: 1.1, 4: 1.0, 64: 0.9, 65: 0.5, 1e5: 0.5}, lang=lang)
    (claim,) = [c for c in view.claims if c.sweeps]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        svg = chart(claim.sweeps[0], "one", view.words)
    told = ET.fromstring(svg).findtext("{http://www.w3.org/2000/svg}desc") or ""
    for part in ("batch 4: ", "batch 65: 2.0", *claim.sweeps[0].sentences):
        assert part in told or lang == "zh"
    assert not re.search("#0[1-5]0[1-5]0[1-5]", svg)
    shown = page(Page(view))
    assert view.words.sweep_reading in shown
    assert shown.count(claim.sweeps[0].sentences[0]) >= 3


def test_a_hostile_axis_stays_text(looked: Looked, hostile: str) -> None:
    view = looked({1: 0.5, 1e300: 1.0, 5e-324: 0.5, -3: 1.5}, axis=hostile)
    text = page(Page(view))
    assert text.count("<script>") == 1
    (claim,) = [c for c in view.claims if c.sweeps]
    ET.fromstring(chart(claim.sweeps[0], "one", words_of("en")))
