"""A syntax tree as text: the other way round than the parser. What it writes means the tree, layout apart.

``rules`` writes a whole file; the formatter (``rulelang.ast.unparse``) then breaks long lines. Brackets are not
invented: a tree that needs them has them (``making.fit``).
"""

from collections.abc import Iterator

from rulelang.ast import nodes as ast


def rules(file: ast.Rules) -> str:
    """A whole file."""
    lines = [f'game "{file.game.title}":{_cited(file.game)}']
    lines += [f"  {head.name}: {_listed(head.values)}{_cited(head)}" for head in file.game.headers]
    for declaration in file.declarations:
        lines += ["", *_declaration(declaration)]
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------ formulas


def formula(node: ast.Expr | ast.Each | ast.ValueOfEach) -> str:
    """One formula or argument."""
    match node:
        case ast.Number(value=value):
            return str(value)
        case ast.Text():
            return _text(node)
        case ast.Constant(word=word) | ast.Name(name=word):
            return word
        case ast.Me():
            return "me"
        case ast.My():
            return f"my {node.name}"
        case ast.Its():
            return f"{formula(node.owner)}'s {node.name}"
        case ast.At():
            return f"{formula(node.family)}[{_listed(node.indices)}]"
        case ast.Apply():
            return f"{formula(node.function)}({_listed(node.arguments)})"
        case ast.Each():
            return f"each {node.name} in {formula(node.domain)}{_if(' where ', node.where)}"
        case ast.ValueOfEach():
            return f"{formula(node.value)} for {formula(node.each)}"
        case ast.Bracket():
            return f"({formula(node.value)})"
        case ast.ListOf():
            return f"[{_listed(node.items)}]"
        case ast.Exists() | ast.Every() | ast.Select():
            return _search(node)
        case _:
            return _operation(node)


def _operation(node: ast.Expr) -> str:
    match node:
        case ast.Field():
            return f"{node.name} of {formula(node.value)}"
        case ast.Negative():
            return f"-{formula(node.value)}"
        case ast.Product():
            return " * ".join(map(formula, node.factors))
        case ast.Sum():
            return formula(node.first) + "".join(f" {term.operator} {formula(term.value)}" for term in node.rest)
        case ast.Between():
            return f"{formula(node.low)}..{formula(node.high)}"
        case ast.Compare():
            return f"{formula(node.left)} {node.relation} {formula(node.right)}"
        case ast.Negate():
            return f"not {formula(node.value)}"
        case ast.Both():
            return " and ".join(map(formula, node.parts))
        case ast.Either():
            return " or ".join(map(formula, node.parts))
        case ast.Conditional():
            return f"{formula(node.value)} if {formula(node.condition)} otherwise {formula(node.otherwise)}"
        case _:
            raise AssertionError(type(node).__name__)


def _search(node: ast.Exists | ast.Every | ast.Select) -> str:
    match node:
        case ast.Exists():
            word = "no" if node.none else "some"
            return f"{word} {node.name} in {formula(node.domain)} where {formula(node.where)}"
        case ast.Every():
            return f"every {node.name} in {formula(node.domain)} satisfies {formula(node.condition)}"
        case ast.Select():
            word = "all" if node.all else "first"
            ranks = _ranked(node.ranks)
            found = f"{word} {node.name} in {formula(node.domain)}{_if(' where ', node.where)}"
            return f"{found} with {ranks}" if ranks else found


def _ranked(ranks: tuple[ast.Rank, ...]) -> str:
    return " then ".join(f"{'most' if rank.most else 'least'} {formula(rank.value)}" for rank in ranks)


def _text(node: ast.Text) -> str:
    parts = [part if isinstance(part, str) else f"{{{formula(part.value)}}}" for part in node.parts]
    return f'"{"".join(parts)}"'


def _listed(nodes: "tuple[ast.Expr | ast.Each | ast.ValueOfEach, ...]") -> str:
    return ", ".join(map(formula, nodes))


def _if(word: str, node: ast.Expr | None) -> str:
    return "" if node is None else word + formula(node)


def _cited(node: ast.Node) -> str:
    return "".join(f"  @{cite.clause}" for cite in getattr(node, "citations"))  # noqa: B009 - these nodes have them


# ------------------------------------------------------------------ declarations


def kind(node: ast.TypeExpr) -> str:
    """``player or nobody``"""
    return " or ".join(map(formula, node.alternatives))


