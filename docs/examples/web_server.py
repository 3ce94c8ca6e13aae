"""A web server that answers with moves (FastAPI).

    pip install fastapi uvicorn
    cd docs/examples && uvicorn web_server:app
    curl -X POST localhost:8000/search -H 'Content-Type: application/json' \\
        -d '{"moves": "h8 h9 j10", "rule": "renju", "seconds": 1}'

The answer is the row that ``gomoku-brain analyze --json`` prints for a search.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from engine_pool import EnginePool
from fastapi import FastAPI, HTTPException, Request
from pydantic import BaseModel, Field

from gomoku_brain import Board, Limits


class Position(BaseModel):
    """Request: a position, and how long to search it."""

    moves: str = Field("", max_length=2000)
    rule: str = "freestyle"
    size: int = Field(15, ge=5, le=22)
    seconds: float = Field(1, gt=0, le=10)
    level: str = "full"


@asynccontextmanager
async def engines(app: FastAPI) -> AsyncIterator[None]:
    """Keep a pool of engines, one for each processor, while the server runs."""
    async with EnginePool(os.cpu_count() or 1) as app.state.pool:
        yield


app = FastAPI(lifespan=engines)


@app.post("/search")
async def search(position: Position, request: Request) -> dict[str, Any]:
    """Search a position; 422 for moves that are no game and for one that is over."""
    try:
        board = Board.from_moves(position.moves, position.size, position.rule)
        limits = Limits(time=position.seconds, strength=position.level)
        found = await request.app.state.pool.search(board, limits)
    except ValueError as error:
        raise HTTPException(422, str(error)) from None
    return {"move": str(found.move), **found.to_dict()}
