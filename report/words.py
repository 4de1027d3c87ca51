"""The report's own words, by language. A language is one frozen ``Words``; a missing text is a type error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from bench.claims import Claim, Contradiction, Promise, Table, TableRow, Unmeasured
from bench.results import MetricInfo
from bench.usage import State
from bench.verdict import Verdict
from report.escape import plain

Lang = Literal["en", "zh"]
LANGS: tuple[Lang, ...] = get_args(Lang)


@dataclass(frozen=True)
class Words:
    """Every text of the report. ``{…}`` is filled in by whoever uses it; sentences come whole, never in pieces."""

    lang: Lang
    html_lang: str
    verdicts: Mapping[Verdict, str]
    metrics: Mapping[str, str]

    # Changes.
    faster: str
    slower: str
    as_fast: str
    higher: str
    lower: str
    as_high: str
    times_as_much: str
    times_less: str
    percent_change: str
    points: str
    difference: str
    no_number: str

    # Headline.
    title: str
    headline: str
    headline_none: str
    count: str
    comma: str
    withheld: str
    unfinished: str
    smoke: str
    run_line: str
    other_runs: str

    # Chart.
    chart_title: str
    chart_desc: str
    chart_line: str
    chart_range: str
    chart_axis: str
    chart_worse: str
    chart_better: str
    chart_none: str
    chart_left_out: str
    chart_reading: str
    promised_bar: str
    zone_bar: str

    # Columns and labels.
    claim: str
    where: str
    advice: str
    promised: str
    measured: str
    verdict: str
    why: str
    reproduce: str
    pair: str
    arm: str
    metric: str
    anti_level: str
    own_level: str
    change: str
    number: str
    device: str
    reason: str
    said: str
    labelled: str

    # Arms and what stands beside a verdict.
    arms: Mapping[str, str]
    beside_outside: str
    beside_variant: str
    beside_device: str
    beside_metric: str

    # Sections.
    the_claims: str
    details: str
    decides: str
    beside: str
    outcomes: str
    warnings: str
    notes: str
    evidence: str
    record_line: str
    samples_marked: str
    not_one_core: str
    absent: str
    absent_none: str
    controls: str
    controls_passed: str
    controls_failed: str
    control_before: str
    no_resolution: str
    noise: str
    noise_none: str
    noise_load: str
    noise_steal: str
    noise_others: str
    noise_celsius: str
    noise_throttle: str
    noise_marked: str
    noise_marked_none: str
    noise_range: str
    machine: str
    took: str
    took_line: str
    took_unknown: str
    method: str
    power: str
    power_reading: str
    power_seconds: str
    power_smallest: str
    stayed: str
    stayed_line: str
    stayed_load: str
    stayed_share: str
    stayed_reading: str
    method_sentences: tuple[str, ...]
    as_written: str
    as_written_reading: str
    states: Mapping[State, str]
    state: str
    told: str
    modern: str
    contradictions: str
    contradictions_reading: str
    contradiction_unmeasured: str
    strip_label: str
    pay_back_steps: str
    pay_back_never: str
    pay_back_fades: str
    do_first: str
    do_first_none: str
    needed: str
    no_bother: str
    backfires_here: str
    nothing: str
    weigh: str
    topic: str
    hardware: str
    search: str
    every: str
    reset: str
    shown: str
    code: str
    shared_code: str
    distribution: str
    strip_reading: str
    raw: str
    other_language: str
    contents: str
    contents_chart: str
    side_by_side: str
    side_by_side_reading: str
    not_comparable: str
    failed_here: str
    no_pair_here: str
    curves: str
    curves_reading: str
    curves_title: str
    history: str
    history_reading: str
    history_summary: str
    history_withheld: str
    history_short: str
    history_step: str
    history_better: str
    history_worse: str
    history_points: str
    history_verdict: str
    history_verdict_alone: str
    history_with: str
    history_with_nothing: str
    history_chart_title: str
    history_runs: str
    history_environment: str
    history_unchanged: str
    history_newest: str
    history_range: str
    history_verdicts: str
    lately: str
    lately_changed: str
    lately_unchanged: str
    lately_more: str
    versions: str
    versions_reading: str
    versions_alike: str
    sweep: str
    sweep_reading: str
    sweep_title: str
    sweep_nothing: str
    sweep_helps: str
    sweep_helps_from: str
    sweep_helps_to: str
    sweep_harms: str
    sweep_harms_from: str
    sweep_harms_to: str
    sweep_saturates: str
    sweep_not_saturated: str
    sweep_no_worker: str
    precision: str
    precision_reading: str
    leaner: str
    ladder: str
    ladder_reading: str
    ladder_title: str
    ladder_axis: str
    ladder_start: str
    ladder_so_far: str
    ladder_practice: str
    ladder_step: str
    ladder_total: str
    ladder_without: str
    document_tables: str
    document_tables_reading: str
    document_says: str
    deployment: str
    deployment_reading: str
    smaller: str
    quicker: str
    more: str
    unmeasured: str
    without_pair: str
    strays: str
    left_out: str
    back: str

    # Machine and environment.
    facts: Mapping[str, str]

    # Markdown.
    readme_line: str
    readme_not_measured: str

    def advice_of(self, entry: Claim | Unmeasured) -> str:
        """The advice, in this language."""
        return plain(entry.advice_zh if self.lang == "zh" else entry.advice_en)

    def reason_of(self, entry: Unmeasured) -> str:
        """Why it cannot be measured, in this language."""
        return plain(entry.reason_zh if self.lang == "zh" else entry.reason_en)

    def title_of(self, entry: Table) -> str:
        """A document's table's title, in this language."""
        return plain(entry.title_zh if self.lang == "zh" else entry.title_en)

    def label_of(self, entry: TableRow) -> str:
        """A row's name, in this language."""
        return plain(entry.label_zh if self.lang == "zh" else entry.label_en)

    def said_of(self, entry: TableRow) -> str:
        """What the document says of a row, in this language."""
        return plain(entry.said_zh if self.lang == "zh" else entry.said_en)

    def text_of(self, entry: Contradiction) -> str:
        """What cannot be followed together, in this language."""
        return plain(entry.text_zh if self.lang == "zh" else entry.text_en)

    def promise_of(self, promise: Promise) -> str:
        """The document's number, in this language."""
        return plain(promise.text_zh if self.lang == "zh" else promise.text_en)

    def metric_name(self, kind: str, name: str) -> str:
        """A metric's name; only the engine's own are translated."""
        return plain(self.metrics.get(kind, name))

    def name_of(self, metric: MetricInfo) -> str:
        """The name of a recorded metric."""
        return self.metric_name(metric.kind, metric.name)

    def arm_name(self, arm: str) -> str:
        """An arm's name without underscores."""
        return self.arms.get(arm) or plain(arm.replace("_", " "))


def words_of(lang: Lang) -> Words:
    """The texts of a language."""
    # The languages import Words from here.
    from report.words_en import ENGLISH
    from report.words_zh import CHINESE

    return CHINESE if lang == "zh" else ENGLISH
