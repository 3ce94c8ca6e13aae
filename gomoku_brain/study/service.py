"""Analysis as a service: requests in, answers out, one JSON object a line.

A request names a position in a form that ``records.reader`` takes as JSON, and what is
to be found: best lines, the value of every candidate, threats, a win by force. Several
are worked on at once, each by a worker with an engine of its own; answers come by their
id as they are ready, not in order. Nothing that a client sends ends the service. What
is read ahead is bounded, so a client that writes faster than the answers come is made
to wait.

docs/analyze.md describes requests and answers, docs/output.schema.json their form.
"""

import json
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Final

from gomoku_brain.control.limits import Limits, SearchInfo
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.records.reader import ReadError, Setting, from_json_value
from gomoku_brain.study.annotate import values
from gomoku_brain.study.rows import (
    json_line,
    line_rows,
    lines_row,
    position_row,
    solution_row,
    threats_row,
    values_row,
)
from gomoku_brain.study.threat_words import describe_position

__all__ = ["REPORTS", "Defaults", "Service"]

REPORTS: Final = ("lines", "values", "threats", "win")
LONGEST: Final = 1_000_000  # characters of a request
MOST_WAITING: Final = 1000  # requests read ahead
VCF_NODES: Final = 200_000  # for the win by fours, which several lines do not look for
PARTIAL_SECONDS: Final = 0.1  # between two partial answers, at least

_LIMITS = {"time", "nodes", "depth"}
_POSITION = {
    *("moves", "black", "white", "walls", "rule", "size", "width", "height"),
    *("side_to_move", "turn"),
}
_KEYS = {"id", "cancel", "report", "limits", "lines", "partial"} | _POSITION

Id = str | int


class RequestError(ValueError):
    """What is wrong with a request, for its client."""


@dataclass(frozen=True, slots=True)
class Defaults:
    """What a request means that does not say otherwise."""

    limits: Limits = field(default_factory=lambda: Limits(time=5.0))
    """Time, nodes and depth of each thing asked."""
    lines: int = 3
    """Best lines."""
    report: tuple[str, ...] = ("lines",)
    """What to find, of ``REPORTS``."""
    setting: Setting = field(default_factory=Setting)
    """The rule and the size where the request has none."""


class Request:
    """A request that was understood, and how to end it."""

    def __init__(self, name: Id, row: Mapping[str, object], defaults: Defaults) -> None:
        """Raises RequestError for what cannot be meant."""
        unknown = sorted(set(row) - _KEYS)
        if unknown:
            raise RequestError(f"unknown key {unknown[0]!r}")
        self.id = name
        position = {k: v for k, v in row.items() if k in _POSITION and v is not None}
        if defaults.setting.rule is not None:
            position.setdefault("rule", defaults.setting.rule)
        if defaults.setting.size and not {"size", "width", "height"} & set(position):
            position["size"] = defaults.setting.size
        if not {"moves", "black", "white"} & set(position):
            raise RequestError('no position: give "moves", or "black" and "white"')
        if position.get("moves") in ("", []):
            position = {"black": [], "white": []} | position  # the empty board
        try:
            self.game = from_json_value(position)
            self.board = self.game.board()
        except (ReadError, ValueError, TypeError) as error:
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
            raise RequestError('"partial" is true, false or the seconds between two')
        self.partial = partial
        self.control = SearchControl()
        self.engine: Engine | None = None  # that works on it
        self.cancelled = False

    def cancel(self) -> None:
        """End it; from any thread, as long as it is open."""
        self.cancelled = True
        self.control.stop()
        if self.engine is not None:
            self.engine.stop()

    def next_control(self) -> SearchControl:
        """For one more search: that of the last may be ended by its deadline."""
        self.control = SearchControl()
        if self.cancelled:
            self.control.stop()
        return self.control


def _limits(told: object, lines: object, defaults: Defaults) -> Limits:
    """The limits of a request; what it does not say at all is the default's."""
    given = defaults.limits
    try:
        if told is not None:
            if not isinstance(told, dict) or not set(told) <= _LIMITS or not told:
                raise RequestError(
                    '"limits" is an object with "time", "nodes" or "depth"'
                )
            given = Limits(**told)
        count: Any = defaults.lines if lines is None else lines
        return replace(given, multipv=count)
    except (TypeError, ValueError) as error:
        if isinstance(error, RequestError):
            raise
        raise RequestError(str(error).replace("multipv", "lines")) from None


