"""Encodings of text files: bytes become text, and a note reports every loss.

They are tried in this order: a byte order mark, UTF-8 if all of it is valid, the
encoding that an SGF file names (``CA``), and a guess. The guess takes an encoding of
East Asia or Russia only if the bytes fit no other; the rest is Western (cp1252), or
Central European (cp1250) if the letters are arranged as in Czech and Polish words.

>>> decode("Müller gegen Jörg".encode("cp1252")).text
'Müller gegen Jörg'
>>> decode("(;CA[Shift_JIS]GC[第十期名人戦 表])".encode("cp932")).text
'(;CA[Shift_JIS]GC[第十期名人戦 表])'
"""

import codecs
import re
from encodings import normalize_encoding
from encodings.aliases import aliases
from itertools import pairwise
from typing import NamedTuple

__all__ = ["SEVERAL", "Decoded", "decode", "decoded"]

SEVERAL = "several"


class Decoded(NamedTuple):
    """Text, and the encoding in which its bytes were read."""

    text: str
    encoding: str
    """Python's name of the codec, or ``SEVERAL``."""
    note: str = ""
    """Note about a guess or about unreadable bytes, one line; mostly empty."""


def decoded(data: bytes) -> str:
    """Return the text of bytes in any encoding; see ``decode``."""
    return decode(data).text


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """Read bytes as text, in one encoding if it is given.

    Bytes that the encoding does not know become U+FFFD, and the note counts them. If
    the games of one file name several encodings, each game is read in its own. Raises
    ValueError for the name of an encoding that does not exist or holds no text.
    """
    if encoding is not None:
        try:
            return _replaced(data, encoding)
        except LookupError:
            raise ValueError(f"there is no encoding {encoding!r} of texts") from None
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _replaced(data, encoding)
    escapes = _named_escapes(data)
    if escapes:
        return _replaced(data, escapes)
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        pass
    parts = _parts(data)
    read = [_part(part) for part in parts]
    if len(read) == 1:
        return read[0]
    notes = dict.fromkeys(part.note for part in read if part.note)
    return Decoded("".join(part.text for part in read), SEVERAL, "; ".join(notes))


_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NAMED = re.compile(
    rb"(?<![A-Za-z0-9])CA\s*\[\s*([A-Za-z0-9_.:() -]{1,40}?)\s*\]", re.I
)
_GAME = re.compile(rb"\(\s*;")
# The codecs that a file may name: the text encodings in which ASCII can be read, since
# the name itself was. Python's other codecs unpack data (hex, zip), read escapes
# (unicode_escape, utf_7), or serve other purposes (idna, punycode, undefined).
_TEXT = frozenset(
    """
    ascii big5 big5hkscs cp1006 cp1125 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256
    cp1257 cp1258 cp437 cp720 cp737 cp775 cp850 cp852 cp855 cp856 cp857 cp858 cp860
    cp861 cp862 cp863 cp864 cp865 cp866 cp869 cp874 cp932 cp949 cp950 euc_jis_2004
    euc_jisx0213 euc_jp euc_kr gb18030 gb2312 gbk hp_roman8 hz iso2022_jp iso2022_jp_1
    iso2022_jp_2 iso2022_jp_2004 iso2022_jp_3 iso2022_jp_ext iso2022_kr iso8859_1
    iso8859_10 iso8859_11 iso8859_13 iso8859_14 iso8859_15 iso8859_16 iso8859_2
    iso8859_3 iso8859_4 iso8859_5 iso8859_6 iso8859_7 iso8859_8 iso8859_9 johab koi8_r
    koi8_t koi8_u kz1048 latin_1 mac_arabic mac_croatian mac_cyrillic mac_farsi
    mac_greek mac_iceland mac_latin2 mac_roman mac_romanian mac_turkish palmos ptcp154
    shift_jis shift_jis_2004 shift_jisx0213 tis_620
    """.split()
)
# Meaning of names in practice: files that name a small set use the larger one.
_WIDER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "shift_jis": "cp932",
    "cp932": "cp932",
    "cp949": "cp949",
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "latin-1": "cp1252",
    "iso8859-9": "cp1254",
}
_ALIASES = {
    "sjis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "ms932": "cp932",
    "ansi": "cp1252",
    "gb": "gb18030",
    "gb2312-80": "gb18030",
    "x-euc-jp": "euc_jp",
}
# Big5 in the wild is either of these two; the first has the euro and box drawings.
_BIG5 = ("cp950", "big5hkscs")
# The first composes the syllables that the set lacks, the second has them.
_KOREAN = ("euc_kr", "cp949")


def _codecs_named(name: str) -> tuple[str, ...]:
    """Return the codecs to try for a name in a file; empty if it names none."""
    name = name.strip().lower()
    if name in _ALIASES:
        return (_ALIASES[name],)
    plain = normalize_encoding(name.replace(".", "_"))
    plain = aliases.get(plain, plain)
    if plain not in _TEXT:  # or UTF-8, which is not valid: it was tried before
        return ()
    try:
        found = codecs.lookup(plain).name
    except LookupError:  # a Python without this codec
        return ()
    if found in ("big5", "cp950", "big5hkscs"):
        return _BIG5
    if found == "euc_kr":
        return _KOREAN
    return (_WIDER.get(found, found),)


