"""The reference itself: known answers, and its short cuts against the long way."""

import random

import pytest

from tests.cases import forbidden_maps, outcomes, renju_cases, win_cases
from tests.reference import (
    BLACK,
    CARO,
    CARO_EXACT,
    EMPTY,
    FREESTYLE,
    RENJU,
    RULES,
    STANDARD,
    WHITE,
    RefBoard,
    five_cells,
    line_class,
    literal_verdict,
    literal_wins_within,
    loses_within,
    makes_four,
    random_clutter,
    random_line,
    random_position,
    saving_replies,
    wins_by_fours_within,
    wins_within,
)
from tests.sampled import WHY, sampled

by_name = {"ids": lambda case: case.name}


def stones_of(board):
    """A board as literal_verdict wants it."""
    return {
        board.cell(p): board.cells[p]
        for p in board.all_cells
        if board.cells[p] != EMPTY
    }


# --- Known answers ---


@pytest.mark.parametrize("case", renju_cases(), **by_name)
def test_renju_cases_of_the_rules(case):
    board = RefBoard(15, RENJU, case.black, case.white)
    index = board.index(case.move)
    assert board.verdict(index) == case.verdict, case.why
    stones = stones_of(board)
    assert literal_verdict(stones, 15, 15, case.move) == case.verdict, case.why
    foul = None if case.verdict == "five" else case.verdict
    assert board.foul(case.move) == foul
    assert board.fouls().get(case.move) == foul
    assert board.wins(index, BLACK) == (case.verdict == "five")


@pytest.mark.parametrize("case", renju_cases(), **by_name)
def test_white_has_no_fouls(case):
    board = RefBoard(15, RENJU, case.white, case.black)
    assert board.may_play(board.index(case.move), WHITE)


@pytest.mark.parametrize(
    ("rule", "wins"),
    [
        (FREESTYLE, True),
        (STANDARD, False),
        (RENJU, True),
        (CARO, True),
        (CARO_EXACT, False),
    ],
)
def test_a_six_of_white(rule, wins):
    board = RefBoard(15, rule, white=[(3, 7), (4, 7), (5, 7), (6, 7), (8, 7)])
    assert board.winner_of_move((7, 7), WHITE) == (WHITE if wins else None)


@pytest.mark.parametrize("case", win_cases(), **by_name)
@pytest.mark.parametrize("rule", [FREESTYLE, STANDARD, CARO, CARO_EXACT])
@pytest.mark.parametrize("side", [BLACK, WHITE])
def test_win_cases_of_the_rules(case, rule, side):
    groups = (case.own, case.other) if side == BLACK else (case.other, case.own)
    board = RefBoard(15, rule, *groups)
    assert (board.winner_of_move(case.move, side) == side) == case.wins[rule]


@pytest.mark.parametrize("case", outcomes(), **by_name)
def test_outcomes(case):
    board = RefBoard(case.size, case.rule, case.black, case.white)
    winner = board.winner_of_move(case.move, case.side)
    if case.side == BLACK and board.foul(case.move):
        winner = WHITE
    assert winner == case.winner


@pytest.mark.parametrize("case", forbidden_maps(), **by_name)
def test_forbidden_maps(case):
    fouls = RefBoard(case.size, RENJU, case.black, case.white).fouls()
    assert sorted(fouls) == sorted(case.forbidden)
    assert {at: fouls.get(at) for at in case.kinds} == case.kinds


def test_a_wall_ends_a_run_but_is_no_opponent():
    own = [(3, 7), (4, 7), (5, 7), (6, 7)]
    for rule in (CARO, CARO_EXACT):
        blocked = RefBoard(15, rule, own, [(2, 7), (8, 7)])
        assert blocked.winner_of_move((7, 7), BLACK) is None
        wall = RefBoard(15, rule, own, [(2, 7)], [(8, 7)])
        assert wall.winner_of_move((7, 7), BLACK) == BLACK
    for rule in RULES:
        split = RefBoard(15, rule, own, walls=[(7, 7)])
        assert split.winner_of_move((8, 7), BLACK) is None


# --- Short cuts against the long way ---


