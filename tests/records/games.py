"""Records and games of every kind, for the tests of their written forms."""

from hypothesis import strategies as st

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_node import MARKS
from gomoku_brain.records.game_record import RESULTS, GameRecord, PlayedMove
from gomoku_brain.records.sgf import parse

REASONS = (
    "five",
    "full board",
    "foul",
    "illegal move",
    "time",
    "crash",
    "hang",
    "flood",
    "garbage",
    "refused",
    "adjudicated",
    "max moves",
    "stopped",
)

_CHARACTERS = st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"))
# What a form with lines or "simple text" keeps: no line ends, single inner blanks.
LINES = st.text(_CHARACTERS, max_size=12).map(lambda text: " ".join(text.split()))
# And what only JSON keeps.
TEXTS = st.text(max_size=12)
INTEGERS = st.none() | st.integers(-(2**40), 2**40)
SECONDS = st.none() | st.floats(0, 1e6)
SIZES = st.tuples(st.integers(1, 30), st.integers(1, 30))
NATURALS = st.none() | st.integers(0, 2**40)


def records_of(games):
    """Return the main lines of games as records."""
    return [game.record() for game in games]


def moves_of(game):
    return " ".join(map(str, game.moves))


def whole_tree(text):
    """Return the only game of a text of SGF, as it is written there."""
    (game,) = parse(text)
    assert isinstance(game, Game), game
    return game


def same(one, other):
    """Whether two trees have the same content, node by node, as SGF has it."""
    pairs = [(one, other)]
    while pairs:
        a, b = pairs.pop()
        if (a.side, a.move, a.written()) != (b.side, b.move, b.written()):
            return False
        if (a.comment, a.figures) != (b.comment, b.figures):
            return False
        if len(a.variations) != len(b.variations):
            return False
        pairs += zip(a.variations, b.variations, strict=True)
    return True


def records(texts=TEXTS, comments=TEXTS, seconds=SECONDS, sizes=SIZES, keys=TEXTS):
    """A strategy of records; the moves are any cells in any order."""

    @st.composite
    def record(draw):
        width, height = draw(sizes)
        cells = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
        moves = draw(st.lists(cells, unique=True, max_size=12))
        opening = draw(st.integers(0, len(moves)))
        played = tuple(
            PlayedMove(Move(*cell), by_opening=True)
            if i < opening
            else PlayedMove(
                Move(*cell),
                seconds=draw(seconds),
                score=draw(INTEGERS),
                win_in=draw(st.none() | st.integers(-400, 400)),
                depth=draw(NATURALS),
                nodes=draw(NATURALS),
                comment=draw(comments),
            )
            for i, cell in enumerate(moves)
        )
        return GameRecord(
            rule=draw(st.sampled_from(Rule)),
            width=width,
            height=height,
            black=draw(texts),
            white=draw(texts),
            moves=played,
            result=draw(st.sampled_from(RESULTS)),
            reason=draw(st.sampled_from(("", *REASONS))),
            detail=draw(texts),
            date=draw(st.sampled_from(("", "2026-11-21", "2026-11-21T00:12:54+02:00"))),
            id=draw(texts),
            extra=draw(st.dictionaries(keys, texts, max_size=3)),
        )

    return record()


WORDS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r"))
NAMES = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=1, max_size=6).filter(
    lambda name: not name.isdigit() and name not in ("B", "W", "QPR", "QSLW")
)


@st.composite
def trees(draw):
    """A tree with every kind of property, built as a user builds one."""
    tree = Game((draw(st.integers(5, 30)), draw(st.integers(5, 30))))
    rule = draw(st.sampled_from([None, *Rule]))
    if rule is not None:
        tree.rule = rule
    nodes = [tree]
    for _ in range(draw(st.integers(0, 12))):
        parent = draw(st.sampled_from(nodes))
        move = draw(st.none() | st.builds(Move, st.integers(0, 9), st.integers(0, 9)))
        nodes.append(parent.add_variation(move))
    for node in nodes:
        if draw(st.booleans()):
            node.comment = draw(WORDS)
        if draw(st.booleans()):
            node.set_label((3, 4), draw(WORDS))
            node.set_mark((5, 6), draw(st.sampled_from(MARKS)))
        for name in draw(st.lists(NAMES, max_size=3)):
            node.set_text(name, draw(WORDS))
    return tree
