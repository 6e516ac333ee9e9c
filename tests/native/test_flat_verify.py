"""The verifier of flat programs: what lowering makes is sound, and everything else is refused with its place."""

from collections.abc import Callable, Iterator

import attrs
import pytest

from rulelang.failures import Broken, Diagnosed, Exhausted, Refused
from rulelang.ir.program import Program
from rulelang.pipeline import compile_text, load
from rulelang.play.closing import close
from rulelang.play.configurations import Variations, all_seats
from rulelang.rulesets import all_rulesets
from rulelang.testing import Dice, game_text
from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.around import Around, Cells, Effects
from rulelang_native.flat.expressions import Flat, Known, Name
from rulelang_native.flat.printer import to_text
from rulelang_native.flat.program import Block, Division, Failure, FlatProgram, Function, Procedure
from rulelang_native.flat.verify import verify, verify_procedure
from rulelang_native.flat.verify_statements import CHECKS, MOST_LEVELS, MOST_LOOPS
from rulelang_native.flat.verify_values import MOST_HEIGHT, SIMPLE, SPECIAL
from rulelang_native.layout import Places
from rulelang_native.lowering.program import Lowering
from rulelang_native.printing.python import Source

# ------------------------------------------------------------------ what lowering makes


def configurations(program: Program) -> Iterator[Program]:
    """A program closed for every number of seats, and with each option for one of them."""
    numbers = all_seats(program)
    for place, seats in enumerate(numbers):
        chosen = list(Variations(program, seats).each())
        for options in ({}, *chosen[place :: len(numbers)]):
            try:
                yield close(program, seats, options)
            except (Refused, Exhausted):
                continue


def sound(closed: Program) -> None:
    """Lower a closed program and verify it, also with its rules over frames."""
    lowering = Lowering(closed)
    program = lowering.lower()
    around = Around.of(closed, lowering.layout)
    verify(program, around)
    for procedure in program.procedures:
        if procedure.plain:
            again = lowering.framed(procedure.number, lowering.nodes_of(procedure.number))
            more = attrs.evolve(program, failures=tuple(lowering._failures))
            verify_procedure(more, around, again)
    assert to_text(program, closed).count("\nprocedure ") == len(program.procedures)


MANY_OPTIONS = ("monster-bande",)
"""Rulesets with so many options and seats that to close them all takes minutes: they are left to `make soak`."""
RULESETS = [name for name, _ in all_rulesets()]


@pytest.mark.parametrize("name", [name for name in RULESETS if name not in MANY_OPTIONS])
def test_every_ruleset_is_sound_with_every_option(name: str) -> None:
    for closed in configurations(load(name).program):
        sound(closed)


@pytest.mark.parametrize("name", MANY_OPTIONS)
def test_a_ruleset_of_many_options_is_sound_as_most_play_it(name: str) -> None:
    program = load(name).program
    for seats in all_seats(program):
        sound(close(program, seats, {}))


@pytest.mark.soak
@pytest.mark.parametrize("name", MANY_OPTIONS)
def test_soak_a_ruleset_of_many_options_is_sound_with_every_option(name: str) -> None:
    for closed in configurations(load(name).program):
        sound(closed)


@pytest.mark.parametrize("part", range(4))
def test_made_up_games_are_sound(part: int) -> None:
    count = 0
    for number in range(part * 20, part * 20 + 20):
        try:
            program = compile_text(game_text(Dice.seeded(3, number))).program
            closed = close(program, all_seats(program)[number % len(all_seats(program))], {})
        except (Diagnosed, Refused, Exhausted):
            continue
        sound(closed)
        count += 1
    assert count > 10


# ------------------------------------------------------------------ programs by hand

ZERO, ONE, TWO, EMPTY = Known(0), Known(1), Known(2), Known(())
A, ROW = Name("a"), Name("r")
CELL, PILE = flat.Held(0, ZERO), flat.Held(1, ZERO)
"""A number and a row of the state."""
GIVE = st.Give(ONE)
CLOSE = st.Close(0)
FAIL = st.Fail(0)
TRUE = flat.Compare("<", CELL, TWO)

AROUND = Around(
    slots=(Cells("score", 4, row=False), Cells("deck", 1, row=True)),
    moves=(Effects(1, (False,)), Effects(2, (True,))),
    nodes=20,
    following={3: 4, 4: 5, 5: 3},
    asking=frozenset((3,)),
)
FAILURES = (Failure("overflow"), Failure("no_place", 0), Failure("not_there", 1), Failure("no_record"))


