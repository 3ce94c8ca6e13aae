"""Work that threads of its own do, if they get as far as to begin.

``threading.Thread`` waits for its beginning, and a thread that gets no memory to begin
with lets it wait for ever; hence ``_thread``. Ctrl-C raises an error between any two
steps of Python code, also where a block or a function begins that is to end something.
Here it is compiled code that ends it, and there Ctrl-C is heard in waits alone.
"""

cimport cython

import _thread

WAIT = 0.05  # seconds between two looks at the keyboard or a control
PATIENCE = 1.0  # seconds until a thread that has not begun is given up


@cython.final
cdef class Task:
    """A function that a thread calls once; one other thread looks after it."""

    cdef object _work, _gate, _begun, _over, _news, _result, _error
    cdef bint _may_begin, _has_begun, _is_done

    def __init__(self, work, news=None):
        """``work`` takes nothing; it is not begun yet.

        ``news`` is a lock that is released, if it is taken, when the work is done.
        """
        self._work = work
        self._news = news
        self._gate = _thread.allocate_lock()  # of the next two
        self._may_begin = True
        self._has_begun = False
        self._begun = _thread.allocate_lock()  # taken until the work has begun
        self._over = _thread.allocate_lock()  # taken until it is done
        self._begun.acquire()
        self._over.acquire()
        self._is_done = False
        self._result = self._error = None

    def start(self):
        """Ask the system for a thread; False if it gives none."""
        try:
            _thread.start_new_thread(self._run, ())
        except (RuntimeError, MemoryError):
            return False
        return True

    def begins(self, control):
        """Whether the work, which was started, begins in time; if not, it never will.

        That is within ``PATIENCE`` and the time of the control. To be asked once.
        """
        left = control.deadline_in
        seconds = PATIENCE if left is None else min(max(left, 0.0), PATIENCE)
        self._begun.acquire(timeout=seconds)
        return not self.cancel()

    @property
    def done(self):
        """Whether the work has come to its end."""
        return self._is_done

    def cancel(self):
        """Let the work never begin; False if it has begun already."""
        with self._gate:
            self._may_begin = False
            if self._has_begun:
                return False
            self._work = None
            return True

    def wait(self, seconds=-1):
        """Until the work is done, or so long at most; -1 = without a limit."""
        if not self._is_done:
            self._over.acquire(timeout=seconds)

    def result(self):
        """What the work, which is done, came to; raises what it raised, once."""
        error, self._error = self._error, None  # its frames may hold who holds this
        if error is not None:
            raise error
        return self._result

    def _run(self):
        """What the thread does."""
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
            self._work = None  # which may hold who holds this, too
            self._is_done = True
            self._over.release()
            if self._news is not None and self._news.locked():
                self._news.release()


cdef class Team:
    """Tasks that look at one control, and are at work in a ``with`` block only."""

    cdef readonly object control
    cdef readonly list tasks
    cdef object _news

    def __init__(self, control):
        """No tasks yet."""
        self.control = control
        self.tasks = []
        self._news = _thread.allocate_lock()  # taken while there is nothing new

    def __enter__(self):
        """Tasks may be started from now on."""
        self._news.acquire()
        return self

    def start(self, work):
        """The task of this work, in the block; None if the system gives no thread."""
        try:
            task = Task(work, self._news)
        except (RuntimeError, MemoryError):  # no lock
            return None
        self.tasks.append(task)
        return task if task.start() else None

    def wait(self, seconds):
        """Until another task is done, but so long at most."""
        self._news.acquire(timeout=seconds)

    def __exit__(self, kind, error, trace):
        """End all; their errors are raised to who asks for their results."""
        end(self.tasks, self.control)


def end(tasks, control):
    """Stop the work that looks at this control, and wait until it is done.

    What has not begun never begins. Ctrl-C is heard afterwards: however often it comes,
    nothing is at work then.
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