@pytest.mark.parametrize(
    ("size", "boards"),
    [
        (9, 12),
        pytest.param((7, 12), 60, marks=pytest.mark.slow(WHY, ci=True)),
        pytest.param(15, 20, marks=pytest.mark.slow(WHY, ci=True)),
        pytest.param(9, 40, marks=pytest.mark.slow(WHY, ci=True)),
    ],
)
def test_fouls_are_those_of_the_rule_text_word_by_word(size, boards):
    rng = random.Random(f"literal {size}")
    found = []
    for number in range(boards):
        board = random_clutter(rng, RENJU, size)
        if number % 2:
            board = random_position(rng, RENJU, size, rng.randint(10, 40), walls=2)
        stones = stones_of(board)
        fouls = board.fouls()
        for p in board.empties():
            at = board.cell(p)
            literal = literal_verdict(stones, board.width, board.height, at)
            assert board.verdict(p) == literal, f"{board}\n{at}"
            assert fouls.get(at) == (None if literal == "five" else literal)
        found += fouls.values()
    assert {"overline", "double-four", "double-three"} <= set(found)


@pytest.mark.parametrize("rule", RULES)
@sampled(7, 60)
def test_fives_are_all_cells_that_win(rule, count):
    rng = random.Random(rule)
    for number in range(count):
        board = random_clutter(rng, rule, rng.choice([5, 9, 15, (8, 13)]))
        if number % 2:
            board = random_position(rng, rule, 15)
        for side in (BLACK, WHITE):
            wins = [p for p in board.empties() if board.wins(p, side)]
            assert board.fives(side) == wins


@pytest.mark.parametrize("rule", RULES)
@sampled(2, 20)
def test_a_new_five_comes_from_a_four_maker(rule, count):
    rng = random.Random(rule)
    for _ in range(count):
        board = random_position(rng, rule, 15)
        for side in (BLACK, WHITE):
            before = set(board.fives(side))
            makers = set(board.four_makers(side))
            for p in board.empties():
                board.place(p, side)
                new = set(board.fives(side)) - before
                board.clear(p)
                assert not new or p in makers


@pytest.mark.parametrize("rule", RULES)
@sampled(7, 60)
def test_only_a_remover_stops_a_five(rule, count):
    rng = random.Random(rule)
    checked = 0
    for _ in range(count):
        board = random_position(rng, rule, 15)
        for side in (BLACK, WHITE):
            for five in board.fives(side):
                removers = board.removers(five, side)
                for p in board.empties():
                    board.place(p, 1 - side)
                    stopped = five not in board.fives(side)
                    board.clear(p)
                    assert not stopped or p in removers
                    checked += 1
    assert checked > 10 * count


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("size", "free", "plies"), [(7, 30, 3), (6, 13, 5)])
@sampled(2, 60)
def test_forced_wins_are_those_of_trying_everything(rule, size, free, plies, count):
    rng = random.Random(f"{rule} {size}")
    answers = []
    for _ in range(count):
        board = random_position(rng, rule, size, size * size - free)
        side = board.turn
        fast = wins_within(board, side, plies)
        assert fast == literal_wins_within(board, side, plies), board
        answers.append(fast and not board.fives(side))
    if count >= 60:  # among a few there may be none
        assert any(answers)
        assert not all(answers)


@pytest.mark.parametrize("rule", RULES)
@sampled(3, 60)
def test_lost_means_that_no_move_saves(rule, count):
    rng = random.Random(rule)
    lost = 0
    for _ in range(count):
        board = random_position(rng, rule, 9)
        side = board.turn
        for plies in (2, 4):
            saving = saving_replies(board, side, plies - 1)
            assert loses_within(board, side, plies) == (not saving), board
            lost += not saving
            # The short cut of threat_plies 1 leaves out no saving move.
            literal = [
                board.cell(p)
                for p in board.empties()
                if board.wins(p, side)
                or (
                    board.may_play(p, side)
                    and not wins_after(board, p, side, plies - 1)
                )
            ]
            assert saving == literal
    assert lost or count < 60


def wins_after(board, p, side, plies):
    """Whether the other side wins within that many plies after the side's move p."""
    board.place(p, side)
    lost = wins_within(board, 1 - side, plies)
    board.clear(p)
    return lost


@pytest.mark.parametrize("rule", RULES)
@sampled(12, 100)
def test_wins_by_fours_are_wins(rule, count):
    rng = random.Random(rule)
    found = 0
    for _ in range(count):
        board = random_position(rng, rule, 11)
        if wins_by_fours_within(board, board.turn, 5):
            assert wins_within(board, board.turn, 5), board
            found += not wins_within(board, board.turn, 3)
        assert wins_by_fours_within(board, board.turn, 3) == wins_within(
            board, board.turn, 3
        )
    assert found or count < 100


# --- Forced wins known by hand ---


