def reader_is_gone(handle: int) -> bool:
    """Return whether a handle writes to a pipe whose other end is closed.

    False for anything but a pipe, on other systems than Windows, and if the system does
    not answer.
    """
