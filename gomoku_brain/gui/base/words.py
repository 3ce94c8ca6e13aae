"""Terms of the game in the user's language."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QCoreApplication

from gomoku_brain.control.limits import own_moves
from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.model.game_players import PlayerConfig, Refusal
from gomoku_brain.gui.model.game_tree import Ending, Verdict
from gomoku_brain.levels.ladder import level_at
from gomoku_brain.study.annotate import Value
from gomoku_brain.study.threat_words import Kind

__all__ = [
    "cell_text",
    "chance_text",
    "clock_text",
    "ending_text",
    "foul_text",
    "judgement_text",
    "kind_name",
    "level_name",
    "line_text",
    "moves_text",
    "reason_name",
    "refusal_text",
    "rule_name",
    "set_person_name",
    "set_rows",
    "set_win_unit",
    "short_value_text",
    "side_name",
    "slot_name",
    "span_text",
    "step_name",
    "value_text",
    "win_length",
]

translate = QCoreApplication.translate
_height_from_bottom = 0  # height of the board if rows count from the bottom, else 0

_person = ""
_wins_in_plies = False


def set_rows(height: int, from_bottom: bool) -> None:
    """Set how cells are named from now on, on a board of this height."""
    global _height_from_bottom
    _height_from_bottom = height if from_bottom else 0


def set_person_name(name: str) -> None:
    """Set the name of the person at the board; "" for "You"."""
    global _person
    _person = name.strip()


def set_win_unit(plies: bool) -> None:
    """Set whether wins are counted in plies, or in the winner's own moves."""
    global _wins_in_plies
    _wins_in_plies = plies


def cell_text(move: Move) -> str:
    """Return the name of a cell as on the edge of the board."""
    if not _height_from_bottom:
        return str(move)
    return str(Move(move.x, _height_from_bottom - 1 - move.y))


def line_text(moves: Iterable[Move]) -> str:
    """Return the names of cells, separated by blanks."""
    return " ".join(map(cell_text, moves))


def span_text(stones: Sequence[Move]) -> str:
    """Return the first and the last stone of a shape."""
    return f"{cell_text(stones[0])}-{cell_text(stones[-1])}"


def side_name(side: Side) -> str:
    """Return "Black" or "White"."""
    if side is Side.BLACK:
        return translate("Words", "Black")
    return translate("Words", "White")


def rule_name(rule: Rule) -> str:
    """Return the name of a rule."""
    return {
        Rule.FREESTYLE: translate("Words", "Freestyle"),
        Rule.STANDARD: translate("Words", "Standard (exactly five)"),
        Rule.RENJU: translate("Words", "Renju"),
        Rule.CARO: translate("Words", "Caro"),
        Rule.CARO_EXACT: translate("Words", "Exact caro"),
    }[rule]


def level_name(strength: int) -> str:
    """Return the name of the level with this strength."""
    name = level_at(strength).name
    return {
        "beginner": translate("Words", "Beginner"),
        "novice": translate("Words", "Novice"),
        "easy": translate("Words", "Easy"),
        "casual": translate("Words", "Casual"),
        "medium": translate("Words", "Medium"),
        "skilled": translate("Words", "Skilled"),
        "hard": translate("Words", "Hard"),
        "expert": translate("Words", "Expert"),
        "master": translate("Words", "Master"),
        "full": translate("Words", "Full strength"),
    }.get(name, name)


def slot_name(slot: PlayerConfig) -> str:
    """Return the name of a player."""
    if slot.kind == "brain":
        return translate("Words", "Gomoku Brain, {0}").format(level_name(slot.strength))
    return slot.name or _person or translate("Words", "You")


def kind_name(kind: Kind) -> str:
    """Return the name of a shape."""
    return {
        "five": translate("Words", "five"),
        "open four": translate("Words", "open four"),
        "four": translate("Words", "four"),
        "open three": translate("Words", "open three"),
        "two threes in line": translate("Words", "two threes in line"),
        "blocked three": translate("Words", "blocked three"),
        "open two": translate("Words", "open two"),
        "overline": translate("Words", "overline"),
    }[kind]


def foul_name(foul: str) -> str:
    """Return the name of a renju foul."""
    return {
        "overline": translate("Words", "overline"),
        "double-four": translate("Words", "double four"),
        "double-three": translate("Words", "double three"),
    }.get(foul, foul)


def foul_text(foul: str) -> str:
    """Return the reason why a point is forbidden in renju."""
    why = {
        "overline": translate(
            "Words", "Forbidden to black: an overline (six or more in a row)."
        ),
        "double-four": translate("Words", "Forbidden to black: two fours at once."),
        "double-three": translate(
            "Words", "Forbidden to black: two open threes at once."
        ),
    }
    return why.get(foul) or refusal_text("forbidden")


def step_name(name: str) -> str:
    """Return the name of a change of a game; "" stays ""."""
    names = {
        "move": translate("Words", "move"),
        "line": translate("Words", "variation"),
        "order": translate("Words", "order of the variations"),
        "deletion": translate("Words", "deletion"),
        "comment": translate("Words", "comment"),
        "label": translate("Words", "label"),
        "mark": translate("Words", "mark"),
        "marks": translate("Words", "deletion of the marks"),
        "position": translate("Words", "position"),
    }
    return names.get(name, name)


