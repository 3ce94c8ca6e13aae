"""Records of every kind, for the tests of the forms that they are written in."""

from hypothesis import strategies as st

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule
from gomoku_brain.records.game_formats import RESULTS, GameRecord, PlayedMove

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
