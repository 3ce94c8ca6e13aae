"""An engine that misbehaves as its arguments say; a script, run by the tests.

    fake_brain.py [--row Y] [--moves "x,y x,y .."] [--swap2 "x,y x,y x,y/SWAP"]
                  [DEED AT]..

It plays along row Y from the left (so it has five in a row with its fifth stone), or
the moves given. DEED is what it does instead of answering: AT the n-th move (1, 2 ..),
or AT the word of a command (START, RESTART, END ..).
"""

import os
import sys
import time


def say(text, end="\n"):
    os.write(1, (text + end).encode("latin-1"))


def deed(name, answer):
    """Do it; what comes back is the answer still to be given, if any."""
    if name == "crash":
        os.write(2, b"Traceback: it went wrong\n")
        os._exit(3)
    elif name == "leave":
        os._exit(0)
    elif name == "stall":
        time.sleep(600)
    elif name == "late":
        time.sleep(0.4)
        return answer
    elif name == "held":  # until one more line is said to it
        sys.stdin.readline()
        return answer
    elif name == "flood":
        while True:
            os.write(1, b"MESSAGE and another thing\n" * 1000)
    elif name == "long-line":
        while True:
            os.write(1, b"x" * 10000)
    elif name == "chatty":
        say("MESSAGE depth 7-12 ev 35 n 4711 pv a1\nDEBUG x\nERROR y\nUNKNOWN z")
        return answer
    elif name == "noise":
        os.write(2, b"warning: of no use to anybody\n")
        return answer
    elif name == "win":
        say("MESSAGE depth 9-9 ev +M3 n 99")
        return answer
    elif name == "lose":
        say("MESSAGE depth 9-9 ev -M4 n 99")
        return answer
    elif name == "no-newline":
        say(answer, end="")
        time.sleep(600)
    elif name == "crlf":
        say(answer, end="\r\n")
    elif name == "cr":
        say(answer, end="\r")
    elif name == "twice":
        say(f"{answer}\n{answer}")
    elif name == "pieces":
        for sign in f"{answer}\n":
            say(sign, end="")
            time.sleep(0.25)
    elif name == "bytes":
        os.write(1, b"MESSAGE \xff\xfe\x00\r\n" + answer.encode() + b"\n")
    elif name == "child":  # leaves a grandchild that holds the pipes
        import subprocess  # late: the others start faster without it

        sleep = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(600)"]
        say(f"MESSAGE child {subprocess.Popen(sleep).pid}")
        return answer
    elif name == "ignore":
        pass
    elif name == "segfault":
        import signal

        os.kill(os.getpid(), signal.SIGSEGV)
        time.sleep(600)
    elif name == "slow":
        time.sleep(0.6)
        return answer
    elif name == "banner":
        say("Fake Engine 1.0\nCopyright (c) nobody\n\nall rights reserved.")
        return answer
    elif name == "chatter":
        say("thinking about 3 moves\nbest so far: 4,4 is good\n# 17")
        return answer
    elif name == "info-lines":
        say("INFO PV 0\nINFO DEPTH 3\nINFO BESTLINE 1,1 2,2\nINFO PV DONE")
        return answer
    elif name == "detail-lines":
        say("DETAIL depth 3\nREALTIME BEST 3,3\nSUGGEST 3,3\nFORBID .")
        return answer
    elif name == "blank-lines":
        say("\n\n   \n\t")
        return answer
    elif name == "spaces":
        say("  " + answer.replace(",", " , ") + " ")
    elif name == "gbk":
        os.write(1, "MESSAGE 五子棋\n思考中\n".encode("gbk") + answer.encode() + b"\n")
    elif name == "big-line":
        say("MESSAGE " + "x" * 300_000)
        return answer
    elif name == "big-chatter":
        say("y" * 300_000)
        return answer
    elif name == "stderr":
        for _ in range(200):
            os.write(2, b"e" * 999 + b"\n")
        return answer
    elif name == "closes-input":
        os.close(0)
        say(answer)
        time.sleep(600)
    elif name == "deaf":  # to all signals that can be ignored
        import signal

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        time.sleep(600)
    else:
        return name.replace("_", " ")  # any other word is the answer itself
    return None


def main():
    args = sys.argv[1:]
    options = {"--row": "0", "--moves": "", "--swap2": ""}
    while args and args[0] in options:
        options[args[0]], args = args[1], args[2:]
    deeds = {at: name for name, at in zip(args[::2], args[1::2], strict=True)}
    row, script = int(options["--row"]), options["--moves"].split()
    swap2 = options["--swap2"].split("/")
    size, taken, requested, block = 15, set(), 0, None
    for line in sys.stdin:
        line = line.strip()
        word, _, rest = line.partition(" ")
        answer = None
        if block is not None:
            if word != "DONE":
                block.append(line)
                continue
            if block[0] == "BOARD":
                taken = {tuple(map(int, text.split(",")[:2])) for text in block[1:]}
                answer = "move"
            else:
                answer = swap2.pop(0) or "UNKNOWN command"
            word, block = block[0], None
        elif word in ("BOARD", "SWAP2BOARD"):
            block = [word]
            continue
        elif word in ("START", "RESTART"):
            answer, taken, requested = "OK", set(), 0
            size = int(rest) if rest else size
        elif word == "TURN":
            taken.add(tuple(map(int, rest.split(","))))
            answer = "move"
        elif word == "BEGIN":
            answer = "move"
        elif word == "ABOUT":
            answer = 'name="Fake", version="1"'
        elif word not in ("INFO", "END"):
            answer = "UNKNOWN command"
        if answer == "move":
            requested += 1
            free = [(x, row) for x in range(size)]
            free += [(x, y) for y in range(size) for x in range(size)]
            x, y = next(cell for cell in free if cell not in taken)
            answer = script.pop(0) if script else f"{x},{y}"
            taken.add(tuple(map(int, answer.split(","))))
        name = deeds.get(str(requested) if answer and "," in answer else word)
        if name is None:
            name = deeds.get(word)
        if name is not None:
            answer = deed(name, answer or "")
        if answer:
            say(answer)
        if word == "END" and name is None:
            return


main()
