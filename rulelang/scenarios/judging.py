"""A foreign engine judged by scenarios: it is told what the reference does, and must say what the reference says.

A scenario runs on the reference as always. Beside it the foreign engine is loaded with the same game, and told every
event, outcomes of chance included. After each event it must wait for the same, or have ended the same way; refused
lines must be refused for the reasons that the scenario names; wherever the scenario checks something, the legal
answers of all asked seats and the views of all seats and of a spectator must be the same. The first difference ends
the scenario.
"""

from collections.abc import Sequence
from typing import Any

from rulelang.ast.nodes import plays as ast
from rulelang.ast.nodes.base import Node
from rulelang.failures import Exhausted
from rulelang.ir.codec import content_hash
from rulelang.play.engine import Engine, State
from rulelang.play.event import Answer, Event, Expiry, Play, Reading, Sealed
from rulelang.play.record import event_json
from rulelang.play.refusal import Refusal
from rulelang.scenarios.check import CheckedScenario
from rulelang.scenarios.deeds import answer_of
from rulelang.scenarios.foreign import Foreign, ForeignFault
from rulelang.scenarios.opening import options_of
from rulelang.scenarios.refusing import compare_reasons
from rulelang.scenarios.results import Complaint, Result
from rulelang.scenarios.run import Run, Stopped, merged
from rulelang.scenarios.wire import PROTOCOL, STATES, TIME, Json, moves_json, view_json, waits_json

POSITION = "it begins from a position, and the engine starts only from the beginning"
NO_TIME = "times are said, and the engine knows no time"
UNKNOWN = "the engine does not know this game"

_BEGUN = (ast.Lies, ast.Stands, ast.EachFact, ast.Reach)


class _NotAsked(Exception):
    """The engine cannot be judged by this scenario."""


def judge(checked: CheckedScenario, engine: Engine, foreign: Foreign) -> Result:
    """What becomes of one scenario on a foreign engine; ``engine`` is the reference."""
    return _Judged(checked, engine, foreign).run()


