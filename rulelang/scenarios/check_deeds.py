"""What is wrong with the lines of ``when``: who acts, with which move, and what follows. Spec 15.4."""

from collections.abc import Iterable

from rulelang import limits
from rulelang.ast import nodes as rules_ast
from rulelang.ast.nodes import plays as ast
from rulelang.checker.kinds import Flag, Kind, agree, spoken
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings, did_you_mean
from rulelang.scenarios.bench import Bench


class DeedCheck:
    """Events and moves; the rest of a scenario is in ``check``."""

    bench: Bench
    findings: Findings
    checks: int
    timed: bool
    """Whether the game has a clock."""

    def formula(self, node: rules_ast.Expr, wanted: Kind) -> None:
        raise NotImplementedError

    def player(self, word: ast.Word, *, acts: bool = False) -> None:
        raise NotImplementedError

    def known(self, reasons: Iterable[ast.Word]) -> None:
        raise NotImplementedError

    def event(self, event: ast.Happening) -> None:
        match event:
            case ast.Act():
                self.player(event.who, acts=True)
                self.deed(event.deed)
                self.effect(event.effect)
            case ast.Timed():
                self.time(event)
                if event.act is not None:
                    self.event(event.act)
            case ast.ByChance():
                self.outcomes(event.outcomes)
            case ast.AllPass():
                pass

    def time(self, event: ast.Timed) -> None:
        """A time is one of a game that has timers."""
        if not self.timed:
            hint = "leave the time out, or declare a timer"
            self.findings.report(codes.MISSING_DECLARATION, event.at, missing="how long anything lasts", hint=hint)
        refused = event.act is not None and isinstance(event.act.effect, ast.RefusedBy)
        latest = limits.INTEGER_MAX if refused else limits.LAST_TIME  # that a time is none can be what is tested
        if len(event.decimals) > 3 or event.time > latest:
            word = f"{event.seconds}.{event.decimals}" if event.decimals else str(event.seconds)
            self.findings.report(codes.NOT_A_TIME, event.at, word=word, limit=limits.LAST_TIME // 1000)

    def effect(self, effect: ast.Effect | None) -> None:
        match effect:
            case ast.Giving():
                self.outcomes(effect.outcomes)
            case ast.RefusedBy():
                self.checks += 1
                self.known(effect.reasons)
            case ast.IsLegal():
                self.checks += 1
            case None:
                pass

    # ------------------------------------------------------------------ moves

    def deed(self, deed: ast.Deed, *, hidden: bool = False) -> None:
        """A move with its answers; with ``hidden`` an answer may be 'anything', of which the seat was not told."""
        moves = self.bench.named(rules_ast.Move)
        if deed.name == "pass" and deed.name not in moves:
            if deed.arguments:
                self.count(deed, "nothing")
            return
        move = moves.get(deed.name)
        if not isinstance(move, rules_ast.Move):
            hint = did_you_mean(deed.name, [*moves, "pass"])
            self.findings.report(codes.UNKNOWN_MOVE, deed.at, word=deed.name, hint=hint)
            return
        fewest, most = answers_needed(move)
        if not fewest <= len(deed.arguments) <= most:
            names = ", ".join(getattr(parameter, "name") for parameter in move.parameters)  # noqa: B009
            self.count(deed, f"{most} value{'s' if most != 1 else ''}{f' ({names})' if names else ''}")
        for parameter, argument in zip(move.parameters, deed.arguments, strict=False):
            if isinstance(argument, rules_ast.Each | rules_ast.ValueOfEach):
                self.findings.report(codes.EACH_IN_REQUIREMENT, argument.at)
            elif not (hidden and is_hidden(argument)):
                self.formula(argument, self.answer_kind(parameter))

    def answer_kind(self, parameter: rules_ast.Node) -> Kind:
        """The kind of one answer of a move."""
        if isinstance(parameter, rules_ast.Maybe):
            return Flag()
        return self.bench.kinds.locals[self.bench.checked.names.bindings[parameter]]

    def count(self, deed: ast.Deed, wanted: str) -> None:
        found = str(len(deed.arguments))
        self.findings.report(codes.WRONG_ARGUMENT_COUNT, deed.at, word=deed.name, wanted=wanted, found=found)

    # ------------------------------------------------------------------ chance

    def outcomes(self, outcomes: Iterable[rules_ast.Expr]) -> None:
        for outcome in outcomes:
            self.bench.names.expr(outcome)
            self.outcome(outcome)

    def outcome(self, node: rules_ast.Expr) -> None:
        """What chance gives is of one of the kinds that it can give in this game; the first that fits is meant."""
        kinds = self.bench.kinds
        real, found = kinds.findings, self.bench.chance_kinds()
        for wanted in found:
            kinds.findings = Findings()
            kind = kinds.infer(node, wanted)
            fits = not kinds.findings and agree(kind, wanted)
            kinds.findings = real
            if fits:
                return
        hint = f"it gives {' or '.join(dict.fromkeys(spoken(kind) for kind in found))}" if found else None
        self.findings.report(codes.NEVER_BY_CHANCE, node.at, hint=hint)


def answers_needed(move: rules_ast.Move) -> tuple[int, int]:
    """The fewest and the most answers that can be written: a 'maybe' at the end may be left out and means no."""
    fewest = len(move.parameters)
    while fewest and isinstance(move.parameters[fewest - 1], rules_ast.Maybe):
        fewest -= 1
    return fewest, len(move.parameters)


def is_hidden(argument: object) -> bool:
    """Whether an answer is written as 'anything'."""
    return isinstance(argument, rules_ast.Name) and argument.name == "anything"