def test_an_open_three_wins_in_three_unless_it_is_met():
    board = RefBoard(15, FREESTYLE, [(6, 7), (7, 7), (8, 7)], [(0, 0), (14, 0)])
    assert not five_cells(board, BLACK)
    assert wins_within(board, BLACK, 3)
    assert not wins_within(board, WHITE, 5)
    saved = saving_replies(board, WHITE, 3)
    assert saved == [(5, 7), (9, 7)]
    # With one side short by a cell, the far end of the other side saves too.
    board = RefBoard(15, FREESTYLE, [(6, 7), (7, 7), (8, 7)], [(4, 7), (0, 0)])
    assert saving_replies(board, WHITE, 3) == [(5, 7), (9, 7), (10, 7)]


def test_a_blocked_four_of_caro_is_also_stopped_at_its_far_end():
    # O X X X X . .: h8 or i8, but one stone at i8 only because c8 is white.
    own = [(3, 7), (4, 7), (5, 7), (6, 7)]
    for rule, saved in ((STANDARD, [(7, 7)]), (CARO, [(7, 7), (8, 7)])):
        board = RefBoard(15, rule, own, [(2, 7)])
        assert five_cells(board, BLACK) == [(7, 7)]
        assert saving_replies(board, WHITE, 1) == saved


def test_two_winning_points_of_caro_may_have_one_answer():
    own = [(3, 7), (4, 7), (5, 7), (6, 7)]
    board = RefBoard(15, CARO, own, [(1, 7), (8, 7)])
    assert five_cells(board, BLACK) == [(2, 7), (7, 7)]
    assert saving_replies(board, WHITE, 1) == [(2, 7), (7, 7)]
    assert not loses_within(board, WHITE, 2)
    assert loses_within(RefBoard(15, STANDARD, own, [(1, 7), (8, 7)]), WHITE, 2)


def test_a_forced_reply_that_is_forbidden_loses():
    # White's d4-d7 is walled at d3: black must take d8, where he has two threes.
    black = [(3, 2), (4, 7), (5, 7), (4, 8), (5, 9)]
    white = [(3, 3), (3, 4), (3, 5), (3, 6)]
    for rule in (FREESTYLE, STANDARD):
        board = RefBoard(15, rule, black, white, turn=BLACK)
        assert saving_replies(board, BLACK, 1) == [(3, 7)]
        assert not loses_within(board, BLACK, 2)
    board = RefBoard(15, RENJU, black, white, turn=BLACK)
    assert board.foul((3, 7)) == "double-three"
    assert saving_replies(board, BLACK, 1) == []
    assert loses_within(board, BLACK, 2)


def test_black_makes_no_four_on_a_forbidden_cell():
    board = RefBoard(15, RENJU, [(4, 7), (5, 7), (6, 7), (7, 4), (7, 5), (7, 6)])
    assert board.foul((7, 7)) == "double-four"
    assert not makes_four(board, board.index((7, 7)), BLACK)
    assert makes_four(board, board.index((3, 7)), BLACK)


def test_a_board_without_room_is_not_lost():
    # Full but for one cell, where nobody wins.
    rows = ["XXOOX", "OOXXO", "XXOOX", "OOXXO", "XXOO."]
    black = [(x, y) for y in range(5) for x in range(5) if rows[y][x] == "X"]
    white = [(x, y) for y in range(5) for x in range(5) if rows[y][x] == "O"]
    board = RefBoard(5, FREESTYLE, black, white)
    for side in (BLACK, WHITE):
        assert not wins_within(board, side, 5)
        assert not loses_within(board, side, 4)
    # The last cell taken: nobody can move, nobody has lost.
    board.place(board.index((4, 4)), BLACK)
    assert not loses_within(board, WHITE, 4)


# --- Lines ---


