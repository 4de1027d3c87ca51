"""``python -m bench list | show | doctor | trust | fleet | matrix``."""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench import doctor, fleet, load, matrix, repeat, stability, store
from bench.claims import Claim, Claims, ClaimsError, read_claims
from bench.cluster import FleetError
from bench.collect import CLAIMS_FILE, DeclarationError, Declared, collect, load_usages, practice_files
from bench.devices import available
from bench.interrupts import interrupts
from bench.needs import look_here
from bench.pair import Needs
from bench.plan import Planned, parse_budget, plan_point, points_of
from bench.profiles import PROFILES
from bench.results import UnreadableRunError

LEAST_COMPARISONS = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = options.run
    try:
        return run(options)
    except (ClaimsError, DeclarationError) as error:
        print(error, file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Look at the suite, this machine and the method."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    listing = commands.add_parser("list", help="every claim with its pairs, every pair with its metrics and points")
    listing.add_argument("--json", action="store_true", help="for machines")
    listing.set_defaults(run=_list)
    show = commands.add_parser("show", help="one pair: its claims, arms and code")
    show.add_argument("pair", metavar="PAIR", help="an id of list, such as tensors/reshape-copies")
    show.set_defaults(run=_show)
    check = commands.add_parser(
        "doctor", help="this machine: what it is, what it cannot measure, noise, length of a run"
    )
    check.add_argument("--profile", choices=sorted(PROFILES), default="quick", help="default: %(default)s")
    check.set_defaults(run=_doctor)
    trusting = commands.add_parser("trust", help="measure how often the method errs, beside two peers (minutes)")
    trusting.add_argument("--json", action="store_true", help="for machines")
    trusting.add_argument("--comparisons", type=int, default=100, metavar="N", help="per tool (default: %(default)s)")
    trusting.add_argument(
        "--load", type=int, default=0, metavar="N", help="N background processes that come and go (default: none)"
    )
    trusting.add_argument(
        "--suite", type=int, metavar="N", help="instead: measure the whole CPU suite N times; how often verdicts stay"
    )
    trusting.add_argument(
        "--power", type=int, metavar="N", help="instead: the smallest effect found against seconds spent, over N tries"
    )
    trusting.add_argument(
        "--csv",
        action="store_true",
        help="of --power: every comparison; of --suite: every verdict (results/trust/power.csv, suite.csv)",
    )
    trusting.add_argument(
        "--agreement", type=int, metavar="N", help="instead: the ratios of N pairs by us and by pyperf, side by side"
    )
    trusting.add_argument(
        "--results", type=Path, default=Path("trust-runs"), metavar="DIR", help="of --suite (default: %(default)s)"
    )
    trusting.add_argument(
        "--budget", type=_budget, default="19m", metavar="8m", help="of each run of --suite (default: %(default)s)"
    )
    trusting.set_defaults(run=_trust)
    _add_fleet(commands.add_parser("fleet", help="measure on each kind of machine of a Ray cluster"))
    _add_matrix(commands.add_parser("matrix", help="measure under several versions of torch; what changed between"))
    return parser


def _add_matrix(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("versions", nargs="+", metavar="VERSION", help="of torch, such as 2.13.0 2.14.1")
    _add_measuring(parser)
    parser.add_argument(
        "--device", choices=("auto", "cpu", "cuda"), default="auto", help="default: a GPU if there is one"
    )
    parser.add_argument(
        "--extras", default="data,deploy", metavar="NAMES", help="of the project, installed too (default: %(default)s)"
    )
    parser.add_argument(
        "--environments", type=Path, metavar="DIR", help="keep them there and use those that are (default: removed)"
    )
    parser.add_argument(
        "--results",
        type=Path,
        default=Path("matrix-runs"),
        metavar="DIR",
        help="where the runs go (default: %(default)s)",
    )
    parser.set_defaults(run=_matrix)


def _add_measuring(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--profile", choices=sorted(PROFILES), default="quick", help="default: %(default)s")
    parser.add_argument("--budget", metavar="8m", help="of each run (default: no limit)")
    parser.add_argument("--seed", type=int, default=0, help="default: %(default)s")
    parser.add_argument("-k", dest="keyword", metavar="EXPRESSION", help="chooses pairs as in pytest")


def _add_fleet(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--address", default="auto", help="of the Ray cluster (default: %(default)s, the one here)")
    parser.add_argument(
        "--per",
        choices=("gpu-model", "node"),
        default="gpu-model",
        help="one run for each model of GPU (of CPU where there is none), or for each node (default: %(default)s)",
    )
    parser.add_argument("--gpus", type=int, default=1, metavar="N", help="that a run may use (default: %(default)s)")
    _add_measuring(parser)
    parser.add_argument(
        "--resume", action="store_true", help="go on with the last fleet, as it was asked for: only what did not arrive"
    )
    parser.add_argument(
        "--results", type=Path, default=store.RESULTS, metavar="DIR", help="where the runs go (default: results/)"
    )
    parser.set_defaults(run=_fleet)


def _list(options: argparse.Namespace) -> int:
    claims, declared = _everything()
    if options.json:
        print(json.dumps(listing(claims, declared), indent=2, ensure_ascii=False))
        return 0
    console = Console()
    table = Table("claim", "where", "metric", "promised", "pairs")
    for claim in claims.claim:
        pairs = [d.id for d in declared if claim.id in d.pair.claims]
        promise = claim.promise(claim.metric)
        table.add_row(claim.id, claim.places, claim.metric, promise.text_en if promise else "", "\n".join(pairs))
    console.print(table)
    covered = sum(any(c.id in d.pair.claims for d in declared) for c in claims.claim)
    console.print(f"{covered} of {len(claims.claim)} claims have a pair; {len(declared)} pairs")
    return 0


def listing(claims: Claims, declared: Sequence[Declared]) -> dict[str, Any]:
    """What ``list --json`` prints."""
    return {
        "claims": [_claim_entry(c, [d.id for d in declared if c.id in d.pair.claims]) for c in claims.claim],
        "pairs": [
            {
                "id": d.id,
                "claims": list(d.pair.claims),
                "metrics": [m.name for m in d.pair.metrics],
                "points": [v for v in points_of(d, "full") if v is not None],
                "needs": _needs_entry(d.pair.needs),
            }
            for d in declared
        ],
    }


def _claim_entry(claim: Claim, pairs: list[str]) -> dict[str, Any]:
    promised = [p.model_dump() for p in claim.promised]
    return {
        "id": claim.id,
        "source": claim.source,
        "section": claim.section,
        "metric": claim.metric,
        "promised": promised or None,
        "pairs": pairs,
    }


def _needs_entry(needs: Needs) -> dict[str, Any]:
    plain = Needs()
    return {name: value for name, value in vars(needs).items() if value != getattr(plain, name)}


def _show(options: argparse.Namespace) -> int:
    claims, declared = _everything()
    found = next((d for d in declared if d.id == options.pair), None)
    if found is None:
        near = [d.id for d in declared if options.pair.rsplit("/", 1)[-1] in d.id] or [d.id for d in declared]
        print(f"there is no pair {options.pair!r}; there are: {', '.join(near)}", file=sys.stderr)
        return 2
    known = claims.by_id()
    print(f"{found.id}  ({found.file}:{found.line})")
    for claim in (known[c] for c in found.pair.claims):
        print(f"claim {claim.id} ({claim.places}): {claim.advice_en}")
    print(f"held equal: {found.pair.same.describe}")
    print(f"metrics: {', '.join(f'{m.name} ({m.better} is better)' for m in found.pair.metrics)}")
    if found.pair.axis is not None:
        print(f"axis {found.pair.axis.name}: {', '.join(map(str, points_of(found, 'full')))}")
    print(f'measure it: pytest --benchmark -k "{found.id}"')
    for written in load_usages(found.file):
        used = written.as_written
        print(f"\n--- as written in {used.where}{f'; today: {used.modern}' if used.modern else ''}")
        print(inspect.getsource(used.usage).rstrip())
    for name, factory in found.pair.arms.items():
        print(f"\n--- {name}\n{inspect.getsource(factory).rstrip()}")
    return 0


def _doctor(options: argparse.Namespace) -> int:
    claims, declared = _everything()
    here, device, known = look_here(), available()[0], claims.by_id()
    planned: list[Planned] = [
        plan_point(d, value, device, here, known) for d in declared for value in points_of(d, options.profile)
    ]
    for line in doctor.lines(planned, options.profile):
        print(line)
    return 0


def _trust(options: argparse.Namespace) -> int:
    ways = {"suite": _trust_suite, "power": _trust_power, "agreement": _trust_agreement}
    chosen = [way for way in ways if getattr(options, way) is not None]
    for number in ("comparisons", *chosen):
        if getattr(options, number) < LEAST_COMPARISONS:
            print(f"--{number} {getattr(options, number)} < {LEAST_COMPARISONS}: a spread needs two", file=sys.stderr)
            return 2
    if len(chosen) > 1:
        print(f"--{' and --'.join(chosen)}: one at a time", file=sys.stderr)
        return 2
    with load.neighbours(options.load) if options.load else nullcontext():
        return (ways[chosen[0]] if chosen else _trust_tools)(options)


def _trust_tools(options: argparse.Namespace) -> int:
    # The peers' import looks for a CUDA toolkit and warns where there is none, so only who asks for it pays for it.
    from bench import trust

    summaries = trust.compare_tools(options.comparisons, _tell)
    print(trust.to_json(summaries) if options.json else trust.to_text(summaries))
    return 0


def _trust_power(options: argparse.Namespace) -> int:
    from bench import power, power_tries

    spent = power_tries.measure(options.power, _tell)
    print(power.to_csv(spent) if options.csv else power.to_text(power.curve(spent)))
    return 0


def _trust_agreement(options: argparse.Namespace) -> int:
    from bench import agreement

    _, declared = _everything()
    found = agreement.compare(agreement.choose(declared, options.agreement), _tell)
    print(agreement.to_json(found) if options.json else agreement.to_text(found))
    return 0


def _trust_suite(options: argparse.Namespace) -> int:
    try:
        with interrupts():
            runs = repeat.measure_again(options.suite, options.results, options.budget, _tell)
    except KeyboardInterrupt:
        print("interrupted; the same command again goes on after the runs that had finished", file=sys.stderr)
        return 130
    except (repeat.RepeatError, UnreadableRunError) as error:
        print(error, file=sys.stderr)
        return 2
    series = stability.compare_runs(runs, read_claims(CLAIMS_FILE), options.load)
    print(stability.to_csv(series).rstrip() if options.csv else stability.to_text(series))
    return 0


def _budget(text: str) -> str:
    try:
        parse_budget(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


def _tell(line: str) -> None:
    print(line, file=sys.stderr)


def _fleet(options: argparse.Namespace) -> int:
    def tell(line: str) -> None:
        print(line, flush=True)

    try:
        if options.budget is not None:
            parse_budget(options.budget)
        arguments = fleet.pytest_arguments(options.profile, options.budget, options.seed, options.keyword)
        code, lines = fleet.run_fleet(
            options.address, options.per, arguments, options.resume, options.results.resolve(), options.gpus, tell
        )
    except (FleetError, ValueError) as error:
        print(f"fleet: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; what had landed is on record, go on with: python -m bench fleet --resume", file=sys.stderr)
        return 130
    print("\n".join(lines))
    return code


def _matrix(options: argparse.Namespace) -> int:
    def tell(line: str) -> None:
        print(line, flush=True)

    arguments = ["--profile", options.profile, "--seed", str(options.seed), "--device", options.device]
    arguments += ["--benchmark-quiet", "-q", "--no-header"]
    arguments += ["--budget", options.budget] if options.budget else []
    arguments += ["-k", options.keyword] if options.keyword else []
    extras = [e for e in options.extras.split(",") if e]
    try:
        columns = matrix.run_matrix(
            options.versions, options.environments, extras, arguments, options.results.resolve(), tell
        )
    except matrix.MatrixError as error:
        print(f"matrix: {error}", file=sys.stderr)
        return 2
    lines, comparable = matrix.report(columns, read_claims(CLAIMS_FILE))
    print("\n".join(lines))
    return int(len(columns) < len(options.versions) or not comparable)


def _everything() -> tuple[Claims, list[Declared]]:
    claims = read_claims(CLAIMS_FILE)
    return claims, collect(practice_files(), claims.by_id())


if __name__ == "__main__":
    raise SystemExit(main())
