"""After a challenge of Taiwan Monsters Brawl everybody can ask where a total comes from: its parts, with clauses."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from command_line import Run, conforms

PARTS = ("dice_points", "points_of_cells", "power_points", "spell_points", "injury")


def nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """Every object of a document."""
    if isinstance(tree, dict):
        yield tree
        for part in tree.values():
            yield from nodes(part)
    elif isinstance(tree, list):
        for part in tree:
            yield from nodes(part)


def test_the_whole_sum_is_told(run: Run) -> None:
    run("play taiwan-monsters-brawl --seats advised,advised,advised --seed 4 --record game.record.jsonl")
    events = [json.loads(line) for line in Path("game.record.jsonl").read_text(encoding="utf-8").splitlines()[1:]]
    duels = [number for number, event in enumerate(events, 1) if event.get("play") == "challenge"]
    begun = duels[0]
    seat = events[begun - 1]["seat"]
    over = next(number for number, event in enumerate(events[begun:], begun) if event.get("play") == "settle")
    told = run(["explain", f"game.record.jsonl:{over}", f"total(seat {seat})"]).stdout
    assert all(part in told for part in PARTS), told
    assert "TMB-CELL-12" in told and "TMB-CONC-13" in told
    data = json.loads(run(["explain", f"game.record.jsonl:{over}", f"total(seat {seat})", "--format", "json"]).stdout)
    conforms(data, "explain")
    cited = {clause for node in nodes(data) for clause in node.get("clauses", ())}
    assert {"TMB-R-17", "TMB-CELL-12", "TMB-CONC-03", "TMB-CONC-13"} <= cited
    assert "bonus_paid: " in run(["explain", f"game.record.jsonl:{over}", "bonus_paid"]).stdout


def test_what_wrote_the_points_is_told_at_the_end(run: Run) -> None:
    run("play taiwan-monsters-brawl --seats advised,advised,advised --seed 4 --record game.record.jsonl")
    told = "".join(run(["explain", "game.record.jsonl", f"vp of seat {seat}"]).stdout for seat in (1, 2, 3))
    assert "bonus_paid" in told and "TMB-CONC-05" in told and "TMB-CLEAN-05" in told