@pytest.mark.parametrize(
    ("rule", "side", "text", "expected"),
    [
        (FREESTYLE, BLACK, ".XX.XX.", ("F5", [])),
        (STANDARD, BLACK, "XXX.XX.", ("OL", [])),
        (RENJU, WHITE, "XXX.XX.", ("F5", [])),
        (RENJU, BLACK, "XXX.XX.", ("OL", [])),
        (CARO, BLACK, "XXX.XX.", ("F5", [])),
        (CARO_EXACT, BLACK, "XXX.XX.", ("OL", [])),
        # Open fours, and what stops the others.
        (STANDARD, BLACK, "..XX.X...", ("F4", [])),
        (STANDARD, BLACK, ".OXX.X...", ("B4", [2])),
        (CARO, BLACK, ".OXX.X...", ("B4", [2, 3])),
        (CARO, BLACK, "O.XX.X.O.", ("B4", [-3, 2])),
        (STANDARD, BLACK, "O.XX.X.O.", ("F4", [])),
        (CARO, BLACK, "..XX.X...", ("F4", [])),
        (CARO, BLACK, "..XX.X.O.", ("B4", [-3])),
        (CARO, BLACK, "..XX.X.#.", ("F4", [])),
        (CARO, BLACK, "..OXX.X.O..", ("DEAD", [])),
        (CARO, BLACK, "..#XX.X.O..", ("B4", [2])),
        (CARO, BLACK, "X.XX.X.O.", ("B4", [-3])),
        (CARO_EXACT, BLACK, "X.XX.X.O.", ("B4", [-3, 2])),
        # Renju: two fours on one line, and completion to six.
        (RENJU, BLACK, "..X.X.X.X..", ("OL", [])),
        (RENJU, WHITE, "..X.X.X.X..", ("F4", [])),
        (STANDARD, BLACK, "..X.X.X.X..", ("F4", [])),
        (STANDARD, BLACK, "#.XX.X.X.", ("B4", [-3])),
        (FREESTYLE, BLACK, "#.XX.X.X.", ("F4", [])),
        # Threes.
        (STANDARD, BLACK, "....X.X....", ("F3S", [])),
        (STANDARD, BLACK, "..O.X.X....", ("F3", [])),
        (STANDARD, BLACK, "..OX.....", ("-", [])),
        (STANDARD, BLACK, "#.XX...#.", ("F3", [])),
        (STANDARD, BLACK, "#XX......", ("B3", [])),
        (STANDARD, BLACK, "#..O....#", ("DEAD", [])),
        (STANDARD, BLACK, "...O....O", ("DEAD", [])),
        (STANDARD, BLACK, "...O.....", ("-", [])),
    ],
)
def test_line_classes_known_by_hand(rule, side, text, expected):
    assert line_class(rule, side, text) == expected


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("side", [BLACK, WHITE])
@sampled(15, 300)
def test_line_classes_agree_with_the_board(rule, side, count):
    """The same line on a board of one row: fives, and what one stone can stop."""
    rng = random.Random(f"{rule} {side}")
    seen = set()
    for _ in range(count):
        text = random_line(rng, 15)
        # Only a neighbourhood may hold stones: the board knows no "fives with c".
        text = "#" * 3 + text[3:12] + "#" * 3
        centre = 7
        kind, replies = line_class(rule, side, text)
        board = RefBoard((15, 5), rule)
        signs = {"X": side, "O": 1 - side, "#": 3}
        for x, sign in enumerate(text):
            if sign != ".":
                board.place(board.index((x, 2)), signs[sign])
        c = board.index((centre, 2))
        if board.wins(c, side):
            assert kind == "F5", text
            continue
        assert kind != "F5", text
        if rule == RENJU and side == BLACK and board.verdict(c):
            assert kind == "OL", text
            continue
        if board.fives(side):
            continue
        seen.add(kind)
        board.place(c, side)
        saving = saving_replies(board, 1 - side, 1)
        row = [x - centre for x, y in saving if y == 2]
        if not board.fives(side):
            assert kind not in ("F4", "B4"), text
        elif not saving:
            assert kind == "F4", text
        else:
            assert kind == "B4", text
            assert row == replies, text
    assert {"F4", "B4", "F3S", "F3", "DEAD"} <= seen or count < 300


def test_random_material_is_reproducible():
    one = random_position(random.Random(7), RENJU, 15)
    two = random_position(random.Random(7), RENJU, 15)
    assert (one.cells, one.turn) == (two.cells, two.turn)
    assert random_line(random.Random(7)) == random_line(random.Random(7))


@pytest.mark.parametrize("rule", RULES)
@sampled(6, 50)
def test_random_positions_are_unfinished_games(rule, count):
    rng = random.Random(rule)
    for _ in range(count):
        board = random_position(rng, rule, rng.choice([5, 15, 20, (9, 16)]))
        black, white = board.stones(BLACK), board.stones(WHITE)
        assert len(black) - len(white) in (0, 1)
        assert board.turn == (WHITE if len(black) > len(white) else BLACK)
        for side, stones in ((BLACK, black), (WHITE, white)):
            for at in stones:
                p = board.index(at)
                assert all(board.run(p, d, side)[2] < 5 for d in board.directions)
