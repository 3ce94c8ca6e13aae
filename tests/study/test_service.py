"""Requests in, answers out: by id, as they come, whatever a client sends."""

import json
import os
import random
import subprocess
import sys
import threading
import time

import pytest

from gomoku_brain.control.limits import Limits
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.records.read_options import ReadOptions
from gomoku_brain.study import service as service_module
from gomoku_brain.study.service import Ceilings, Defaults, Service

QUICK = Limits(nodes=300)
OTHER = pytest.mark.slow("as with the other encodings", ci=True)


def answers(*requests, defaults=None, **options):
    """What the service says to the requests, told one after the other."""
    output = []
    service = Service(output.append, defaults or Defaults(QUICK), hash_mb=1, **options)
    for request in requests:
        service.take(request if isinstance(request, str) else json.dumps(request))
    service.close()
    return [json.loads(line) for line in output]


def by_id(rows):
    found = {row["id"]: row for row in rows}
    assert len(found) == len(rows), "one answer for each"
    return found


def test_answers_come_by_their_id():
    rows = by_id(
        answers(
            {"id": 1, "moves": "h8 h9"},
            {"id": "two", "moves": ["h8", [7, 8]], "rule": "caro-exact", "size": 17},
            {"id": 3, "black": ["h8"], "white": [], "walls": ["a1"], "width": 9,
             "height": 8, "side_to_move": "white", "lines": 1},
            workers=2,
        )
    )  # fmt: skip
    assert {row["type"] for row in rows.values()} == {"result"}
    assert rows[1]["moves"] == ["h8", "h9"]
    assert len(rows[1]["lines"]) == 3
    assert rows["two"]["rule"] == "caro_exact"
    assert (rows["two"]["width"], rows["two"]["height"]) == (17, 17)
    assert (rows[3]["width"], rows[3]["height"], rows[3]["walls"]) == (9, 8, ["a1"])
    assert rows[3]["side_to_move"] == "white"
    assert len(rows[3]["lines"]) == 1


def test_what_is_to_be_reported_is_chosen():
    won = "h8 a1 i8 a2 j8 a3"
    rows = by_id(
        answers(
            {"id": 1, "moves": won, "report": ["win"]},
            {"id": 2, "moves": won, "report": ["threats"]},
            {"id": 3, "moves": won, "report": ["values", "lines"]},
            {"id": 4, "moves": won, "report": "win"},
            {"id": 5, "moves": won, "report": []},
        )
    )
    assert rows[1]["win"]["status"] == "win"
    assert rows[1]["win"]["plies"] == len(rows[1]["win"]["line"]) == 3
    assert rows[4]["win"]["line"] == rows[1]["win"]["line"]
    assert rows[2]["threats"]["win_in"] == 3
    assert rows[3]["values"]["cells"][0]["win_in"] == 3
    assert rows[3]["win_by_fours"]
    requested = {"lines", "values", "threats", "win"}
    assert [sorted(requested & set(rows[k])) for k in (1, 2, 3, 5)] == [
        ["win"],
        ["threats"],
        ["lines", "values"],
        [],
    ]


def test_an_empty_board_is_a_position():
    for empty in ({"moves": []}, {"moves": ""}, {"black": [], "white": []}):
        (row,) = answers({"id": 1, **empty})
        assert (row["moves"], row["black"], row["white"]) == ([], [], [])
        assert row["lines"][0]["move"] == "h8"


def test_a_finished_game_is_reported_and_not_searched():
    over, full = by_id(
        answers(
            {"id": 1, "moves": "h8 a1 i8 a2 j8 a3 k8 a4 l8"},
            {"id": 2, "moves": "h8 h9"},
        )
    ).values()
    over, full = sorted((over, full), key=lambda row: row["id"])
    assert (over["winner"], over["over"]) == ("black", True)
    assert "lines" not in over
    assert (full["winner"], full["over"]) == (None, False)


def test_a_game_lost_by_a_foul_is_not_searched():
    moves = "h9 a1 h10 a15 i8 o1 j8 o15 h8"
    (row,) = by_id(answers({"id": 1, "rule": "renju", "moves": moves})).values()
    row = row[-1] if isinstance(row, list) else row
    assert (row["winner"], row["over"]) == ("white", True)
    assert row["foul"] == {"number": 9, "move": "h8", "kind": "double_three"}
    assert "lines" not in row