class Service:
    """Takes requests by ``take`` and hands every answer, a line of JSON, to ``emit``.

    ``emit`` is called by one thread at a time. An engine is made for each worker, with
    so many ``threads`` and MB of table each. Raises ValueError and MemoryError as
    Engine does.

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
    ) -> None:
        """The workers wait for requests at once."""
        self._emit = emit
        self._emitting = threading.Lock()
        self._defaults = defaults or Defaults()
        self._changed = threading.Condition()
        self._waiting: deque[Request] = deque()
        self._known: dict[Id, Request] = {}  # waiting or being worked on
        self._closed = False
        self._failure: BaseException | None = None
        engines = [Engine(threads=threads, hash_mb=hash_mb) for _ in range(workers)]
        self._threads = [
            threading.Thread(target=self._work, args=(engine,), daemon=True)
            for engine in engines
        ]
        for thread in self._threads:
            thread.start()

    # What a client sends

    def take(self, line: str) -> None:
        """One line of a client; waits while too much is waiting already.

        Raises what ``emit`` raised, for nobody reads the answers any more.
        """
        if not line.strip():
            return
        name: Id | None = None
        try:
            row = self._row(line)
            name = _id_of(row)
            if "cancel" in row:
                self._cancel(row)
                return
            if name is None:
                raise RequestError('no "id": a text or a whole number')
            with self._changed:
                if name in self._known:
                    raise RequestError("this id is still being worked on")
            task = Request(name, row, self._defaults)
        except Exception as error:  # whatever it sent, the service goes on
            told = str(error) or type(error).__name__
            self._tell("error", {"id": name, "message": told})
            return
        with self._changed:
            while len(self._waiting) >= MOST_WAITING and self._failure is None:
                self._changed.wait()
            self._known[name] = task
            self._waiting.append(task)
            self._changed.notify_all()
        self._raise_failure()

    def refuse(self, message: str) -> None:
        """Answer something that was no line."""
        self._tell("error", {"id": None, "message": message})

    def close(self, *, cancel: bool = False) -> None:
        """No more requests: wait for all answers, or end them all now."""
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
            told = (
                error.msg if isinstance(error, json.JSONDecodeError) else "unreadable"
            )
            raise RequestError(f"broken JSON: {told}") from None
        if not isinstance(row, dict):
            raise RequestError("a request is a JSON object")
        return row

    def _cancel(self, row: Mapping[str, object]) -> None:
        """End another request; that one is answered "cancelled"."""
        unknown = sorted(set(row) - {"id", "cancel"})
        if unknown:
            raise RequestError(f'unknown key {unknown[0]!r} beside "cancel"')
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
            self._tell("cancelled", {"id": target})

    # The work

    def _work(self, engine: Engine) -> None:
        """What a worker does until the service is closed."""
        while True:
            with self._changed:
                while not self._waiting:
                    if self._closed or self._failure is not None:
                        return
                    self._changed.wait()
                task = self._waiting.popleft()
                self._changed.notify_all()
            kind, row = "cancelled", dict[str, object](id=task.id)
            try:
                if not task.cancelled:
                    task.engine = engine
                    engine.new_game()  # answers do not depend on who asked before
                    found = self._answer(engine, task)
                    if not task.cancelled:
                        kind, row = "result", found
            except Exception as error:  # also MemoryError: the others go on
                kind = "error"
                row = {"id": task.id, "message": f"{type(error).__name__}: {error}"}
            with self._changed:
                del self._known[task.id]
            self._tell(kind, row)

    def _answer(self, engine: Engine, task: Request) -> dict[str, object]:
        """All that was asked about a position."""
        board, limits = task.board, task.limits
        row: dict[str, object] = {"id": task.id} | position_row(task.game, board)
        if "threats" in task.report:
            row["threats"] = threats_row(describe_position(board, task.game.board(0)))
        if row["over"]:
            return row
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
            row["values"] = values_row(table)
        if "win" in task.report and not task.cancelled:
            asked = replace(limits, multipv=1, depth=None)
            found = engine.find_win(board, "auto", asked, task.next_control())
            row["win"] = solution_row(found)
        return row

    # The answers

    def _tell(self, kind: str, row: Mapping[str, object]) -> None:
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
    """Tells the lines of each iteration, but not too often."""

    def __init__(self, service: Service, task: Request) -> None:
        self._service, self._task = service, task
        self._lines: dict[int, SearchInfo] = {}
        self._told = float("-inf")

    def __call__(self, info: SearchInfo) -> None:
        if info.multipv == 1:
            self._lines = {}
        self._lines[info.multipv] = info
        now = perf_counter()
        if (
            len(self._lines) == self._task.limits.multipv
            and now - self._told >= (self._task.partial or 0.0)
            and not self._task.cancelled
        ):
            self._told = now
            self._service._tell(
                "partial",
                {
                    "id": self._task.id,
                    "depth": info.depth,
                    "nodes": info.nodes,
                    "seconds": round(info.time, 3),
                    "lines": line_rows(self._lines[k] for k in sorted(self._lines)),
                },
            )


def _id_of(row: Mapping[str, object]) -> Id | None:
    """The id of a request, None without one. Raises RequestError for another thing."""
    name = row.get("id")
    if name is None:
        return None
    if isinstance(name, bool) or not isinstance(name, str | int):
        raise RequestError("an id is a text or a whole number")
    return name
