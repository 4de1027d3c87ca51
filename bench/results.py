"""The run document: what one execution on one machine measured, raw and nothing derived, and how it is read back."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    FailFast,
    Field,
    FiniteFloat,
    ValidationError,
    model_validator,
)
from pydantic_core import from_json

SCHEMA: Literal["torchproof/run"] = "torchproof/run"
VERSION = 1
LEAST_CLEAN_BLOCKS = 2
MAX_BYTES = 16 * 2**20
MOST_NAMES = 1000

T = TypeVar("T")
Text = Annotated[str, Field(max_length=20_000)]
Seconds = Annotated[float, Field(ge=1e-12, lt=1e7, allow_inf_nan=False)]
Zone = Annotated[float, Field(ge=0, le=1e3, allow_inf_nan=False)]
Status = Literal["measured", "not measured", "broken"]


def _few(value: object) -> object:
    if isinstance(value, dict) and len(value) > MOST_NAMES:
        raise ValueError(f"{len(value)} entries > {MOST_NAMES} allowed")
    return value


# A file made of faults must not cost gigabytes to refuse: of a list the first bad item is told, not millions of them.
Several = Annotated[list[T], FailFast()]
Named = Annotated[dict[Text, T], BeforeValidator(_few)]


class Part(BaseModel):
    """A part of a run document. Fields of newer versions are tolerated and left out."""

    model_config = ConfigDict(extra="ignore", ser_json_inf_nan="strings")


class Machine(Part):
    """Who measured. ``name`` is the folder under ``results/``; no serial numbers and no UUIDs."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,99}$")]
    cpu: Text
    cores: int
    memory_gib: float
    gpus: Several[Text] = []
    driver: Text | None = None
    system: Text


class Environment(Part):
    """What it measured with: versions by package, and the flags that change what PyTorch does."""

    python: Text
    torch: Text
    cuda: Text | None = None
    cudnn: Text | None = None
    packages: Named[Text] = {}
    flags: Named[Text] = {}


class Noise(Part):
    """How busy the machine was around a measurement. A null could not be read.

    ``load`` is the one-minute load average, ``steal`` the share of CPU time the hypervisor kept, ``others`` the CPU
    share (1 is one core) that foreign processes used, ``throttle`` the reasons the GPU gave for slower clocks.
    """

    load: float | None = None
    steal: float | None = None
    others: float | None = None
    mhz: float | None = None
    celsius: float | None = None
    throttle: Several[Text] = []


class Point(Part):
    """The axis value that was measured; ``outside`` the claim's own words or not."""

    axis: Text
    value: int | float | Text
    outside: bool = False


class MetricInfo(Part):
    """What a metric was when it was measured, so that old runs can be judged without the pair's file."""

    name: Text
    kind: Text
    unit: Text
    better: Literal["lower", "higher"]
    comparison: Literal["ratio", "difference", "outcome"]
    zone: Zone
    exact: bool = True
    per_step: bool = False


class Replicate(Part):
    """One fresh set of processes: seconds per step of every sample, by arm.

    ``orders`` has one letter sequence per block (the arms' positions in the order they ran), ``cpu`` the CPU seconds
    used per second of wall time. ``preempted`` holds the blocks in which an arm lost its core to somebody else (an
    involuntary context switch, and less than 99 % of the CPU); they are kept, and left out of the median while two
    others remain. ``server`` is the fork server it came from, where there are several: replicates of one share what
    chance gave it, so that only servers are independent.
    """

    first: Named[Seconds]
    server: int | None = None
    host: Named[Several[Seconds]] = {}
    device: Named[Several[Seconds]] = {}
    cpu: Named[Several[float]] = {}
    orders: Several[Text] = []
    preempted: Several[int] = []

    def counted_blocks(self, number: int) -> list[int]:
        """The blocks of ``number`` that a median is made of: the undisturbed ones, or all when fewer than two are."""
        clean = [i for i in range(number) if i not in self.preempted]
        return clean if len(clean) >= LEAST_CLEAN_BLOCKS else list(range(number))


class Timing(Part):
    """All samples of a point. ``inner`` is how many steps a sample is made of, the same for every arm."""

    inner: int
    cores: Several[int] = []
    replicates: Several[Replicate] = []
    looks: Several[int] = []
    stopped: Text = ""


class Values(Part):
    """Values read from results or counters, one per seed and arm. ``reason`` says why there are none.

    Of shares, ``of`` is how many answers each is a share of.
    """

    by_arm: Named[Several[float | None]] = {}
    of: Annotated[int, Field(ge=1)] | None = None
    reason: Text | None = None


class Traces(Part):
    """Curves read from results: where they were looked at, and by arm what was seen there, a list per seed."""

    x_name: Text
    unit: Text
    x: Several[FiniteFloat] = []
    by_arm: Named[Several[Several[float | None]]] = {}

    @model_validator(mode="after")
    def _one_value_per_place(self) -> Traces:
        for arm, curves in self.by_arm.items():
            if any(len(curve) != len(self.x) for curve in curves):
                raise ValueError(f"a curve of {arm} does not have the {len(self.x)} values of its x")
        return self


