"""Swap2: the stones that are offered, and the colour that is taken."""

import pytest

from gomoku_brain.engine import swap2
from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Side
from tests.protocol.talk import Talk


@pytest.fixture
def talk():
    return Talk()


def test_swap2_puts_three_different_stones(talk):
    talk.say("INFO timeout_turn 0")
    for size in (5, 8, 15, 20, 22):
        _, reply = talk.say(f"START {size}", "SWAP2BOARD", "DONE")[-2:]
        stones = [tuple(map(int, part.split(","))) for part in reply.split(" ")]
        assert len(set(stones)) == 3
        assert all(0 <= v < size for stone in stones for v in stone)
        assert talk.board.turn is Side.WHITE


def test_swap2_needs_no_book_of_the_rule(talk, tmp_path, monkeypatch):
    """So a new rule can be played before it has openings (docs/guide.md)."""
    monkeypatch.setattr(swap2, "_DATA", tmp_path)
    for size in (15, 20):
        reply = talk.say(f"START {size}", "SWAP2BOARD", "DONE")[-1]
        assert len(set(reply.split(" "))) == 3


@pytest.mark.parametrize(
    ("score", "win_in", "reply"),
    [(50, None, "0,0"), (-50, None, "SWAP"), (0, 7, "0,0"), (0, -8, "SWAP")],
)
@pytest.mark.parametrize("stones", [["7,7", "8,7", "9,9"], ["7,7 8,7", "9,9 1,1 2,2"]])
def test_swap2_takes_the_clearly_better_colour(talk, stones, score, win_in, reply):
    talk.engine.score, talk.engine.win_in = score, win_in
    assert talk.say("START 15", "SWAP2BOARD", *stones, "DONE") == ["OK", reply]


@pytest.mark.parametrize(("score", "reply"), [(1, "0,0"), (-1, "SWAP"), (None, "0,0")])
def test_swap2_with_five_stones_takes_the_better_colour(talk, score, reply):
    talk.engine.score = score
    stones = "7,7 8,7 9,9 1,1 2,2"
    assert talk.say("START 15", f"SWAP2BOARD {stones} DONE") == ["OK", reply]


@pytest.mark.parametrize("rule", [0, 1, 4, 8, 9])
@pytest.mark.parametrize("size", ["15", "20", "12,17"])
def test_swap2_stones_differ_from_game_to_game(talk, rule, size):
    word = "RECTSTART" if "," in size else "START"
    talk.say("INFO timeout_turn 0", f"INFO rule {rule}", f"{word} {size}")
    replies = {talk.say("SWAP2BOARD", "DONE")[0] for _ in range(5)}
    assert len(replies) > 1


def test_swap2_adds_two_stones_near_an_even_three(talk):
    talk.engine.score = 49
    stones = ["0,0", "1,2", "2,1"]
    _, reply = talk.say("START 15", "SWAP2BOARD", *stones, "DONE")
    added = [tuple(map(int, part.split(","))) for part in reply.split(" ")]
    assert len({"0,0", "1,2", "2,1", *reply.split(" ")}) == 5
    assert all(0 <= v <= 5 for move in added for v in move)
    assert talk.board.moves[3:] == tuple(added)
    assert talk.board.turn is Side.WHITE


def test_swap2_offers_the_pair_that_a_search_calls_most_even():
    scores = {(Move(x, 0), Move(x, 1)): 7 * x - 50 for x in range(15)}
    asked = []

    def score(offer, nodes):
        asked.append(nodes)
        return scores[offer]

    best = swap2.most_even(list(scores), score)
    assert best == ((Move(7, 0), Move(7, 1)), 1)
    assert asked == [2_000] * 15 + [10_000] * 5 + [50_000]


def test_without_time_for_more_the_most_even_so_far_is_offered():
    offers = [(Move(x, 0),) for x in range(9)]
    answers = iter([5, -30, 40, 2, 60, 70, 80, 90, -100, 35, None])
    best = swap2.most_even(offers, lambda offer, nodes: next(answers))
    assert best == (offers[0], 5)
    assert swap2.most_even(offers, lambda offer, nodes: None) is None


