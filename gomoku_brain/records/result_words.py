"""End of a game in the words of many programs and languages.

A text is understood only if every word of it is known and all that it says agrees: a
result that is not understood is kept as a text, a wrong one is believed.

>>> result_named("白胜")
('0-1', '')
>>> result_named("Black wins by resignation")
('1-0', 'resigned')
>>> result_named("Black should have won")
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

__all__ = ["result_named"]

_UNKNOWN = frozenset(
    "|?|*|void|unknown|unfinished|未完|未终局|неизвестно".split("|"),
)
_DRAWS = re.compile(
    r"0|0\.5|d|=|1/2(?:\s*-\s*1/2)?|½(?:\s*-\s*½)?|0\.5\s*-\s*0\.5|和|平"
)
_SIGNS = str.maketrans("\u2013\u2014\u2212\u2019", "---'")  # dashes, apostrophe
_SCORE = re.compile(r"(1\s*[-:]\s*0|0\s*[-:]\s*1|1/2\s*-\s*1/2|½\s*-\s*½)(?![\d.:-])")
_SCORES = {"1": "1-0", "0": "0-1"}
_OTHER = {"1-0": "0-1", "0-1": "1-0"}
_LETTER_REASONS = {"t": "time", "r": "resigned"}

# Kinds of words. A fault is what the loser did: "black resigns", "resignation of
# black"; behind "by" and before a verb it is only the reason: "black wins by foul".
_BLACK, _WHITE, _WIN, _LOSE, _DRAW = "1-0", "0-1", "win", "lose", "draw"
_FAULT, _TIME, _BY, _OF, _AGAINST, _END = "fault", "time", "by", "of", "against", "end"
_WORDS = (
    (
        (_BLACK, ""),
        r"black|b|first|schwarz\w*|čern\w+|noire?s?|negr[oa]s?|czarn\w+|ч[её]рны\w+"
        r"|must(?:ad?)?(?= (?:võit|kaota|alistu))",
        "黑[方棋]?|黒番?|先手|흑",
    ),
    (
        (_WHITE, ""),
        r"white|w|second|wei(?:ß|ss)\w*|bíl\w+|blanc(?:he|[oa])?s?|biał\w+|белы\w+"
        r"|valge\w*",
        "白[方棋番]?|后手|後手|백",
    ),
    ((_LOSE, "resigned"), "", "中押し?負け?|中[盘盤][负負败敗]|불계패"),
    ((_WIN, "resigned"), "", "中押し?(?:勝ち?)?|中[盘盤][胜勝]|불계승?"),
    (
        (_WIN, ""),
        r"wins?|won|winner|victory|beats?|defeats|defeated|gewinnt|gewann|gewonnen"
        r"|siegt?|победа|победил\w*|выигра\w+|vyhrá\w*|výhra|wygra\w+|wygrywa\w+"
        r"|või(?:t|tis|dab)|gana|ganan|ganó|ganaron|gagne(?:nt)?|gagné|victoire|victoria",
        "[获獲]?[胜勝](?:利|方|者|ち)?|[赢贏]|승",
    ),
    (
        (_LOSE, ""),
        r"los(?:es?|t|er)|defeat|verliert|verlor|verloren|проигра\w+|prohrá\w*|prohra"
        r"|przegra\w+|kaota\w+|perd(?:ent)?|pierden?|perdió",
        "负|負け?|[败敗]|패",
    ),
    (
        (_FAULT, "resigned"),
        r"resign(?:s|ed|ation)?|gibt auf|geben auf|aufgabe|сдал\w+|vzdal\w?"
        r"|podda\w+ się|abandonn?\w*|alistu\w*",
        "认输|認輸|投了|기권",
    ),
    (
        (_FAULT, "time"),
        r"time ?outs?|timed out|(?:ran )?out of time|zeitüberschreitung"
        r"|просрочил\w*(?: время)?",
        "超时|超時|時間切れ",
    ),
    (
        (_FAULT, "foul"),
        r"fouls?|forbidden(?: moves?)?|overlines?|double[- ](?:three|four)s?|фол\w*",
        "禁手|反則",
    ),
    ((_FAULT, ""), r"forfeit(?:s|ed)?", ""),
    ((_TIME, "time"), r"time|времени|času?|czas|tiempo|temps|zeit", "时间|時間|시간"),
    (
        (_DRAW, ""),
        r"draw[na]?|jigo|tie|ничья|remíza|remiza|viik|empate|remis|patt|unentschieden"
        r"|nulle|tablas",
        "和棋|和局|平局|持碁|引き?分け?|無勝負|满局|満局|무승부|비김",
    ),
    ((_BY, ""), r"by|on|with|through|because of|due to|durch|par|por|na|по|au", ""),
    ((_OF, ""), r"of|for|is|für|von|de|des|du|der|pour", ":"),
    ((_AGAINST, ""), r"against|over|to|vs\.?", ""),
    ((_END, ""), "", r"[-,;()。、{}.—]"),
    (
        ("", ""),  # without a meaning
        r"the|an?|has|have|player|side|game|in \d+ moves?|(?:five|5) in a row|five|made"
        r"|and|agreement|full board|\d+(?:\.\d+)?|hat|haben|le[s]?|la[s]?|el|los"
        r"|partie|'s",
        "の|は|が",
    ),
)
_MEANINGS = [meaning for meaning, _, _ in _WORDS]
_TOKEN = re.compile(
    r"\s*(?:"
    + "|".join(
        "(" + "|".join(filter(None, (latin and rf"(?:{latin})\b", signs))) + ")"
        for _, latin, signs in _WORDS
    )
    + ")"
)


class _Word(NamedTuple):
    kind: str
    reason: str

    @property
    def is_side(self) -> bool:
        return self.kind in _OTHER


_NO_WORD = _Word(_END, "")


@lru_cache(1024)  # many games of a file have the same words
def result_named(text: str) -> tuple[str, str] | None:
    """Return the (result, reason) that a text names, as in ``GameRecord``.

    ("*", "") for an unfinished game, None for a text that is not understood.
    """
    text = normalize("NFKC", text.replace("½", "1/2")).lower()
    text = " ".join(text.translate(_SIGNS).split()).rstrip(".!。")
    if text in _UNKNOWN:
        return "*", ""
    if _DRAWS.fullmatch(text):
        return "1/2-1/2", ""
    said: set[str] = set()
    before, plus, after = text.partition("+")
    if plus:
        return _signed(before, after)
    if score := _SCORE.match(text):
        said.add("1/2-1/2" if "/" in score[1] else _SCORES[score[1][0]])
        text = text[score.end() :]
    words = _words(text)
    if words is None:
        return None
    for clause in _clauses(words):
        said.update(_said(clause))
    reason = next((word.reason for word in words if word.reason), "")
    return (said.pop(), reason) if len(said) == 1 and "" not in said else None


def _signed(before: str, after: str) -> tuple[str, str] | None:
    """Read "B+R", "Black+Resign": the side before the sign won, whatever follows."""
    side = _words(before)
    if side is None or len(side) != 1 or not side[0].is_side:
        return None
    found = (
        _Word(*_MEANINGS[(row.lastindex or 1) - 1]) for row in _TOKEN.finditer(after)
    )
    reason = next((word.reason for word in found if word.reason), "")
    return side[0].kind, reason or _LETTER_REASONS.get(after.strip()[:1], "")


def _words(text: str) -> list[_Word] | None:
    """Return the words of a text that have a meaning; None if one is not known."""
    words = []
    at = 0
    while text[at:].strip():
        found = _TOKEN.match(text, at)
        if found is None:
            return None
        word = _Word(*_MEANINGS[(found.lastindex or 1) - 1])
        words += [word] if word.kind else []
        at = found.end()
    return words


def _clauses(words: list[_Word]) -> Iterator[list[_Word]]:
    clause: list[_Word] = []
    for word in [*words, _NO_WORD]:
        if word.kind != _END:
            clause.append(word)
        elif clause:
            yield clause
            clause = []


def _said(clause: list[_Word]) -> Iterator[str]:
    """Yield the results that a clause states; "" for what people read differently."""
    if len(clause) == 1 and clause[0].is_side:
        yield clause[0].kind
    subject = ""  # the side that was named before
    is_done = False  # whether the subject has its verb
    for at, word in enumerate(clause):
        before = clause[at - 1] if at else _NO_WORD
        after = [*clause[at + 1 : at + 3], _NO_WORD, _NO_WORD]
        # "of black", "by black" behind a word, or "black" alone
        of = after[1] if after[0].kind in (_OF, _BY) else after[0]
        if word.kind == _DRAW:
            yield "1/2-1/2"
        elif word.is_side and before.kind != _AGAINST:
            if not is_done or after[0].kind in (_WIN, _LOSE):
                subject, is_done = word.kind, False
        elif word.kind in (_WIN, _LOSE):
            side = subject if subject and not is_done else of.kind
            if side in _OTHER:
                yield side if word.kind == _WIN else _OTHER[side]
            is_done = True
        elif word.kind in (_FAULT, _TIME) and after[0].kind not in (_WIN, _LOSE):
            if before.kind == _BY:
                if subject and not is_done:  # "black by resignation", "white on time"
                    yield subject
            elif word.kind == _FAULT:
                side = before.kind if before.is_side else ""
                if not side and before.kind != _TIME and of.is_side:
                    side = of.kind
                if side:  # white cannot commit a foul: "white foul" is not clear
                    is_clear = word.reason != "foul" or side == _BLACK
                    yield _OTHER[side] if is_clear else ""
                    is_done = True
            elif before.is_side and not is_done:
                yield ""  # "black time": who lost by it?
            if word.kind == _FAULT and before.kind == _BY and of.is_side:
                yield _OTHER[of.kind]
