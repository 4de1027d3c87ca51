"""How a practice is declared: an anti-pattern and a recommended arm on the same inputs, and what is compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from bench.fields import LIST, NOTHING, NUMBER, Field, is_point, takes_one, wrong_fields
from bench.metrics import Metric
from bench.same import Same
from bench.trace import Trace

if TYPE_CHECKING:
    # Whoever only judges or reports runs need not wait for it.
    import torch

Step = Callable[[], object]
PointValue = int | float | str
Inputs = TypeVar("Inputs")
T = TypeVar("T", int, float, str)

ANTI_PATTERN = "anti_pattern"
RECOMMENDED = "recommended"


@dataclass(frozen=True)
class Setup:
    """What a pair's inputs are built for: one point, on one device, with one seed.

    ``folder`` is empty and the arm's own; what a step leaves in it is what the size metric weighs.
    """

    device: torch.device
    folder: Path
    seed: int = 0
    smoke: bool = False
    value: PointValue | None = None

    def point(self, kind: type[T]) -> T:
        """The axis value, as ``kind``. Raises TypeError when the pair has no axis or one of another type."""
        if not isinstance(self.value, kind):
            raise TypeError(f"the point is {self.value!r}, asked for as {kind.__name__}; look at the pair's axis")
        return self.value

    def pick(self, full: int, smoke: int, cuda: int | None = None) -> int:
        """A size for this device: ``cuda`` on a GPU when given, ``smoke`` in a tiny run, else ``full``."""
        if self.smoke:
            return smoke
        return cuda if cuda is not None and self.device.type == "cuda" else full


@dataclass(frozen=True)
class Axis:
    """A parameter swept. ``outside`` holds points that lie outside the claim's own words: shown, never judged for it.

    ``quick`` points are those of the quick profile (all of ``full`` unless given), ``smoke`` those of the tiny run
    (the first of ``full`` unless given).
    """

    name: str
    full: Sequence[PointValue] = ()
    quick: Sequence[PointValue] = ()
    smoke: Sequence[PointValue] = ()
    outside: Sequence[PointValue] = ()

    def points(self, profile: str) -> tuple[PointValue, ...]:
        """The values that ``profile`` measures, those outside the claim last."""
        if profile == "smoke":
            return tuple(self.smoke or self.full[:1] or self.outside[:1])
        return (*(self.quick if profile == "quick" and self.quick else self.full), *self.outside)


@dataclass(frozen=True)
class Needs:
    """What a machine must have for the pair to be measured at all. ``packages`` are import names.

    ``cuda`` pairs run on a GPU only, ``cpu`` pairs on the CPU also when the run's device is a GPU.
    """

    cuda: bool = False
    cpu: bool = False
    gpus: int = 0
    packages: tuple[str, ...] = ()
    memory_gib: float = 0.0
    cores: int = 1


@dataclass(frozen=True)
class Pair(Generic[Inputs]):
    """A claim's test: two arms (and variants of the recommended one) on the same inputs.

    An arm is an untimed factory: it takes the inputs, builds what it needs and returns the step that is timed. A step
    must not change the inputs; state that changes (a model that trains) is made in the factory. What a step returns
    is compared by ``same`` before any timing, and read by metrics that have a ``read``.

    ``traces`` are curves read from the same results, to be shown.

    ``name`` is the last part of the pair's id, the file's stem unless given. ``zone`` is what counts as no difference
    for ratios. ``cores`` "one" times one thread on one core; "all" gives both arms every core. ``inputs_read`` "at
    set-up" says that an arm prepares something from the inputs before it is timed, so that changing the inputs
    afterwards proves nothing; otherwise a step that ignores changed inputs is BROKEN as a cached result. ``seeds`` is
    how many seeds a metric read from results is repeated over. ``environment`` belongs to an arm, by its name.
    ``timeout`` bounds each call to an arm in seconds. ``ladder`` names variants of which each adds one practice to the
    one before, from the anti-pattern up to the recommended arm, whose own addition is ``ladder_top``; the others then
    each lack one of the whole.
    ``from_profile`` "full" keeps a pair whose steps take seconds out of quick runs.
    """

    claims: tuple[str, ...]
    inputs: Callable[[Setup], Inputs]
    anti_pattern: Callable[[Inputs], Step]
    recommended: Callable[[Inputs], Step]
    same: Same
    metrics: tuple[Metric, ...]
    traces: tuple[Trace, ...] = ()
    axis: Axis | None = None
    needs: Needs = Needs()
    variants: Mapping[str, Callable[[Inputs], Step]] = field(default_factory=dict)
    name: str | None = None
    zone: float = 0.02
    cores: Literal["one", "all"] = "one"
    inputs_read: Literal["each step", "at set-up"] = "each step"
    seeds: int = 5
    environment: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    timeout: float = 60.0
    memory_limit_gib: float | None = None
    ladder: Sequence[str] = ()
    ladder_top: str = ""
    from_profile: Literal["quick", "full"] = "quick"

    @property
    def timed(self) -> bool:
        """Whether any of its metrics is a time."""
        return any(m.timed for m in self.metrics)

    @property
    def arms(self) -> dict[str, Callable[[Inputs], Step]]:
        """Every arm by name, the anti-pattern first."""
        return {ANTI_PATTERN: self.anti_pattern, RECOMMENDED: self.recommended, **self.variants}

    def wrong_fields(self) -> Iterator[tuple[str, str]]:
        """Each field that has not the right form, as (fact, fix); while there is one, ``faults`` cannot be told."""
        yield from wrong_fields(self, _PAIR)
        if isinstance(self.axis, Axis):
            yield from ((f"{fact} in its axis", fix) for fact, fix in wrong_fields(self.axis, _AXIS))
        if isinstance(self.needs, Needs):
            yield from ((f"{fact} in its needs", fix) for fact, fix in wrong_fields(self.needs, _NEEDS))

    def faults(self) -> Iterator[tuple[str, str]]:
        """Each fault of the declaration itself as (fact, fix)."""
        if not self.claims:
            yield "names no claim", "give claims=(id of suites/claims.toml,)"
        if not self.metrics:
            yield "compares nothing", "give at least one metric, such as metrics=(time,)"
        names = [m.name for m in self.metrics]
        for name in sorted({n for n in names if names.count(n) > 1}):
            yield f"has two metrics called {name!r}", "give one of them another name="
        for arm in sorted({ANTI_PATTERN, RECOMMENDED} & set(self.variants)):
            yield f"has a variant called {arm!r}", "name the variant after what it does"
        for arm in sorted(set(self.environment) - set(self.arms)):
            yield f"gives an environment to {arm!r}, which is no arm", f"use one of {', '.join(self.arms)}"
        for arm, variables in self.environment.items():
            if not isinstance(variables, Mapping) or not all(
                isinstance(v, str) for kv in variables.items() for v in kv
            ):
                yield f"gives {arm} the environment {variables!r:.80}", 'write it like {"NAME": "value"}'
        for arm in sorted(set(self.ladder) - set(self.variants)):
            yield f"has {arm!r} on its ladder, which is no variant", f"use some of {', '.join(self.variants)}"
        if not 0 < self.zone < 1:
            yield f"has the zone {self.zone}", "give a fraction between 0 and 1; 0.02 is ±2 %"
        if self.seeds < 2:
            yield f"repeats over {self.seeds} seed", "give 2 seeds or more, 5 for quality"
        if not self.timeout > 0:
            yield f"has the timeout {self.timeout} s", "give a number of seconds above 0"
        if self.axis is not None:
            points = self.axis.points("full")
            if not points:
                yield f"has the axis {self.axis.name!r} without points", "give full=(value, ...)"
            for value in sorted({str(p) for p in points if points.count(p) > 1}):
                yield f"has the point {self.axis.name}={value} twice", "name it in full= or in outside="
            for point in (p for p in points if not is_point(p)):
                yield f"has the point {self.axis.name}={point!r:.80}", "use a finite number or a text"
        for arm, factory in {"inputs": self.inputs, **self.arms}.items():
            if not takes_one(factory):
                yield f"has {arm} that does not take exactly one argument", "an arm takes the inputs, inputs take Setup"


_TEXTS = (str, NOTHING)
_PAIR = {
    "claims": Field(LIST, '("claim-id",)', str),
    "same": Field(Same, "exactly, or within(1e-5), or may_differ(...)"),
    "metrics": Field(LIST, "(time,)", Metric),
    "traces": Field(LIST, "(Trace(...),)", Trace),
    "axis": Field((Axis, NOTHING), 'Axis("rows", full=(256, 4096))'),
    "needs": Field(Needs, "Needs(cuda=True)"),
    "variants": Field(Mapping, '{"name": arm}', str),
    "name": Field(_TEXTS, '"a-name"'),
    "zone": Field(NUMBER, "0.02"),
    "seeds": Field(int, "5"),
    "environment": Field(Mapping, '{"recommended": {"NAME": "value"}}', str),
    "timeout": Field(NUMBER, "60.0"),
    "memory_limit_gib": Field((*NUMBER, NOTHING), "2.0"),
    "ladder": Field(LIST, '("variant",)', str),
    "ladder_top": Field(str, '"what the recommended arm adds"'),
}
_AXIS = {
    "name": Field(str, '"rows"'),
    **{points: Field(LIST, "(256, 4096)") for points in ("full", "quick", "smoke", "outside")},
}
_NEEDS = {
    "packages": Field(LIST, '("sklearn",)', str),
    **{amount: Field(NUMBER, "1") for amount in ("gpus", "memory_gib", "cores")},
}