BAD = [
    ("garbage", None, "broken JSON"),
    ("[" * 100_000, None, "broken JSON"),
    ("[1, 2]", None, "a request is a JSON object"),
    ('{"moves": "h8"}', None, '"id" is missing'),
    ('{"id": 1.5, "moves": "h8"}', None, "an id is a text or a whole number"),
    ('{"id": true, "moves": "h8"}', None, "an id is a text or a whole number"),
    ('{"id": 1}', 1, "no position"),
    ('{"id": 1, "moves": "h8 h8"}', 1, "h8: the cell is occupied"),
    ('{"id": 1, "moves": "z9"}', 1, "off the 15x15 board"),
    ('{"id": 1, "moves": 5}', 1, '"moves" is 5'),
    ('{"id": 1, "moves": "h8", "rule": "go"}', 1, '"rule" is'),
    ('{"id": 1, "moves": "h8", "size": [1e9, 2]}', 1, '"size" is'),
    ('{"id": 1, "moves": "h8", "size": 99}', 1, "board size 99x99"),
    ('{"id": 1, "moves": "h8", "color": 2}', 1, "unknown key 'color'"),
    ('{"id": 1, "moves": "h8", "lins": 2}', 1, "; did you mean 'lines'?"),
    ('{"id": 1, "moves": "h8", "kind": "vctt"}', 1, "; did you mean 'vct'?"),
    ('{"id": 1, "moves": "h8", "rule": "reju"}', 1, "; did you mean 'renju'?"),
    ('{"id": 1, "moves": "h8", "report": ["all"]}', 1, '"report" is a list of'),
    ('{"id": 1, "moves": "h8", "report": 7}', 1, '"report" is a list of'),
    ('{"id": 1, "moves": "h8", "limits": {"time": -1}}', 1, "time is 0 seconds"),
    ('{"id": 1, "moves": "h8", "limits": {"nodes": 0}}', 1, "nodes is a whole number"),
    ('{"id": 1, "moves": "h8", "limits": {"time": "x"}}', 1, "time is a number"),
    ('{"id": 1, "moves": "h8", "limits": {"speed": 1}}', 1, '"limits" is an object'),
    ('{"id": 1, "moves": "h8", "limits": {}}', 1, '"limits" is an object'),
    ('{"id": 1, "moves": "h8", "lines": 0}', 1, "lines is a whole number"),
    ('{"id": 1, "moves": "h8", "partial": "yes"}', 1, '"partial" is true'),
    ('{"id": 1, "cancel": "nobody"}', 1, "no request 'nobody' is open"),
    ('{"cancel": [1]}', None, "an id is a text or a whole number"),
    ('{"cancel": 5, "moves": "h8"}', None, "unknown key 'moves'"),
]


@pytest.mark.parametrize(
    ("line", "name", "expected"), BAD, ids=[b[0][:50] for b in BAD]
)
def test_a_bad_request_is_answered_and_stops_nothing(line, name, expected):
    good = '{"id": "after", "moves": "h8"}'
    first, second = answers(line, "", "   ", good)
    assert (first["type"], first["id"]) == ("error", name)
    assert expected.replace('"', "") in first["message"].replace('"', "")
    assert (second["type"], second["id"]) == ("result", "after")


def test_defaults_replace_missing_keys_of_a_request():
    reading = ReadOptions(Rule.RENJU, (17, 13))
    defaults = Defaults(QUICK, 1, ("threats",), reading)
    one, two = answers(
        {"id": 1, "moves": "h8"},
        {"id": 2, "moves": "h8", "rule": 0, "size": "15x20", "report": ["lines"]},
        defaults=defaults,
    )
    assert (one["rule"], one["width"], one["height"]) == ("renju", 17, 13)
    assert "threats" in one
    assert "lines" not in one
    assert (two["rule"], two["width"], two["height"]) == ("freestyle", 15, 20)
    assert len(two["lines"]) == 1


def test_an_id_may_be_used_again_but_not_while_it_is_open():
    long = {"id": 1, "moves": "h8", "limits": {"time": 60}}
    rows = answers(long, long, {"cancel": 1})
    assert sorted(row["type"] for row in rows) == ["cancelled", "error"]
    output = []
    service = Service(output.append, Defaults(QUICK), hash_mb=1)
    for count in (1, 2):
        service.take('{"id": 1, "moves": "h8"}')
        wait_for(lambda count=count: len(output) == count)
    service.close()
    assert [json.loads(line)["type"] for line in output] == ["result"] * 2