class PointRecord(Part):
    """One pair at one point: raw evidence, or why there is none.

    ``ladder`` names arms of which each adds one practice to the one before, the recommended arm last, which adds
    ``ladder_top``. ``said`` holds the last lines an arm printed; ``turn`` tells the same control apart at different
    times of the run.
    """

    pair: Text
    claims: Several[Text]
    role: Literal["pair", "control"] = "pair"
    turn: Text = ""
    device: Text
    point: Point | None = None
    status: Status
    reason: Text | None = None
    said: Several[Text] = []
    arms: Several[Text] = []
    ladder: Several[Text] = []
    ladder_top: Text = ""
    zone: Zone = 0.02
    metrics: Several[MetricInfo] = []
    same: Text = ""
    timing: Timing | None = None
    values: Named[Values] = {}
    traces: Named[Traces] = {}
    outcomes: Named[Several[Text]] = {}
    warnings: Named[Several[Text]] = {}
    noise: Noise = Noise()
    seconds: float = 0.0
    notes: Several[Text] = []

    @model_validator(mode="after")
    def _samples_of_every_arm(self) -> PointRecord:
        for i, replicate in enumerate(self.timing.replicates if self.timing else []):
            lengths = {len(replicate.host.get(arm, [])) for arm in self.arms}
            if not set(self.arms) <= set(replicate.first) or len(lengths) > 1:
                raise ValueError(f"replicate {i} does not have a first step and as many samples for every arm")
        return self

    @property
    def id(self) -> str:
        """``topic/pair`` or ``topic/pair[axis=value]``."""
        return point_id(self.pair, self.point.axis, self.point.value) if self.point else self.pair


class UsageRecord(Part):
    """What became of a document's own usage: how it ended and what it warned of, or why it was not tried."""

    claim: Text
    where: Text
    device: Text
    modern: Text = ""
    outcome: Text = ""
    warnings: Several[Text] = []
    reason: Text | None = None


class Run(Part):
    """One execution on one machine; ``partial`` when only a selection of the suite was asked for."""

    schema_: Literal["torchproof/run"] = Field(default=SCHEMA, alias="schema")
    version: Annotated[int, Field(ge=1)] = VERSION
    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
    started: Text
    finished: Text | None = None
    profile: Literal["smoke", "quick", "full"]
    budget_s: float | None = None
    partial: bool = False
    seed: int
    device: Text
    command: Several[Text] = []
    commit: Text | None = None
    machine: Machine
    environment: Environment
    points: Several[PointRecord] = []
    as_written: Several[UsageRecord] = []
    notes: Several[Text] = []

    model_config = ConfigDict(extra="ignore", ser_json_inf_nan="strings", populate_by_name=True)


class UnreadableRunError(Exception):
    """A file that is not a run document; the message names it, what is wrong with it, and what to do."""


def point_id(pair: str, axis: str | None = None, value: int | float | str | None = None) -> str:
    """The id of a pair at a point, as it is printed and as ``-k`` finds it."""
    return pair if axis is None else f"{pair}[{axis}={value}]"


def read_run(path: Path) -> Run:
    """Read one run document. Raises UnreadableRunError, with every fault found, for anything else."""
    try:
        if path.exists() and not path.is_file():
            raise UnreadableRunError(f"{path}: cannot be read (not a file)")
        if path.stat().st_size > MAX_BYTES:
            raise UnreadableRunError(f"{path}: {path.stat().st_size} bytes > {MAX_BYTES} allowed; not a run document")
        text = path.read_bytes()
    except OSError as error:
        raise UnreadableRunError(f"{path}: cannot be read ({error.strerror})") from error
    return parse_run(text, str(path))


def parse_run(text: bytes, where: str) -> Run:
    """A run document from its bytes. Raises UnreadableRunError, naming ``where``, with every fault found."""
    try:
        return Run.model_validate_json(text)
    except ValidationError as error:
        raise UnreadableRunError(f"{where}: {_kind(text)}: {_faults(error)}") from error


def read_runs(paths: Iterable[Path]) -> tuple[list[Run], list[str]]:
    """Read many; the second part names the files that were left out, with the reason."""
    runs: list[Run] = []
    left_out: list[str] = []
    for path in paths:
        try:
            runs.append(read_run(path))
        except UnreadableRunError as error:
            left_out.append(str(error))
    return runs, left_out


def to_json(run: Run) -> str:
    """The document as it is written: one point a line, so that a diff shows which pair changed."""
    head = run.model_copy(update={"points": []}).model_dump_json(by_alias=True, exclude={"points"})
    points = [p.model_dump_json(exclude_defaults=True) for p in run.points]
    return head[:-1] + ',"points":[\n' + ",\n".join(points) + "\n]}\n"


def rounded(value: float, digits: int = 5) -> float:
    """``value`` with as many significant digits as a timer can mean."""
    return float(f"{value:.{digits}g}") if math.isfinite(value) else value


def _kind(text: bytes) -> str:
    """What a document is that could not be read: none of ours, or a later one."""
    try:
        document = from_json(text)
    except ValueError:
        return "not a run document"
    version = document.get("version") if isinstance(document, dict) and document.get("schema") == SCHEMA else None
    if isinstance(version, int) and version > VERSION:
        return f"written by a newer torchproof (document version {version} > {VERSION}); update this one to read it"
    return "not a run document"


def _faults(error: ValidationError) -> str:
    told = error.errors(include_url=False, include_context=False, include_input=False)
    found = [f"{_place(e['loc'])}: {e['msg']}" for e in told[:5]]
    more = f" and {len(told) - 5} more" if len(told) > 5 else ""
    return "; ".join(found) + more


def _place(location: tuple[int | str, ...]) -> str:
    """Where a fault is. The names in it are the file's own, and may be of any length and kind."""
    names = (str(part) for part in location)
    return ".".join("".join(c if c.isprintable() else "?" for c in name[:60]) for name in names) or "document"
