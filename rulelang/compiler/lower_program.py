"""A whole checked tree to a program. Spec 1.3."""

from typing import assert_never

import attrs

from rulelang.ast import nodes as ast
from rulelang.checker.checked import Checked
from rulelang.checker.symbols import MoveName, RuleName
from rulelang.compiler.context import Compilation, Frame, numbers_of, source
from rulelang.compiler.depth import check_depth, check_locals, check_open_rules
from rulelang.compiler.exclusive import exclusive
from rulelang.compiler.lower_declarations import DeclarationLowering
from rulelang.compiler.lower_flow import FlowLowering
from rulelang.compiler.lower_formulas import FormulaLowering
from rulelang.compiler.lower_moves import MoveLowering
from rulelang.compiler.lower_types import is_static
from rulelang.compiler.order import in_reading_order
from rulelang.compiler.whenever import Watch, watching
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings, Related, did_you_mean
from rulelang.ir import nodes
from rulelang.ir.program import IR_VERSION, Function, Invariant, Procedure, Program
from rulelang.ir.whenever import whenever_name

AUTOMATIC = ("forced_chance", "forced_choices")
FLOW_REASONS = ("game_over", "not_your_turn", "not_offered", "no_such_value")


def lower(checked: Checked, name: str, findings: Findings) -> Program:
    """The program of a checked tree; what cannot be lowered goes to ``findings``."""
    program = _ProgramLowering(checked, findings).program(name)
    check_depth(program, findings)
    check_open_rules(program, findings)
    check_locals(program, findings)
    return program


