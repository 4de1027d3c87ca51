"""Before any timing: the arms compute the same thing, leave their inputs alone, and answer to changed inputs."""

from __future__ import annotations

from bench.arms import Arms, BrokenError
from bench.launch import Process
from bench.pair import ANTI_PATTERN, RECOMMENDED


def check(arms: Arms) -> list[str]:
    """The names of the arms whose step raises, which only a pair with an outcome metric may have.

    Raises BrokenError with what differs, what was changed, or what was raised.
    """
    pair = arms.pair
    with arms.apart() as processes:
        outcomes = _results(arms, processes, "first")
        raising = [name for name, outcome in outcomes.items() if outcome != "returns"]
        if raising:
            if not any(m.kind == "outcome" for m in pair.metrics):
                raise BrokenError(f"{raising[0]} {outcomes[raising[0]]}", processes[raising[0]].last_words())
            return raising
        _compare(arms, "first", "")
        if not pair.same.free and pair.inputs_read == "each step":
            _check_that_inputs_matter(arms, processes)
    return []


def _check_that_inputs_matter(arms: Arms, processes: dict[str, Process]) -> None:
    """The inputs are overwritten in place and the arms compared again: a cached result would be the old one."""
    changed = arms.ask_together(processes, {"do": "refill"})
    if not all(answer["changed"] for answer in changed.values()):
        return
    _results(arms, processes, "second")
    _compare(arms, "second", " after the inputs changed (a cached result?)")


def _results(arms: Arms, processes: dict[str, Process], turn: str) -> dict[str, str]:
    """How each arm's step ended; what it returned lies in a file."""
    asked = {name: {"do": "result", "path": _path(arms, name, turn)} for name in processes}
    answers = arms.ask_each(processes, asked)
    for name, answer in answers.items():
        if answer["changed"]:
            told = processes[name].last_words()
            raise BrokenError(f"{name} changed its inputs; make what changes in the arm's factory", told)
    return {name: str(answer["outcome"]) for name, answer in answers.items()}


def _compare(arms: Arms, turn: str, when: str) -> None:
    """In a process of its own, since the comparison is the pair's own code."""
    with arms.unbuilt(RECOMMENDED) as judge:
        for arm in arms.names:
            if arm == ANTI_PATTERN:
                continue
            paths = {"a": _path(arms, ANTI_PATTERN, turn), "b": _path(arms, arm, turn)}
            difference = arms.ask(judge, {"do": "compare", **paths})["difference"]
            if difference:
                raise BrokenError(f"the arms do not compute the same{when}: {arm}: {difference}")


def _path(arms: Arms, arm: str, turn: str) -> str:
    return str(arms.folder / f"{turn}-{arm}.pt")
