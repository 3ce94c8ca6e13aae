"""A game between whoever sits there, without a window."""

import sys

import pytest

from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import Move, parse_move
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.game.play import Play
from gomoku_brain.gui.game.status import enabled_actions
from gomoku_brain.gui.model.clock import GameClock
from gomoku_brain.gui.model.game_players import GameConfig, PlayerConfig
from gomoku_brain.gui.model.game_tree import Ending, GameTree
from gomoku_brain.player import player as brain
from gomoku_brain.records.game import Game
from tests.gui.players import EASY, HUMAN, QUICK, program

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="the commands are quoted for a POSIX shell"
)


@pytest.fixture
def play(until):
    made = Play()
    made.endings, made.faults = [], []
    made.over.connect(made.endings.append)
    made.faulty.connect(lambda side, fault: made.faults.append((side, fault)))
    yield made
    made.close()


def begin(play, black=HUMAN, white=HUMAN, start=None, **config):
    play.start(GameConfig(black, white, config.pop("control", QUICK), **config), start)


def place(play, *cells):
    for cell in cells:
        assert play.place(parse_move(cell)) == ""


class TestPeople:
    def test_two_people_play_to_a_five(self, play):
        begin(play)
        place(play, *"a1 a5 b1 b5 c1 c5 d1 d5 e1".split())
        assert play.endings == [Ending("1-0", "five")]
        assert play.place(Move(9, 9)) == "over"

    def test_what_may_not_be_is_refused_with_the_reason(self, play):
        begin(play, start=Game(rule=Rule.RENJU))
        place(play, *"h8 a1 h9 a15 g10 o1 i10 o15".split())
        assert play.place(parse_move("h8")) == "occupied"
        assert play.place(parse_move("h10")) == "forbidden"
        play.pause()
        assert play.place(parse_move("a8")) == "paused"
        play.resume()
        place(play, "a8")

    def test_undo_takes_one_move_when_both_are_people(self, play):
        begin(play)
        place(play, "h8", "i9")
        assert play.undo()
        assert play.tree.ply == 1
        assert play.redo()
        assert play.tree.ply == 2
        assert not play.redo()

    def test_resigning_loses(self, play):
        begin(play)
        place(play, "h8")
        play.resign()
        assert play.endings == [Ending("1-0", "resigned")]

    def test_a_game_looked_at_from_its_beginning_is_still_in_progress(self, play):
        play.start(GameConfig(HUMAN, HUMAN))
        for cell in ("h8", "h9", "i8"):
            play.place(parse_move(cell))
        play.look_at(play.tree.game)
        assert play.in_progress
        play.look_at(play.tree.line()[-1])
        play.resign()
        assert not play.in_progress
        play.look_at(play.tree.game)
        assert not play.in_progress, "it has ended, wherever we look"

    def test_a_resignation_ends_the_game_and_not_an_earlier_position(self, play):
        begin(play)
        place(play, "h8", "i9", "j10")
        end = play.tree.node
        play.look_at(play.tree.game.variations[0])
        play.resign()
        assert play.tree.node is end
        assert play.endings == [Ending("1-0", "resigned")]
        play.look_at(play.tree.game)
        play.resign()
        assert len(play.endings) == 1, "it is over"
        assert not enabled_actions(play)["resign"]

    def test_moves_that_were_taken_back_are_not_in_a_resigned_game(self, play):
        begin(play)
        place(play, "h8", "i9", "j10")
        play.undo(single=True)
        play.resign()
        assert play.tree.record().result == "0-1"
        assert len(play.tree.record().moves) == 2
        assert not play.in_progress
        play.look_at(play.tree.game)
        assert play.is_looking_back
        assert play.tree.ending_at(play.tree.end_of_line) is not None

    def test_time_runs_out_only_where_it_holds_for_people(self, play, until):
        begin(play, control=PlayerLimits(turn=0.05))
        place(play, "h8")
        assert play.left(Side.WHITE) is None
        begin(play, control=PlayerLimits(turn=0.05), people_too=True)
        place(play, "h8")
        until(lambda: play.endings)
        assert play.endings == [Ending("1-0", "time")]

    def test_looking_back_pauses_and_a_stone_there_begins_a_variation(self, play):
        begin(play)
        place(play, "h8", "i9", "j10")
        play.look_at(play.tree.game.variations[0])
        assert play.paused
        assert play.reviewing
        place(play, "a1")
        assert not play.paused
        assert [n.move for n in play.tree.game.variations[0].variations] == [
            (0, 0),
            (8, 8),
        ]


