"""Work in threads that may fail to start, and that always end.

``threading.Thread`` waits for its start, and a thread without memory to start lets it
wait for ever; hence ``_thread``. Ctrl-C raises an error between any two steps of Python
code, also at the start of a block or function that must end something. Here compiled
code ends the work, and it handles Ctrl-C only while it waits.
"""

cimport cython

import _thread

WAIT = 0.05  # seconds between two checks for Ctrl-C or of a control
PATIENCE = 1.0  # seconds until a thread that has not started is given up


@cython.final
cdef class Task:
    """Function that a thread calls once, with methods for one other thread."""

    cdef object _work, _gate, _begun, _over, _news, _result, _error
    cdef bint _may_begin, _has_begun, _is_done

    def __init__(self, work, news=None):
        """Create a task for ``work``, a function without arguments.

        ``news`` is a lock that is released, if it is locked, when the work is done.
        """
        self._work = work
        self._news = news
        self._gate = _thread.allocate_lock()  # of the next two
        self._may_begin = True
        self._has_begun = False
        self._begun = _thread.allocate_lock()  # locked until the work has started
        self._over = _thread.allocate_lock()  # locked until it is done
        self._begun.acquire()
        self._over.acquire()
        self._is_done = False
        self._result = self._error = None

    def start(self):
        """Start a thread for the work; return False if the system starts none."""
        try:
            _thread.start_new_thread(self._run, ())
        except (RuntimeError, MemoryError):
            return False
        return True

    def begins(self, control):
        """Whether the work starts within ``PATIENCE`` and the time of the control.

        If not, it will never start. Call it once, after ``start``.
        """
        left = control.deadline_in
        seconds = PATIENCE if left is None else min(max(left, 0.0), PATIENCE)
        self._begun.acquire(timeout=seconds)
        return not self.cancel()

    @property
    def done(self):
        """Whether the work has ended."""
        return self._is_done

    def cancel(self):
        """Prevent the work from starting; return False if it has started already."""
        with self._gate:
            self._may_begin = False
            if self._has_begun:
                return False
            self._work = None
            return True

    def wait(self, seconds=-1):
        """Wait until the work is done, at most ``seconds``; -1 = without a limit."""
        if not self._is_done:
            self._over.acquire(timeout=seconds)

    def result(self):
        """Return the result of the finished work, or raise its exception; call it
        once.
        """
        # Its frames may refer to the holder of this object
        error, self._error = self._error, None
        if error is not None:
            raise error
        return self._result

    def _run(self):
        """Do the work in the thread."""
        with self._gate:
            if not self._may_begin:
                return
            self._has_begun = True
        try:
            self._begun.release()
            self._result = self._work()
        except BaseException as error:
            self._error = error
        finally:
            self._work = None  # which may refer to the holder of this object as well
            self._is_done = True
            self._over.release()
            if self._news is not None and self._news.locked():
                self._news.release()


cdef class Team:
    """Tasks under one control, which run only inside a ``with`` block."""

    cdef readonly object control
    cdef readonly list tasks
    cdef object _news

    def __init__(self, control):
        """Create a team without tasks."""
        self.control = control
        self.tasks = []
        self._news = _thread.allocate_lock()  # locked while nothing is new

    def __enter__(self):
        """Allow tasks to be started."""
        self._news.acquire()
        return self

    def start(self, work):
        """Start a task for the work inside the block; None if the system starts no
        thread.
        """
        try:
            task = Task(work, self._news)
        except (RuntimeError, MemoryError):  # no lock
            return None
        self.tasks.append(task)
        return task if task.start() else None

    def wait(self, seconds):
        """Wait until another task is done, at most ``seconds``."""
        self._news.acquire(timeout=seconds)

    def __exit__(self, kind, error, trace):
        """End all tasks; ``result`` raises their exceptions."""
        end(self.tasks, self.control)


def end(tasks, control):
    """Stop the work under this control, and wait until it is done.

    Work that has not started never starts. Ctrl-C is handled afterwards: however often
    it comes, no work is left then.
    """
    control.stop()
    interrupt = None
    waiting = True
    while waiting:
        try:
            for task in tasks:
                if not task.cancel():
                    task.wait()
            waiting = False
        except BaseException as error:  # of the handler of a signal
            interrupt = error
    if interrupt is not None:
        raise interrupt
