"""Scripted engine of the stored matches: it fills one row from the left.

    player.py ROW [SCORE]

With a SCORE it reports this score, a depth and nodes before each move.
"""

import sys

row, score = int(sys.argv[1]), sys.argv[2:]
size, taken = 15, set()


def answer():
    order = [(x, y % size) for y in range(row, row + size) for x in range(size)]
    x, y = next(cell for cell in order if cell not in taken)
    taken.add((x, y))
    if score:
        print(f"MESSAGE depth 4-6 ev {score[0]} n {100 + len(taken)}")
    print(f"{x},{y}", flush=True)


for line in sys.stdin:
    words = line.replace(",", " ").split()
    command = words[0].upper() if words else ""
    if command in ("START", "RESTART"):
        size, taken = int(words[1]) if len(words) > 1 else size, set()
        print("OK", flush=True)
    elif command == "BEGIN":
        answer()
    elif command == "TURN":
        taken.add((int(words[1]), int(words[2])))
        answer()
    elif command == "BOARD":
        taken = set()
        for stone in iter(sys.stdin.readline, ""):
            if stone.strip().upper() == "DONE":
                break
            x, y, _ = map(int, stone.split(","))
            taken.add((x, y))
        answer()
    elif command == "ABOUT":
        print('name="player", version="1"', flush=True)
    elif command == "END":
        break
