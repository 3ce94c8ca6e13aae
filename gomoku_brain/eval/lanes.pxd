# The inner loops of a network over points, many 16-bit numbers at a time: sixteen with
# AVX2, eight on the baseline of x86-64, elsewhere as many as the compiler makes of
# plain loops. All numbers are integers that cannot overflow (points.pyx checks the
# bounds) or, in the sums of a region, wrap around in the same way everywhere, so they
# are the same on every machine.

from libc.stdint cimport int16_t, int32_t, uint16_t

from gomoku_brain.eval.network cimport WIDTH    # whose C stands before this one

cdef extern from * nogil:
    """
    #include <stdint.h>
    #include <string.h>
    #define GB_MOST_WIDTH (2 * GB_WIDTH)
    #define GB_POOL_HALF (1 << (GB_POOL_SHIFT - 1))
    #if defined(__AVX2__)
    #include <immintrin.h>
    #define GB_LANES 16
    typedef __m256i gb_lanes;
    #define gb_load(at) _mm256_loadu_si256((const __m256i *)(at))
    #define gb_store(at, x) _mm256_storeu_si256((__m256i *)(at), x)
    #define gb_all16(number) _mm256_set1_epi16(number)
    #define gb_all32(number) _mm256_set1_epi32(number)
    #define gb_add16 _mm256_add_epi16
    #define gb_sub16 _mm256_sub_epi16
    #define gb_max16 _mm256_max_epi16
    #define gb_right16 _mm256_srli_epi16
    #define gb_mean16 _mm256_avg_epu16
    #define gb_min16 _mm256_min_epi16
    #define gb_add32 _mm256_add_epi32
    #define gb_shift32 _mm256_srai_epi32
    #define gb_pairs _mm256_madd_epi16
    #define gb_narrow(low, high) \\
        _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0xD8)
    #elif defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>
    #define GB_LANES 8
    typedef __m128i gb_lanes;
    #define gb_load(at) _mm_loadu_si128((const __m128i *)(at))
    #define gb_store(at, x) _mm_storeu_si128((__m128i *)(at), x)
    #define gb_all16(number) _mm_set1_epi16(number)
    #define gb_all32(number) _mm_set1_epi32(number)
    #define gb_add16 _mm_add_epi16
    #define gb_sub16 _mm_sub_epi16
    #define gb_max16 _mm_max_epi16
    #define gb_right16 _mm_srli_epi16
    #define gb_mean16 _mm_avg_epu16
    #define gb_min16 _mm_min_epi16
    #define gb_add32 _mm_add_epi32
    #define gb_shift32 _mm_srai_epi32
    #define gb_pairs _mm_madd_epi16
    #define gb_narrow _mm_packs_epi32
    #endif

    #ifdef GB_LANES
    static inline gb_lanes gb_point(const int16_t *row, const int16_t *other) {
        return gb_max16(gb_add16(gb_load(row), gb_load(other)), gb_all16(0));
    }
    static inline void gb_change_point(
        uint16_t *sums, const int16_t *old, const int16_t *old_other,
        const int16_t *now, const int16_t *now_other)
    {
        int k;
        for (k = 0; k < 2 * GB_WIDTH; k += GB_LANES) {
            gb_lanes change = gb_sub16(
                gb_point(now + k, now_other + (k ^ GB_WIDTH)),
                gb_point(old + k, old_other + (k ^ GB_WIDTH)));
            gb_store(sums + k, gb_add16(gb_load(sums + k), change));
        }
    }
    static inline void gb_region_inputs(const uint16_t *sums, int16_t *inputs) {
        int k;      /* the mean of x >> 3 and 0, rounded up, is (x + 8) >> 4 */
        for (k = 0; k < GB_WIDTH; k += GB_LANES)
            gb_store(
                inputs + k,
                gb_mean16(gb_right16(gb_load(sums + k), GB_POOL_SHIFT - 1), gb_all16(0)));
    }
    static inline void gb_inputs(const int32_t *sums, int16_t *inputs) {
        int k;
        for (k = 0; k < GB_WIDTH; k += GB_LANES) {
            gb_lanes low = gb_add32(gb_load(sums + k), gb_all32(GB_POOL_HALF));
            gb_lanes high = gb_add32(gb_load(sums + k + GB_LANES / 2), gb_all32(GB_POOL_HALF));
            gb_store(inputs + k, gb_min16(
                gb_narrow(gb_shift32(low, GB_POOL_SHIFT), gb_shift32(high, GB_POOL_SHIFT)),
                gb_all16(GB_MOST_INPUT)));
        }
    }
    static inline void gb_layer(
        const int16_t *inputs, int pairs, const int16_t *weights, const int32_t *bias,
        int16_t *outputs, int width)
    {
        gb_lanes sums[GB_MOST_WIDTH * 2 / GB_LANES];
        int32_t both;
        int j, k;
        for (j = 0; j < 2 * width / GB_LANES; j++)
            sums[j] = gb_load(bias + j * (GB_LANES / 2));
        for (k = 0; k < pairs; k++) {
            gb_lanes pair;
            memcpy(&both, inputs + 2 * k, sizeof both);
            pair = gb_all32(both);
            for (j = 0; j < 2 * width / GB_LANES; j++)
                sums[j] = gb_add32(sums[j], gb_pairs(
                    pair, gb_load(weights + 2 * width * k + j * GB_LANES)));
        }
        for (j = 0; j < width / GB_LANES; j++)
            gb_store(outputs + j * GB_LANES, gb_min16(
                gb_max16(
                    gb_narrow(
                        gb_shift32(sums[2 * j], GB_WEIGHT_SHIFT),
                        gb_shift32(sums[2 * j + 1], GB_WEIGHT_SHIFT)),
                    gb_all16(0)),
                gb_all16(GB_MOST_INPUT)));
    }
    #else
    static inline int32_t gb_point(int16_t row, int16_t other) {
        return row + other > 0 ? row + other : 0;
    }
    static inline void gb_change_point(
        uint16_t *sums, const int16_t *old, const int16_t *old_other,
        const int16_t *now, const int16_t *now_other)
    {
        int k;
        for (k = 0; k < 2 * GB_WIDTH; k++)
            sums[k] += gb_point(now[k], now_other[k ^ GB_WIDTH])
                - gb_point(old[k], old_other[k ^ GB_WIDTH]);
    }
    static inline void gb_region_inputs(const uint16_t *sums, int16_t *inputs) {
        int k;
        for (k = 0; k < GB_WIDTH; k++)
            inputs[k] = (int16_t)((sums[k] + GB_POOL_HALF) >> GB_POOL_SHIFT);
    }
    static inline int16_t gb_cut(int32_t number) {
        return (int16_t)(
            number < 0 ? 0 : number > GB_MOST_INPUT ? GB_MOST_INPUT : number);
    }
    static inline void gb_inputs(const int32_t *sums, int16_t *inputs) {
        int k;
        for (k = 0; k < GB_WIDTH; k++)
            inputs[k] = gb_cut((sums[k] + GB_POOL_HALF) >> GB_POOL_SHIFT);
    }
    static inline void gb_layer(
        const int16_t *inputs, int pairs, const int16_t *weights, const int32_t *bias,
        int16_t *outputs, int width)
    {
        int32_t sums[GB_MOST_WIDTH];
        int j, k;
        memcpy(sums, bias, width * sizeof(int32_t));
        for (k = 0; k < pairs; k++)
            for (j = 0; j < width; j++)
                sums[j] += inputs[2 * k] * weights[2 * width * k + 2 * j]
                    + inputs[2 * k + 1] * weights[2 * width * k + 2 * j + 1];
        for (j = 0; j < width; j++) outputs[j] = gb_cut(sums[j] >> GB_WEIGHT_SHIFT);
    }
    #endif
    """
    # Each of the 32 numbers of a point is max(0, row + other). Adds the change to the
    # sums of its region when two new rows replace two old ones. A change is within 16
    # bits; the sums are modulo 65536.
    void change_point "gb_change_point"(
        uint16_t *sums, const int16_t *old, const int16_t *old_other,
        const int16_t *now, const int16_t *now_other
    )

    # 16 sums as inputs of a layer: a sixteenth, rounded, at most 8191. Those of a
    # region are always below that; those of the whole board are not below 0.
    void region_inputs "gb_region_inputs"(const uint16_t *sums, int16_t *inputs)
    void inputs_of "gb_inputs"(const int32_t *sums, int16_t *inputs)

    # The outputs of a layer, 16 or 32: (bias + sum of input * weight) >> 10, clipped to
    # 0..8191. For each pair of inputs there are two weights an output: of output 0 the
    # first's and the second's, of output 1, and so on, since one instruction multiplies
    # pairs and adds each pair up.
    void layer "gb_layer"(
        const int16_t *inputs, int pairs, const int16_t *weights, const int32_t *bias,
        int16_t *outputs, int width
    )