class TestFinished:
    @pytest.fixture
    def over(self, play, until):
        begin(play, HUMAN, EASY)
        place(play, "h8")
        until(lambda: play.tree.ply == 2)
        play.resign()
        return play

    def test_a_stone_at_an_earlier_position_is_tried_on_the_study_board(self, over):
        line = over.tree.line()
        over.look_at(over.tree.game)
        assert over.is_looking_back
        place(over, "a1")
        assert over.free
        assert over.thinking is None
        assert over.tree.game.variations == [line[0], over.tree.node]
        assert over.tree.game.result == "0-1"
        over.set_free(False)
        over.look_at(line[-1])
        assert over.ending == Ending("0-1", "resigned")

    def test_nothing_of_it_is_taken_back_but_what_is_tried(self, over):
        line = over.tree.line()
        assert not over.undo()
        over.look_at(over.tree.game)
        place(over, "a1", "a2")
        assert over.undo()
        assert over.undo()
        assert not over.undo()
        assert list(over.tree.game.nodes()) == [over.tree.game, *line]
        assert over.redo()
        assert [node.move for node in over.tree.game.variations] == [
            line[0].move,
            (0, 0),
        ]

    def test_its_players_do_not_go_on_in_it(self, over):
        line = over.tree.line()
        for free in (False, True):
            over.look_at(over.tree.game)
            over.set_free(free)
            over.set_free(False)
            over.resume()
            assert over.thinking is None
            place(over, "a1")
            assert over.free
            assert over.tree.line(over.tree.game) == line

    def test_the_seconds_of_the_move_that_was_not_played_stay(self, play):
        now = [0.0]
        begin(play)
        play.clock = GameClock(play.config.control, lambda: now[0])
        place(play, "h8")
        now[0] += 5
        play.look_at(play.tree.game)
        now[0] += 7
        play.look_at(play.tree.end_of_line)
        assert play.used(Side.WHITE) == 5
        play.resume()
        now[0] += 1
        assert play.used(Side.WHITE) == 6
        play.resign()
        assert play.used(Side.WHITE) == 6


class TestBrain:
    def test_it_answers_and_undo_takes_the_pair_back(self, play, until):
        begin(play, HUMAN, EASY)
        place(play, "h8")
        assert play.thinking is Side.WHITE
        assert play.place(Move(0, 0)) == "not your turn"
        until(lambda: play.tree.ply == 2)
        place(play, "a1")
        until(lambda: play.tree.ply == 4)
        assert play.undo()
        assert play.tree.ply == 2
        assert play.tree.turn is Side.BLACK
        assert play.redo()
        assert play.tree.ply == 4

    def test_undo_while_it_thinks_takes_back_only_the_own_move(self, play, until):
        begin(
            play,
            HUMAN,
            PlayerConfig("brain"),
            control=PlayerLimits(turn=60.0, margin=1),
        )
        place(play, "h8")
        assert play.thinking is Side.WHITE
        assert play.undo()
        assert play.tree.ply == 0
        assert play.thinking is None

    def test_a_single_move_taken_back_from_it_waits(self, play, until):
        begin(play, HUMAN, EASY)
        place(play, "h8")
        until(lambda: play.tree.ply == 2)
        assert play.undo(single=True)
        assert (play.tree.ply, play.paused, play.thinking) == (1, True, None)
        play.resume()
        until(lambda: play.tree.ply == 2)

    def test_it_plays_at_once_when_ordered_to(self, play, until):
        begin(
            play,
            HUMAN,
            PlayerConfig("brain"),
            control=PlayerLimits(turn=600.0, margin=1),
        )
        place(play, "h8")
        assert play.can_move_now
        play.move_now()
        until(lambda: play.tree.ply == 2)
        assert play.tree.node.figures.seconds < 60

    def test_a_pause_stops_it_and_the_clock(self, play, until):
        begin(
            play,
            HUMAN,
            PlayerConfig("brain"),
            control=PlayerLimits(turn=600.0, margin=1),
        )
        place(play, "h8")
        play.pause()
        assert play.thinking is None
        used = play.used(Side.WHITE)
        until(lambda: True)
        assert play.used(Side.WHITE) == used
        play.resume()
        assert play.thinking is Side.WHITE
        play.move_now()
        until(lambda: play.tree.ply == 2)

    def test_two_brains_finish_a_game(self, play, until):
        begin(play, EASY, EASY, Game(7))
        until(lambda: play.endings)
        assert play.endings[0].reason in ("five", "full board")
        assert "< " in play.log.drain()[0]

    def test_level_and_seat_can_change_in_the_game(self, play, until):
        begin(play, HUMAN, EASY)
        place(play, "h8")
        until(lambda: play.tree.ply == 2)
        play.set_player(Side.BLACK, EASY)
        until(lambda: play.tree.ply > 4)
        play.pause()


