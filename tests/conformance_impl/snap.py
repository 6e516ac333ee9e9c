"""Snap for the conformance protocol, a game in time: from docs/guide/conformance.md and the game's rules alone.

It uses nothing of rulelang, only the standard library. With a word behind it, it is broken in that way:

    knows-no-time       it does not say that it knows time, as engines did that were written before there was any
    is-never-too-late   a timer that runs out at this very moment still runs
    goes-back           it takes a time before the last one
    stops-the-clock     time does not go on
"""

import json
import sys

NEVER = -1


class Game:
    """One game; times are milliseconds."""

    def __init__(self, broken):
        self.broken = broken

    def load(self, seats, options):
        if not 2 <= seats <= 6:
            return {"refused": ["seats"]}
        self.seats, self.look, self.ranks = seats, 1000 * options.get("look", 3), options.get("ranks", 13)
        return {"ok": True} if self.broken == "knows-no-time" else {"ok": True, "accepts": ["time"]}

    def begin(self):
        self.deck, self.heap = 4 * self.ranks, []
        self.won = [[] for _ in range(self.seats)]
        self.tried, self.taken = [0] * self.seats, 0
        self.now, self.end, self.left = 0, NEVER, self.look
        self.chance = True

    def over(self):
        return self.deck == 0 and not self.chance and self.closed()

    def closed(self):
        return self.taken or self.end == NEVER

    def waits(self):
        if self.chance:
            return {"waiting": "chance", "seats": [], "result": None}
        if not self.over():
            return {"waiting": "anyone", "seats": [seat + 1 for seat in range(self.seats)], "result": None}
        most = max(map(len, self.won))
        best = [seat for seat in range(self.seats) if len(self.won[seat]) == most]
        losers = self.seats - len(best)
        returns = ["0"] * self.seats
        if losers:
            returns = [str(losers) if seat in best else str(-len(best)) for seat in range(self.seats)]
        winners = [seat + 1 for seat in best] if losers else []
        return {
            "waiting": "over",
            "seats": [],
            "result": {"kind": "winners", "winners": winners, "returns": returns, "grade": None},
        }

    def go_on(self):
        """Behind an act or an expiry: the next card, if this one is done with."""
        self.chance = bool(self.closed()) and self.deck > 0

    def turn(self, card):
        self.deck -= 1
        self.heap.append(card)
        self.tried, self.taken, self.chance = [0] * self.seats, 0, False
        self.end, self.left = self.now + self.look, self.look
        return {"ok": True, **self.waits()}

    def refusals(self, seat):
        if self.over():
            return ["game_over"]
        return ["one_try"] if self.tried[seat] else []

    def snap(self, seat):
        self.tried[seat] = 1
        if len(self.heap) > 1 and self.heap[-1] == self.heap[-2]:
            self.won[seat] += self.heap
            self.heap, self.taken = [], 1
            self.left, self.end = self.end - self.now, NEVER
        elif self.won[seat]:
            self.heap.insert(0, self.won[seat].pop())
        self.go_on()

    def read(self, time):
        due = self.end != NEVER and (self.end < time or (self.end == time and self.broken != "is-never-too-late"))
        if due:
            self.now, self.end, self.left = self.end, NEVER, 0
            self.go_on()
            return {"ok": True, **self.waits()}
        if self.over():
            return {"refused": ["game_over"]}
        if time < self.now and self.broken != "goes-back":
            return {"refused": ["time_goes_back"]}
        if self.broken != "stops-the-clock":
            self.now = time
        return {"ok": True, **self.waits()}

    def attempt(self, event, only_try):
        if "outcome" in event:
            return self.turn(event["outcome"])
        reasons = self.refusals(event["seat"] - 1)
        if reasons:
            return {"refused": reasons}
        if not only_try:
            self.snap(event["seat"] - 1)
        return {"ok": True, **self.waits()}

    def moves(self, seat):
        may = not self.chance and not self.over() and not self.tried[seat]
        return [{"play": "snap", "seat": seat + 1, "arguments": []}] if may else []

    def seen(self):
        found = [("deck", 0, self.deck), ("heap", 0, self.heap)]
        found += [("won", seat, cards) for seat, cards in enumerate(self.won)]
        found += [("taken", 0, self.taken)]
        found += [("tried", seat, tried) for seat, tried in enumerate(self.tried)]
        found += [("glass.left", 0, self.left), ("glass.end", 0, self.end), ("table.clock", 0, self.now)]
        return [
            {"place": place, "member": member, "part": "size" if place == "deck" else "content", "value": value}
            for place, member, value in found
        ]


def answer(game, question):
    match question["do"]:
        case "load":
            return (
                game.load(question["seats"], question["options"])
                if question["ruleset"] == "snap"
                else {"unknown": True}
            )
        case "start":
            game.begin()
            return {"ok": True, **game.waits()}
        case "read":
            return game.read(question["time"])
        case "attempt":
            return game.attempt(question["event"], question["only_try"])
        case "moves":
            return {"moves": game.moves(question["seat"] - 1)}
        case "view":
            return {"seen": game.seen()}
        case "stop":
            return {"ok": True}


def main():
    game = Game(sys.argv[1] if len(sys.argv) > 1 else "")
    for line in sys.stdin:
        question = json.loads(line)
        print(json.dumps({"id": question["id"], **answer(game, question)}), flush=True)
        if question["do"] == "stop":
            break


if __name__ == "__main__":
    main()