def _params(params: tuple[ast.Node, ...]) -> str:
    written = [f"{param.name}: {kind(param.type)}" for param in params if isinstance(param, ast.Param)]
    return f"({', '.join(written)})" if written else ""


def _declaration(node: ast.Declaration) -> Iterator[str]:
    match node:
        case ast.Zone() | ast.Marker():
            yield _slot(node)
        case ast.Record() | ast.Table():
            yield from _table(node)
        case ast.Define() if node.by_cases:
            yield f"define {node.name}{_params(node.params)}:{_cited(node)}"
            for case in node.cases:
                end = "otherwise" if case.condition is None else f"when {formula(case.condition)}"
                yield f"  {formula(case.value)} {end}{_cited(case)}"
        case ast.Condition() if node.requirements:
            yield f"condition {node.name}{_params(node.params)}:{_cited(node)}"
            for need in node.requirements:
                yield f"  {_requirement(need)}{_cited(need)}"
        case ast.Move():
            yield from _move(node)
        case ast.Rule():
            yield from _body(f"rule {node.name}{_params(node.params)}", node.body, _cited(node))
        case ast.Overview():
            yield from _body("overview", node.body, _cited(node))
        case ast.Override():
            word = "instead of" if node.kind == "instead" else node.kind
            yield from _body(f"{word} {node.rule}{_if(' when ', node.when)}", node.body, _cited(node))
        case ast.Whenever():
            yield from _body(f"whenever {formula(node.condition)}", node.body, _cited(node))
        case _:
            yield _line(node) + _cited(node)


def _line(node: ast.Declaration) -> str:
    match node:
        case ast.Option():
            needs = _if(" needs ", node.needs) + _if(" because ", node.because)
            return f"option {node.name}: {_listed(node.values)} = {formula(node.default)}{needs}"
        case ast.Demand():
            return f"require {node.name}: {formula(node.condition)}{_if(' because ', node.because)}"
        case ast.Values():
            return f"values {node.name}: {_listed(node.values)}"
        case ast.Board():
            shape = "" if node.shape is None else f" {node.shape}"
            return f"board {node.name}: {formula(node.rows)} by {formula(node.columns)}{shape}"
        case ast.Timer():
            return f"timer {node.name}: {formula(node.length)} {node.unit}"
        case ast.Define():
            return f"define {node.name}{_params(node.params)} = {formula(node.cases[0].value)}"
        case ast.Condition(value=value) if value is not None:
            words = _if(" because ", node.because)
            return f"condition {node.name}{_params(node.params)}: {formula(value)}{words}"
        case ast.Always():
            return f"always {node.name}: {formula(node.condition)}"
        case ast.Prefer():
            ranks = f" with {_ranked(node.ranks)}" if node.ranks else ""
            return f"prefer {node.move}{ranks}{_if(' when ', node.when)}"
        case _:
            raise AssertionError(type(node).__name__)


def _slot(node: ast.Zone | ast.Marker) -> str:
    word = "zone" if isinstance(node, ast.Zone) else "marker"
    index = f" for each {' and '.join(map(formula, node.index.kinds))}" if node.index else ""
    line = f"{word} {node.name}{index}: {kind(node.type)}"
    if isinstance(node, ast.Zone) and node.showing is not None:
        line += f" showing {kind(node.showing)}"
    if isinstance(node, ast.Marker):
        line += _if(" = ", node.initial)
    for trait in node.traits:
        if isinstance(trait, ast.SeenBy):
            part = "" if trait.part == "content" else f"{trait.part} "
            line += f", {part}seen by {formula(trait.seats)}"
        else:
            line += f", starts with each {formula(trait.kind)}{_if(' times ', trait.times)}"
    return line + _cited(node)


def _table(node: ast.Record | ast.Table) -> Iterator[str]:
    source = f" from {node.source}" if isinstance(node, ast.Table) and node.source else ""
    yield f"{'record' if isinstance(node, ast.Record) else 'table'} {node.name}{source}:{_cited(node)}"
    for column in node.columns:
        yield f"  {column.name}: {kind(column.type)}{_cited(column)}"
    for row in node.rows if isinstance(node, ast.Table) else ():
        yield f"  row {row.name}: {_listed(row.values)}{_cited(row)}"


