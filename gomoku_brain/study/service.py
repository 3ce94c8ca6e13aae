"""Analysis service: it reads requests and writes answers, one JSON object on a line.

A request has a position in a form that ``records.read`` accepts as JSON, and a list
of results to find: best lines, the value of every candidate, threats, a win by force.
Several workers, each with an engine of its own, answer requests at the same time; an
answer has the id of its request and is sent when it is ready, not in order. No input of
a client can end the service. The queue of requests is limited, so a client that writes
faster than the service answers has to wait.

``docs/json.md`` describes requests and answers, ``docs/output.schema.json`` their
form.
"""

import contextlib
import json
import re
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Final, cast

from gomoku_brain.control.limits import FULL_STRENGTH, Limits, SearchInfo, best_first
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine, at_position
from gomoku_brain.engine.win_search import KINDS
from gomoku_brain.foreign_text import brief
from gomoku_brain.game.notation import as_moves
from gomoku_brain.levels.ladder import level_named
from gomoku_brain.records.read import position_of_row
from gomoku_brain.records.read_options import ReadOptions
from gomoku_brain.runs.json_rows import json_line
from gomoku_brain.spelling import did_you_mean
from gomoku_brain.study.annotate import review, values
from gomoku_brain.study.row_types import (
    CancelledLine,
    ErrorLine,
    VersionLine,
)
from gomoku_brain.study.rows import lines_row, position_row
from gomoku_brain.study.threat_words import describe_position
from gomoku_brain.version import __version__

__all__ = ["REPORTS", "Ceilings", "Defaults", "Service"]

REPORTS: Final = ("lines", "values", "threats", "win", "review")
LONGEST: Final = 1_000_000  # most characters of a request
MAX_WAITING: Final = 1000  # most requests in the queue
# nodes of the search for a win by fours; a search for several lines has none of its own
VCF_NODES: Final = 200_000
WHOLE_TREE: Final = 1000  # plies of the tree of a win with "tree": true
MORE_SECONDS: Final = 2.0  # of a request with a ceiling, for the win by fours and more
PARTIAL_SECONDS: Final = 0.1  # least seconds between two partial answers

_LIMITS = {"time", "nodes", "depth"}
_POSITION = {
    *("moves", "black", "white", "walls", "rule", "size", "width", "height"),
    *("side_to_move", "turn"),
}
_KEYS = {
    *("id", "report", "limits", "lines", "partial", "priority"),
    *("only", "exclude", "strength", "kind", "shortest", "tree"),
} | _POSITION
_ACTIONS = {"query_version": "version", "terminate_all": "cancel_all"}
"""Names that KataGo's analysis engine has for commands."""

Id = str | int
_ID = re.compile(r'"id"\s*:\s*("[^"\\]{0,200}"|-?\d{1,18}(?![\d.eE]))')


class RequestError(ValueError):
    """Error in a request, with a message for its client."""


@dataclass(frozen=True, slots=True)
class Defaults:
    """Values of a request's fields that are missing."""

    limits: Limits = field(default_factory=lambda: Limits(time=5.0))
    """Time, nodes and depth of each result."""
    lines: int = 3
    """Number of best lines."""
    report: tuple[str, ...] = ("lines",)
    """Results to find, of ``REPORTS``."""
    reading: ReadOptions = field(default_factory=ReadOptions)
    """Rule and size if the request has none."""


@dataclass(frozen=True, slots=True)
class Ceilings:
    """Most that a request may use, for each of its results; None: no ceiling."""

    time: float | None = None
    """Seconds. The review of a game is one result."""
    nodes: int | None = None
    """Nodes of each search."""
    depth: int | None = None
    """Plies of each search."""
    waiting: int | None = None
    """Requests that wait for a worker; more of them are refused."""

    def bound(self, limits: Limits) -> Limits:
        """Return limits in which a ceiling replaces each missing limit.

        Raises RequestError if a limit is over its ceiling.
        """
        changes: dict[str, Any] = {}
        for name, unit in (("time", " seconds"), ("nodes", ""), ("depth", "")):
            maximum, given = getattr(self, name), getattr(limits, name)
            if maximum is not None and given is None:
                changes[name] = maximum
            elif maximum is not None and given > maximum:
                raise RequestError(
                    f'"{name}" is {given:g}{unit}: this service allows at most'
                    f" {maximum:g}"
                )
        return replace(limits, **changes)


