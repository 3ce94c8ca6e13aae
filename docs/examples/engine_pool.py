"""A pool of engines for an asynchronous server: each request waits for a free one.

python docs/examples/engine_pool.py
"""

import asyncio
from typing import Self

from gomoku_brain import Board, Engine, Limits, SearchResult


class EnginePool:
    """Engines that searches of one event loop share."""

    def __init__(self, engines: int = 2, hash_mb: float = 32) -> None:
        """Create the engines. A search uses one processor, so create one for each."""
        self._engines = [Engine(hash_mb=hash_mb) for _ in range(engines)]
        self._free: asyncio.Queue[Engine] = asyncio.Queue()
        for engine in self._engines:
            self._free.put_nowait(engine)

    async def search(self, board: Board, limits: Limits) -> SearchResult:
        """Search with the next free engine.

        A cancelled request ends its search at once and gives the engine back.
        """
        engine = await self._free.get()
        try:
            async with engine.analysis(board, limits) as analysis:
                return await analysis.result_async()
        finally:
            self._free.put_nowait(engine)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for engine in self._engines:
            engine.stop()


async def main() -> None:
    """Search eight positions by two engines."""
    boards = [Board.from_moves(f"h8 {reply}") for reply in "h9 i9 h10 i10".split()]
    limits = Limits(nodes=20_000)
    async with EnginePool(2) as pool:
        requests = [pool.search(board, limits) for board in 2 * boards]
        for board, found in zip(
            2 * boards, await asyncio.gather(*requests), strict=True
        ):
            print(*board.moves, "->", found.move, f"{found.chance:.0%}")


if __name__ == "__main__":
    asyncio.run(main())
