"""Pages of HTML or Markdown, made from blocks in reading order."""

import html
from collections.abc import Iterable
from typing import NamedTuple

from gomoku_brain.plain.tables import Table

__all__ = ["Block", "Heading", "Image", "to_html", "to_markdown"]


class Image(NamedTuple):
    """Picture file that lies beside the report."""

    file: str
    alt: str


class Heading(NamedTuple):
    """Heading of a section."""

    text: str


Block = Table | Image | Heading | str

STYLE = """\
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto;
  padding: 0 1rem; color: #222; background: #fff; }
table { border-collapse: collapse; font-size: 0.82rem; display: block;
  overflow-x: auto; margin: 1rem 0; }
caption { text-align: left; font-weight: 600; padding: 0.3rem 0; }
th, td { border-bottom: 1px solid #ddd; padding: 0.2rem 0.6rem; text-align: right;
  white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
thead th { border-bottom: 2px solid #888; }
img { max-width: 100%; height: auto; }
@media print {
  table { display: table; font-size: 0.6rem; }
  th, td { white-space: normal; padding: 0.1rem 0.25rem; }
}
"""


def to_html(title: str, blocks: Iterable[Block]) -> str:
    """Return the blocks as one HTML page; its pictures lie beside it."""
    body = [f"<h1>{title}</h1>"]
    for block in blocks:
        if isinstance(block, Heading):
            body.append(f"<h2>{html.escape(block.text)}</h2>")
        elif isinstance(block, Image):
            file, alt = html.escape(block.file), html.escape(block.alt)
            body.append(f'<p><img src="{file}" alt="{alt}"></p>')
        elif isinstance(block, Table):
            body += ["<table>", f"<caption>{html.escape(block.title)}</caption>"]
            body.append("<thead>" + html_row(block.header, "th") + "</thead>")
            body.append("<tbody>")
            body += [html_row(row, "td") for row in block.rows]
            body += ["</tbody>", "</table>"]
        else:
            body.append(f"<p>{html.escape(block)}</p>")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def html_row(cells: list[str], tag: str) -> str:
    """Return one row of an HTML table, with cells of the given tag."""
    inner = "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells)
    return f"<tr>{inner}</tr>"


def to_markdown(title: str, blocks: Iterable[Block]) -> str:
    """Return the blocks as one Markdown page."""
    parts = [f"# {title}"]
    for block in blocks:
        if isinstance(block, Heading):
            parts.append(f"## {block.text}")
        elif isinstance(block, Image):
            parts.append(f"![{block.alt}]({block.file})")
        elif isinstance(block, Table):
            rows = [block.header, ["---", *(["---:"] * (len(block.header) - 1))]]
            rows += block.rows
            lines = ["| " + " | ".join(row) + " |" for row in rows]
            parts.append(f"**{block.title}**\n\n" + "\n".join(lines))
        else:
            parts.append(block.replace("> marks", "\\> marks"))
    return "\n\n".join(parts) + "\n"