def program(
    *,
    functions: tuple[Function, ...] = (),
    waiting: tuple[st.Statement, ...] = (CLOSE,),
    plain: tuple[st.Statement, ...] = (CLOSE,),
) -> FlatProgram:
    """A program: some functions, then an overview whose first block is given, a plain rule, and one with a row."""
    first = Function("f0", ("a", "r"), (st.If(flat.Has(ROW, A), (GIVE,)), st.Give(A)))
    worth = Function("worth0", ("group",), (st.Give(flat.Items((flat.Length(Name("group")),))),))
    blocks = (Block(3, waiting), *(Block(at, (CLOSE,)) for at in (4, 5)))
    return FlatProgram(
        (first, *functions, worth),
        (
            Procedure(0, 0, 3, False, 3, blocks),
            Procedure(1, 2, 3, True, 8, (Block(8, plain),)),
            Procedure(2, 2, 2, True, 9, (Block(9, (st.Store(1, ZERO, flat.Remembered(1)), CLOSE)),)),
        ),
        FAILURES,
        (Division("worth0", whole=False),),
        metered=False,
    )


def function(*body: st.Statement, kind: str = "value", frame: int | None = None) -> FlatProgram:
    """A program with one more function, of a number and a row."""
    return program(functions=(Function("f1", ("a", "r"), body, kind, frame=frame),))  # type: ignore[arg-type]


def value(expression: Flat) -> FlatProgram:
    """A program with a function that gives a value."""
    return function(st.Give(expression))


def listing(*body: st.Statement) -> FlatProgram:
    """A program with one more listing."""
    return function(*body, kind="listing")


def waits(*body: st.Statement) -> FlatProgram:
    """A program whose overview begins with such statements."""
    return program(waiting=body)


def plain(*body: st.Statement) -> FlatProgram:
    """A program whose plain rule is such."""
    return program(plain=body)


def each(row: Flat, *body: st.Statement) -> st.Each:
    """A loop."""
    return st.Each("x", row, body)


def tower(wrap: Callable[[Flat], Flat], inner: Flat, times: int) -> Flat:
    """An expression around an expression, so many times."""
    for _ in range(times):
        inner = wrap(inner)
    return inner


def nested(wrap: Callable[[st.Statement], st.Statement], inner: st.Statement, times: int) -> st.Statement:
    """A statement around a statement, so many times."""
    for _ in range(times):
        inner = wrap(inner)
    return inner


def within_if(inner: st.Statement) -> st.Statement:
    return st.If(TRUE, (inner,))


def within_each(inner: st.Statement) -> st.Statement:
    return each(ROW, inner)


