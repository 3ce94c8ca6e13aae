"""Commands as users start them: an error is one line, and its status is returned."""

from gomoku_brain import __main__ as command_line


def command(name):
    """``main`` of a command; wrong options end it with a status as well."""

    def main(words):
        try:
            return command_line.main([name, *words])
        except SystemExit as end:
            return end.code

    return main
