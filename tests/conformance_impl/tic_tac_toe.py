"""Tic-tac-toe for the conformance protocol, written from docs/guide/conformance.md and the game's rules alone.

It uses nothing of rulelang, only the standard library. With a word behind it, it is broken in that way; every one of
these must be found out:

    forgets-the-diagonals     a line from corner to corner does not win
    marks-twice               a marked square can be marked again
    talks-first               it writes a line that is no answer
    falls-asleep              it does not answer the third attempt
    falls-over                it ends in the middle of the game
    tells-the-future          everybody sees one place more than there is
    counts-backwards          it lists legal answers from the last square on
    changes-when-refused      a refused attempt passes the turn on
    blames-another-reason     it refuses for another reason than the rules give
    stays-on                  it does not end when it is told to
"""

import json
import sys
import time

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
NOBODY = -1


class Game:
    """One game: marks[square] is 0, 1 or nobody; squares go row by row."""

    def __init__(self, broken):
        self.broken = broken
        self.lines = LINES[:6] if broken == "forgets-the-diagonals" else LINES
        self.begin()

    def begin(self):
        self.marks = [NOBODY] * 9
        self.turn = 0
        self.attempts = 0

    def winner(self):
        for a, b, c in self.lines:
            if self.marks[a] != NOBODY and self.marks[a] == self.marks[b] == self.marks[c]:
                return self.marks[a]
        return None

    def over(self):
        return self.winner() is not None or NOBODY not in self.marks

    def waits(self):
        if not self.over():
            return {"waiting": "seat", "seats": [self.turn + 1], "result": None}
        winner = self.winner()
        winners = [] if winner is None else [winner + 1]
        returns = ["0", "0"] if winner is None else ["1" if seat == winner else "-1" for seat in (0, 1)]
        return {
            "waiting": "over",
            "seats": [],
            "result": {"kind": "winners", "winners": winners, "returns": returns, "grade": None},
        }

    def refusals(self, seat, square):
        reasons = []
        if self.over():
            reasons.append("game_over")
        elif seat != self.turn:
            reasons.append("not_your_turn")
        if self.marks[square] != NOBODY and self.broken != "marks-twice":
            reasons.append("taken" if self.broken == "blames-another-reason" else "free")
        return reasons

    def attempt(self, event, only_try):
        self.attempts += 1
        if self.broken == "falls-asleep" and self.attempts == 3:
            time.sleep(60)
        if self.broken == "falls-over" and self.attempts == 3:
            raise SystemExit("no more chalk")
        if "pass" in event:
            return {"refused": ["not_offered"]}
        seat, square = event["seat"] - 1, event["arguments"][0]
        reasons = self.refusals(seat, square)
        if reasons:
            if self.broken == "changes-when-refused" and not self.over():
                self.turn = 1 - self.turn
            return {"refused": reasons}
        if not only_try:
            self.marks[square] = seat
            self.turn = 1 - seat
        return {"ok": True, **self.waits()}

    def moves(self, seat):
        squares = [] if self.over() or seat != self.turn else [s for s in range(9) if self.marks[s] == NOBODY]
        if self.broken == "counts-backwards":
            squares.reverse()
        return [{"play": "place", "seat": seat + 1, "arguments": [square]} for square in squares]

    def seen(self):
        # The codes of seats are 0 and 1; that of `nobody` is one less than the least.
        count = 10 if self.broken == "tells-the-future" else 9
        marks = [*self.marks, NOBODY][:count]
        return [{"place": "mark", "member": s, "part": "content", "value": mark} for s, mark in enumerate(marks)]


def answer(game, question):
    match question["do"]:
        case "load":
            if question["ruleset"] != "tic-tac-toe":
                return {"unknown": True}
            return {"ok": True} if question["seats"] == 2 and not question["options"] else {"refused": ["seats"]}
        case "start":
            game.begin()
            return {"ok": True, **game.waits()}
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
    if game.broken == "talks-first":
        print("Hello, here is tic-tac-toe.", flush=True)
    for line in sys.stdin:
        question = json.loads(line)
        print(json.dumps({"id": question["id"], **answer(game, question)}), flush=True)
        if question["do"] == "stop":
            break
    if game.broken == "stays-on":
        time.sleep(60)


if __name__ == "__main__":
    main()
