"""Count the random comments that come back exactly, with and without their CA.

    python .ci/count_encodings.py [--count 3000]

Each comment has 8 to 40 letters that its encoding has, in a game of SGF. "common" are
comments of letters in daily use: the first level of GB2312, of JIS and of Big5, the
usual syllables of Korean, small letters of the others (Czech ones between plain ones).
Without CA nothing but the bytes shows the encoding, and eight rare letters of one are
mostly valid in another.
"""

import argparse
import random
import sys
from collections.abc import Iterator
from functools import cache

from gomoku_brain.records.encodings import decode

# The encodings that files name, and Python's names for them.
CODECS = {
    "GB2312": "gb2312",
    "GBK": "gbk",
    "GB18030": "gb18030",
    "Shift_JIS": "shift_jis",
    "Big5": "big5",
    "EUC-KR": "euc_kr",
    "EUC-JP": "euc_jp",
    "windows-1251": "cp1251",
    "windows-1250": "cp1250",
    "KOI8-R": "koi8_r",
}
FIRST_LEVEL = {
    "gb2312": ("gb2312", 0xB0A1, 0xD7F9),
    "gbk": ("gb2312", 0xB0A1, 0xD7F9),
    "gb18030": ("gb2312", 0xB0A1, 0xD7F9),
    "shift_jis": ("shift_jis", 0x889F, 0x9872),
    "euc_jp": ("shift_jis", 0x889F, 0x9872),
    "big5": ("big5", 0xA440, 0xC67E),
}
KANA = "".join(map(chr, range(0x3041, 0x3094)))


@cache
def letters_of(codec: str) -> list[str]:
    """Return all letters beyond ASCII that a codec has, of the basic plane."""
    found = []
    for code in range(0xA1, 0xFFFD):
        letter = chr(code)
        if letter.isalpha():
            try:
                if letter.encode(codec).decode(codec) == letter:
                    found.append(letter)
            except UnicodeError:
                pass
    return found


def common_of(codec: str) -> list[str]:
    """Return the letters in daily use."""
    letters = letters_of(codec)
    if codec in FIRST_LEVEL:
        of, first, last = FIRST_LEVEL[codec]
        found = []
        for letter in letters:
            try:
                raw = letter.encode(of)
            except UnicodeError:
                continue
            if len(raw) == 2 and first <= int.from_bytes(raw, "big") <= last:
                found.append(letter)
        return found + [*KANA] * 8 * (codec in ("shift_jis", "euc_jp"))
    if codec == "euc_kr":
        return [letter for letter in letters if "가" <= letter <= "힣"]
    small = [letter for letter in letters if letter.islower()]
    return small + [*"aeinrst"] * (codec == "cp1250")


def comments(codec: str, common: bool, count: int) -> Iterator[str]:
    """Yield random comments."""
    rng = random.Random(f"{codec}/{common}")
    letters = common_of(codec) if common else letters_of(codec)
    for _ in range(count):
        yield "".join(rng.choices(letters, k=rng.randint(8, 40)))


def exact(name: str, common: bool, named: bool, count: int) -> int:
    """Count the comments that come back exactly."""
    codec, found = CODECS[name], 0
    for comment in comments(codec, common, count):
        encoding = f"CA[{name}]" if named else ""
        text = f"(;FF[4]GM[4]{encoding}SZ[15];B[hh]C[{comment}];W[ii];B[ij])"
        found += decode(text.encode(codec)).text == text
    return found


def main(argv: list[str]) -> int:
    """Print the table; the result is 1 if a comment with CA did not come back."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=3000)
    count = parser.parse_args(argv).count
    print(f"{'encoding':14}{'with CA':>9}{'without':>9}{'common, without':>17}")
    lost = 0
    for name in CODECS:
        with_ca = exact(name, False, True, count)
        lost += count - with_ca
        without = exact(name, False, False, count)
        common = exact(name, True, False, count)
        print(f"{name:14}{with_ca:9}{without:9}{common:17}", flush=True)
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