def wait_for(condition):
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come")


@pytest.mark.parametrize("report", ["lines", "values"])
def test_a_request_that_is_worked_on_is_cancelled(report):
    output = []
    service = Service(output.append, Defaults(QUICK), hash_mb=1)
    moves = "h8 i9 j8 h10 g7 i7 f9"
    service.take(
        json.dumps(
            {"id": 1, "moves": moves, "report": [report], "limits": {"time": 100}}
        )
    )
    service.take(json.dumps({"id": 2, "moves": moves, "limits": {"time": 100}}))
    service.take('{"id": 3, "moves": "h8"}')
    time.sleep(0.05)
    service.take('{"cancel": 2}')  # has not begun
    assert [json.loads(line) for line in output] == [{"type": "cancelled", "id": 2}]
    service.take('{"cancel": 1}')
    service.close()
    kinds = {(row["id"], row["type"]) for row in map(json.loads, output)}
    assert kinds == {(1, "cancelled"), (2, "cancelled"), (3, "result")}


def test_partial_answers_come_before_the_result():
    rows = answers(
        {"id": 1, "moves": "h8 i9 j8", "partial": 0, "lines": 2,
         "limits": {"nodes": 5000}},
    )  # fmt: skip
    *partial, last = rows
    assert len(partial) > 2
    assert {row["type"] for row in partial} == {"partial"}
    assert last["type"] == "result"
    depths = [row["depth"] for row in partial]
    assert depths == sorted(depths)
    assert all(len(row["lines"]) == 2 for row in partial)
    rows = answers({"id": 1, "moves": "h8 i9 j8", "limits": {"nodes": 5000}})
    assert [row["type"] for row in rows] == ["result"]


def test_a_failing_search_is_an_error_of_its_request(monkeypatch):
    def fail(*_):
        raise MemoryError

    monkeypatch.setattr(service_module, "describe_position", fail)
    first, second = answers(
        {"id": 1, "moves": "h8", "report": ["threats"]}, {"id": 2, "moves": "h8"}
    )
    assert (first["type"], first["id"]) == ("error", 1)
    assert "MemoryError" in first["message"]
    assert second["type"] == "result"


def test_a_reader_that_has_gone_ends_the_service():
    def gone(line):
        raise BrokenPipeError

    service = Service(gone, Defaults(QUICK), hash_mb=1)

    def talk_on():
        for number in range(2000):
            service.take(json.dumps({"id": number, "moves": "h8"}))
        service.close()

    with pytest.raises(BrokenPipeError):
        talk_on()


def test_no_more_is_read_ahead_than_allowed(monkeypatch):
    monkeypatch.setattr(service_module, "MAX_WAITING", 3)
    output, taken = [], []
    service = Service(output.append, Defaults(QUICK), hash_mb=1)
    service.take('{"id": "long", "moves": "h8", "limits": {"time": 100}}')
    wait_for(lambda: not service._waiting)

    def client():
        for number in range(10):
            service.take(json.dumps({"id": number, "moves": "h8"}))
            taken.append(number)

    thread = threading.Thread(target=client)
    thread.start()
    wait_for(lambda: len(taken) == 3)
    time.sleep(0.1)
    assert len(taken) == 3
    with service._changed:
        service._known["long"].cancel()
    thread.join()
    service.close()
    assert len(output) == 11


def test_answers_do_not_depend_on_earlier_requests():
    ask = {"id": 1, "moves": "h8 i9 j8 h10", "limits": {"depth": 6}}
    (alone,) = answers(ask)
    rows = by_id(answers({**ask, "id": 2, "moves": "h8 i9 j8"}, ask))
    assert [line["line"] for line in rows[1]["lines"]] == [
        line["line"] for line in alone["lines"]
    ]


# The command -------------------------------------------------------------------------

COMMAND = [sys.executable, "-m", "gomoku_brain", "analyze", "--stream", "--hash=1"]


def talk(data, *options):
    done = subprocess.run(
        [*COMMAND, *options], input=data, capture_output=True, timeout=100
    )
    assert done.stderr == b""
    assert done.returncode == 0
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    "encoding",
    [
        pytest.param("utf-8", marks=OTHER),
        "utf-8-sig",
        pytest.param("utf-16", marks=OTHER),
        "utf-16-le",
        pytest.param("utf-16-be", marks=OTHER),
        "latin-1",
    ],
)
def test_requests_are_decoded_as_files_are(encoding):
    lines = '{"id": "é", "moves": "h8"}\n{"id": 2, "moves": "h9"}\n'
    data = lines.encode(encoding)
    data = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(
        encoding, b""
    ) + data
    assert {row["id"] for row in talk(data, "--nodes=100")} == {"é", 2}