class TestPrograms:
    def test_it_plays_and_the_log_shows_what_is_said(self, play, until):
        begin(play, HUMAN, program("--row", "3"))
        place(play, "h8")
        until(lambda: play.tree.ply == 2)
        assert play.tree.node.move == (0, 3)
        place(play, "i8")
        until(lambda: play.tree.ply == 4)
        log = play.log.drain()
        for line in ("> START 15", "< OK", "> TURN 7,7", "< 0,3", "> TURN 8,7"):
            assert f"fake {line}" in log

    def test_after_undo_it_gets_the_whole_position(self, play, until):
        begin(play, HUMAN, program("--row", "3"))
        for cell in ("h8", "i8"):
            place(play, cell)
            ply = play.tree.ply
            until(lambda: play.tree.ply == ply + 1)  # noqa: B023
        play.undo()
        place(play, "j8")
        until(lambda: play.tree.ply == 4)
        assert "fake > BOARD" in play.log.drain()

    def test_two_programs_play_to_the_end(self, play, until):
        begin(play, program("--row", "1", name="A"), program("--row", "8", name="B"))
        until(lambda: play.endings)
        assert play.endings == [Ending("1-0", "five")]
        assert play.tree.ply == 9

    @pytest.mark.parametrize(
        ("deed", "reason"),
        [
            ("crash", "crash"),
            ("stall", "hang"),
            ("99,99", "illegal move"),
            ("hello", "garbage"),
            ("flood", "flood"),
        ],
    )
    def test_whatever_it_does_wrong_is_reported_and_the_game_waits(
        self, play, until, deed, reason
    ):
        quick = PlayerLimits(turn=0.5, margin=1.0)
        begin(play, HUMAN, program(deed, "1"), control=quick)
        place(play, "h8")
        until(lambda: play.faults)
        ((side, fault),) = play.faults
        assert (side, fault.reason) == (Side.WHITE, reason)
        assert str(fault)
        assert play.paused
        assert play.tree.ply == 1
        play.set_player(Side.WHITE, EASY)
        play.resume()
        until(lambda: play.tree.ply == 2)

    def test_a_program_that_failed_can_be_tried_again(self, play, until):
        begin(play, HUMAN, program("--row", "3", "crash", "1"))
        place(play, "h8")
        until(lambda: play.faults)
        play.resume()
        until(lambda: len(play.faults) == 2)
        play.forfeit()
        assert play.endings[0].reason == "crash"
        assert play.endings[0].winner is Side.BLACK

    def test_a_program_that_is_not_there_is_reported(self, play, until):
        begin(play, HUMAN, PlayerConfig("program", "none", command="/no/such/pbrain"))
        place(play, "h8")
        until(lambda: play.faults)
        assert "cannot run" in str(play.faults[0][1])

    def test_a_command_that_cannot_be_read_leaves_the_old_game(self, play):
        begin(play)
        place(play, "h8")
        with pytest.raises(ValueError, match="quotation"):
            begin(play, HUMAN, PlayerConfig("program", "x", command='"'))
        assert play.tree.ply == 1

    def test_an_answer_during_a_pause_waits_for_its_end(self, play, until):
        begin(play, HUMAN, program("--row", "3", "late", "1"))
        place(play, "h8")
        play.pause()
        until(lambda: play._held is not None)
        assert play.tree.ply == 1
        play.resume()
        assert play.tree.ply == 2


class TestMemory:
    def test_a_search_without_memory_is_repeated_with_less(
        self, play, until, monkeypatch
    ):
        search, errors = Engine.search, [MemoryError("no memory for the table")]

        def fail_once(self, *arguments):
            if errors:
                raise errors.pop()
            return search(self, *arguments)

        monkeypatch.setattr(Engine, "search", fail_once)
        begin(play, HUMAN, EASY)
        place(play, "h8")
        until(lambda: play.tree.ply == 2 or play.faults)
        assert not play.faults
        assert not errors

    def test_a_search_that_fails_again_is_a_fault_and_no_bad_move(
        self, play, until, monkeypatch
    ):
        def fail(self, *arguments):
            raise MemoryError("no memory for the table")

        monkeypatch.setattr(Engine, "search", fail)
        begin(play, HUMAN, EASY)
        place(play, "h8")
        until(lambda: play.faults)
        assert play.tree.ply == 1
        assert "no memory for the table" in str(play.faults[0][1])