class _ProgramLowering:
    def __init__(self, checked: Checked, findings: Findings) -> None:
        self.checked = checked
        self.c = Compilation(checked, numbers_of(checked.rules), findings)
        self.f = FormulaLowering(self.c)
        self.declarations = DeclarationLowering(self.c, self.f)

    def program(self, name: str) -> Program:
        rules, moves, d = self.checked.rules, MoveLowering(self.c, self.f), self.declarations
        nodes_of = rules.declarations
        self.f.types.check_declared()
        self.f.timers.check()
        fewest, most = self.seats()
        procedures = self.procedures()
        functions = d.functions()
        watches, conditions, ends = self.whenevers(len(functions), len(procedures))
        program = Program(
            IR_VERSION,
            name,
            rules.game.title,
            fewest,
            most,
            "forced_chance" in self.automatic(),
            "forced_choices" in self.automatic(),
            tuple(d.option(n) for n in nodes_of if isinstance(n, ast.Option)),
            tuple(d.demand(n) for n in nodes_of if isinstance(n, ast.Demand)),
            tuple(d.board(n) for n in nodes_of if isinstance(n, ast.Board)),
            tuple(d.table(n) for n in nodes_of if isinstance(n, ast.Table)),
            (*(d.slot(n) for n in nodes_of if isinstance(n, ast.Zone | ast.Marker)), *self.f.timers.slots()),
            (*functions, *conditions),
            (*procedures, *ends),
            tuple(moves.move(n) for n in nodes_of if isinstance(n, ast.Move)),
            tuple(node for node in self.c.nodes if node is not None),
            tuple(self.invariant(n) for n in nodes_of if isinstance(n, ast.Always)),
            preferences=tuple(moves.preference(n) for n in nodes_of if isinstance(n, ast.Prefer)),
            timers=self.f.timers.timers(),
            clock=self.f.timers.clock(),
        )
        program = watching(attrs.evolve(program, reasons=self.reasons(program)), watches)
        return in_reading_order(program)

    # ------------------------------------------------------------------ the cover

    def header(self, name: str) -> ast.Header | None:
        found = [header for header in self.checked.rules.game.headers if header.name == name]
        if len(found) > 1:
            self.c.findings.report(codes.DECLARED_TWICE, found[1].at, word=name)
        return found[0] if found else None

    def seats(self) -> tuple[int, int]:
        """The fewest and the most players."""
        header = self.header("players")
        if header is None:
            game = self.checked.rules.game
            self.c.findings.report(
                codes.MISSING_DECLARATION,
                game.at,
                missing="how many play",
                hint="write 'players: 2..4' below the game's title",
            )
            return 1, 1
        match header.values:
            case (ast.Number(value=count),) if count >= 1:
                low = high = count
            case (ast.Between(low=ast.Number(value=low), high=ast.Number(value=high)),) if 1 <= low <= high:
                pass
            case (ast.Between(low=ast.Number(value=low), high=ast.Number(value=high)),) if high < low:
                self.c.findings.report(
                    codes.EMPTY_RANGE, header.at, low=low, high=high, hint=f"did you mean {high}..{low}?"
                )
                return 1, 1
            case (ast.Number() | ast.Between(low=ast.Number(), high=ast.Number()),):
                self.c.findings.report(
                    codes.TYPE_MISMATCH, header.at, found="a game for 0 players", wanted="a game for at least 1 player"
                )
                return 1, 1
            case _:
                self.c.findings.report(
                    codes.TYPE_MISMATCH,
                    header.at,
                    found="no plain number of players",
                    wanted="2, for instance, or 2..4",
                )
                return 1, 1
        from rulelang import limits

        if high > limits.SEATS:
            self.c.findings.report(codes.TOO_MANY_SEATS, header.at, limit=limits.SEATS)
        return low, high

    def automatic(self) -> frozenset[str]:
        header = self.header("automatic")
        if header is None:
            return frozenset()
        words = [value.name if isinstance(value, ast.Name) else "this" for value in header.values]
        for word in words:
            if word not in AUTOMATIC:
                self.c.findings.report(
                    codes.UNKNOWN_SOFT_WORD, header.at, word=word, hint=did_you_mean(word, AUTOMATIC)
                )
        return frozenset(words)

    def reasons(self, program: Program) -> tuple[str, ...]:
        """The order of refusals that the cover gives; each is the name of a reason that there is."""
        header = self.header("reasons")
        if header is None:
            return ()
        words: list[str] = []
        known = [
            *FLOW_REASONS,
            *(node.reason for node in program.nodes if isinstance(node, nodes.Decide) and node.reason),
        ]
        for move in program.moves:
            known += [f"{parameter.name}_not_there" for parameter in move.parameters]
            known += [requirement.name for requirement in move.requirements]
        for value in header.values:
            word = value.name if isinstance(value, ast.Name) else "this"
            if word not in known:
                self.c.findings.report(codes.UNKNOWN_SOFT_WORD, value.at, word=word, hint=did_you_mean(word, known))
            elif word in words:
                self.c.findings.report(codes.DECLARED_TWICE, value.at, word=word)
            words.append(word)
        return tuple(words)

    # ------------------------------------------------------------------ procedures

    def procedures(self) -> tuple[Procedure, ...]:
        found: list[Procedure] = []
        for node in self.c.numbers.procedures:
            match node:
                case ast.Overview():
                    found.append(self.procedure("overview", node, (), node.body.statements, False))
                case ast.Rule():
                    found.append(self.procedure(node.name, node, node.params, node.body.statements, False))
                case ast.Move():
                    found.append(self.procedure(node.name, node, node.parameters, node.effects, True))
                case _:
                    assert_never(node)
        if not any(isinstance(node, ast.Overview) for node in self.c.numbers.procedures):
            hint = "add 'overview:' with what happens first"
            at = self.checked.rules.game.at
            self.c.findings.report(codes.MISSING_DECLARATION, at, missing="how it begins", hint=hint)
        overviews = [n for n in self.checked.rules.declarations if isinstance(n, ast.Overview)]
        for second in overviews[1:]:
            self.c.findings.report(codes.DECLARED_TWICE, second.at, word="overview")
        return tuple(found)

    def whenevers(
        self, functions: int, procedures: int
    ) -> tuple[tuple[Watch, ...], tuple[Function, ...], tuple[Procedure, ...]]:
        """Every `whenever`, with its condition and its body as they come behind the others. Spec 9.8."""
        watches: list[Watch] = []
        conditions: list[Function] = []
        ends: list[Procedure] = []
        for node in self.checked.rules.declarations:
            if not isinstance(node, ast.Whenever):
                continue
            at, name = source(node, node.citations), whenever_name(len(watches) + 1)
            watches.append(Watch(functions + len(watches), procedures + len(watches), at))
            frame = Frame()
            condition = self.f.lower(node.condition, frame)
            conditions.append(Function(name, 0, len(frame.labels), condition, at))
            frame = Frame()
            entry = FlowLowering(self.c, self.f, frame).body(node.body.statements, self.c.emit(nodes.Return(at)))
            ends.append(Procedure(name, 0, tuple(frame.labels), entry, at))
        return tuple(watches), tuple(conditions), tuple(ends)

    def procedure(
        self,
        name: str,
        node: ast.Overview | ast.Rule | ast.Move,
        params: tuple[ast.Node, ...],
        statements: tuple[ast.Statement, ...],
        me: bool,
    ) -> Procedure:
        frame = Frame(me=me)
        for param in params:
            local = frame.local(self.checked.names.bindings[param])
            if isinstance(param, ast.ChoiceOf) and (most := self.f.most_answered(param.domain)) is not None:
                frame.capacities[local.number] = most
        flow = FlowLowering(self.c, self.f, frame)
        at = source(node, node.citations)
        after = self.c.emit(nodes.Return(at))
        entry = self.overridden(node, statements, flow, after)
        return Procedure(name, len(params) + me, tuple(frame.labels), entry, at)

    def overridden(self, node: ast.Node, statements: tuple[ast.Statement, ...], flow: FlowLowering, after: int) -> int:
        """A body with what variants put before, after or in its place. Spec 14.4."""
        overrides = [
            o for o in self.checked.rules.declarations if isinstance(o, ast.Override) and self.target(o) is node
        ]
        for override in reversed([o for o in overrides if o.kind == "after"]):
            after = self.when(override, flow, flow.body(override.body.statements, after), after)
        entry = flow.body(statements, after)
        replacing = [o for o in overrides if o.kind == "instead"]
        for override in reversed(replacing):
            entry = self.when(override, flow, flow.body(override.body.statements, after), entry)
        self.no_two_at_once(replacing)
        for override in reversed([o for o in overrides if o.kind == "before"]):
            entry = self.when(override, flow, flow.body(override.body.statements, entry), entry)
        return entry

    def no_two_at_once(self, replacing: list[ast.Override]) -> None:
        """Two exceptions that replace one rule and can hold together leave open which goes first."""
        for position, later in enumerate(replacing):
            for earlier in replacing[:position]:
                if not exclusive(earlier.when, later.when, self.checked):
                    self.c.findings.report(
                        codes.REPLACED_TWICE,
                        later.at,
                        word=later.rule,
                        related=(Related(earlier.at, "the other replacement"),),
                        hint="let their conditions ask for different values of one option",
                    )

    def when(self, override: ast.Override, flow: FlowLowering, then: int, otherwise: int) -> int:
        if override.when is None:
            return then
        if not is_static(override.when, self.c):
            self.c.findings.report(
                codes.NO_BOUND,
                override.when.at,
                what="This condition",
                why="",
                hint="when an exception holds may depend on options and the number of players only",
            )
        condition = self.f.lower(override.when, flow.frame)
        return self.c.emit(nodes.Branch(condition, then, otherwise, source(override, override.citations)))

    def target(self, override: ast.Override) -> ast.Node | None:
        symbol = self.checked.names.uses.get(override)
        return symbol.node if isinstance(symbol, RuleName | MoveName) else None

    def invariant(self, node: ast.Always) -> Invariant:
        frame = Frame()
        condition = self.f.lower(node.condition, frame)
        return Invariant(node.name, condition, len(frame.labels), source(node, node.citations))
