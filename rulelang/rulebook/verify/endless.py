"""What only ways between positions show: those from which no end can be reached, and passing that leads round."""

from array import array

from rulelang.play.event import Event
from rulelang.rulebook.verify.space import NONE, Space


def without_end(space: Space) -> tuple[int, int] | None:
    """The first position from which no end can be reached, and how many there are; None if there is none.

    Only of a whole space. Dead ends and events that were given up count as ends: they are findings of their own.
    """
    count = len(space.first)
    back_first, back = _turned_round(space, count)
    ending = bytearray(space.ends)
    waiting = [position for position in range(count) if ending[position]]
    while waiting:
        position = waiting.pop()
        for place in range(back_first[position], back_first[position + 1]):
            before = back[place]
            if not ending[before]:
                ending[before] = 1
                waiting.append(before)
    hopeless = ending.find(0)
    return None if hopeless < 0 else (hopeless, ending.count(0))


def _turned_round(space: Space, count: int) -> "tuple[array[int], array[int]]":
    """For each position those that lead to it: where they begin, and all of them."""
    first = array("q", bytes(8 * (count + 1)))
    for to in space.leads:
        first[to + 1] += 1
    for position in range(count):
        first[position + 1] += first[position]
    place = array("q", first)
    back = array("q", bytes(8 * len(space.leads)))
    for position in range(count):
        end = space.first[position + 1] if position + 1 < count else len(space.leads)
        for way in range(space.first[position], end):
            to = space.leads[way]
            back[place[to]] = position
            place[to] += 1
    return first, back


def passing_round(space: Space) -> tuple[int, int] | None:
    """A position to which play comes back if everybody passes, the first found, and after how many events."""
    count = len(space.passing)
    seen = array("q", bytes(8 * count))
    best: tuple[int, int] | None = None
    for begin in range(count):
        position = begin
        while NONE < position < count and not seen[position]:
            seen[position] = begin + 1
            position = space.passing[position]
        if NONE < position < count and seen[position] == begin + 1:
            circle = [position]
            while space.passing[circle[-1]] != position:
                circle.append(space.passing[circle[-1]])
            found = min(circle)
            if best is None or found < best[0]:
                best = found, len(circle)
    return best


def passes(space: Space, position: int, events: int) -> tuple[Event, ...]:
    """The passes that lead from a position round to it again."""
    around: list[Event] = []
    for _ in range(events):
        around.append(space.passes[position])
        position = space.passing[position]
    return tuple(around)
