"""The report as Markdown: the headline table, and a section for every run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bench.verdict import Verdict
from report.contradictions import ContradictionRow
from report.escape import markdown, markdown_code
from report.rows import ClaimRow
from report.tables import measured_lines
from report.usages import UsageRow
from report.view import View
from report.words import Words

_WITHOUT_NUMBERS = (Verdict.NOT_MEASURED, Verdict.BROKEN)


def document(views: Sequence[View], left_out: Sequence[str]) -> str:
    """Every run with its table, what was not measured, and the files that were left out."""
    words = views[0].words
    parts = [f"# {words.title}"]
    for view in views:
        parts += _section(view)
    if left_out:
        parts += [f"## {words.left_out}", _list(left_out)]
    return "\n\n".join(parts) + "\n"


def headline(views: Sequence[View]) -> str:
    """For a README: each run's sentence and table, and what has no number in it."""
    parts: list[str] = []
    for view in views:
        words, facts = view.words, view.facts
        parts.append(f"**{markdown(facts.run_line)}**")
        parts += [f"> {markdown(c)}" for c in facts.cautions]
        parts.append(
            markdown(words.readme_line.format(headline=facts.headline, resolution=facts.controls.sentence).strip())
        )
        parts += _tips(view)
        shown = [c for c in view.claims if c.verdict not in _WITHOUT_NUMBERS]
        if shown:
            # A long table is folded: who reads it is looking for one row.
            table = short_table(shown, words)
            parts.append(f"<details><summary>{words.the_claims}</summary>\n\n{table}\n\n</details>")
        rest = [c.id for c in view.claims if c.verdict in _WITHOUT_NUMBERS]
        if rest:
            parts.append(words.readme_not_measured.format(claims=words.comma.join(rest)))
    return "\n\n".join(parts)


def _tips(view: View) -> list[str]:
    """What to do first, what makes no difference and what backfires, a line of claims each."""
    words, advice = view.words, view.advice
    named = (
        (words.do_first, advice.first),
        (words.no_bother, advice.no_effect),
        (words.backfires_here, advice.backfires),
    )
    return [
        f"**{markdown(title)}**: "
        + "; ".join(f"{markdown_code(t.claim.id)} {markdown(t.judgement.told)}" for t in tips)
        for title, tips in named
        if tips
    ]


def claims_table(claims: Sequence[ClaimRow], words: Words) -> str:
    """Claim, promise, measurement, verdict and command."""
    return _table((*_head(words), words.reproduce), ((*_cells(c), markdown_code(c.command)) for c in claims))


def short_table(claims: Sequence[ClaimRow], words: Words) -> str:
    """The same without the commands, which would make it too wide for a README."""
    return _table(_head(words), (_cells(c) for c in claims))


def _head(words: Words) -> tuple[str, ...]:
    return words.claim, words.where, words.advice, words.promised, words.measured, words.verdict


def _cells(c: ClaimRow) -> tuple[str, ...]:
    measured = "<br>".join(markdown(line) for line in measured_lines(c)) or "–"
    return (
        markdown_code(c.id),
        markdown(c.where),
        markdown(c.advice),
        markdown(c.promised),
        measured,
        markdown(f"{c.mark.symbol} {c.word}"),
    )


def _section(view: View) -> list[str]:
    words, facts = view.words, view.facts
    parts = [f"## {markdown(facts.run_line)}", markdown(facts.headline)]
    parts += [f"> {markdown(c)}" for c in facts.cautions]
    if facts.controls.passed:
        parts.append(markdown(facts.controls.sentence))
    if view.claims:
        parts.append(claims_table(view.claims, words))
        parts.append(_list(f"{c.id}: {c.why}" for c in view.claims))
    if view.as_written:
        parts += [f"### {words.as_written}", _usages_table(view.as_written, words)]
    if view.contradictions:
        parts += [f"### {words.contradictions}", *(_contradiction(c, words) for c in view.contradictions)]
    parts.append(f"### {words.absent}")
    parts.append(_list(f"{r.id} ({r.device}): {r.word}, {r.reason}" for r in view.absent) or words.absent_none)
    parts += [f"### {words.machine}", _list(f"{k}: {v}" for k, v in facts.machine)]
    parts += [f"### {words.noise}", _list(f"{k}: {v}" for k, v in facts.noise)]
    parts += [f"### {words.took}", markdown(facts.took)]
    return parts


def _usages_table(rows: Sequence[UsageRow], words: Words) -> str:
    head = (words.claim, words.where, words.state, words.told, words.modern)
    return _table(head, (_usage_cells(u) for u in rows))


def _usage_cells(u: UsageRow) -> tuple[str, ...]:
    # A result's text is never shown as code, in which nothing can be escaped.
    told = (u.claim, u.where, f"{u.symbol} {u.word}", u.told, u.modern)
    return tuple(markdown(text) or "–" for text in told)


def _contradiction(c: ContradictionRow, words: Words) -> str:
    """What cannot be followed together, and below it what was measured."""
    lines = [markdown(f"{j.point}, {j.arm}: {j.told} {j.mark.symbol} {j.word}") for j in c.shown]
    lines += [markdown(f"{u.claim} ({u.where}): {u.symbol} {u.word}; {u.told}") for u in c.usages]
    shown = lines or [words.contradiction_unmeasured]
    return "\n".join([f"- {markdown(c.text)}", *(f"  - {line}" for line in shown)])


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {markdown(line)}" for line in lines)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