SOUND = {
    "nothing else": program(),
    "set on both ways": function(st.If(TRUE, (st.Set("t", A),), (st.Set("t", ONE),)), st.Give(Name("t"))),
    "set on the way that goes on": function(st.If(TRUE, (GIVE,), (st.Set("t", ONE),)), st.Give(Name("t"))),
    "0 and 1 are truths too": function(st.Set("t", ZERO), st.Set("t", TRUE), st.If(Name("t"), (GIVE,)), GIVE),
    "an empty row is a row of anything": value(flat.Either(TRUE, EMPTY, flat.Items((ROW,)))),
    "gathered": function(
        st.Gather("g"), each(ROW, st.Put("g", Name("x")), st.Skip()), st.Give(flat.Best(True, flat.Finished("g")))
    ),
    "prepared once, when it is first needed": function(
        st.Set("k", ZERO),
        each(
            ROW,
            st.If(flat.No(flat.IsOne(Name("k"))), (st.Set("t", A), st.Set("k", ONE))),
            st.If(flat.Compare("<", Name("t"), TWO), (st.Stop(),)),
        ),
        GIVE,
    ),
    "noted": function(
        st.Notes("n"),
        st.Note("n", flat.Items((A, ROW)), ONE),
        st.Give(flat.Noted("n", flat.Items((A, ROW)))),
    ),
    "a listing may end anywhere": listing(st.If(TRUE, (st.Give(None),)), st.Offer(0, (A,)), st.Offer(1, (ROW,))),
    "over a frame": function(st.Give(flat.Remembered(2)), kind="framed", frame=0),
    "a division": function(
        st.Set("d", flat.Divided(0, ROW, ONE, TWO)),
        st.If(flat.IsOne(flat.At(Name("d"), ZERO)), (st.Give(flat.At(flat.At(Name("d"), Known(3)), ZERO)),)),
        st.Give(flat.At(Name("d"), TWO)),
    ),
    "a division that is remembered later": program(
        waiting=(
            st.If(
                flat.IsOne(flat.At(flat.Remembered(0), ZERO)), (st.Store(1, ZERO, flat.At(flat.Remembered(0), TWO)),)
            ),
            st.Remember(0, flat.Divided(0, PILE, ONE, TWO)),
            CLOSE,
        )
    ),
    "waits": waits(
        st.Mark(3),
        st.Spend(2),
        st.Force(3, flat.Items((ONE,))),
        st.Unsee(1, ZERO, 4),
        st.If(flat.HasAnswer(3, ONE), (st.Ask(3, flat.Items((ONE,))),)),
        st.If(flat.IsOne(flat.UnseenTop(PILE)), (st.Draw(4, PILE),)),
        st.Settle(1, ZERO, ONE, 2),
        st.SpendOn(1, (ONE, TWO)),
        st.If(TRUE, (st.Over(3),), (st.Open(0, (), 4),)),
    ),
    "bags": value(flat.Bags(ROW, TWO, 0)),
    "linked": value(flat.Linked(ROW, flat.Linked(ROW, EMPTY, Known(((1,), (0,)))), Known(((1,), (0,))))),
    "as deep as it goes": value(tower(lambda e: flat.Math("+", e, A), A, MOST_HEIGHT - 1)),
    "as many levels as it goes": function(nested(within_if, GIVE, MOST_LEVELS - 1), GIVE),
    "as many loops as it goes": function(nested(within_each, st.Stop(), MOST_LOOPS), GIVE),
}