class TestSwap2:
    def test_a_person_proposes_and_the_brain_chooses(self, play, until):
        begin(
            play,
            HUMAN,
            PlayerConfig("brain"),
            swap2=True,
            control=PlayerLimits(turn=0.2),
        )
        for cell in ("h8", "i9", "a1"):
            assert play.stage == "place three"
            place(play, cell)
        until(lambda: not play.stage and play.waits_for_person)
        people = [s for s in Side if play.slots[s].kind == "human"]
        assert people == [play.tree.turn]
        assert "swap2" in play.tree.facts

    @pytest.mark.parametrize(
        ("choice", "colour"), [("black", Side.BLACK), ("white", Side.WHITE)]
    )
    def test_the_brain_proposes_and_a_person_chooses(self, play, until, choice, colour):
        wanted = []
        play.choice_wanted.connect(lambda: wanted.append(True))
        begin(play, EASY, HUMAN, swap2=True)
        until(lambda: wanted)
        free = next(iter(play.tree.board.legal_moves()))
        assert play.place(free) == "choose first"
        play.choose_colour(choice)
        assert play.slots[colour] == HUMAN
        assert play.slots[colour.other] == EASY
        assert play.tree.ply == 3

    def test_two_more_stones_give_the_choice_back(self, play, until):
        begin(play, EASY, HUMAN, swap2=True)
        until(lambda: play.stage == "choose after three")
        play.choose_colour("two")
        free = [m for m in play.tree.board.legal_moves()]
        place(play, str(free[-1]), str(free[-30]))
        until(lambda: not play.stage)
        until(lambda: play.waits_for_person)
        assert play.tree.ply in (5, 6, 7)

    def test_the_brain_offers_two_stones_where_the_colours_are_even(
        self, play, until, monkeypatch
    ):
        def prefer(self, board, thought, excluded=()):
            return tuple(board.legal_moves()[: {0: 3, 3: 2, 5: 0}[board.ply]])

        monkeypatch.setattr(brain.Player, "swap2", prefer)
        begin(play, EASY, HUMAN, swap2=True)
        until(lambda: play.stage == "choose after three")
        play.choose_colour("two")
        place(play, *map(str, play.tree.board.legal_moves()[:2]))
        until(lambda: not play.stage)
        assert play.slots[Side.BLACK] == EASY
        assert play.tree.facts["swap2"].endswith("two stones, swap")
        begin(play, HUMAN, EASY, swap2=True)
        place(play, "h8", "i9", "a1")
        until(lambda: play.stage == "choose at five")
        assert play.tree.ply == 5
        assert play.waits_for_person
        play.choose_colour("black")
        assert play.slots[Side.BLACK] == HUMAN
        assert play.tree.facts["swap2"].endswith("two stones, swap")

    def test_programs_are_asked_in_the_words_of_the_protocol(self, play, until):
        begin(
            play,
            program("--swap2", "7,7 8,8 9,9/SWAP", name="A"),
            program("--row", "2", "--swap2", "5,5 6,5", name="B"),
            swap2=True,
        )
        until(lambda: play.tree.ply > 6 or play.faults)
        assert not play.faults
        assert play.slots[Side.BLACK].name == "A"
        play.pause()

    def test_one_that_knows_no_swap2_is_reported(self, play, until):
        begin(play, program(), EASY, swap2=True)
        until(lambda: play.faults)
        assert play.faults[0][1].reason in ("refused", "garbage")


class TestStudy:
    def test_a_game_from_a_file_is_moved_by_hand(self, play):
        play.study(GameTree(Game(moves="h8 i9")))
        assert not play.in_progress
        place(play, "a1", "a2")
        assert play.undo()
        assert play.tree.ply == 3

    def test_what_was_added_is_worth_a_question_until_it_is_saved(self, play):
        play.study(GameTree(Game(moves="h8 i9")))
        place(play, "a1")
        assert play.in_progress
        play.tree.mark_saved()
        assert not play.in_progress

    def test_a_game_in_progress_stays_one_on_the_study_board(self, play, until):
        begin(play)
        place(play, "h8")
        play.set_free(True)
        assert play.in_progress
        begin(play)
        play.set_free(True)
        assert not play.in_progress

    def test_the_names_of_a_file_outlast_the_study_board(self, play):
        tree = GameTree(Game(moves="h8 i9"))
        tree.set_names("Ann", "Bob")
        play.study(tree)
        play.set_free(False)
        assert [play.slots[side].name for side in Side] == ["Ann", "Bob"]

    def test_after_study_the_game_waits_for_its_players(self, play, until):
        begin(play, HUMAN, EASY)
        place(play, "h8")
        until(lambda: play.tree.ply == 2)
        play.set_free(True)
        place(play, "a1")
        play.set_free(False)
        assert play.paused
        assert play.tree.ply == 2, "where it was"
        play.resume()
        place(play, "a1")
        until(lambda: play.tree.ply == 4)
