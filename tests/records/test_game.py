"""The one model of a game: made, changed, undone, and given to every function."""

import copy
import pickle
import random
from pathlib import Path

import pytest

import gomoku_brain
from gomoku_brain import (
    Board,
    Game,
    GameNode,
    GameRecord,
    Move,
    PlayedMove,
    Rule,
    Side,
    parse_games,
    to_json,
    to_psq,
    to_sgf,
    training_samples,
)
from gomoku_brain.records.game_node import MARKS
from gomoku_brain.records.game_record import Figures
from gomoku_brain.records.sgf import write
from tests.records.games import moves_of, records_of, same, whole_tree
from tests.sampled import sampled

FIVE = "a1 a3 b1 b3 c1 c3 d1 d3 e1"


# ----- Editing -----


def test_a_tree_is_edited_as_users_of_python_chess_know_it():
    game = Game(15, rule=Rule.RENJU)
    end = game.add_line("h8 i9 j8")
    end.comment = "calm"
    better = game.variation("h8").add_variation("h9", comment="better")
    assert (better.side, better.ply, better.turn) == (Side.WHITE, 2, Side.BLACK)
    assert better.parent.variations == [end.parent, better]
    better.parent.promote_to_main("h9")
    assert better.is_main_line
    assert not end.is_main_line
    better.parent.demote(better)
    assert moves_of(game) == "h8 i9 j8"
    assert end.board().moves == end.path_moves() == game.moves
    assert end.root() is game
    assert game.count_lines() == 2
    game.variation(0).remove_variation("h9")
    assert game.count_lines() == 1
    with pytest.raises(KeyError):
        game.variation("a1")
    with pytest.raises(ValueError, match="taken out"):
        better.root()


def test_labels_and_marks_are_set_and_removed():
    node = Game(None)
    node.set_label("h8", "A]")
    node.set_mark("h8", "TR")
    node.set_mark("h8", "CR")
    assert node.labels == {Move(7, 7): "A]"}
    assert node.marks == {Move(7, 7): "CR"}
    node.set_label("h8", "")
    node.set_mark("h8", "")
    assert node.properties == {}
    with pytest.raises(ValueError, match="no mark"):
        node.set_mark("h8", "QQ")


def test_figures_and_comment_are_two_things_in_the_model_and_one_in_sgf():
    game = Game(moves="h8 i9")
    node = game.end()
    node.comment = "calm"
    node.figures = Figures(seconds=0.5, score=-12, depth=3)
    assert (node.comment, node.figures.depth) == ("calm", 3)
    assert node.written() == {
        "V": ["12"],
        "C": ["0.5 s, score -12, depth 3\ncalm"],
    }
    again = whole_tree(to_sgf(game)).end()
    assert (again.comment, again.figures) == ("calm", node.figures)
    again.comment = "other"
    assert again.figures == node.figures


def test_only_stones_and_white_to_begin_are_a_set_up():
    assert not Game().is_set_up
    assert not Game(moves="h8").is_set_up
    assert Game(first=Side.WHITE).is_set_up
    assert Game(walls="h8").is_set_up


def test_a_part_of_a_game_is_a_game_of_its_own():
    game = whole_tree("(;SZ[15]PB[a]C[root];B[hh]C[one];W[ii](;B[jj])(;B[aa]LB[bb:x]))")
    other = [*game.lines()][1][-1]
    line = game.cut(None, other)
    assert (moves_of(line), line.black, line.comment) == ("h8 i9 a1", "a", "root")
    assert line.end().labels == other.labels
    assert moves_of(game.cut(1)) == "h8"
    line.end().comment = line.comment = "changed"
    assert (other.comment, game.comment) == ("", "root")
    assert same(game.copy(), game)
    assert game.copy().board() == game.board()
    assert [game.board(ply).ply for ply in (0, 2, None)] == [0, 2, 3]


# ----- One coercion -----