UNSOUND = {
    # numbers that name nothing
    "there is no function 'f9'": value(flat.Result("f9", ())),
    "'f0' has 2 parameters, not 1": value(flat.Result("f0", (A,))),
    "'f1' does not stand before what uses it": value(flat.Result("f1", (A, ROW))),
    "'f2' is no function that gives a value": program(
        functions=(Function("f2", (), (), "listing"), Function("f1", (), (st.Give(flat.Result("f2", ())),)))
    ),
    "two functions are called 'f0'": program(functions=(Function("f0", (), (GIVE,)),)),
    "there is no procedure 7": waits(st.Open(7, (), 4)),
    "there is no procedure -1": waits(st.Leave(3, -1)),
    "procedure 1 has 2 parameters, not 0": waits(st.SpendOn(1, ()), CLOSE),
    "no block of this procedure begins at 8": waits(st.Goto(8)),
    "no block of this procedure begins at 9": waits(st.Open(0, (), 9)),
    "block 3, 1 Ask: no block of this procedure begins at 7": waits(st.Ask(7, EMPTY)),
    "there is no node 20": waits(st.Over(20)),
    "there is no failure 4": function(st.Fail(4)),
    "Give: there is no failure -1": value(flat.Bags(ROW, ONE, -1)),
    "there is no division 1": value(flat.Divided(1, ROW, ONE, TWO)),
    "there is no slot 2": value(flat.Held(2, ZERO)),
    "1 Store: there is no slot 5": waits(st.Store(5, ZERO, ONE), CLOSE),
    "'score' has 4 members; there is no 4": value(flat.Held(0, Known(4))),
    "there is no move 2": listing(st.Offer(2, ())),
    "move 0 has 1 parameters, not 2": listing(st.Offer(0, (A, A))),
    "1 Ask: node 4 asks nobody": waits(st.Ask(4, EMPTY)),
    "node 9 asks nobody": value(flat.HasAnswer(9, A)),
    "'no_place' tells 1 values, not 0": function(st.Fail(1)),
    "failure 0 does not say that a card is not there": waits(st.Settle(1, ZERO, ONE, 0), CLOSE),
    # variables
    "'t' has not been set on every way to here": value(Name("t")),
    "2 Give: 't' has not been set": function(st.If(TRUE, (st.Set("t", ONE),)), st.Give(Name("t"))),
    "'x' has not been set": function(each(ROW), st.Give(Name("x"))),
    "2 Give: 'u' has not been set": function(each(ROW, st.Set("u", A)), st.Give(Name("u"))),
    "3 Give: 't' has not been set": function(  # another condition may have set the flag
        st.Set("k", ZERO),
        each(
            ROW,
            st.If(flat.No(flat.IsOne(Name("k"))), (st.Set("k", ONE),)),
            st.If(flat.No(flat.IsOne(Name("k"))), (st.Set("t", A), st.Set("k", ONE))),
        ),
        st.Give(Name("t")),
    ),
    "2 Each, 2 If: 't' has not been set": function(  # the flag was set before all is prepared
        st.Set("k", ZERO),
        each(
            ROW,
            st.If(flat.No(flat.IsOne(Name("k"))), (st.Set("k", ONE), st.Set("t", A))),
            st.If(flat.IsOne(Name("t")), (st.Stop(),)),
        ),
        GIVE,
    ),
    "'g' is no gathered row that has been begun on every way": function(st.Put("g", A), GIVE),
    "Give: 'g' is no gathered row": value(flat.Finished("g")),
    "'a' is no gathered row": function(st.Put("a", A), GIVE),
    "'g' is gone through while it grows": function(
        st.Gather("g"), each(flat.Finished("g"), st.Put("g", Name("x"))), GIVE
    ),
    "'g' is a gathered row, not a variable": function(st.Gather("g"), st.Give(Name("g"))),
    "'g' is a variable elsewhere, not a gathered row": function(st.Set("g", A), st.Gather("g"), GIVE),
    "'n' is no notes that has been begun": function(st.Note("n", A, ONE), GIVE),
    "Give: 'n' is no notes": value(flat.Noted("n", A)),
    # what stands where it cannot
    "1 Stop: there is no Each around it": function(st.Stop()),
    "1 Skip: there is no Each around it": function(st.Skip()),
    "only a listing offers answers": function(st.Offer(0, (A,)), GIVE),
    "only a listing ends without a value": function(st.Give(None)),
    "a listing gives no value": listing(GIVE),
    "1 Goto: a function changes nothing and does not go on elsewhere": function(st.Goto(3)),
    "1 Spend: a function changes nothing": function(st.Spend(1), GIVE),
    "1 Store: a function changes nothing": function(st.Store(0, ZERO, ONE), GIVE),
    "1 Remember: a function changes nothing": function(st.Remember(0, ONE), GIVE),
    "1 Each, 1 Spend: it cannot stand inside Each": waits(each(PILE, st.Spend(1)), CLOSE),
    "1 Each, 1 Goto: it cannot stand inside Each": waits(each(PILE, st.Goto(4)), CLOSE),
    "1 Give: only functions have it": waits(GIVE),
    "1 Notes: only functions have it": waits(st.Notes("n"), CLOSE),
    "1 Ask: a plain procedure neither waits": plain(st.Ask(8, EMPTY)),
    "1 Open: a plain procedure neither waits": plain(st.Open(0, (), 8)),
    "1 Unsee: a plain procedure neither waits": plain(st.Unsee(1, ZERO, 8), CLOSE),
    "procedure 0 waits, so it cannot be carried out at once": waits(st.SpendOn(0, ()), CLOSE),
    "a function knows no pools": value(flat.UnseenTop(PILE)),
    "slot 0 is no pile": waits(st.Unsee(0, ZERO, 3), CLOSE),
    "what is spent is less than nothing": waits(st.Spend(-1), CLOSE),
    "node 9 does not wait": attrs.evolve(
        program(),
        procedures=(
            Procedure(0, 0, 3, False, 9, (Block(9, (st.Ask(9, EMPTY),)),)),
            *program().procedures[1:],
        ),
    ),
    # ends
    "2 Give: nothing can come to stand here": function(GIVE, GIVE),
    "2 Set: nothing can come to stand here": function(FAIL, st.Set("t", A)),
    "3 Spend: nothing can come to stand here": waits(
        st.Spend(1), st.If(TRUE, (CLOSE,), (st.Goto(4),)), st.Spend(1), CLOSE
    ),
    "function f1: a way through it gives no value": function(st.If(TRUE, (GIVE,))),
    "block 3: a way through it does not end": waits(st.If(TRUE, (CLOSE,))),
    "procedure 1, block 8: a way through it does not end": plain(st.Spend(1)),
    # locals
    "procedure 0 has no local 3": waits(st.Remember(3, ONE), CLOSE),
    "Store: procedure 0 has no local -1": waits(st.Store(0, ZERO, flat.Remembered(-1)), CLOSE),
    "there is no frame that could remember": value(flat.Remembered(0)),
    "1 Give: there is no procedure 9": function(st.Give(flat.Remembered(0)), kind="framed", frame=9),
    # shapes
    "Held is a row; a number is needed": value(flat.Math("+", A, PILE)),
    "Name is a number; a row is needed": function(st.Set("t", flat.Math("+", A, ONE)), st.Give(flat.Length(A))),
    "Compare is a truth; a number is needed": value(flat.Math("+", TRUE, ONE)),
    "Known is a number; a truth is needed": function(st.If(TWO, (GIVE,)), GIVE),
    "Known is 0 or 1; a row is needed": value(flat.Length(ONE)),
    "Length is a number; a truth is needed": value(flat.No(flat.Length(ROW))),
    "Known is a row; a number is needed": waits(st.Store(0, ZERO, EMPTY), CLOSE),
    "Known is a number; a row is needed": waits(st.Store(1, ZERO, TWO), CLOSE),
    "Items is a row of rows; a row is needed": waits(st.Store(1, ZERO, flat.Items((PILE,))), CLOSE),
    "Either is a row or a number": value(flat.Either(TRUE, PILE, TWO)),
    "the parts of a known row are not alike": value(Known((1, (2,)))),
    "At is asked of a number": value(flat.At(CELL, ZERO)),
    "a division has four parts": value(flat.At(flat.Divided(0, ROW, ONE, TWO), A)),
    "a truth is kept or compared where a number or row is needed": value(TRUE),
    "1 Remember: a truth is kept": waits(st.Remember(0, TRUE), CLOSE),
    "1 If: a truth is kept or compared": function(st.If(flat.Compare("==", TRUE, TRUE), (GIVE,)), GIVE),
    "a division by 0": value(flat.Math("//", A, ZERO)),
    "it has no parts": function(st.If(flat.All(()), (GIVE,)), GIVE),
    "1 Offer: Joined is a row; a number is needed": listing(st.Offer(0, (flat.Joined(ROW, ROW),))),
    # depths
    f"more than {MOST_HEIGHT} expressions inside one another": value(tower(flat.Sorted, ROW, MOST_HEIGHT)),
    f"more than {MOST_LEVELS} levels inside one another": function(nested(within_if, GIVE, MOST_LEVELS), GIVE),
    f"more than {MOST_LOOPS} loops inside one another": function(nested(within_each, st.Stop(), MOST_LOOPS + 1), GIVE),
}


