"""What is said about a search while it runs and when it ends, as INFO asked for it."""

from collections.abc import Callable

from gomoku_brain.control.limits import SearchInfo, SearchResult
from gomoku_brain.protocol import commands
from gomoku_brain.protocol.commands import Emit
from gomoku_brain.protocol.options import Options

__all__ = ["LinesOfPlay"]

_INTERVAL = 0.1  # seconds between lines of play, on the average


class LinesOfPlay:
    """Says the lines of one search after the other; ``emit`` receives each."""

    def __init__(
        self, options: Options, emit: Emit, clock: Callable[[], float]
    ) -> None:
        """``options`` are looked at anew for each line; ``clock`` tells seconds."""
        self._options = options
        self._emit = emit
        self._clock = clock
        self._multipv = 1
        self._telling = False  # whether the present lines of play are being said
        self._next = 0.0  # when the next may be

    def begin(self, multipv: int) -> None:
        """A search of so many lines begins."""
        self._multipv = multipv
        self._telling, self._next = False, float("-inf")

    def note(self, info: SearchInfo) -> None:
        """Say what is known meanwhile, when that was asked for and is not too often."""
        if info.multipv == 1:
            # A set of lines is said whole or not at all, and the next one waits.
            now = self._clock()
            self._telling = self._options.show_detail > 0 and now >= self._next
            if self._telling:
                self._next = now
        if self._telling:
            self._next += self._tell(info, self._multipv) * _INTERVAL

    def conclude(self, result: SearchResult, *, proved: bool = False) -> None:
        """Say the line of play behind the move, or the lines of several."""
        if self._options.show_detail < 0:
            return
        if proved:
            self._emit(commands.proved_message(result))
        infos = result.lines if self._multipv > 1 else ()
        infos = infos or (
            SearchInfo(
                depth=result.depth,
                seldepth=result.seldepth,
                multipv=1,
                score=result.score,
                win_in=result.win_in,
                nodes=result.nodes,
                time=result.time,
                pv=result.pv or (result.move,),
                scale=result.scale,
            ),
        )
        for info in infos:
            self._tell(info, len(infos))

    def _tell(self, info: SearchInfo, total: int) -> int:
        """Say what ``show_detail`` asks for about one of ``total`` lines; how many."""
        lines = [commands.search_message(info, numbered=self._multipv > 1)]
        detail = max(self._options.show_detail, 0)
        if detail & 1 and info.multipv == 1:
            lines += commands.realtime_messages(info)
        if detail & 2:
            lines += commands.detail_lines(info, total)
        for line in lines:
            self._emit(line)
        return len(lines)
