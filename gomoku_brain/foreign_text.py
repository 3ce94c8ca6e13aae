"""Text of others, made safe for a terminal, a log, a page or a widget.

Others wrote the names in a file, the name of the file, and the output of an engine. A
control character in it could clear a terminal, and a bidirectional one could hide a
part of a line. So all output passes through ``shown``; JSON and other data do not.
"""

__all__ = ["MAX_ERROR", "brief", "shown"]

MAX_QUOTED = 100
"""Characters of a quote in an error message."""
MAX_ERROR = 2000
"""Characters of an error message, which may contain the last words of an engine."""
MAX_REFUSAL = 300
"""Characters of the message of a reader."""
_PLAIN = "\xa0\u3000\u200c\u200d"
"""Blanks and joiners of ordinary text that Python does not call printable."""
_RAW = r"\U0010fe"
"""Begin of the escape of a byte that was not decoded: see ``encodings``."""
_QUOTE = r"(?s)(?<!\w)(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"


def shown(text: str, maximum: int | None = None, *, lines: bool = False) -> str:
    r"""Return a text with its control and bidirectional characters escaped: "\x1b".

    Line ends and tabs become blanks, unless ``lines`` keeps them. A text longer than
    ``maximum`` characters ends with "..".
    """
    if maximum is not None and len(text) > maximum:
        text = text[: maximum + 1]  # escapes only make it longer
    if not text.isprintable():
        kept = "\n\t" + _PLAIN if lines else _PLAIN
        text = "".join(
            [
                c
                if c.isprintable() or c in kept
                else " "
                if c.isspace()
                else ascii(c)[1:-1].replace(_RAW, r"\x")
                for c in text.replace("\r\n", "\n")
            ]
        )
    if maximum is None or len(text) <= maximum:
        return text
    return text[: max(maximum - 2, 0)] + ".."[:maximum]


def brief(message: str, maximum: int = MAX_REFUSAL) -> str:
    """Return an error message in one line of limited length, with shortened quotes.

    The beginning, which names the place, and the end of the message remain.
    """
    import re  # late: the protocol needs only ``shown``

    text = shown(_cut(message, 2 * MAX_ERROR))  # a search for quotes takes n * n steps
    text = re.sub(_QUOTE, lambda found: _cut(found[0], MAX_QUOTED), text)
    return _cut(text, maximum)


def _cut(text: str, maximum: int) -> str:
    """Replace the middle of a text that is longer than ``maximum`` characters."""
    if len(text) <= maximum:
        return text
    return f"{text[: maximum - maximum // 3 - 2]}..{text[-(maximum // 3) :]}"
