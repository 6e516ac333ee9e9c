"""The searches among the formulas: a variable goes through a collection. Spec 4.9."""

from typing import TYPE_CHECKING, assert_never

import attrs

from rulelang.ir.codec import Path
from rulelang.ir.expressions import (
    Choose,
    Collect,
    Every,
    Exists,
    Extreme,
    Local,
    Number,
    Partition,
    PartitionPart,
    Select,
    Total,
)
from rulelang.ir.measure import Search
from rulelang.ir.verify.kinds import FLAG, NUMBER, Division, Kind, Many, of_single

if TYPE_CHECKING:
    from rulelang.ir.verify.formulas import Formulas, Scope


def check_search(formulas: "Formulas", search: Search, path: Path, scope: "Scope") -> Kind:
    """The kind of a search's value, its parts looked at."""
    domain = formulas.many(search.domain, (path, "domain"), scope)
    inner = bind(formulas, search.variable, domain.of, (path, "variable"), scope)
    formulas.flag(search.condition, (path, "condition"), inner)
    match search:
        case Exists() | Every():
            return FLAG
        case Select() | Choose():
            for number, rank in enumerate(search.ranks):
                formulas.single(rank.value, (((path, "ranks"), number), "value"), inner)
            if isinstance(search, Select):
                return Many("list", domain.of)
            formulas.fits(search.none, domain.of, (path, "none"), scope)
            return domain.of
        case Number():
            return NUMBER
        case Total():
            formulas.single(search.value, (path, "value"), inner)
            return NUMBER
        case Extreme():
            formulas.single(search.value, (path, "value"), inner)
            formulas.single(search.none, (path, "none"), scope)
            return NUMBER
        case Collect():
            return Many("list", formulas.single(search.value, (path, "value"), inner))
        case _:
            assert_never(search)


def check_partition(formulas: "Formulas", partition: Partition, path: Path, scope: "Scope") -> Kind:
    """The kind of a division, its parts looked at."""
    of = of_single(partition.of)
    formulas.fits(partition.collection, Many(None, of), (path, "collection"), scope)
    formulas.single(partition.low, (path, "low"), scope)
    formulas.single(partition.high, (path, "high"), scope)
    inner = bind(formulas, partition.variable, Many("bag", of), (path, "variable"), scope)
    formulas.flag(partition.condition, (path, "condition"), inner)
    formulas.single(partition.worth, (path, "worth"), inner)
    return Division(of)


def check_partition_part(formulas: "Formulas", part: PartitionPart, path: Path, scope: "Scope") -> Kind:
    """The kind of one part of a division."""
    division = formulas.kind(part.partition, (path, "partition"), scope)
    if not isinstance(division, Division | None):
        formulas.report.add(path, f"a division is needed, not {division}")
    of = division.of if isinstance(division, Division) else None
    match part.part:
        case "possible":
            return FLAG
        case "value":
            return NUMBER
        case "rest":
            return Many("bag", of)
        case "groups":
            return Many("list", Many("bag", of))
        case _:
            assert_never(part.part)


def bind(formulas: "Formulas", variable: Local, kind: Kind, path: Path, scope: "Scope") -> "Scope":
    """The scope in which a variable has a value; it may not be one that has a value already."""
    if variable.number >= scope.count:
        formulas.report.add(path, f"there is no local {variable.number} here")
    elif scope.has(variable.number) and not scope.witnesses:
        formulas.report.add(path, f"'{variable.name}' is local {variable.number}, which is in use here")
    return attrs.evolve(scope, variables={**scope.variables, variable.number: kind})