def test_a_line_without_end_is_refused():
    data = b'{"id": 1, "moves": "' + b"h8 " * 500_000 + b'"}\n{"id": 2, "moves": "h8"}'
    first, second = talk(data, "--nodes=100")
    assert (first["type"], first["id"]) == ("error", None)
    assert "at most" in first["message"]
    assert second["id"] == 2


def test_options_are_the_defaults_of_requests():
    (row,) = talk(
        b'{"id": 1, "moves": "h8"}',
        *("--nodes=100", "--rule=caro-exact", "--size=17", "--lines=1", "--threats"),
    )
    assert (row["rule"], row["width"], len(row["lines"])) == ("caro_exact", 17, 1)
    assert "threats" in row


CLIENT = """
import json, os, random, sys
number, count, rule = map(int, sys.argv[1:])
dice = random.Random(number)
for k in range(count):
    stones = [(x, y) for x in range(4, 11) for y in range(4, 11)]
    row = {"id": f"{number}-{k}", "moves": dice.sample(stones, dice.randint(0, 8)),
           "rule": rule, "limits": {"nodes": 20}, "lines": 1}
    line = (json.dumps(row) + chr(10)).encode()
    assert len(line) < 4096  # what a pipe takes whole
    os.write(1, line)
"""


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "each",
    [50, pytest.param(5000, marks=pytest.mark.slow("10,000 requests", ci=True))],
    ids=["100", "10000"],
)
@pytest.mark.skipif(sys.platform == "win32", reason="two writers share a POSIX pipe")
def test_two_clients_at_once_get_every_answer_once_in_bounded_memory(each):
    psutil = pytest.importorskip("psutil")
    step = each // 5
    service = subprocess.Popen(
        [*COMMAND, "--workers=2"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    clients = [
        subprocess.Popen(
            [sys.executable, "-c", CLIENT, str(number), str(each), str(rule)],
            stdout=service.stdin,
        )
        for number, rule in ((1, 0), (2, 4))
    ]
    service.stdin.close()
    seen, sizes = set(), []
    process = psutil.Process(service.pid)
    for line in service.stdout:
        row = json.loads(line)
        assert row["type"] == "result", row
        assert row["id"] not in seen
        seen.add(row["id"])
        if len(seen) % step == 0 and len(seen) < 2 * each:
            sizes.append(process.memory_info().rss / 1e6)
    service.stdout.close()
    assert service.wait(60) == 0
    assert [client.wait(60) for client in clients] == [0, 0]
    assert seen == {f"{n}-{k}" for n in (1, 2) for k in range(each)}
    print(f"MB after each {step} answers:", *(f"{size:.0f}" for size in sizes))
    assert max(sizes) < sizes[0] + 20


@pytest.mark.slow("20,000 requests", ci=True)
def test_hostile_requests_stop_nothing():
    """Mutations of good requests: every line is answered, most by an error."""
    dice = random.Random(18)
    good = json.dumps(
        {"id": 1, "moves": ["h8", [7, 8]], "rule": "renju", "size": 15, "lines": 1,
         "report": ["lines"], "limits": {"nodes": 5}}
    )  # fmt: skip
    count = int(os.environ.get("GOMOKU_HOSTILE", "20000"))
    output = []
    service = Service(output.append, Defaults(Limits(nodes=5)), hash_mb=1, workers=2)
    sent = 0
    for number in range(count):
        text = good.replace('"id": 1', f'"id": {number}')
        for _ in range(dice.randint(0, 3)):
            at = dice.randrange(len(text))
            text = (
                text[:at]
                + chr(dice.choice((dice.randrange(32, 127), 0, 8364)))
                * (dice.randint(0, 2))
                + text[at + dice.randint(0, 2) :]
            )
        sent += bool(text.strip())
        service.take(text)
    service.close()
    assert len(output) == sent
    assert {json.loads(line)["type"] for line in output} <= {"result", "error"}


def test_boards_of_answers_are_those_of_the_requests():
    board = Board.from_moves("h8 h9 j10", rule="standard")
    moves = [list(move) for move in board.moves]
    (row,) = answers({"id": 1, "moves": moves, "rule": board.rule.value})
    assert row["black"] == ["h8", "j10"]
    assert row["rule"] == "standard"


POSITION = "h8 i9 j8 h10 g7 i7 f9"


@pytest.mark.parametrize("report", ["lines", "win", "review"])
def test_a_cancelled_request_is_answered_with_what_was_found(report):
    output = []
    service = Service(output.append, Defaults(QUICK), hash_mb=4)
    request = {"id": 1, "moves": POSITION, "partial": 0, "limits": {"time": 100}}
    service.take(json.dumps(request | {"report": ["lines", report]}))
    wait_for(lambda: any('"partial"' in line for line in output))
    service.take('{"cancel": 1}')
    service.close()
    last = json.loads(output[-1])
    assert (last["type"], last["id"]) == ("cancelled", 1)
    assert last["lines"][0]["move"]
    assert last["depth"] >= 1
    assert last["moves"] == POSITION.split()


def test_a_game_is_reviewed_by_one_request():
    (row,) = answers({"id": 1, "moves": POSITION, "report": "review"})
    assert [move["move"] for move in row["review"]["moves"]] == POSITION.split()
    assert len(row["review"]["curve"]) == 8


def test_moves_may_be_chosen_and_excluded():
    rows = by_id(
        answers(
            {"id": 1, "moves": POSITION, "lines": 1, "only": "k10 l11"},
            {"id": 2, "moves": POSITION, "lines": 1, "exclude": ["i8", [6, 8]]},
            {"id": 3, "moves": POSITION, "only": ["h8"]},
            {"id": 4, "moves": POSITION, "only": []},
            {"id": 5, "moves": POSITION, "only": "k10", "exclude": "k10"},
            {"id": 6, "moves": POSITION, "exclude": 5},
        )
    )
    assert rows[1]["lines"][0]["move"] in ("k10", "l11")
    assert rows[2]["lines"][0]["move"] not in ("i8", "g9")
    assert [rows[k]["type"] for k in (3, 4, 5, 6)] == ["error"] * 4
    assert rows[3]["message"] == "the move h8 is no empty cell"
    assert rows[4]["message"].startswith("only is empty")


def test_strength_kind_shortest_and_tree():
    won = "h8 a1 i8 a2 j8 a3"
    rows = by_id(
        answers(
            {"id": 1, "moves": won, "report": "win", "kind": "vcf", "tree": True},
            {"id": 2, "moves": won, "report": "win", "shortest": True, "tree": 1,
             "limits": {"nodes": 100_000}},
            {"id": 3, "moves": won, "report": "win", "kind": "all"},
            {"id": 4, "moves": won, "strength": "easy"},
            {"id": 5, "moves": won, "strength": 101},
            {"id": 6, "moves": won, "tree": 0},
            {"id": 7, "moves": won, "shortest": 1},
            {"id": 8, "moves": won, "strength": "easy", "lines": 3},
        )
    )  # fmt: skip
    assert rows[1]["win"]["kind"] == "vcf"
    assert rows[1]["win"]["tree"]["replies"]
    assert rows[2]["win"]["shortest"] is True
    assert len(rows[4]["lines"]) == 1, "an engine with several makes no mistakes"
    assert [rows[k]["type"] for k in (3, 5, 6, 7, 8)] == ["error"] * 5


def test_a_higher_priority_is_answered_first():
    output = []
    service = Service(output.append, Defaults(QUICK), hash_mb=1)
    service.take(json.dumps({"id": 0, "moves": "h8", "limits": {"time": 0.2}}))
    wait_for(lambda: not service._waiting)
    for name, priority in ((1, 0), (2, 5), (3, -1), (4, 5)):
        row = {"id": name, "moves": "h8 h9", "priority": priority}
        service.take(json.dumps(row))
    service.close()
    assert [json.loads(line)["id"] for line in output] == [0, 2, 4, 1, 3]


def test_all_are_cancelled_at_once_and_the_version_is_known():
    long = {"moves": POSITION, "limits": {"time": 100}}
    for command in ({"cancel_all": True}, {"action": "terminate_all", "id": "x"}):
        rows = answers(*[{"id": k, **long} for k in range(3)], command)
        assert sorted((row["id"], row["type"]) for row in rows) == [
            (k, "cancelled") for k in range(3)
        ]
    for command in ({"version": True}, {"action": "query_version"}):
        (row,) = answers({"id": "v", **command})
        assert (row["type"], row["id"]) == ("version", "v")
        assert row["version"]


def test_katagos_form_of_cancel():
    long = {"id": 1, "moves": POSITION, "limits": {"time": 100}}
    (row,) = answers(long, {"id": "t", "action": "terminate", "terminateId": 1})
    assert (row["type"], row["id"]) == ("cancelled", 1)
    (row,) = answers({"id": "t", "action": "clear_cache"})
    assert (row["type"], row["id"]) == ("error", "t")
    assert "terminate_all" in row["message"]


def test_errors_have_the_number_of_their_line_and_its_id():
    rows = answers("", '{"id": "a", "moves": ', "{", '{"id": 7, "moves": "z99"}')
    assert [(row["line"], row["id"]) for row in rows] == [(2, "a"), (3, None), (4, 7)]
    (row,) = answers({"id": "c", "cancel": 1})
    assert (row["id"], row["line"]) == ("c", 1)


def test_width_and_height_need_no_rule():
    (row,) = answers({"id": 1, "moves": "a1", "width": 9, "height": 8})
    assert (row["width"], row["height"], row["rule"]) == (9, 8, "freestyle")


CEILINGS = Ceilings(time=0.5, nodes=2000, depth=6)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"time": 0.5, "nodes": 20}, None),
        ({"time": 0.6}, '"time" is 0.6 seconds: this service allows at most 0.5'),
        ({"time": 1e8}, '"time" is 1e+08 seconds: this service allows at most 0.5'),
        ({"nodes": 2000, "depth": 1}, None),
        ({"nodes": 2001}, '"nodes" is 2001: this service allows at most 2000'),
        ({"depth": 6, "nodes": 20}, None),
        ({"depth": 7}, '"depth" is 7: this service allows at most 6'),
    ],
)
def test_a_limit_over_its_ceiling_is_refused(limits, message):
    request = {"id": 1, "moves": "h8 h9", "limits": limits}
    (row,) = answers(request, ceilings=CEILINGS)
    assert row.get("message") == message
    assert row["type"] == ("result" if message is None else "error")
    assert row["id"] == 1


