"""Dialogue in which a person defends against a proved win, move by move, as text."""

from typing import TextIO

from gomoku_brain.control.limits import ThreatTree, moves_words
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import foul_words, parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.study.win_tree import answer_to

__all__ = ["Defence"]

HELP = """\
h8      your defence, any empty cell
undo    take back your last defence
again   begin anew
board   show the position
quit    leave (so does the end of the input)"""


class Defence:
    """Dialogue in which the win answers each defence, until the five or until the user
    leaves.
    """

    def __init__(self, engine: Engine, board: Board, tree: ThreatTree) -> None:
        """Create a dialogue; the attacker is to move on ``board``.

        ``tree`` is the attacker's win, which the engine has replayed.
        """
        self._engine = engine
        self._start = tree
        self._board = board.copy()
        self._attacker = board.turn
        self._trees: list[ThreatTree] = []  # one for each move of the attacker

    def run(self, lines: TextIO) -> None:
        """Read a defence from each line and print the answers, until the game or the
        input ends.

        The board is drawn after each answer.
        """
        defender = self._attacker.other.name.lower()
        print(f"you defend as {defender}; type help for a list of commands")
        self._attack(self._start)
        while True:
            print(f"{defender}> ", end="", flush=True)
            line = lines.readline()
            if not line:
                print()
                return
            if not self._run_command(line.strip()):
                return

    def _run_command(self, text: str) -> bool:
        """Carry out one line of input; return whether the dialogue goes on."""
        word = text.lower()
        if word in ("quit", "exit", "q"):
            return False
        if word in ("help", "?"):
            print(HELP)
        elif word == "board":
            print(self._board)
        elif word == "again":
            while len(self._trees) > 1:
                self._take_back()
            self._show()
        elif word == "undo":
            if len(self._trees) > 1:
                self._take_back()
                self._show()
            else:
                print("there is no defence to take back")
        elif word:
            self._defend(text)
        return True

    def _defend(self, text: str) -> None:
        board = self._board
        if board.winner is not None:
            print("the game is over: undo, again or quit")
            return
        try:
            moves = parse_moves(text)
            if len(moves) != 1:
                raise ValueError(f"{text!r} is not one move")
            (move,) = moves
            after = board.copy()
            after.play(move)
        except ValueError as error:
            print(error)
            return
        if not board.is_legal(move):
            print(f"{move} is forbidden to black ({foul_words(board.foul(move))})")
            return
        board.play(move)
        answer = answer_to(self._engine, board, self._trees[-1], move)
        if answer is None:
            board.undo()
            print(f"no answer to {move} was found in the budget; try another defence")
            return
        self._attack(answer)

    def _attack(self, tree: ThreatTree) -> None:
        self._board.play(tree.move)
        self._trees.append(tree)
        self._show()

    def _take_back(self) -> None:
        """Take back the attacker's last move and the defence before it."""
        self._trees.pop()
        self._board.undo()
        self._board.undo()

    def _show(self) -> None:
        tree = self._trees[-1]
        attacker = self._attacker.name.lower()
        print(self._board)
        if tree.plies == 1:
            end = "no legal move is left" if self._board.winner is None else "five"
            print(f"{attacker} plays {tree.move}: {end}. undo, again or quit")
            return
        left = moves_words(tree.plies - 1)
        print(f"{attacker} plays {tree.move} and then wins in {left} at most")