def test_swap2_keeps_to_the_nodes_reported(talk):
    talk.say("START 15", "INFO max_node 20000", "SWAP2BOARD", "7,7 8,7 9,9", "DONE")
    nodes = [limits.nodes for _, limits in talk.engine.searches]
    assert nodes[0] == 8000
    assert set(nodes[1:]) <= {2000, 10000}
    assert all(hard is None for hard, _ in talk.engine.granted)


@pytest.fixture
def short_of_memory(talk):
    """Its first search fails at depth 9, and the second one comes to 8."""
    real = talk.engine.search

    def search(board, limits, on_info, control):
        talk.engine.infos = 8 if talk.engine.searches else 9
        return real(board, limits, on_info or (lambda info: None), control)

    talk.engine.search = search
    talk.engine.errors = [MemoryError()]
    return talk


def test_swap2_counts_the_nodes_of_a_search_that_failed(short_of_memory):
    """12,345 for each search: two for the colour, six for offers, and 1,240 left."""
    talk = short_of_memory
    talk.say("START 15", "INFO max_node 100000", "SWAP2BOARD", "7,7 8,7 9,9", "DONE")
    nodes = [limits.nodes for _, limits in talk.engine.searches]
    assert nodes == [40_000, 40_000 - 12_345] + [2_000] * 6


def test_swap2_goes_by_the_second_search_where_the_first_one_failed(short_of_memory):
    talk = short_of_memory
    talk.engine.score = -900
    assert talk.say("START 15", "SWAP2BOARD", "7,7 8,7 9,9", "DONE")[1:] == ["SWAP"]


def test_a_stop_in_swap2_ends_all_its_searches():
    talk = Talk(waiting=True).run()
    talk.think("START 15", "SWAP2BOARD 7,7 8,7 9,9 DONE")
    talk.feed("YXSTOP")
    assert talk.expect(2) == ["OK", "0,0"]
    talk.finish()


def test_swap2_is_one_move_on_the_match_clock():
    talk = Talk(seconds=1.0)
    talk.say("START 15", "INFO timeout_turn 0", "INFO timeout_match 100000")
    talk.say("SWAP2BOARD 7,7 8,7 9,9 DONE")
    assert talk.session._player.match.left == 99


def test_swap2_goes_on_with_board(talk):
    talk.say("START 15", "SWAP2BOARD", "7,7", "8,7", "9,9", "DONE")
    reply = talk.say("BOARD", "7,7,2", "8,7,1", "9,9,2", "DONE")
    assert reply == ["0,0"]
    assert talk.board.stone(Move(0, 0)) is Side.WHITE


@pytest.mark.parametrize(
    "stones", [["7,7"], ["7,7", "8,8"], ["7,7"] * 3, ["7,7", "8,8", "15,1"], ["1,1,1"]]
)
def test_swap2_with_other_stones_is_one_error(talk, stones):
    assert talk.say("START 15", "SWAP2BOARD", *stones) == ["OK"]
    (reply,) = talk.say("DONE")
    assert reply.startswith("ERROR ")


def test_the_yixin_swap2(talk):
    talk.say("START 15 15")
    lines = talk.say("yxswap2step1")
    assert [line.rsplit(None, 2)[0] for line in lines] == [
        f"MESSAGE SWAP2 MOVE{k}" for k in (1, 2, 3)
    ]
    talk.say("yxboard", "7,7,2", "7,8,1", "9,9,2", "done")
    talk.engine.score = 50
    assert talk.say("yxswap2step2") == ["MESSAGE SWAP2 SWAP1 NO"]
    talk.engine.score = -50
    assert talk.say("yxswap2step2") == ["MESSAGE SWAP2 SWAP1 YES"]
    talk.engine.score = -1
    lines = talk.say("yxswap2step2")
    assert [line.rsplit(None, 2)[0] for line in lines] == [
        "MESSAGE SWAP2 MOVE4",
        "MESSAGE SWAP2 MOVE5",
    ]
    assert talk.board.ply == 5
    assert talk.say("yxswap2step3") == ["MESSAGE SWAP2 SWAP2 YES"]