def ending_text(ending: Ending, person: Side | None = None) -> str:
    """Describe the end of a game in a sentence, for its only person, if any."""
    if ending.winner is None:
        if ending.reason == "full board":
            return translate("Words", "A draw: the board is full.")
        return translate("Words", "The game ended without a winner.")
    winner, loser = side_name(ending.winner), side_name(ending.winner.other)
    reasons = {
        "five": translate("Words", "{winner} made five in a row"),
        "foul": translate("Words", "{loser} made a {foul}"),
        "resigned": translate("Words", "{loser} resigned"),
        "time": translate("Words", "{loser}'s time is up"),
        "crash": translate("Words", "{loser}'s program crashed"),
        "hang": translate("Words", "{loser}'s program did not answer"),
        "illegal move": translate("Words", "{loser}'s program made an illegal move"),
    }
    if person is None:
        head = translate("Words", "{winner} wins")
        reasons["five"] = reason_name("five")
    elif person is ending.winner:
        head = translate("Words", "You won")
    else:
        head = translate("Words", "You lost")
    why = reasons.get(ending.reason, "")
    text = translate("Words", "{0}: {1}.") if why else translate("Words", "{0}.")
    text = text.format(head, why)
    return text.format(winner=winner, loser=loser, foul=foul_name(ending.detail))


def reason_name(reason: str) -> str:
    """Return the name of the reason for the end of a game."""
    return {
        "five": translate("Words", "five in a row"),
        "foul": translate("Words", "forbidden move"),
        "full board": translate("Words", "full board"),
        "resigned": translate("Words", "resigned"),
        "time": translate("Words", "time"),
        "crash": translate("Words", "crash"),
        "hang": translate("Words", "no answer"),
        "flood": translate("Words", "too much output"),
        "garbage": translate("Words", "no move in the answer"),
        "refused": translate("Words", "command refused"),
        "illegal move": translate("Words", "illegal move"),
    }.get(reason, reason)


def refusal_text(refusal: Refusal) -> str:
    """Return the reason why a stone cannot be placed."""
    return {
        "": "",
        "over": translate("Words", "The game is over."),
        "occupied": translate("Words", "This point is occupied."),
        "not your turn": translate("Words", "It is the other player's turn."),
        "paused": translate("Words", "The game is paused."),
        "forbidden": translate("Words", "This point is forbidden to black."),
        "choose first": translate("Words", "Choose a colour first."),
    }[refusal]


def win_length(plies: int) -> int:
    """Return the length of a forced result in the unit of the user.

    It is the number of the winner's own moves; in plies, if the user wants that, each
    move of both sides counts. The plies are those from the winner's first move, or
    from the loser's move before it.
    """
    return abs(plies) if _wins_in_plies else own_moves(plies)


def moves_text(plies: int) -> str:
    """Return the length of a forced win: "1 move", "11 moves" of the winner; in plies
    "21 plies", if the user wants that.
    """
    count = win_length(plies)
    if _wins_in_plies:
        return translate("Words", "{0} plies").format(count)
    if count == 1:
        return translate("Words", "1 move")
    return translate("Words", "{0} moves").format(count)


def value_text(value: Value) -> str:
    """Format a winning chance or a proved result."""
    if value.win_in is None:
        return f"{100 * value.chance:.0f} %"
    if value.win_in > 0:
        return translate("Words", "wins in {0}").format(moves_text(value.win_in))
    return translate("Words", "loses in {0}").format(moves_text(value.win_in))


def chance_text(value: Value, side: Side) -> str:
    """Format a value with its side: "Black 63 %", "Black wins in 3 moves"."""
    return f"{side_name(side)} {value_text(value)}"


def short_value_text(value: Value) -> str:
    """Format a value for a cell of the board: "63", "W3", "L2"."""
    if value.win_in is None:
        return f"{100 * value.chance:.0f}"
    return f"{'W' if value.win_in > 0 else 'L'}{win_length(value.win_in)}"


def judgement_text(move: Verdict) -> str:
    """Describe a mistake."""
    name = {
        "inaccuracy": translate("Words", "Inaccuracy"),
        "mistake": translate("Words", "Mistake"),
        "blunder": translate("Words", "Blunder"),
    }.get(move.label, move.label)
    before, after = move.before.win_in, move.after.win_in
    if before is not None and before > 0 and (after is None or after < 0):
        why = translate("Words", "missed a win in {0} by {1}").format(
            moves_text(before), cell_text(move.best)
        )
    elif after is not None and after < 0 and before is None:
        why = translate("Words", "loses in {0}; {1} was better").format(
            moves_text(after), cell_text(move.best)
        )
    else:
        why = translate("Words", "{0} was better").format(cell_text(move.best))
    return f"{name}: {why}"


def clock_text(seconds: float) -> str:
    """Format seconds as minutes and seconds, with tenths below 10 seconds."""
    if seconds < 0:
        seconds = 0.0
    if seconds < 10:
        return f"0:{seconds:04.1f}"
    whole = int(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    if hours:
        return f"{hours}:{minutes:02}:{whole % 60:02}"
    return f"{minutes}:{whole % 60:02}"