def record_of(text=FIVE):
    (game,) = parse_games(text)
    return game.record()


RECORD = record_of()
GIVEN = {
    "GameRecord": RECORD,
    "Game": Game.from_record(RECORD),
    "read game": parse_games(FIVE)[0],
    "Board": RECORD.board(),
    "GameNode": Game.from_record(RECORD).node_at(4),
}
FUNCTIONS = {
    "training_samples": training_samples,
    "to_sgf": to_sgf,
    "to_psq": to_psq,
    "to_json": to_json,
}


@pytest.mark.parametrize("kind", GIVEN)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_function_takes_every_kind_of_game(function, kind):
    found = FUNCTIONS[function](GIVEN[kind])
    if function == "training_samples":
        assert [str(sample.move) for sample in found] == FIVE.split()
        return
    (again,) = parse_games(found)
    assert moves_of(again) == FIVE
    assert (again.result, again.reason) == ("1-0", "five")


@pytest.mark.parametrize(
    "wrong", ["h8 i9", None, 7, [], ["h8"], Move(7, 7), PlayedMove]
)
@pytest.mark.parametrize("function", [*FUNCTIONS.values(), Game.of])
def test_another_kind_is_refused_in_one_sentence(function, wrong):
    with pytest.raises(
        TypeError, match=r"^a Game, a GameRecord or a Board is needed, no"
    ):
        function(wrong)


def test_a_node_names_the_way_to_its_game():
    with pytest.raises(TypeError, match=r"not GameNode: its root\(\) is the game$"):
        Game.of(GIVEN["GameNode"])


@pytest.mark.parametrize("function", ["training_samples", "to_psq", "to_json"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;SZ[15]AB[hh];W[ii])", "the game begins with stones on the board"),
        ("(;SZ[15];B[hh];AW[ii])", "stones are set up within the game"),
        ("(;SZ[15];B[hh];W[];B[ii])", "a side passes"),
        ("(;SZ[15];W[hh])", "white moves out of turn"),
        ("(;SZ[15];B[hh];B[ii])", "black moves out of turn"),
    ],
)
def test_a_game_that_is_no_record_is_refused_in_one_sentence(function, text, message):
    (game,) = parse_games(text)
    for given in (game, game.end()):
        with pytest.raises(ValueError, match=f"^{message}: ") as caught:
            FUNCTIONS[function](given)
        assert "\n" not in str(caught.value)
    assert same(whole_tree(to_sgf(game)), game)


def test_a_record_of_texts_is_refused_at_once():
    with pytest.raises(TypeError, match="PlayedMove"):
        GameRecord(Rule.RENJU, 15, 15, moves=("h8",))
    with pytest.raises(TypeError, match="Rule"):
        GameRecord("freestyle", 15, 15)


def test_a_record_of_a_node_is_its_line():
    game = Game(15, rule=Rule.RENJU, black="one")
    end = game.add_line("h8 i9 j8")
    end.comment = "calm"
    other = game.variation("h8").add_variation("h9", comment="better")
    record = game.record()
    assert [str(played.move) for played in record.moves] == ["h8", "i9", "j8"]
    assert (record.black, record.rule) == ("one", Rule.RENJU)
    assert record.moves[2].comment == "calm"
    assert [str(p.move) for p in game.record(other).moves] == ["h8", "h9"]
    assert moves_of(parse_games(to_psq(other))[0]) == "h8 h9"
    assert moves_of(parse_games(to_json(other))[0]) == "h8 h9"
    (again,) = parse_games(to_sgf(game))
    assert to_sgf(again) == to_sgf(game) == to_sgf(other)
    assert again.count_lines() == 2
    assert to_sgf(game).startswith(
        "(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[renju]PB[one]\n;B[hh]"
    )