@pytest.mark.parametrize("name", SOUND)
def test_sound_programs_pass(name: str) -> None:
    verify(SOUND[name], AROUND)


@pytest.mark.parametrize("reason", UNSOUND)
def test_unsound_programs_are_refused_with_the_place(reason: str) -> None:
    with pytest.raises(Broken) as broken:
        verify(UNSOUND[reason], AROUND)
    assert reason in broken.value.message and broken.value.message.startswith("flat program")


def test_a_truth_is_found_out_even_if_it_is_told_later() -> None:
    kept = Function("f1", ("a",), (st.Give(flat.AsNumber(Name("a"))),))
    used = Function("f2", (), (st.Give(flat.Result("f1", (TRUE,))),))
    with pytest.raises(Broken, match="function f2, 1 Give: a truth is kept"):
        verify(program(functions=(kept, used)), AROUND)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        (lambda p: attrs.evolve(p, procedures=p.procedures[1:]), "procedure 1 stands at place 0"),
        (lambda p: attrs.evolve(p, failures=(Failure("no_fit", 2),)), "failure 0: there is no slot 2"),
        (lambda p: attrs.evolve(p, divisions=(Division("f0", False),)), "'f0' is no function of one value"),
        (lambda p: attrs.evolve(p, divisions=(Division("f9", False),)), "'f9' is no function of one value"),
        (lambda p: _with(p, entry=9), "no block begins at its entry 9"),
        (lambda p: _with(p, blocks=p.procedures[0].blocks * 2), "two blocks begin at one node"),
        (lambda p: _with(p, parameters=4), "fewer locals than parameters"),
    ],
)
def test_headers(changed: Callable[[FlatProgram], FlatProgram], reason: str) -> None:
    with pytest.raises(Broken, match=reason):
        verify(changed(program()), AROUND)


