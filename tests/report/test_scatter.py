from __future__ import annotations

from collections.abc import Callable

from bench.claims import Claims
from bench.results import MetricInfo, Point, PointRecord, Run, Values
from report.page import Page, page
from report.scatter import chart, deployment_dots, precision_dots
from report.view import look
from report.words import words_of

SIZE = MetricInfo(name="size on disk", kind="size", unit="B", better="lower", comparison="ratio", zone=0.02)
PEAK = MetricInfo(name="peak memory", kind="peak_memory", unit="B", better="lower", comparison="ratio", zone=0.02)
TIME = MetricInfo(name="time", kind="time", unit="s", better="lower", comparison="ratio", zone=0.02)


# A quarter of the size in half the time is 4 times smaller and 2 times faster.
def test_a_method_is_a_dot(
    make_run: Callable[..., Run], make_record: Callable[..., PointRecord], claims: Claims
) -> None:
    sizes = Values(by_arm={"anti_pattern": [400.0] * 5, "recommended": [100.0] * 5})
    record = make_record(
        "deploy/quantise", "quantise", 0.5, seed=1, sd=0.001, metrics=[TIME, SIZE], values={"size on disk": sizes}
    )
    (dot,) = deployment_dots(look(make_run(points=[record]), claims).claims)
    assert (round(dot.smaller, 2), round(dot.faster, 1)) == (4.0, 2.0)
    svg = chart([dot], "deployment", "a title", "smaller", words_of("en"))
    assert "1: quantise, recommended: 4.00× smaller, 2.0" in svg


def test_nothing_deployed_draws_nothing(run: Run, claims: Claims) -> None:
    assert deployment_dots(look(run, claims).claims) == []
    assert chart([], "deployment", "a title", "smaller", words_of("en")) == ""


def test_a_model_in_mixed_precision_is_a_dot_where_a_gpu_measured_both(
    make_run: Callable[..., Run], make_record: Callable[..., PointRecord], claims: Claims
) -> None:
    amp = next(c for c in claims.claim if c.id == "amp-faster")
    fields = {"topic": "precision", "hardware": ("cuda",)}
    speed, memory = (
        amp.model_copy(update={"id": name, "metric": kind, **fields})
        for name, kind in (("amp-speed", "time"), ("amp-memory", "peak_memory"))
    )
    both = claims.model_copy(update={"claim": (speed, memory)})
    peaks = Values(by_arm={"anti_pattern": [300.0] * 5, "recommended": [200.0] * 5})

    def measured(device: str, model: str, seed: int) -> list[PointRecord]:
        point = Point(axis="model", value=model)
        return [
            make_record("precision/amp-speed", "amp-speed", 0.5, seed=seed, sd=0.001, device=device, point=point),
            PointRecord(
                pair="precision/amp-memory",
                claims=["amp-memory"],
                device=device,
                point=point,
                status="measured",
                arms=["anti_pattern", "recommended"],
                metrics=[PEAK],
                values={"peak memory": peaks},
            ),
        ]

    points = [*measured("cuda", "text", 1), *measured("cuda", "images", 2)[:1], *measured("cpu", "text", 3)]
    view = look(make_run(points=points, device="cuda"), both)
    (dot,) = precision_dots(view.claims, view.words)
    assert (dot.label, round(dot.smaller, 2), round(dot.faster, 1)) == ("model=text", 1.5, 2.0)
    shown = page(Page(view))
    assert view.words.precision in shown
    assert "1: model=text: 1.50× less memory, 2.0" in shown
    assert view.words.precision not in page(Page(look(make_run(points=points[2:]), both)))