def test_a_record_becomes_a_game():
    (game,) = parse_games("(;GM[4]SZ[15]PB[a]RU[renju];B[hh]C[x\ny];W[ii])")
    record = game.record()
    again = Game.of(record)
    assert (again.black, again.variation("h8").comment) == ("a", "x\ny")
    assert again.record() == record
    assert Game.of(game) is game


def test_a_board_is_a_game_as_it_is():
    board = Board.from_moves("h8 h9 j10", size=(15, 12), rule="renju")
    game = Game.from_board(board, black="one", white="two")
    assert (game.black, game.white, game.rule) == ("one", "two", Rule.RENJU)
    assert game.moves == (Move(7, 7), Move(7, 8), Move(9, 9))
    assert game.board() == board
    set_up = Board.from_stones(["h8", "a1", "b1"], ["a2"], turn="black", rule="caro")
    game = Game.of(set_up)
    assert game.board() == set_up
    assert game.board().turn is Side.BLACK
    assert not game.variations
    with pytest.raises(ValueError, match="stones on the board"):
        game.record()
    walled = Game.of(Board.from_stones([], [], walls=["h8"]))
    assert walled.board().is_wall((7, 7))
    with pytest.raises(ValueError, match="walls"):
        to_sgf(walled)
    passed = Board.from_moves("h8")
    passed.turn = "black"
    assert Game.of(passed).board().turn is Side.BLACK


def test_the_model_is_public():
    assert gomoku_brain.Game is Game
    assert issubclass(Game, GameNode)
    assert records_of([Game.of(RECORD)]) == [RECORD]


# ----- Undo and redo -----

KNOWN = (
    "KO MN AB AE AW PL C DM GB GW HO N UC V BM DO IT TE AR CR DD LB LN MA SL SQ TR"
    " AP CA FF GM ST AN BR BT CP DT EV GN GC ON OT PB PC PW RE RO RU SO TM US WR WT"
    " BL OB OW WL FG PM VW HA KM TB TW 5A SW XX ZZ9"
).split()
SIGNS = "ab]\\:[;()\n é七 "


def random_game(rng):
    """A tree with every property of FF[4], and foreign ones, at random nodes."""
    game = Game(19)
    nodes = [game]
    for _ in range(rng.randrange(1, 30)):
        nodes.append(rng.choice(nodes).add_variation(random_cell(rng)))
    for name in KNOWN:
        rng.choice(nodes).set_values(
            name,
            [
                "".join(rng.choices(SIGNS, k=9))
                .replace("\\", "\\\\")
                .replace("]", "\\]")
                for _ in range(rng.choice((1, 1, 3)))
            ],
        )
    return game


def random_cell(rng):
    return Move(rng.randrange(19), rng.randrange(19))


def random_change(game, rng):
    """Change something at a random node: every kind of change there is."""
    node = rng.choice([*game.nodes()])
    cell, words = random_cell(rng), "".join(rng.choices(SIGNS, k=5))
    other = Move((cell.x + rng.randrange(1, 19)) % 19, cell.y)
    changes = [
        lambda: node.add_variation(rng.choice((cell, cell, None)), comment=words),
        lambda: node.add_main_variation(cell),
        lambda: node.add_line([random_cell(rng) for _ in range(3)]),
        lambda: setattr(node, "comment", words),
        lambda: setattr(node, "comment", ""),
        lambda: node.set_label(cell, words),
        lambda: node.set_mark(cell, rng.choice(MARKS)),
        node.remove_marks,
        lambda: node.set_text(rng.choice(KNOWN), words),
        lambda: node.set_values("XX", []),
        lambda: setattr(game, "black", words),
        lambda: setattr(game, "white", words),
        lambda: setattr(game, "event", words),
        lambda: setattr(game, "date", rng.choice(("2026-11-28", "in May", ""))),
        lambda: game.set_result(rng.choice(("1-0", "*")), rng.choice(("", "time"))),
        lambda: setattr(game, "rule", rng.choice([*Rule])),
        lambda: game.set_up([cell], [other], first=rng.choice([*Side])),
        game.set_up,
    ]
    if node.move is not None:
        figures = Figures(seconds=rng.randrange(9), score=rng.randrange(-9, 9))
        changes.append(lambda: setattr(node, "figures", figures))
    if node.variations:
        below = rng.choice(node.variations)
        for method in (node.promote, node.demote, node.promote_to_main):
            changes.append(lambda method=method: method(below))
        changes += [lambda: node.remove_variation(below)] * 2
    rng.choice(changes)()


