"""A run as JUnit XML: a test case per claim, with its verdict, its numbers and its points as properties.

A claim is no test: that advice backfires is a finding and not a failure. Only a pair that is BROKEN is an error, and
what was not measured is skipped. Jenkins' schema (junit-10.xsd of its xUnit plugin) allows properties in suites only,
so every claim is a suite of one case.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

from bench.claims import Claims
from bench.lines import change_text
from bench.results import Run
from bench.verdict import ClaimVerdict, Verdict, check_controls, judge_run
from report.escape import plain


def junit(run: Run, claims: Claims) -> str:
    """The document. Text from the run may hold what XML cannot write, not even escaped; that becomes a space."""
    verdicts = [v for v in judge_run(run, claims) if v.records]
    root = ET.Element("testsuites", {"name": "torchproof"} | _counts(verdicts))
    about = ET.SubElement(root, "testsuite", name="run", tests="0", failures="0", errors="0")
    controls = check_controls(run)
    _properties(
        about,
        {
            "run": run.id,
            "machine": run.machine.name,
            "device": run.device,
            "torch": run.environment.torch,
            "profile": run.profile,
            "controls": "passed" if controls.passed else f"failed: {controls.faults[0]}",
            "resolution": f"{controls.resolution:.4g}" if controls.resolution is not None else "unknown",
        },
    )
    for verdict in verdicts:
        _suite(root, verdict, plain(run.started))
    ET.indent(root, " ")
    return f'<?xml version="1.0"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _counts(verdicts: list[ClaimVerdict]) -> dict[str, str]:
    broken = sum(v.verdict is Verdict.BROKEN for v in verdicts)
    return {"tests": str(len(verdicts)), "failures": "0", "errors": str(broken)}


def _suite(root: ET.Element, verdict: ClaimVerdict, started: str) -> None:
    seconds = sum(r.seconds for r in verdict.records)
    skipped = str(int(verdict.verdict is Verdict.NOT_MEASURED))
    named = {"name": plain(verdict.claim.id), "skipped": skipped, "timestamp": started}
    suite = ET.SubElement(root, "testsuite", named | _counts([verdict]))
    told = {
        f"{j.point.id} {j.arm} {j.metric.name}": f"{j.verdict} {change_text(j)}".strip()
        for j in (*verdict.deciding, *verdict.others)
    }
    _properties(suite, {"verdict": verdict.verdict, "why": verdict.why, "advice": verdict.claim.advice_en} | told)
    case = ET.SubElement(suite, "testcase", classname=f"torchproof.{verdict.claim.topic}", name=plain(verdict.claim.id))
    case.set("time", f"{seconds:.3f}")
    if verdict.verdict is Verdict.BROKEN:
        error = ET.SubElement(case, "error", type="BROKEN", message=plain(verdict.why))
        error.text = "\n".join(plain(line) for r in verdict.records for line in r.said)
    elif verdict.verdict is Verdict.NOT_MEASURED:
        ET.SubElement(case, "skipped", type="NOT MEASURED", message=plain(verdict.why))
    ET.SubElement(case, "system-out").text = plain(f"{verdict.verdict}: {verdict.why}")


def _properties(parent: ET.Element, told: dict[str, str]) -> None:
    properties = ET.SubElement(parent, "properties")
    for name, value in told.items():
        ET.SubElement(properties, "property", name=plain(name), value=plain(str(value)))