def _move(node: ast.Move) -> Iterator[str]:
    choices = [
        f"{each.name} in {formula(each.domain)}" if isinstance(each, ast.ChoiceOf) else f"maybe {each.name}"
        for each in node.parameters
    ]
    head = (
        f"move {node.name}" + (f"({', '.join(choices)})" if choices else "") + (", seen by me" if node.private else "")
    )
    if not node.requirements and not node.effects:
        yield head + _cited(node)
        return
    yield f"{head}:{_cited(node)}"
    for need in node.requirements:
        yield f"  {_requirement(need)}{_cited(need)}"
    for statement in node.effects:
        yield from _statement(statement, "  ")


def _requirement(node: ast.Require | ast.RequireNamed) -> str:
    if isinstance(node, ast.RequireNamed):
        return f"require {node.name}" + (f"({_listed(node.arguments)})" if node.arguments else "")
    words = _if(" unless ", node.unless) + _if(" because ", node.because)
    return f"require {node.name}: {formula(node.condition)}{words}"


# ------------------------------------------------------------------ statements


def _body(head: str, body: ast.Body, cited: str, indent: str = "") -> Iterator[str]:
    """A head, its colon, and what stands below or behind it."""
    if body.inline:
        [line] = _statement(body.statements[0], "")
        yield f"{indent}{head}: {line}{cited}"
        return
    yield f"{indent}{head}:{cited}"
    for statement in body.statements:
        yield from _statement(statement, indent + "  ")


def _statement(node: ast.Statement, indent: str) -> Iterator[str]:
    match node:
        case ast.EachLoop():
            start, where = _if(" from ", node.start), _if(" where ", node.where)
            head = f"each {node.name} in {formula(node.domain)}{start}{where}"
            yield from _body(head, node.body, _cited(node), indent)
        case ast.Turns():
            domain = _if(" in ", node.domain)
            yield from _body(
                f"turns of {node.name}{domain} from {formula(node.start)}", node.body, _cited(node), indent
            )
        case ast.Repeat():
            times = "" if node.times is None else f" {formula(node.times)} times"
            yield from _body(f"repeat{_if(' until ', node.until)}{times}", node.body, _cited(node), indent)
        case ast.Branch():
            head, cited = "if ", _cited(node)
            for condition, body in node.cases:
                yield from _body(head + formula(condition), body, cited, indent)
                head, cited = "otherwise if ", ""
            if node.otherwise is not None:
                yield from _body("otherwise", node.otherwise, "", indent)
        case _:
            yield indent + _simple(node) + _cited(node)


def _simple(node: ast.Statement) -> str:
    match node:
        case ast.Let():
            return f"let {node.name} = {formula(node.value)}"
        case ast.Becomes():
            return f"{formula(node.target)} becomes {formula(node.value)}"
        case ast.Rises() | ast.Falls():
            word = "rises" if isinstance(node, ast.Rises) else "falls"
            return f"{formula(node.target)} {word} by {formula(node.by)}"
        case ast.Put():
            way = f"from {formula(node.source)} {node.where} {formula(node.target)}"
            return f"put {formula(node.what)} {way}"
        case ast.Choose():
            return _choose(node)
        case ast.Leave():
            return f"end {node.rule}"
        case ast.Finish():
            return _finish(node)
        case ast.Call():
            return formula(node.rule)
        case ast.Command():
            return f"{node.verb} {formula(node.object)}{_if(' from ', node.source)}{_if(' to ', node.to)}"
        case _:
            raise AssertionError(type(node).__name__)


def _choose(node: ast.Choose) -> str:
    manner = "" if node.manner is None else f"{node.manner} "
    result = "" if node.result is None else f" as {node.result}"
    reason = "" if node.reason is None else f"{node.reason}: "
    end = f"{_if(' until ', node.until)}{result}{_if(f' because {reason}', node.because)}"
    return f"{formula(node.who)} {'must' if node.must else 'may'} {manner}{' or '.join(node.moves)}{end}"


def _finish(node: ast.Finish) -> str:
    match node.outcome:
        case ast.Wins(seats=seats):
            return f"end game, {formula(seats)} wins"
        case ast.Gets():
            gets = node.outcome
            return f"end game, each {gets.name} in {formula(gets.domain)} gets {formula(gets.amount)}"
        case ast.Result():
            value = "" if node.outcome.value is None else f" {formula(node.outcome.value)}"
            return f"end game, {node.outcome.name}{value}"
        case None:
            return "end game"