def snapshot(game):
    """Everything of a tree, with its nodes themselves."""
    return [(node, node.state()) for node in game.nodes()], game.history.shown


@sampled(30, 500)
def test_every_change_is_undone_and_made_again(count):
    rng = random.Random(57)
    for _ in range(count):
        game = whole_tree(write(random_game(rng)))
        game.history.shown = game
        states = [snapshot(game)]
        for _ in range(rng.randrange(1, 12)):
            before = game.history.revision
            with game.history.step("several"):
                for _ in range(rng.choice((1, 1, 1, 3))):
                    random_change(game, rng)
            if game.history.revision == before:
                assert snapshot(game) == states[-1]
                continue
            game.history.shown = rng.choice([*game.nodes()])
            states.append(snapshot(game))
        for state in states[-2::-1]:
            assert game.undo()
            assert snapshot(game) == state
        assert not game.undo()
        for state in states[1:]:
            assert game.redo()
            assert snapshot(game) == state
        assert not game.redo()
        text = write(game)
        again = whole_tree(text)
        assert same(again, game)
        assert write(again) == text


def test_a_step_has_a_name_and_a_new_change_ends_what_could_be_redone():
    game = Game(moves="h8")
    game.end().comment = "one"
    game.black = "Al"
    assert (game.history.undo_name, game.history.redo_name) == ("name", "")
    assert game.undo()
    assert (game.history.undo_name, game.history.redo_name) == ("comment", "name")
    game.set_up(walls="a1 a2")
    assert game.history.redo_name == ""
    assert game.undo()
    assert game.walls == ()
    assert game.redo()
    assert game.walls == (Move(0, 0), Move(0, 1))
    game.history.clear()
    assert not game.undo()


def test_an_error_in_a_step_takes_its_changes_back():
    game = Game(moves="h8")
    node = game.end()

    def change_both():
        with game.history.step("both"):
            node.comment = "one"
            node.set_mark("h8", "QQ")

    with pytest.raises(ValueError, match="no mark"):
        change_both()
    assert (node.comment, game.undo()) == ("", False)


def test_a_node_whose_addition_was_undone_belongs_to_no_game():
    game = Game()
    node = game.add_variation("h8")
    assert game.undo()
    with pytest.raises(ValueError, match="taken out"):
        node.root()
    assert game.redo()
    assert node.root() is game


def test_a_removed_line_comes_back_with_the_nodes_it_had():
    game = Game(moves="h8 i9 j10")
    node, end = game.node_at(1), game.end()
    game.history.shown = end
    game.remove_variation(node)
    game.history.shown = game
    node.comment = "of no game now"
    assert game.undo()
    assert game.history.shown is end
    assert end.root() is game
    assert game.end() is end


def test_a_comment_behind_figures_stays_in_the_regular_form():
    (game,) = parse_games("(;GM[4]SZ[15];B[hh]C[1 s];C[important];W[ii])")
    game.make_regular()
    node = game.variation("h8")
    assert (node.comment, node.figures.seconds) == ("important", 1.0)


def test_a_copy_shares_no_notes_and_no_facts():
    game = Game(moves="h8")
    copy = game.copy()
    copy.notes.append("note")
    copy.facts["key"] = 1
    assert (game.notes, game.facts) == ([], {})


