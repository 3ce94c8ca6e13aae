# The inner loops of the training of a network over points, as many floats at a time as
# the processor's registers hold. `region_sums.pyx` defines the numbers. A table row, a
# bias and a sum have 16 of them here, and the first 8 of a point are used by its
# neighbours. Names end as in calculus: a slope is the derivative of the loss by the
# number it belongs to.

from libc.stdint cimport int32_t, int64_t

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
    #define GB_FEW (GB_FLOATS < 8 ? GB_FLOATS : 8)
    #define GB_VECTOR(count) __attribute__((vector_size(4 * (count)), aligned(4), may_alias))
    typedef float gb_lanes GB_VECTOR(GB_FLOATS);
    typedef int gb_masks GB_VECTOR(GB_FLOATS);
    typedef float gb_few GB_VECTOR(GB_FEW);
    typedef int gb_few_masks GB_VECTOR(GB_FEW);
    #define GB_AT(p) (*(gb_lanes *) (p))
    #define GB_CUT(sums, x) ((gb_lanes) ((gb_masks) (x) & ((sums) > 0)))
    #define GB_FEW_AT(p) (*(gb_few *) (p))
    #define GB_FEW_CUT(sums, x) ((gb_few) ((gb_few_masks) (x) & ((sums) > 0)))
    static void gb_add_rows(
        const int *index, int rows, const float *table, const float *bias,
        long long width, float *out)
    {
        for (int k = 0; k < 16; k += GB_FLOATS) {
            gb_lanes sums = GB_AT(bias + k);
            for (int j = 0; j < rows; j++) sums += GB_AT(table + index[j] * width + k);
            GB_AT(out + k) = sums;
        }
    }
    static void gb_add_cut(const float *sums, float *pool)
    {
        for (int k = 0; k < 16; k += GB_FLOATS)
            GB_AT(pool + k) += GB_CUT(GB_AT(sums + k), GB_AT(sums + k));
    }
    static void gb_cut_slope(const float *sums, const float *down, float *slope)
    {
        for (int k = 0; k < 16; k += GB_FLOATS)
            GB_AT(slope + k) = GB_CUT(GB_AT(sums + k), GB_AT(down + k));
    }
    static void gb_add(const float *slope, float *row)
    {
        for (int k = 0; k < 16; k += GB_FLOATS) GB_AT(row + k) += GB_AT(slope + k);
    }
    static void gb_near(
        const float *at, const float *spread, int below, float *sides, float *corners,
        float *out)
    {
        for (int k = 0; k < 8; k += GB_FEW) {
            const float *near = at + k, *weights = spread + k;
            gb_few side = GB_FEW_AT(near - 8) + GB_FEW_AT(near + 8)
                + GB_FEW_AT(near - below) + GB_FEW_AT(near + below);
            gb_few corner = GB_FEW_AT(near - below - 8) + GB_FEW_AT(near - below + 8)
                + GB_FEW_AT(near + below - 8) + GB_FEW_AT(near + below + 8);
            GB_FEW_AT(sides + k) = side;
            GB_FEW_AT(corners + k) = corner;
            GB_FEW_AT(out + k) = GB_FEW_AT(near) * GB_FEW_AT(weights)
                + side * GB_FEW_AT(weights + 8) + corner * GB_FEW_AT(weights + 16)
                + GB_FEW_AT(weights + 24);
        }
    }
    static void gb_cut_eight(const float *sums, const float *x, float *out)
    {
        for (int k = 0; k < 8; k += GB_FEW)
            GB_FEW_AT(out + k) = GB_FEW_CUT(GB_FEW_AT(sums + k), GB_FEW_AT(x + k));
    }
    static void gb_near_slope(
        const float *down, const float *at, const float *sides, const float *corners,
        float *slope)
    {
        for (int k = 0; k < 8; k += GB_FEW) {
            gb_few part = GB_FEW_AT(down + k);
            GB_FEW_AT(slope + k) += part * GB_FEW_AT(at + k);
            GB_FEW_AT(slope + 8 + k) += part * GB_FEW_AT(sides + k);
            GB_FEW_AT(slope + 16 + k) += part * GB_FEW_AT(corners + k);
            GB_FEW_AT(slope + 24 + k) += part;
        }
    }
    #else
    static void gb_add_rows(
        const int *index, int rows, const float *table, const float *bias,
        long long width, float *out)
    {
        for (int k = 0; k < 16; k++) {
            float sum = bias[k];
            for (int j = 0; j < rows; j++) sum += table[index[j] * width + k];
            out[k] = sum;
        }
    }
    static void gb_add_cut(const float *sums, float *pool)
    {
        for (int k = 0; k < 16; k++) pool[k] += sums[k] > 0 ? sums[k] : 0;
    }
    static void gb_cut_slope(const float *sums, const float *down, float *slope)
    {
        for (int k = 0; k < 16; k++) slope[k] = sums[k] > 0 ? down[k] : 0;
    }
    static void gb_add(const float *slope, float *row)
    {
        for (int k = 0; k < 16; k++) row[k] += slope[k];
    }
    static void gb_near(
        const float *at, const float *spread, int below, float *sides, float *corners,
        float *out)
    {
        for (int k = 0; k < 8; k++, at++) {
            sides[k] = at[-8] + at[8] + at[-below] + at[below];
            corners[k] = at[-below - 8] + at[-below + 8] + at[below - 8] + at[below + 8];
            out[k] = at[0] * spread[k] + sides[k] * spread[8 + k]
                + corners[k] * spread[16 + k] + spread[24 + k];
        }
    }
    static void gb_cut_eight(const float *sums, const float *x, float *out)
    {
        for (int k = 0; k < 8; k++) out[k] = sums[k] > 0 ? x[k] : 0;
    }
    static void gb_near_slope(
        const float *down, const float *at, const float *sides, const float *corners,
        float *slope)
    {
        for (int k = 0; k < 8; k++) {
            slope[k] += down[k] * at[k];
            slope[8 + k] += down[k] * sides[k];
            slope[16 + k] += down[k] * corners[k];
            slope[24 + k] += down[k];
        }
    }
    #endif
    """
    void gb_add_rows(
        const int32_t *index, int rows, const float *table, const float *bias,
        int64_t width, float *out
    ) noexcept nogil
    void gb_add_cut(const float *sums, float *pool) noexcept nogil
    void gb_cut_slope(const float *sums, const float *down, float *slope) noexcept nogil
    void gb_add(const float *slope, float *row) noexcept nogil
    void gb_near(
        const float *at, const float *spread, int below, float *sides, float *corners,
        float *out
    ) noexcept nogil
    void gb_cut_eight(const float *sums, const float *x, float *out) noexcept nogil
    void gb_near_slope(
        const float *down, const float *at, const float *sides, const float *corners,
        float *slope
    ) noexcept nogil
