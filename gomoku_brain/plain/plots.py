"""Plot of an experiment's report, drawn with matplotlib if it is there."""

from pathlib import Path

from gomoku_brain.plain.studies import ENGINE
from gomoku_brain.plain.tables import METHOD_NAMES, Measurements

__all__ = ["draw_nodes"]


def draw_nodes(found: Measurements, folder: Path) -> list[Path]:
    """Draw nodes and time by depth into ``folder``; return the files.

    There is none without matplotlib, or without results.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return []
    depths = found.depths()
    if not depths:
        return []
    figure = Figure(figsize=(10, 4.4), dpi=110, layout="constrained")
    both = figure.subplots(1, 2)
    for axes, what in zip(both, ("nodes", "seconds"), strict=True):
        for method, name in METHOD_NAMES.items():
            evaluation = "ours" if method == ENGINE else "rules"
            totals = [found.total(depth, evaluation, method) for depth in depths]
            heights = [getattr(total, what) or float("nan") for total in totals]
            axes.plot(depths, heights, marker="o", label=name)
        axes.set(yscale="log", xlabel="depth, plies", ylabel=what, xticks=depths)
        axes.grid(alpha=0.3)
    both[0].set_title("Nodes of the first moves (rule score)")
    both[1].set_title("Time of a first move")
    both[0].legend()
    path = folder / "nodes.png"
    figure.savefig(path)
    return [path]
