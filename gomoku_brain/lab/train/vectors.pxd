# The inner loops of the training of a network over points, as many floats at a time as
# the processor's registers hold. `region_sums.pyx` defines the numbers: a row of the
# table, a bias and a sum have GB_WIDTH of them. Names end as in calculus: a slope is the
# derivative of the loss by the number it belongs to.

from gomoku_brain.eval.network cimport WIDTH    # defines GB_WIDTH for the C below

cdef extern from *:
    """
    /* As many floats at a time as the processor's registers hold: compilers that know vector
       types take larger ones apart float by float. The other compilers get loops. */
    #if defined(__GNUC__)
    #if defined(__AVX512F__)
    #define GB_FLOATS 16
    #elif defined(__AVX__)
    #define GB_FLOATS 8
    #else
    #define GB_FLOATS 4
    #endif
    #define GB_VECTOR __attribute__((vector_size(4 * GB_FLOATS), aligned(4), may_alias))
    typedef float gb_lanes GB_VECTOR;
    typedef int gb_masks GB_VECTOR;
    #define GB_AT(p) (*(gb_lanes *) (p))
    #define GB_CUT(sums, x) ((gb_lanes) ((gb_masks) (x) & ((sums) > 0)))
    #else
    #define GB_FLOATS 1
    #define GB_AT(p) (*(p))
    #define GB_CUT(sums, x) ((sums) > 0 ? (x) : 0)
    #endif
    #define GB_EACH(k) for (int k = 0; k < GB_WIDTH; k += GB_FLOATS)
    static void gb_add_rows(
        const float *one, const float *two, const float *bias, float *out)
    {
        GB_EACH(k) GB_AT(out + k) = GB_AT(bias + k) + GB_AT(one + k) + GB_AT(two + k);
    }
    static void gb_add_cut(const float *sums, float *pool)
    {
        GB_EACH(k) GB_AT(pool + k) += GB_CUT(GB_AT(sums + k), GB_AT(sums + k));
    }
    static void gb_cut_slope(const float *sums, const float *down, float *slope)
    {
        GB_EACH(k) GB_AT(slope + k) = GB_CUT(GB_AT(sums + k), GB_AT(down + k));
    }
    static void gb_add(const float *slope, float *row)
    {
        GB_EACH(k) GB_AT(row + k) += GB_AT(slope + k);
    }
    """
    void gb_add_rows(
        const float *one, const float *two, const float *bias, float *out
    ) noexcept nogil
    void gb_add_cut(const float *sums, float *pool) noexcept nogil
    void gb_cut_slope(const float *sums, const float *down, float *slope) noexcept nogil
    void gb_add(const float *slope, float *row) noexcept nogil
