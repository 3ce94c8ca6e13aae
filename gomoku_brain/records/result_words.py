"""End of a game in the words of many programs and languages.

>>> result_named("白胜")
('0-1', '')
>>> result_named("Black wins by resignation")
('1-0', 'resigned')
"""

import re

__all__ = ["result_named"]

_UNKNOWN = (
    "",
    "?",
    "*",
    "void",
    "unknown",
    "unfinished",
    "未完",
    "未终局",
    "неизвестно",
)
_DRAWS = re.compile(
    r"0|0\.5|draw[na]?|d|1/2\s*-\s*1/2|1/2|½\s*-\s*½|½|0\.5\s*-\s*0\.5|jigo|tie"
    r"|和棋|和局|平局|平|和|持碁|引き?分け?|無勝負|满局|満局"
    r"|ничья|remíza|remiza|viik|무승부|비김|empate|remis|patt"
)
_SCORES = {"1-0": "1-0", "0-1": "0-1", "1:0": "1-0", "0:1": "0-1"}
_BLACK = (
    r"black|schwarz|黑方|黑棋|黑|黒番|黒|先手|чёрные|чёрных|черные|черных|чёрными|черными"
    r"|černý|černá|must|흑|negro|noir|чёрным|czarne|first"
)
_WHITE = (
    r"white|weiß|weiss|白方|白棋|白番|白|后手|後手|белые|белых|белыми"
    r"|bílý|bílá|valge|백|blanco|blanc|białe|second"
)
_WON = (
    r"win|won|victor|gewinn|gewonnen|siegt?|胜|勝|赢|贏|승|побед|выигр|vyhr|výhra|wygr"
    r"|võit|gana|gagn"
)
_LOST = (
    r"lose|lost|resign|verlier|verloren|负|負|败|敗|认输|認輸|投了|проигр|сдал|prohr|패"
)
_SIDES = {"1-0": re.compile(_BLACK), "0-1": re.compile(_WHITE)}
_OTHER = {"1-0": "0-1", "0-1": "1-0"}
_REASONS = (
    (re.compile(r"resign|中押|认输|認輸|投了|сдал|불계"), "resigned"),
    (re.compile(r"time|超时|超時|時間|时间|切れ|врем|czas|시간"), "time"),
    (re.compile(r"forbidden|foul|overline|禁手|禁|фол"), "foul"),
)
_LETTER_REASONS = {"T": "time", "R": "resigned"}


def result_named(text: str) -> tuple[str, str] | None:
    """Return the (result, reason) that a text names, as in ``GameRecord``.

    ("*", "") for an unfinished game, None for a text that is not understood.
    """
    words = " ".join(text.lower().split()).rstrip(".!。")
    if words in _UNKNOWN:
        return "*", ""
    if words in _SCORES or words.replace(" ", "") in _SCORES:
        return _SCORES[words.replace(" ", "")], ""
    if _DRAWS.fullmatch(words):
        return "1/2-1/2", ""
    if words[:1] in ("b", "w") and words[1:].strip()[:1] in ("", "+"):
        how = words[1:].strip()[1:].strip().upper()
        reason = next((name for form, name in _REASONS if form.search(words)), "")
        reason = reason or _LETTER_REASONS.get(how[:1], "")
        return ("1-0" if words[0] == "b" else "0-1"), reason
    named = sorted(
        (place.start(), result)
        for result, side in _SIDES.items()
        for place in side.finditer(words)
    )
    if not named:
        return None
    reason = next((name for form, name in _REASONS if form.search(words)), "")
    won, lost = re.search(_WON, words), re.search(_LOST, words)
    # "black resigns, white wins": the side just before the word, else the first one
    at = verb.start() if (verb := won or lost) else 0
    result = ([result for place, result in named if place < at] or [named[0][1]])[-1]
    if won or "中押" in words or "불계" in words:
        return result, reason
    if lost or reason:
        return _OTHER[result], reason
    only = re.fullmatch(f"(?:{_BLACK}|{_WHITE})", words)
    return (result, "") if only else None