def test_an_event_replaces_that_of_a_record():
    text = (
        '{"rule": "renju", "width": 15, "height": 15, "moves": ["h8"],'
        ' "extra": {"event": "A"}}'
    )
    (game,) = parse_games(text)
    game.event = "B"
    assert game.event == game.record().extra["event"] == "B"
    assert game.undo()
    assert game.event == "A"


def test_a_node_of_another_game_is_refused():
    game, other = Game(moves="h8 i9"), Game(moves="h8 j10")
    for take in (game.record, lambda node: game.cut(None, node)):
        with pytest.raises(ValueError, match="another game"):
            take(other.end())


def test_the_regular_form_cannot_be_undone_by_halves():
    (game,) = parse_games("(;SZ[15];AB[aa];C[hi];B[hh];W[ii](;B[jj])(;W[kk]))")
    game.black = "x"
    game.make_regular()
    text = to_sgf(game)
    assert not game.undo()
    assert to_sgf(game) == text


def test_a_deep_copy_is_a_copy():
    game = Game(moves=[(x, y) for y in range(15) for x in range(15)])
    again = copy.deepcopy(game)
    assert again.moves == game.moves
    assert again.end().root() is again


def test_a_game_and_a_node_are_pickled():
    game = Game(moves=[(x, y) for y in range(15) for x in range(15)])
    game.variation("a1").add_variation("c3", comment="why")
    game.facts["key"] = 1
    again = pickle.loads(pickle.dumps(game))
    assert to_sgf(again) == to_sgf(game)
    assert again.facts == game.facts
    assert again.board() == game.board()
    node = pickle.loads(pickle.dumps(game.variation("a1").variation("c3")))
    assert (node.comment, node.root().moves) == ("why", game.moves)


@pytest.mark.parametrize("foreign", [True, False])
@pytest.mark.parametrize(
    "moves", [FIVE, "h8 i9", "h8 a1 i8 a15 h9 o1 i9 o15 j10 a2 j11 a3 k10 c1 h10"]
)
def test_a_result_that_is_set_stands(moves, foreign):
    """Also against the end on the board: a five, none, and a foul under renju."""
    game = Game(rule=Rule.RENJU, moves=moves)
    if foreign:
        game.set_text("AP", "other:1")
    for result, reason in (("0-1", "time"), ("1-0", "crash"), ("*", "stopped")):
        game.set_result(result, reason, "why so")
        (again,) = parse_games(to_sgf(game))
        for each in (game, again):
            assert (each.result, each.reason, each.detail) == (result, reason, "why so")
    assert game.undo()
    assert game.result == "1-0"


def test_a_reason_and_a_date_stand_behind_a_text():
    (game,) = parse_games("(;SZ[15]GC[one\ntwo: three\nfour];B[hh])")
    game.set_result("1-0", "illegal move", "h8")
    game.date = "2026-01-02T10:00"
    (again,) = parse_games(to_sgf(game))
    assert (again.reason, again.detail) == ("illegal move", "h8")
    assert again.date == "2026-01-02T10:00"
    assert again.extra["comment"] == "one\ntwo: three\nfour"
    again.set_result("*")
    again.date = ""
    assert again.text("GC", lines=True) == "one\ntwo: three\nfour"


def test_moves_follow_the_side_that_begins():
    game = Game(moves="h8 i9")
    game.end().add_variation(None)
    game.set_up("a1", first="white")
    assert [node.side for node in game.mainline()] == [*map(Side, (1, 0, 1))]
    assert whole_tree(to_sgf(game)).end().side is Side.WHITE
    game.set_up("a1 b1 c1")  # the moves stay as they are
    assert game.first is Side.WHITE
    assert game.undo()
    assert game.undo()
    assert [node.side for node in game.mainline()] == [*map(Side, (0, 1, 0))]