class ServiceRequest:
    """Parsed request, which can be cancelled."""

    def __init__(self, name: Id, row: Mapping[str, object], defaults: Defaults) -> None:
        """Parse a request. Raises RequestError if it is invalid."""
        unknown = sorted(set(row) - _KEYS)
        if unknown:
            tip = did_you_mean(unknown[0], _KEYS)
            raise RequestError(f"unknown key {unknown[0]!r}{tip}")
        self.id = name
        position = {k: v for k, v in row.items() if k in _POSITION and v is not None}
        if defaults.reading.rule is not None:
            position.setdefault("rule", defaults.reading.rule)
        if defaults.reading.size and not {"size", "width", "height"} & set(position):
            position["size"] = defaults.reading.size
        if {"width", "height"} <= set(position):  # else it is read as a game record
            position["size"] = [position.pop("width"), position.pop("height")]
        if not {"moves", "black", "white"} & set(position):
            raise RequestError('no position: give "moves", or "black" and "white"')
        if position.get("moves") in ("", []):
            position = {"black": [], "white": []} | position  # the empty board
        try:
            self.game = position_of_row(position, ReadOptions())
            self.board = self.game.board()
        except (ValueError, TypeError) as error:
            raise RequestError(str(error)) from None
        report = row.get("report", list(defaults.report))
        if isinstance(report, str):
            report = [report]
        if not isinstance(report, list) or not set(map(str, report)) <= set(REPORTS):
            raise RequestError(f'"report" is a list of {", ".join(REPORTS)}')
        self.report = [str(name) for name in report]
        self.limits = _limits(row.get("limits"), row.get("lines"), defaults)
        partial = row.get("partial", False)
        if isinstance(partial, bool):
            partial = PARTIAL_SECONDS if partial else None
        if not isinstance(partial, int | float | None) or (partial or 0) < 0:
            raise RequestError(
                '"partial" is true, false or the seconds between two answers'
            )
        self.partial = partial
        self.priority = _whole(row, "priority", 0)
        self.kind = str(row.get("kind", "auto"))
        if self.kind not in KINDS:
            tip = did_you_mean(self.kind, KINDS)
            raise RequestError(f'"kind" is one of {", ".join(KINDS)}{tip}')
        shortest = row.get("shortest", False)
        if not isinstance(shortest, bool):
            raise RequestError('"shortest" is true or false')
        self.shortest = shortest
        tree = row.get("tree", False)
        if isinstance(tree, bool):
            tree = WHOLE_TREE if tree else None
        if not isinstance(tree, int | None) or (tree is not None and tree < 1):
            raise RequestError('"tree" is true, false or a number of plies')
        self.tree_depth: int | None = tree
        self.limits = _choice(self.limits, row)
        try:
            at_position(self.board, self.limits)
        except ValueError as error:
            raise RequestError(str(error).replace("root move", "move")) from None
        self.control = SearchControl()
        self.engine: Engine | None = None  # of the worker
        self.cancelled = False

    def cancel(self) -> None:
        """Cancel the request; call it from any thread while the request is open."""
        self.cancelled = True
        self.control.stop()
        if self.engine is not None:
            self.engine.stop()

    def next_control(self) -> SearchControl:
        """Return a new control for the next search, since a deadline may have ended the
        last one.
        """
        self.control = SearchControl()
        if self.cancelled:
            self.control.stop()
        return self.control


def _limits(value: object, lines: object, defaults: Defaults) -> Limits:
    """Return the limits of a request; missing ones are those of the defaults."""
    given = defaults.limits
    try:
        if value is not None:
            if not isinstance(value, dict) or not set(value) <= _LIMITS or not value:
                raise RequestError(
                    '"limits" is an object with "time", "nodes" or "depth"'
                )
            given = Limits(**value)
        count: Any = defaults.lines if lines is None else lines
        return replace(given, multipv=count)
    except (TypeError, ValueError) as error:
        if isinstance(error, RequestError):
            raise
        raise RequestError(str(error).replace("multipv", "lines")) from None


