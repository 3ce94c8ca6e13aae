"""Output of search information during and after a search, as INFO requests it."""

from collections.abc import Callable

from gomoku_brain.control.limits import SearchInfo, SearchResult
from gomoku_brain.protocol import commands
from gomoku_brain.protocol.commands import Emit
from gomoku_brain.protocol.options import Options

__all__ = ["LinesOfPlay"]

_INTERVAL = 0.1  # seconds between lines of play, on the average


class LinesOfPlay:
    """Writer of the lines of play of successive searches.

    ``emit`` receives each line. ``options`` are read for each line. ``clock`` returns
    seconds.
    """

    def __init__(
        self, options: Options, emit: Emit, clock: Callable[[], float]
    ) -> None:
        """Create a writer."""
        self._options = options
        self._emit = emit
        self._clock = clock
        self._multipv = 1
        self._is_writing = False  # whether the current set of lines is written
        self._next = 0.0  # time of the next allowed output

    def start(self, multipv: int) -> None:
        """Start a search with ``multipv`` lines of play."""
        self._multipv = multipv
        self._is_writing, self._next = False, float("-inf")

    def note(self, info: SearchInfo) -> None:
        """Write the current line of play, if it is requested and due."""
        if info.multipv == 1:
            # A set of lines is written completely or not at all.
            now = self._clock()
            self._is_writing = self._options.show_detail > 0 and now >= self._next
            if self._is_writing:
                self._next = now
        if self._is_writing:
            self._next += self._write(info, self._multipv) * _INTERVAL

    def conclude(self, result: SearchResult, *, proved: bool = False) -> None:
        """Write the final line of play, or the lines of several moves.

        With ``proved``, write that the move comes from a proof. A result without a
        score has no line.
        """
        if self._options.show_detail < 0:
            return
        if proved:
            self._emit(commands.proved_message(result))
        if result.score is None:
            return
        infos = result.lines if self._multipv > 1 else ()
        infos = infos or (SearchInfo(multipv=1, **result.figures()),)
        for info in infos:
            self._write(info, len(infos))

    def _write(self, info: SearchInfo, total: int) -> int:
        """Write one of ``total`` lines of play as ``show_detail`` requests.

        Return the number of output lines.
        """
        lines = [commands.search_message(info, numbered=self._multipv > 1)]
        detail = max(self._options.show_detail, 0)
        if detail & 1 and info.multipv == 1:
            lines += commands.realtime_messages(info)
        if detail & 2:
            lines += commands.detail_lines(info, total)
        for line in lines:
            self._emit(line)
        return len(lines)