def test_a_time_without_end_holds_no_worker():
    requests = [
        {"id": 1, "moves": "h8 h9", "limits": {"time": 1e9}},
        {"id": 2, "moves": "h8 h9", "limits": {"depth": 99}},
        {"id": 3, "moves": "h8 h9", "limits": {"nodes": 10**12}, "report": ["win"]},
        {"id": 4, "moves": "h8 h9", "limits": {"nodes": 9}},
    ]
    start = time.monotonic()
    rows = by_id(answers(*requests, ceilings=Ceilings(time=0.05)))
    assert time.monotonic() - start < 20
    assert [rows[k]["type"] for k in (1, 2, 3, 4)] == ["error", *["result"] * 3]


def test_the_ceiling_of_the_time_holds_for_the_whole_review(monkeypatch):
    monkeypatch.setattr(service_module, "MORE_SECONDS", 0.0)
    moves = "f6 d4 c4 i6 e7 g5 e6 d6 e8 e5 d7 f5 d5 f7 c7 i8 i5 h7 g6 j7 g10 f9"
    request = {"id": 1, "moves": moves, "report": "review", "limits": {"time": 0.2}}
    start = time.monotonic()
    (row,) = answers(request, ceilings=Ceilings(time=0.2))
    assert time.monotonic() - start < 4
    assert row["type"] == "cancelled"
    assert len(row["review"]["moves"]) < 22


def test_more_requests_than_the_ceiling_are_refused_at_once():
    output = []

    def emit(line):
        output.append(json.loads(line))

    service = Service(emit, Defaults(QUICK), hash_mb=1, ceilings=Ceilings(waiting=2))
    for number in range(3):  # one with the worker, two that wait
        service.take(json.dumps({"id": number, "moves": "h8", "limits": {"time": 30}}))
    service.take(json.dumps({"id": "more", "moves": "h8"}))
    (row,) = output
    assert (row["id"], row["type"]) == ("more", "error")
    assert row["message"] == "2 requests are waiting already: send this one again later"
    service.take('{"cancel_all": true}')
    service.take(json.dumps({"id": "after", "moves": "h8"}))
    service.close()
    kinds = {row["id"]: row["type"] for row in output}
    assert kinds.pop("more") == "error"
    assert set(kinds) == {0, 1, 2, "after"}