def _whole(row: Mapping[str, object], key: str, default: int) -> int:
    """Return the whole number of a key."""
    value = row.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise RequestError(f'"{key}" is a whole number')
    return value


def _choice(limits: Limits, row: Mapping[str, object]) -> Limits:
    """Return the limits with the moves to search and the strength of a request."""
    changes: dict[str, Any] = {}
    try:
        for key, name in (("only", "root_moves"), ("exclude", "exclude")):
            moves = row.get(key)
            if moves is not None:
                changes[name] = as_moves(moves)
        strength = row.get("strength")
        if isinstance(strength, str):
            strength = level_named(strength).strength
        if strength is not None:
            changes["strength"] = strength
            if row.get("lines", 1) != 1:
                raise ValueError('"strength" gives one line: leave out "lines"')
            changes["multipv"] = 1
        return replace(limits, **changes)
    except (TypeError, ValueError) as error:
        raise RequestError(str(error).replace("root_moves", "only")) from None


class Service:
    """Service that accepts requests in ``take`` and passes every answer, a line of
    JSON, to ``emit``.

    ``emit`` is called by one thread at a time. Each of the workers has an engine with
    ``threads`` threads and a table of ``hash_mb`` MB. Raises ValueError and MemoryError
    as ``Engine``.

    >>> service = Service(print)
    >>> service.take('{"id": 1, "moves": "h8 h9", "limits": {"nodes": 1000}}')
    >>> service.close()
    """

    def __init__(
        self,
        emit: Callable[[str], None],
        defaults: Defaults | None = None,
        *,
        workers: int = 1,
        threads: int = 1,
        hash_mb: float = 64,
        ceilings: Ceilings | None = None,
    ) -> None:
        """Start the workers, which wait for requests."""
        self._ceilings = ceilings or Ceilings()
        self._emit = emit
        self._emitting = threading.Lock()
        self._defaults = defaults or Defaults()
        self._changed = threading.Condition()
        self._waiting: deque[ServiceRequest] = deque()
        self._line = 0  # number of the last line of the client
        self._known: dict[Id, ServiceRequest] = {}  # in the queue or with a worker
        self._closed = False
        self._failure: BaseException | None = None
        engines = [Engine(threads=threads, hash_mb=hash_mb) for _ in range(workers)]
        self._threads = [
            threading.Thread(target=self._work, args=(engine,), daemon=True)
            for engine in engines
        ]
        for thread in self._threads:
            thread.start()

    # Input of a client

    def take(self, line: str) -> None:
        """Handle one line of a client; waits while the queue is full.

        Raises the exception that ``emit`` raised, since the client no longer reads.
        """
        self._line += 1
        if not line.strip():
            return
        name: Id | None = None
        try:
            name = _id_in(line)
            row = self._row(line)
            name = _id_of(row)
            if self._command(row, name):
                return
            if name is None:
                raise RequestError('"id" is missing: a text or a whole number')
            with self._changed:
                if name in self._known:
                    raise RequestError("another request with this id is still open")
            task = ServiceRequest(name, row, self._defaults)
            task.limits = self._ceilings.bound(task.limits)
            self._check_waiting()
        except Exception as error:  # the service goes on after any input
            message = brief(str(error) or type(error).__name__)
            self._send("error", ErrorLine(id=name, message=message, line=self._line))
            return
        with self._changed:
            while len(self._waiting) >= MAX_WAITING and self._failure is None:
                self._changed.wait()
            self._known[name] = task
            self._waiting.append(task)
            self._changed.notify_all()
        self._raise_failure()

    def _check_waiting(self) -> None:
        """Raise RequestError if as many requests as the ceiling are waiting."""
        maximum = self._ceilings.waiting
        with self._changed:
            if maximum is not None and len(self._known) >= maximum + len(self._threads):
                raise RequestError(
                    f"{maximum} requests are waiting already: send this one again later"
                )

    def refuse(self, message: str) -> None:
        """Answer an input that is no line of text with an error."""
        self._line += 1
        self._send("error", ErrorLine(id=None, message=message, line=self._line))

    def close(self, *, cancel: bool = False) -> None:
        """Accept no more requests, and wait for all answers; ``cancel``: end them
        now.
        """
        with self._changed:
            self._closed = True
            for task in list(self._known.values()) if cancel else []:
                task.cancel()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()
        self._raise_failure()

    @staticmethod
    def _row(line: str) -> dict[str, object]:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            message = (
                error.msg if isinstance(error, json.JSONDecodeError) else "unreadable"
            )
            raise RequestError(f"broken JSON: {message}") from None
        if not isinstance(row, dict):
            raise RequestError("a request is a JSON object")
        return row

    def _command(self, row: dict[str, object], name: Id | None) -> bool:
        """Execute a line that is no request for an analysis, if it is one.

        KataGo's forms are accepted as well: ``action`` "terminate" with
        ``terminateId``, "terminate_all" and "query_version".
        """
        row = dict(row)
        action = row.pop("action", None)
        if action == "terminate":
            row["cancel"] = row.pop("terminateId", None)
        elif action is not None:
            if not isinstance(action, str) or action not in _ACTIONS:
                known = ", ".join(["terminate", *_ACTIONS])
                raise RequestError(f'"action" is one of {known}')
            row[_ACTIONS[action]] = True
        for command in ("cancel", "cancel_all", "version"):
            if command in row:
                unknown = sorted(set(row) - {"id", command})
                if unknown:
                    raise RequestError(f'unknown key {unknown[0]!r} beside "{command}"')
                if command != "cancel" and row[command] is not True:
                    raise RequestError(f'"{command}" is true')
                break
        else:
            return False
        if command == "cancel":
            self._cancel(row)
        elif command == "version":
            self._send("version", VersionLine(id=name, version=__version__))
        else:
            with self._changed:
                open_ids = list(self._known)
            for target in open_ids:
                with contextlib.suppress(RequestError):  # it has just been answered
                    self._cancel({"cancel": target})
        return True

    def _cancel(self, row: Mapping[str, object]) -> None:
        """Cancel another request, which is then answered by "cancelled"."""
        target = _id_of({"id": row["cancel"]})
        with self._changed:
            task = None if target is None else self._known.get(target)
            waits = task is not None and task in self._waiting
            if task is not None and waits:
                self._waiting.remove(task)
                del self._known[task.id]
                self._changed.notify_all()
            elif task is not None:
                task.cancel()
        if task is None:
            raise RequestError(
                f"nothing to cancel: no request {row['cancel']!r} is open"
            )
        if waits:
            self._send("cancelled", {"id": target})

    # Workers

    def _work(self, engine: Engine) -> None:
        """Answer requests until the service is closed."""
        while True:
            with self._changed:
                while not self._waiting:
                    if self._closed or self._failure is not None:
                        return
                    self._changed.wait()
                task = max(self._waiting, key=lambda task: task.priority)
                self._waiting.remove(task)
                self._changed.notify_all()
            kind = "cancelled"
            row: Mapping[str, object] = CancelledLine(id=task.id)
            end = self._end_of(task)
            try:
                if not task.cancelled:
                    task.engine = engine
                    engine.new_game()  # answers do not depend on earlier requests
                    row = self._answer(engine, task)  # if cancelled, as far as it went
                    if not task.cancelled:
                        kind = "result"
            except Exception as error:  # also MemoryError: the other workers go on
                kind = "error"
                message = f"{type(error).__name__}: {error}"
                row = ErrorLine(id=task.id, message=message)
            if end is not None:
                end.cancel()
            with self._changed:
                del self._known[task.id]
            self._send(kind, row)

    def _end_of(self, task: ServiceRequest) -> threading.Timer | None:
        """Start the timer that cancels a request after the most time for its results.

        Their searches end by themselves before; only a review is cut.
        """
        if self._ceilings.time is None:
            return None

        def cancel() -> None:
            with self._changed:
                if self._known.get(task.id) is task:  # else its engine has another one
                    task.cancel()

        results = max(len(set(task.report)), 1)
        seconds = self._ceilings.time * results + MORE_SECONDS
        timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), cancel)
        timer.daemon = True
        timer.start()
        return timer

    def _answer(self, engine: Engine, task: ServiceRequest) -> dict[str, Any]:
        """Return all results that a request lists."""
        board, limits = task.board, task.limits
        row: dict[str, Any] = {**position_row(task.game, board), "id": task.id}
        if "threats" in task.report:
            row["threats"] = describe_position(board, task.game.board(0)).to_dict()
        if not row["over"]:
            self._search(engine, task, row)
        if "review" in task.report and not task.cancelled:
            plain = replace(limits, multipv=1, exclude=(), root_moves=None)
            judged = review(engine, task.game, plain, stop=lambda: task.cancelled)
            row["review"] = judged.to_dict()
        return row

    def _search(
        self, engine: Engine, task: ServiceRequest, row: dict[str, Any]
    ) -> None:
        """Add the results of searches of the position."""
        board, limits = task.board, task.limits
        if "lines" in task.report and not task.cancelled:
            fours = engine.find_win(
                board, "vcf", Limits(time=1.0, nodes=VCF_NODES), task.control
            ).line
            partial = None if task.partial is None else _Partial(self, task)
            result = engine.search(board, limits, partial, task.next_control())
            row |= lines_row(result, fours or None)
        if "values" in task.report and not task.cancelled:
            table = values(
                engine,
                board,
                replace(limits, multipv=1),
                stop=lambda: task.cancelled,
            )
            row["values"] = table.to_dict()
        if "win" in task.report and not task.cancelled:
            win_limits = replace(limits, multipv=1, depth=None, strength=FULL_STRENGTH)
            found = engine.find_win(
                board,
                task.kind,
                win_limits,
                task.next_control(),
                shortest=task.shortest,
            )
            row["win"] = found.to_dict(task.tree_depth)

    # Answers

    def _send(self, kind: str, row: Mapping[str, object]) -> None:
        line = json_line(kind, row)
        with self._emitting:
            if self._failure is not None:
                return
            try:
                self._emit(line)
                return
            except BaseException as error:
                self._failure = error
        with self._changed:
            for task in self._known.values():
                task.cancel()
            self._waiting.clear()
            self._changed.notify_all()

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure


class _Partial:
    """Callback that sends the lines of each iteration, at limited intervals."""

    def __init__(self, service: Service, task: ServiceRequest) -> None:
        self._service, self._task = service, task
        self._lines: dict[int, SearchInfo] = {}
        self._last_sent = float("-inf")

    def __call__(self, info: SearchInfo) -> None:
        if info.multipv == 1:
            self._lines = {}
        self._lines[info.multipv] = info
        now = perf_counter()
        if (
            len(self._lines) == self._task.limits.multipv
            and now - self._last_sent >= (self._task.partial or 0.0)
            and not self._task.cancelled
        ):
            self._last_sent = now
            row = {
                "id": self._task.id,
                "depth": info.depth,
                "nodes": info.nodes,
                "seconds": round(info.time, 3),
                "lines": [line.to_dict() for line in best_first(self._lines.values())],
            }
            self._service._send("partial", row)


def _id_in(line: str) -> Id | None:
    """Return the id in a line that may be no JSON; None if there is no clear one."""
    found = _ID.search(line[:5000])
    return None if found is None else cast("Id", json.loads(found[1]))


def _id_of(row: Mapping[str, object]) -> Id | None:
    """Return the id of a request, None without one. Raises RequestError for an invalid
    id.
    """
    name = row.get("id")
    if name is None:
        return None
    if isinstance(name, bool) or not isinstance(name, str | int):
        raise RequestError("an id is a text or a whole number")
    return name