def test_facts_of_a_game_may_stand_in_any_node_of_its_line():
    text = (
        "(;GM[4]SZ[15];PB[bl]PW[wh]RE[W+R]DT[2020-01-01]RU[renju];B[hh]EV[cup]"
        "(;W[ii])(;W[jj]PC[there]))"
    )
    (game,) = parse_games(text)
    assert (game.black, game.white, game.result) == ("bl", "wh", "0-1")
    assert (game.date, game.rule, game.event) == ("2020-01-01", Rule.RENJU, "cup")
    assert to_sgf(game).replace("\n", "") == text
    game.black = "other"
    (again,) = parse_games(to_sgf(game))
    assert (again.head, again.rule) == (game.head, game.rule)
    assert (again.black, again.white, again.event) == ("other", "wh", "cup")
    assert game.undo()
    assert to_sgf(game).replace("\n", "") == text


@pytest.mark.parametrize("stated", ["C[a][b]", "C[a]C[b]"])
def test_all_values_are_the_comment(stated):
    (game,) = parse_games(f"(;SZ[15]{stated};B[hh]{stated})")
    assert game.comment == game.end().comment == "a\nb"
    game.add_comment("more")
    (again,) = parse_games(to_sgf(game))
    assert again.comment == "a\nb\n\nmore"


def test_labels_of_old_files_are_removed():
    (game,) = parse_games("(;SZ[15]L[aa][bb][cc]LB[dd:x];B[hh])")
    game.set_label("b2", "")
    assert game.labels == {Move(0, 0): "a", Move(2, 2): "c", Move(3, 3): "x"}


def test_a_comment_that_looks_like_figures_is_none_without_a_move():
    (game,) = parse_games("(;GM[4]SZ[15];B[hh];C[2 s];W[ii])")
    game.make_regular()
    node = game.variation("h8")
    assert (node.comment, node.figures.seconds) == ("2 s", None)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (lambda game: Game("15"), "a size is cells or"),
        (lambda game: Game(black=5), "a text is needed"),
        (lambda game: setattr(game, "comment", None), "a text is needed"),
        (lambda game: game.end().set_label("h8", 5), "a text is needed"),
        (lambda game: setattr(game.end(), "figures", 5), "Figures are needed"),
        (lambda game: Game(black_stones="h8", walls="h8"), "h8 is named twice"),
        (lambda game: parse_games(b"h8"), "read_games takes files"),
        (lambda game: parse_games("h8", errors="never"), "errors is 'never'"),
        (lambda game: parse_games("h8", rows="left"), "rows is 'left'"),
        (lambda game: gomoku_brain.ReadOptions(rule="renju"), "the rule is a Rule"),
        (lambda game: gomoku_brain.ReadOptions(size=15), "a size is"),
        (lambda game: parse_games("[" * 100_000), "^nested too deeply"),
    ],
)
def test_a_wrong_value_is_refused_in_a_sentence(wrong, error):
    game = Game(moves="h8 i9")
    with pytest.raises((TypeError, ValueError), match=error):
        wrong(game)
    assert to_sgf(game) == to_sgf(Game(moves="h8 i9"))


def test_an_unfinished_step_is_not_undone():
    game = Game(moves="h8")
    game.black = "x"
    with game.history.step("one"), pytest.raises(ValueError, match="under way"):
        game.undo()
    assert game.black == "x"


def test_a_file_without_games_does_not_hide_the_others_of_a_folder(tmp_path):
    (tmp_path / "a.txt").write_text("a note, and no game\n")
    (tmp_path / "b.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "c.txt").write_text("h8 h9\n")
    (tmp_path / ".hidden").write_text("no game")
    heard = []
    (game,) = gomoku_brain.read_games(tmp_path, errors="skip", report=heard.append)
    assert len(game.moves) == 2
    named = {Path(str(error).split(":")[0]).name for error in heard}
    assert named == {"a.txt", "b.png"}
    with pytest.raises(gomoku_brain.ReadError, match=r"a\.txt"):
        gomoku_brain.read_games(tmp_path)
