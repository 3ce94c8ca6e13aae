"""State of a pipe's other end on Windows, for which Python has no call.

``PeekNamedPipe`` needs a right to read, which the writing end does not have, and the
effect of writing no bytes is not documented. The state itself can be queried at either
end, as in Cygwin's ``select``: by ``NtQueryInformationFile`` of ntdll.dll with
``FilePipeLocalInformation``, a structure that Microsoft documents for drivers. Source:
ntifs.h of the Windows Driver Kit, FILE_PIPE_LOCAL_INFORMATION.

Like ``cpu.pyx`` this module belongs to no variant, since it needs no speed.
"""

from libc.stdint cimport intptr_t

cdef extern from * nogil:
    """
    #ifdef _WIN32
    #include <windows.h>

    typedef struct { void *status; ULONG_PTR information; } gb_io_status;
    typedef struct {
        ULONG type, configuration, maximum, current, inbound, readable, outbound,
              writable, state, end;
    } gb_pipe_information;
    typedef LONG (NTAPI *gb_query)(HANDLE, gb_io_status *, void *, ULONG, int);

    static int gb_reader_is_gone(intptr_t handle) {
        enum { LOCAL_INFORMATION = 24, DISCONNECTED = 1, CLOSING = 4 };
        gb_io_status status;
        gb_pipe_information pipe;
        HMODULE ntdll = GetModuleHandleA("ntdll.dll");
        gb_query query = ntdll
            ? (gb_query)(void *)GetProcAddress(ntdll, "NtQueryInformationFile") : NULL;
        if (!query || query((HANDLE)handle, &status, &pipe, sizeof pipe,
                            LOCAL_INFORMATION) != 0)
            return 0;
        return pipe.state == DISCONNECTED || pipe.state == CLOSING;
    }
    #else
    static int gb_reader_is_gone(intptr_t handle) { (void)handle; return 0; }
    #endif
    """
    int gb_reader_is_gone(intptr_t handle)


def reader_is_gone(intptr_t handle):
    """Return whether a handle writes to a pipe whose other end is closed.

    False for anything but a pipe, on other systems than Windows, and if the system does
    not answer.
    """
    cdef int gone
    with nogil:  # it waits for a write in progress
        gone = gb_reader_is_gone(handle)
    return gone != 0
