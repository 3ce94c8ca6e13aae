"""How much room the table is asked for, by what was searched."""

from gomoku_brain.engine.root_search import (
    GROWTH_SECONDS,
    NODES_PER_SECOND,
    UNKNOWN_SECONDS,
    Growth,
)


class Table:
    """Remembers what it was asked for."""

    def __init__(self):
        self.asked = []

    def grow_idle(self, nodes):
        self.asked.append(nodes)
        return True

    def make_room(self, nodes):
        self.asked.append(nodes)


def test_between_searches_there_is_room_for_three_times_the_last():
    table = Table()
    growth = Growth(table)
    growth.count(1_000)
    growth.count(200)
    assert growth.grow_idle()
    assert table.asked == [1_200 + 600]


def test_within_a_search_a_quarter_of_all_nodes_or_those_of_the_search_count():
    table = Table()
    growth = Growth(table)
    growth.make_room(100)
    growth.count(1_000)
    growth.make_room(100)
    growth.make_room_for(2.0, 3)
    assert table.asked == [100, 275, 6 * NODES_PER_SECOND]


def test_a_search_that_soon_ends_makes_no_room():
    table = Table()
    growth = Growth(table)
    growth.make_room(100, GROWTH_SECONDS)
    assert table.asked == []
    growth.make_room(100, 2 * GROWTH_SECONDS)
    assert table.asked == [100]


def test_a_search_without_a_limit_gets_room_for_some_seconds():
    table = Table()
    Growth(table).make_room_for(None, 2)
    assert table.asked == [2 * UNKNOWN_SECONDS * NODES_PER_SECOND]


def test_a_cleared_table_has_seen_nothing():
    table = Table()
    growth = Growth(table)
    growth.count(1_000)
    growth.forget()
    growth.grow_idle()
    assert table.asked == [0]
