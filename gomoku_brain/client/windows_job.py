"""Job object of Windows, whose processes end with this process.

The job ends its processes when its last handle closes. Only this process has a handle,
and Windows closes it whenever the process ends, also if it was killed.
"""

import ctypes
import sys
from ctypes import wintypes
from typing import Any, ClassVar

__all__ = ["WindowsJob"]

_EXTENDED_LIMITS = 9
"""JobObjectExtendedLimitInformation."""
_KILL_ON_CLOSE = 0x2000
"""JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE."""
_MAY_ASSIGN = 0x0100 | 0x0001
"""PROCESS_SET_QUOTA and PROCESS_TERMINATE, which the assignment requires."""


_DWORD = ctypes.c_uint32  # wintypes has eight bytes on other systems


class _BasicLimits(ctypes.Structure):
    _fields_: ClassVar = [
        ("PerProcessUserTimeLimit", ctypes.c_int64),
        ("PerJobUserTimeLimit", ctypes.c_int64),
        ("LimitFlags", _DWORD),
        ("MinimumWorkingSetSize", ctypes.c_size_t),
        ("MaximumWorkingSetSize", ctypes.c_size_t),
        ("ActiveProcessLimit", _DWORD),
        ("Affinity", ctypes.c_size_t),
        ("PriorityClass", _DWORD),
        ("SchedulingClass", _DWORD),
    ]


class ExtendedLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_: ClassVar = [
        ("BasicLimitInformation", _BasicLimits),
        ("IoInfo", ctypes.c_uint64 * 6),
        ("ProcessMemoryLimit", ctypes.c_size_t),
        ("JobMemoryLimit", ctypes.c_size_t),
        ("PeakProcessMemoryUsed", ctypes.c_size_t),
        ("PeakJobMemoryUsed", ctypes.c_size_t),
    ]


class WindowsJob:
    """Job object; a process in it ends when this process ends."""

    def __init__(self, kernel: Any = None) -> None:  # noqa: ANN401  a library
        """Create the job. ``kernel`` is kernel32. Raises OSError."""
        self._kernel = _kernel32() if kernel is None else kernel
        self._handle = self._kernel.CreateJobObjectW(None, None)
        if not self._handle:
            raise OSError("Windows gives no job object")
        limits = ExtendedLimits()
        limits.BasicLimitInformation.LimitFlags = _KILL_ON_CLOSE
        size = ctypes.sizeof(limits)
        if not self._kernel.SetInformationJobObject(
            self._handle, _EXTENDED_LIMITS, ctypes.byref(limits), size
        ):
            self._kernel.CloseHandle(self._handle)
            raise OSError("the job object does not accept its limits")

    def watch(self, pid: int) -> None:
        """Put a process into the job, with all processes that it will start."""
        process = self._kernel.OpenProcess(_MAY_ASSIGN, False, pid)
        if not process:
            return  # it has ended
        # (Fails before Windows 8 if this process is in a job itself.)
        self._kernel.AssignProcessToJobObject(self._handle, process)
        self._kernel.CloseHandle(process)

    def forget(self, pid: int) -> None:
        """Do nothing: a process leaves the job when it ends."""

    def close(self) -> None:
        """End all processes of the job."""
        handle, self._handle = self._handle, None
        if handle:
            self._kernel.CloseHandle(handle)


def _kernel32() -> Any:  # noqa: ANN401  a library
    """Return kernel32 with the types of the functions used here. Raises OSError."""
    if sys.platform != "win32":
        raise OSError("there are no job objects")
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    handle, dword, boolean = wintypes.HANDLE, wintypes.DWORD, wintypes.BOOL
    pointer = wintypes.LPVOID
    for name, result, *arguments in (
        ("CreateJobObjectW", handle, pointer, wintypes.LPCWSTR),
        ("SetInformationJobObject", boolean, handle, ctypes.c_int, pointer, dword),
        ("OpenProcess", handle, dword, boolean, dword),
        ("AssignProcessToJobObject", boolean, handle, handle),
        ("CloseHandle", boolean, handle),
    ):  # fmt: skip
        function = getattr(kernel, name)
        function.restype, function.argtypes = result, arguments
    return kernel
