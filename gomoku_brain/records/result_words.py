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
_VICTORY, _DEFEAT, _BEAT = "victory", "defeat", "beat"  # nouns, and with an object
_FAULT, _TIME, _BY, _OF, _AGAINST, _END = "fault", "time", "by", "of", "against", "end"
_BLACK_OF, _WHITE_OF = "1-0 of", "0-1 of"  # genitives
_WORDS = (
    (
        (_BLACK_OF, ""),
        r"ч[её]рны[хм]\w*|čern(?:ého|ých|ým|ému)|czarn(?:ych|ego|ym)",
        "",
    ),
    (
        (_WHITE_OF, ""),
        r"белы[хм]\w*|bíl(?:ého|ých|ým|ému)|biał(?:ych|ego|ym)",
        "",
    ),
    (
        (_BLACK, ""),
        r"black|b|first(?= player)|schwarz\w*|čern\w+|noire?s?|negr[oa]s?|czarn\w+"
        r"|ч[её]рны\w+|must(?:ad?)?(?= (?:võit|kaota|alistu))",
        "黑[方棋]?|黒番?|先手|흑",
    ),
    (
        (_WHITE, ""),
        r"white|w|second(?= player)|wei(?:ß|ss)\w*|bíl\w+|blanc(?:he|[oa])?s?|biał\w+"
        r"|белы\w+|valge\w*",
        "白[方棋番]?|后手|後手|백",
    ),
    ((_LOSE, "resigned"), "", "中押し?負け?|中[盘盤][负負败敗]|불계패"),
    ((_WIN, "resigned"), "", "中押し?(?:勝ち?)?|中[盘盤][胜勝]|불계승?"),
    (
        (_VICTORY, ""),
        r"winner|victory|sieg|победа|výhra|wygrana|victoire|victoria|võit",
        "[胜勝][方者利]",
    ),
    ((_BEAT, ""), r"beats?|defeats|defeated", ""),
    (
        (_WIN, ""),
        r"wins?|won|gewinnt|gewann|gewonnen|siegt|победил\w*|выигра\w+|vyhrá\w*"
        r"|wygra\w+|wygrywa\w+|või(?:tis|dab)|gana|ganan|ganó|ganaron|gagne(?:nt)?"
        r"|gagné",
        "[获獲]?[胜勝]ち?|[赢贏]|승",
    ),
    (
        (_DEFEAT, ""),
        r"defeat|loser|prohra",
        "",
    ),
    (
        (_LOSE, ""),
        r"los(?:es?|t)|verliert|verlor|verloren|проигра\w+|prohrá\w*"
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
    (
        (_AGAINST, ""),
        r"against|over|to|vs\.?|a(?= (?:l[ao]s? )?(?:negr|blanc))",
        "",
    ),
    ((_END, ""), "", r"[-,;()。、{}.—]"),
    (
        ("", ""),  # without a meaning
        r"the|an?|has|have|player|side|game|in \d+ moves?|(?:five|5) in a row|five|made"
        r"|and|agreement|full board|hat|haben|les?|las?|el|los"
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
    clauses = list(_clauses(words))
    for clause in clauses:
        said.update(_said(clause))
    if any(len(c) == 1 and c[0].is_side for c in clauses) and any(
        c[0].kind in (_LOSE, _DEFEAT, _FAULT, _TIME) and not any(w.is_side for w in c)
        for c in clauses
    ):
        return None  # "black (lost)", "white, time"
    reasons = (word.reason for word in words if word.kind != _OF and word.reason)
    reason = next(reasons, "")
    return (said.pop(), reason) if len(said) == 1 and "" not in said else None


def _signed(before: str, after: str) -> tuple[str, str] | None:
    """Read "B+R", "Black+Resign", "W+3.5": the side before the sign won."""
    side, after = _words(before), after.strip()
    if side is None or len(side) != 1 or not side[0].is_side:
        return None
    if not after or after == "f" or re.fullmatch(r"\d+(?:\.\d+)?", after):
        return side[0].kind, ""
    if after in _LETTER_REASONS:
        return side[0].kind, _LETTER_REASONS[after]
    words = _words(after)
    if not words or any(w.kind not in (_FAULT, _TIME, _BY, _END) for w in words):
        return None
    return side[0].kind, next((word.reason for word in words if word.reason), "")


def _words(text: str) -> list[_Word] | None:
    """Return the words of a text that have a meaning; None if one is not known."""
    words = []
    at = 0
    while text[at:].strip():
        found = _TOKEN.match(text, at)
        if found is None:
            return None
        kind, reason = _MEANINGS[(found.lastindex or 1) - 1]
        if kind in (_BLACK_OF, _WHITE_OF):
            words.append(_Word(_OF, "genitive"))
            kind = kind.partition(" ")[0]
        words += [_Word(kind, reason)] if kind else []
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
        after = [*clause[at + 1 : at + 4], _NO_WORD, _NO_WORD, _NO_WORD]
        # "of black", "by black" behind a word, or "black" alone
        leads = after[0].kind in (_OF, _BY)
        of = after[1] if leads else after[0]
        if word.kind == _DRAW:
            yield "1/2-1/2"
        elif word.kind == _AGAINST and not after[0].is_side:
            yield ""  # "black to win"
        elif word.is_side and before.kind not in (_AGAINST, _OF, _BY):
            if not is_done or after[0].kind in (_WIN, _LOSE):
                subject, is_done = word.kind, False
        elif word.kind == _BEAT:
            is_plain = subject and not is_done and before.is_side and after[0].is_side
            yield subject if is_plain else ""
            is_done = True
        elif word.kind in (_WIN, _LOSE, _VICTORY, _DEFEAT):
            yield from _by_verb(word, subject if not is_done else "", before, after)
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


def _by_verb(
    word: _Word, subject: str, before: _Word, after: list[_Word]
) -> Iterator[str]:
    """Yield the result that a verb or a noun of winning or losing states."""
    won = word.kind in (_WIN, _VICTORY)
    leads = after[0].kind in (_OF, _BY)
    of = after[1] if leads else after[0]
    side = subject
    if subject and after[0].kind == _BY and of.is_side and after[2].kind != _FAULT:
        yield ""  # "black won by white"
        return
    if not subject and of.is_side:
        side = of.kind
        is_object = word.kind in (_WIN, _LOSE) and after[0].reason == "genitive"
        if is_object or (word.kind == _DEFEAT and after[0].kind == _BY):
            yield ""
            return
    if before.reason == "foul" and side == (_BLACK if won else _WHITE):
        yield ""  # "black overline wins"
    elif side:
        yield side if won else _OTHER[side]
    elif after[0].kind == _BY:
        yield ""  # "won by resignation: white"
