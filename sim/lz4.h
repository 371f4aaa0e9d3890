// The part of liblz4 that Verilator's FST writer uses: the LZ4 block format, compressed greedily. With it a trace needs
// no package beyond the compiler. Only traced models are compiled with this folder on the include path.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef MONPRO_LZ4_H
#define MONPRO_LZ4_H

#include <cstdint>
#include <cstring>
#include <vector>

namespace monpro_lz4 {

// The format's own limits: a match has at least 4 bytes and at most this distance; none may start in the last 12
// bytes, and the last 5 are literals.
constexpr int kMinMatch = 4;
constexpr int kMaxDistance = 65535;
constexpr int kNoMatchStart = 12;
constexpr int kLastLiterals = 5;
constexpr int kHashBits = 12;

inline uint32_t load(const char *bytes) {
    uint32_t word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

// The rest of a length whose first 15 did fit in the token.
inline char *put_length(char *out, int length) {
    for (; length >= 255; length -= 255) *out++ = static_cast<char>(255);
    *out++ = static_cast<char>(length);
    return out;
}

// One sequence: literals, then a match unless `match` is 0.
inline char *put_sequence(char *out, const char *literals, int count, int distance, int match) {
    const int extra = match != 0 ? match - kMinMatch : 0;
    *out++ = static_cast<char>((count < 15 ? count : 15) << 4 | (extra < 15 ? extra : 15));
    if (count >= 15) out = put_length(out, count - 15);
    if (count > 0) std::memcpy(out, literals, static_cast<size_t>(count));
    out += count;
    if (match == 0) return out;
    *out++ = static_cast<char>(distance & 255);
    *out++ = static_cast<char>(distance >> 8);
    return extra >= 15 ? put_length(out, extra - 15) : out;
}

}  // namespace monpro_lz4

inline int LZ4_compressBound(int size) { return size + size / 255 + 16; }

// `room` must be LZ4_compressBound(size), which every result fits. Returns the length of the result.
inline int LZ4_compress_default(const char *in, char *out, int size, int room) {
    using namespace monpro_lz4;
    if (room < LZ4_compressBound(size)) return 0;
    char *const start = out;
    std::vector<int> last_seen(size_t{1} << kHashBits, -1);
    int literals = 0;  // where those not yet written begin
    for (int at = 0; at < size - kNoMatchStart;) {
        const uint32_t word = load(in + at);
        int &seen = last_seen[word * 2654435761u >> (32 - kHashBits)];
        const int candidate = seen;
        seen = at;
        if (candidate < 0 || at - candidate > kMaxDistance || load(in + candidate) != word) {
            ++at;
            continue;
        }
        int match = kMinMatch;
        while (at + match < size - kLastLiterals && in[candidate + match] == in[at + match]) ++match;
        out = put_sequence(out, in + literals, at - literals, at - candidate, match);
        at += match;
        literals = at;
    }
    out = put_sequence(out, in + literals, size - literals, 0, 0);
    return static_cast<int>(out - start);
}

#endif
