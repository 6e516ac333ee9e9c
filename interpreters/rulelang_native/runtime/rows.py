"""What printed programs ask of rows, where Python has no word for it. Rows are tuples and never change."""

from collections import Counter

Row = tuple[int, ...]


def within(row: Row, low: int, high: int) -> Row:
    """The elements from low to high."""
    return tuple([code for code in row if low <= code <= high])


def minus(left: Row, right: Row) -> Row:
    """The elements that are not in the other row."""
    return tuple([code for code in left if code not in right])


def bag_minus(left: Row, right: Row) -> Row:
    """A sorted row with the other's elements taken out once each, as far as they are there."""
    if len(right) == 1:
        if right[0] not in left:
            return left
        place = left.index(right[0])
        return left[:place] + left[place + 1 :]
    return tuple(sorted((Counter(left) - Counter(right)).elements()))


def taken_out(row: Row, item: int) -> Row:
    """The row without the last element that equals an item which is there."""
    if row.count(item) == 1:
        place = row.index(item)
    else:
        place = len(row) - 1 - row[::-1].index(item)
    return row[:place] + row[place + 1 :]


def turned(row: Row, start: int) -> Row:
    """The row turned so that it begins with an item, if that is in it."""
    if start not in row:
        return row
    place = row.index(start)
    return row[place:] + row[:place]


def linked(start: Row, among: Row, near: tuple[Row, ...]) -> Row:
    """The elements reached from those to start from, by way of what is near each, all of them among the others."""
    left = set(among)
    found = [code for code in set(start) if code in left and 0 <= code < len(near)]
    left.difference_update(found)
    for code in found:
        for beside in near[code]:
            if beside in left:
                left.remove(beside)
                found.append(beside)
    return tuple(sorted(found))


def tied(row: Row, numbers: Row, best: int) -> Row:
    """The elements whose number equals the best one."""
    return tuple([code for code, number in zip(row, numbers, strict=True) if number == best])


def replaced(row: Row, item: int, by: int) -> Row:
    """The row with the first of an item replaced."""
    place = row.index(item)
    return (*row[:place], by, *row[place + 1 :])
