"""Features of the processor and its operating system, from CPUID and XCR0.

This module is used before it is known which instructions may run, so it is compiled for
every processor of its kind and belongs to no variant (``variants.py`` explains them).

Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2A, CPUID,
and volume 1, chapter 13: an operating system that does not save the upper halves of the
vector registers leaves their bit of XCR0 clear. Then AVX must not be used, whatever
CPUID reports.
"""

cdef extern from * nogil:
    """
    #define GB_STRING(text) #text
    #define GB_STRING_OF(macro) GB_STRING(macro)
    #ifdef GOMOKU_MARCH
    #define GB_MARCH GB_STRING_OF(GOMOKU_MARCH)
    #else
    #define GB_MARCH ""
    #endif
    #define GB_SET GB_STRING_OF(GOMOKU_SET)

    #if defined(__x86_64__) || defined(__i386__) || defined(_M_X64) || defined(_M_IX86)
    #if defined(__GNUC__) || defined(__clang__)
    #include <cpuid.h>
    static void gb_cpuid(unsigned int leaf, unsigned int *found) {
        __cpuid_count(leaf, 0, found[0], found[1], found[2], found[3]);
    }
    /* The instruction XGETBV by its bytes: its name would ask the compiler for XSAVE. */
    static unsigned int gb_xcr0(void) {
        unsigned int low, high;
        __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(low), "=d"(high) : "c"(0));
        return low;
    }
    #else
    #include <immintrin.h>
    #include <intrin.h>
    static void gb_cpuid(unsigned int leaf, unsigned int *found) {
        __cpuidex((int *)found, (int)leaf, 0);
    }
    static unsigned int gb_xcr0(void) { return (unsigned int)_xgetbv(0); }
    #endif
    static void gb_query_processor(unsigned int *answers) {
        unsigned int found[4];          /* EAX, EBX, ECX, EDX */
        unsigned int last;
        gb_cpuid(0, found);
        last = found[0];
        if (last >= 1) {
            gb_cpuid(1, found);
            answers[0] = found[2];
            if (found[2] >> 27 & 1)     /* OSXSAVE: the system has set XCR0 */
                answers[3] = gb_xcr0();
        }
        if (last >= 7) {
            gb_cpuid(7, found);
            answers[1] = found[1];
        }
        gb_cpuid(0x80000000u, found);
        if (found[0] >= 0x80000001u) {
            gb_cpuid(0x80000001u, found);
            answers[2] = found[2];
        }
    }
    #else
    static void gb_query_processor(unsigned int *answers) { (void)answers; }
    #endif
    """
    const char *GB_MARCH
    const char *GB_SET
    void query_processor "gb_query_processor"(unsigned int *answers)


MARCH = GB_MARCH.decode()
SET = tuple(GB_SET.decode().split())


def registers():
    """Return the registers that show whether a variant can run; all 0 except on x86.

    They are ECX of CPUID leaf 1, EBX of leaf 7, ECX of leaf 0x80000001, and the low
    half of XCR0, which is 0 if the system does not use it. ``variants.py`` has the
    names of the bits.
    """
    cdef unsigned int[4] answers
    answers[:] = [0, 0, 0, 0]
    query_processor(answers)
    return answers[0], answers[1], answers[2], answers[3]