def _with(p: FlatProgram, **changes: object) -> FlatProgram:
    return attrs.evolve(p, procedures=(attrs.evolve(p.procedures[0], **changes), *p.procedures[1:]))


def test_every_expression_and_statement_is_known() -> None:
    assert set(SIMPLE) | set(SPECIAL) == set(flat.Flat.__args__)
    from rulelang_native.flat import printer

    assert set(CHECKS) == set(st.Statement.__args__)
    assert set(printer.EXPRESSIONS) == set(SIMPLE) | set(SPECIAL)
    assert set(printer.STATEMENTS) | {st.If, st.Each} == set(CHECKS)


# ------------------------------------------------------------------ as deep as Python takes it

NUMBERS: dict[str, Callable[[Flat], Flat]] = {
    "sum": lambda e: flat.Math("+", e, A),
    "least": lambda e: flat.Math("min", A, e),
    "either": lambda e: flat.Either(flat.IsOne(A), A, e),
    "condition": lambda e: flat.Either(flat.IsOne(e), A, A),
    "both": lambda e: flat.AsNumber(flat.All((flat.IsOne(A), flat.No(flat.IsOne(e))))),
    "cell": lambda e: flat.Held(0, e),
    "call": lambda e: flat.Result("f0", (e, ROW)),
    "span": lambda e: flat.Length(flat.EachOnce(flat.Span(A, e))),
    "best": lambda e: flat.Best(True, flat.Span(e, A)),
    "times": lambda e: flat.Times(flat.Distinct(flat.Span(e, A)), A),
    "place": lambda e: flat.At(flat.Span(A, e), A),
    "items": lambda e: flat.Length(flat.Joined(flat.Items((e,)), ROW)),
    "of distinct": lambda e: flat.At(flat.Distinct(flat.Joined(ROW, flat.Items((e,)))), A),
    "part": lambda e: flat.At(flat.Stretch(flat.Turned(flat.EachOnce(flat.Distinct(flat.Items((e,)))), A), A, A), A),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_python_takes_what_is_as_deep_as_can_be(name: str) -> None:
    deep: Flat = A
    height = 1
    one = NUMBERS[name](A)
    step = _height(one) - 1
    while height + step <= MOST_HEIGHT:
        deep, height = NUMBERS[name](deep), height + step
    whole = value(deep)
    verify(whole, AROUND)
    printed(whole)


def _height(e: object) -> int:
    if isinstance(e, tuple):
        return max(map(_height, e), default=0)
    return 1 + max(map(_height, attrs.astuple(e, recurse=False))) if attrs.has(type(e)) else 0


def printed(whole: FlatProgram) -> None:
    """Print a program and let Python compile it."""
    source = Source(Places((0, 4), 5), metered=True)
    for each_function in whole.functions:
        source.function(each_function)
    for procedure in whole.procedures:
        source.procedure(procedure)
    compile(source.text, "printed", "exec")


@pytest.mark.parametrize("name", [name for name in SOUND if name.startswith("as ")])
def test_python_takes_what_is_nested_as_far_as_can_be(name: str) -> None:
    printed(SOUND[name])


def test_python_takes_offers_and_blocks_as_deep_as_can_be() -> None:
    deep = listing(nested(within_if, st.Offer(0, (A,)), MOST_LEVELS - 1))
    verify(deep, AROUND)
    printed(deep)
    around = attrs.evolve(AROUND, nodes=600)
    blocks = tuple(Block(at, (st.Goto(at),)) for at in range(599))
    levels = nested(lambda s: st.If(TRUE, (s,), (CLOSE,)), CLOSE, MOST_LEVELS - 12)
    loops = nested(within_each_of_pile, st.Stop(), MOST_LOOPS - 1)
    many = attrs.evolve(
        program(),
        procedures=(
            Procedure(0, 0, 3, False, 3, (*blocks, Block(599, (st.Spend(1), loops, levels)))),
            *program().procedures[1:],
        ),
    )
    verify(many, around)
    printed(many)


def within_each_of_pile(inner: st.Statement) -> st.Statement:
    return each(PILE, inner)