def _named_escapes(data: bytes) -> str:
    """Return the encoding of seven bits that a file names and uses; empty for none."""
    named = _NAMED.search(data)
    if named is None or not data.isascii():
        return ""
    (found, *_) = (*_codecs_named(named[1].decode("ascii")), "")
    if found.startswith("iso2022") and b"\x1b" in data:
        return found
    return found if found == "hz" and b"~{" in data else ""


def _parts(data: bytes) -> list[bytes]:
    """Return the parts of a collection whose games name different encodings."""
    named = list(_NAMED.finditer(data))
    if len({found[1].lower() for found in named}) < 2:
        return [data]
    starts = [found.start() for found in _GAME.finditer(data)]
    cuts = []
    for found in named[1:]:
        before = [start for start in starts if start < found.start()]
        cuts.append(before[-1] if before else 0)
    ends = sorted({0, *cuts, len(data)})
    return [data[a:b] for a, b in pairwise(ends)]


def _part(data: bytes) -> Decoded:
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        pass
    named = _NAMED.search(data)
    candidates = _codecs_named(named[1].decode("ascii")) if named else ()
    for encoding in candidates:
        text = _strict(data, encoding)
        if text is not None:
            return Decoded(text, encoding)
    # Text of UTF-8 with a few damaged bytes: no other encoding has so many valid pairs.
    damaged = _replaced(data, "utf-8")
    lost = damaged.text.count("\ufffd")
    if sum(not sign.isascii() for sign in damaged.text) > 4 * lost:
        return damaged
    guess = _guess(data)
    if candidates and guess in _FALLBACKS:  # weak evidence: the name decides
        return _replaced(data, candidates[0])
    read = _replaced(data, guess)
    stated = f"CA[{named[1].decode('ascii')}]" if named else "no encoding is named"
    note = f"{stated}: read as {guess}"
    return read._replace(note=f"{note}, {read.note}" if read.note else note)


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _replaced(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, errors="replace")
    lost = text.count("\ufffd")
    note = f"{lost} characters could not be read as {encoding}" if lost else ""
    return Decoded(text, encoding, note)


# ----- The guess -----

_FALLBACKS = ("cp1252", "cp1250")
_HIGH = re.compile(rb"[\x80-\xff]+")
_ENOUGH = 0.85  # of the characters are common ones
# Characters of daily use: GB2312's first level and its signs.
_GB_PAIR = re.compile(
    rb"[\xb0-\xd7][\xa1-\xfe]|[\xa1\xa3][\xa1-\xfe]|[\xa2][\xb1-\xfc]"
)
# Kana, signs, full width, the first level of JIS. The byte after 89 to 97 may be ASCII.
_SJIS_PAIR = re.compile(
    rb"\x82[\x4f-\xf1]|\x83[\x40-\x96]|\x81[\x40-\xfc]|[\x88-\x97][\x40-\x7e\x80-\xfc]"
)
_KANA = re.compile(rb"\x82[\x9f-\xf1]|\x83[\x40-\x96]")
_CYRILLIC = re.compile(rb"[\xc0-\xff\xa8\xb8]+")
# A vowel of cp1252 and cp1250 alike.
_VOWEL = rb"aeiouyAEIOUY\xe1\xe9\xed\xf3\xfa\xfd\xf9\xec\xc1\xc9\xcd\xd3\xda\xdd"
_CENTRAL = re.compile(
    rb"[\xe8\xc8][" + _VOWEL + rb"]"  # c with caron: French has no vowel after e grave
    rb"|[" + _VOWEL + rb"]\xf8[" + _VOWEL + rb"]"  # r with caron between vowels
    rb"|\xf8[\xed\xe1\xec\xf9\xfd]|[\xd8\xf8](?=i)"
    rb"|[Tt\xd8][\xf8]e|\xd8[eiu](?=[a-z\x8a-\xff])"
    rb"|[\xec\xf9](?=[a-z\x9a\x9e\xe8\xf8])(?<=[A-Za-z\xf8\xe8]\xec|[A-Za-z\xf8\xe8]\xf9)"
    rb"|\x9d|(?<=[A-Za-z])[\xb3\xb9\xbf](?=[a-z\xb3\xb9\xea])|\xa3[a-z\xf3]"
)


def _guess(data: bytes) -> str:
    """Return the encoding of bytes that are no UTF-8 and name none."""
    runs = _HIGH.findall(data)
    high = sum(map(len, runs))
    pairs = len(_GB_PAIR.findall(b" ".join(runs)))
    chinese = pairs * 2 >= _ENOUGH * high and not _is_western(runs)
    if chinese and _strict(data, "gb18030") is not None:
        return "gb18030"
    words = _CYRILLIC.findall(data)
    letters = sum(len(word) for word in words if len(word) >= 4)
    if letters >= _ENOUGH * high and _strict(data, "cp1251") is not None:
        return "cp1251"
    if _KANA.search(data):
        text = _strict(data, "cp932")
        found = len(_SJIS_PAIR.findall(data))
        if text is not None and found >= _ENOUGH * sum(not c.isascii() for c in text):
            return "cp932"
    return "cp1250" if _CENTRAL.search(data) else "cp1252"


def _is_western(runs: list[bytes]) -> bool:
    """Whether single letters with accents explain all: "ÄÖ", never four in a row."""
    return max(map(len, runs)) < 4 and len(runs) < 2