class _Judged(Run):
    """One scenario, run on two engines."""

    def __init__(self, checked: CheckedScenario, engine: Engine, foreign: Foreign) -> None:
        super().__init__(checked, engine)
        self.foreign = foreign
        self.at: Node = checked.scenario
        self.told = 0
        """So many states of the table the engine has been led to."""
        self.sealed: set[int] = set()
        """Seats whose sealed answers it has been told, as long as others are missing."""
        self.compared: State | None = None

    def run(self) -> Result:
        """Run it on both."""
        try:
            return super().run()
        except ForeignFault as fault:
            self.add(Complaint(self.at.at.line, "", "an answer", str(fault)))
            return self.result("failed", "")
        except _NotAsked as reason:
            return self.result("skipped", str(reason))

    def part(self, part: Any) -> None:
        """A part of the scenario on the reference, then what came of it on the other."""
        self.at = part
        super().part(part)
        self._stop_if_wrong()
        self._lead(part)
        if isinstance(part, ast.Act):
            self._attempt(part)
        elif isinstance(part, ast.Timed) and part.act is not None:
            self._attempt(part.act, part.time)
        elif isinstance(part, ast.Check):
            self._compare_all(part)

    # -------------------------------------------------------------- beginning

    def given(self, block: ast.Given) -> None:
        """Load the game on both, and start it."""
        facts = block.facts if self.first is None else merged(self.first.facts, block.facts)
        program = self.checked.compiled.program
        loaded = self.foreign.ask(
            "load",
            protocol=PROTOCOL,
            ruleset=program.name,
            program=content_hash(program),
            seats=len(self.checked.players),
            options=options_of(facts),
        )
        if loaded.get("unknown") is True:
            raise _NotAsked(UNKNOWN)
        refused = next((fact for fact in facts if isinstance(fact, ast.NotBegun)), None)
        if refused is not None and not any(isinstance(fact, ast.NotBegun) for fact in block.facts):
            refused = None
        super().given(block)
        self._stop_if_wrong()
        if not self.begun:
            assert refused is not None
            effect = ast.RefusedBy(refused.at, refused.reasons, False, None)
            self._hold_reasons(refused, effect, loaded, "set up")
            return
        self._taken(block, loaded, "the game is set up")
        if TIME not in _accepted(loaded) and any(_says_times(each) for each in self.scenario.blocks):
            raise _NotAsked(NO_TIME)
        self._begin(block, facts, loaded)

    def _begin(self, block: ast.Given, facts: Sequence[ast.Fact], loaded: Json) -> None:
        assert self.table is not None
        start: Json = {}
        if any(isinstance(fact, _BEGUN) for fact in facts):
            if STATES not in _accepted(loaded):
                raise _NotAsked(POSITION)
            start["state"] = self.table.state.to_bytes().hex()
        self._compare_wait(block, self.foreign.ask("start", **start), self.table.state, "the start")
        self.told, self.sealed, self.compared = 1, set(), None

    # -------------------------------------------------------------- events

    def _lead(self, at: Node) -> None:
        """Tell the engine every event that has happened since, and sealed answers that wait for others."""
        table = self.table
        if table is None:
            return
        states = table.states[self.told :]
        for place, state in enumerate(states):
            assert state.event is not None
            if isinstance(state.event, Reading | Expiry):
                if not any(_same_moment(state, after) for after in states[place + 1 : place + 2]):
                    self._read(at, state)
            else:
                self._tell(at, state.event, state)
        self.told = len(table.states)
        for seat, answer in table.match.sealed.items():
            if seat not in self.sealed:
                self._do(at, answer)
                self.sealed.add(seat)

    def _read(self, at: Node, state: State) -> None:
        """Time goes on up to a state; timers that are due run out by themselves."""
        said = f"reading {state.now} ms"
        self._compare_wait(at, self.foreign.ask("read", time=state.now), state, said)

    def _tell(self, at: Node, event: Event, after: State) -> None:
        said = self._said(event)
        if not isinstance(event, Sealed):
            self._compare_wait(at, self._do(at, event), after, said)
            return
        told: Json | None = None
        before = after.previous
        for answer in event.answers:
            if answer.seat not in self.sealed:
                told = self._do(at, answer)
            if before is not None and before.waiting.first_only and isinstance(answer, Play):
                break  # what comes behind the first that moves has lapsed
        self.sealed = set()
        if told is not None:
            self._compare_wait(at, told, after, said)

    def _do(self, at: Node, event: Event) -> Json:
        """Something happens on the engine; it must take it."""
        assert self.shop is not None
        reply = self.foreign.ask("attempt", event=event_json(self.shop.program, event), only_try=False)
        self._taken(at, reply, self._said(event))
        return reply

    def _attempt(self, event: ast.Act, time: int = 0) -> None:
        """A line that must be refused, or that would be legal: tried, and nothing may come of it.

        If it is the time (ms) that is refused, that is tried.
        """
        if not isinstance(event.effect, ast.RefusedBy | ast.IsLegal):
            return
        table, shop = self.table, self.shop
        assert table is not None and shop is not None
        if isinstance(event.effect, ast.RefusedBy) and self.time_refused:
            self._hold_reasons(event, event.effect, self.foreign.ask("read", time=time), f"reading {time} ms")
            self.compared = None
            self._compare_all(event)
            return
        answer: Answer = answer_of(shop, shop.seat(event.who.name), event.deed, table.state.position().cells)
        said = f"{event.who.name}: {table.text(answer)}"
        refused = isinstance(event.effect, ast.RefusedBy)
        reply = self.foreign.ask("attempt", event=event_json(shop.program, answer), only_try=not refused)
        if isinstance(event.effect, ast.RefusedBy):
            self._hold_reasons(event, event.effect, reply, said)
            self.compared = None
            self._compare_all(event)
        else:
            self._taken(event, reply, said)

    # -------------------------------------------------------------- comparing

    def _taken(self, at: Node, reply: Json, said: str) -> None:
        if reply.get("ok") is not True:
            reasons = reply.get("refused")
            found = (
                f"refused {', '.join(map(str, reasons))}" if isinstance(reasons, list) else "no 'ok' and no 'refused'"
            )
            self._wrong(at, said, "it is taken", found)

    def _hold_reasons(self, at: Node, effect: ast.RefusedBy, reply: Json, said: str) -> None:
        """Reasons are names; the words of an engine are its own."""
        reasons = reply.get("refused")
        if reply.get("ok") is True:
            reasons = []
        if not isinstance(reasons, list) or not all(isinstance(each, str) for each in reasons):
            self._wrong(at, said, "a list of reasons", "something else")
            return
        found = tuple(Refusal(code=each, number=None, words=effect.because or "") for each in reasons)
        wrong = compare_reasons(effect, found, self.checked.aliases)
        if wrong is not None:
            self._wrong(at, said, wrong[0], f"refused {', '.join(reasons)}" if reasons else wrong[1])

    def _compare_wait(self, at: Node, reply: Json, state: State, said: str) -> None:
        self._taken(at, reply, said)
        wanted = waits_json(state)
        for key, value in wanted.items():
            if key not in reply or reply[key] != value:
                self._wrong(at, f"after {said}", f"{key}: {value}", f"{key}: {reply.get(key, 'nothing')}")

    def _compare_all(self, at: Node) -> None:
        """Legal answers and views, once for each state."""
        table = self.table
        assert table is not None
        state = table.state
        if state is self.compared:
            return
        for seat in table.match.missing:
            self._compare_moves(at, state, seat)
        for seat in (None, *range(len(self.checked.players))):
            self._compare_view(at, state, seat)
        self.compared = state

    def _compare_moves(self, at: Node, state: State, seat: int) -> None:
        try:
            wanted = moves_json(state, seat)
        except Exhausted:
            return
        reply = self.foreign.ask("moves", seat=seat + 1)
        found = reply.get("moves")
        if found == wanted:
            return
        listed = found if isinstance(found, list) else []
        missing = [each for each in wanted if each not in listed]
        surplus = [each for each in listed if each not in wanted]
        said = f"legal answers of seat {seat + 1}"
        found_words = f"{surplus[:3]} as well" if surplus else f"without {missing[:3]}" if missing else "another order"
        self._wrong(at, said, f"{len(wanted)} in the order of their numbers", found_words)

    def _compare_view(self, at: Node, state: State, seat: int | None) -> None:
        reply = self.foreign.ask("view", seat=None if seat is None else seat + 1)
        said = f"view of {'a spectator' if seat is None else f'seat {seat + 1}'}"
        listed = reply.get("seen")
        if not isinstance(listed, list) or not all(_is_seen(each) for each in listed):
            self._wrong(at, said, "a list of what is seen", "something else")
            return
        wanted, found = _by_place(view_json(state, seat)), _by_place(listed)
        for place in dict.fromkeys((*wanted, *found)):
            if wanted.get(place, "nothing") != found.get(place, "nothing"):
                where = " ".join(map(str, place))
                expected, seen = wanted.get(place, "nothing"), found.get(place, "nothing")
                self._wrong(at, said, f"{where}: {expected}", f"{where}: {seen}")
        if len(listed) != len(wanted):
            self._wrong(at, said, f"{len(wanted)} places", f"{len(listed)}, some twice")

    def _said(self, event: Event) -> str:
        assert self.shop is not None
        return str(event_json(self.shop.program, event))

    def _wrong(self, at: Node, said: str, expected: str, found: str) -> None:
        self.complain(at, said, expected, found)
        raise Stopped

    def _stop_if_wrong(self) -> None:
        if self.complaints:
            raise Stopped


def _is_seen(each: object) -> bool:
    """Whether it says where something is seen; it may be anything that is seen there."""
    return isinstance(each, dict) and type(each.get("member")) is int


def _by_place(listed: Sequence[Json]) -> dict[tuple[Any, ...], Any]:
    return {(str(each.get("place")), each.get("member"), str(each.get("part"))): each.get("value") for each in listed}


def _accepted(loaded: Json) -> Sequence[Any]:
    """What an engine says beyond that it has loaded a game."""
    accepts = loaded.get("accepts")
    return accepts if isinstance(accepts, list) else ()


def _says_times(block: ast.Given | ast.When | ast.Then) -> bool:
    return isinstance(block, ast.When) and any(isinstance(event, ast.Timed) for event in block.events)


def _same_moment(state: State, after: State) -> bool:
    """Whether what comes next is told together with this: no time goes on, and nobody decides anything."""
    return isinstance(after.event, Reading | Expiry) and after.now == state.now
