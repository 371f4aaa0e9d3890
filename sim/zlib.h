// The part of zlib that Verilator's FST writer uses: the zlib format with stored blocks. With it a trace needs no
// package beyond the compiler. Stored blocks never compress, so the writer keeps its small tables as they are. The
// values of the signals make a trace large, and they go through LZ4. Used as lz4.h is.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef MONPRO_ZLIB_H
#define MONPRO_ZLIB_H

#include <cstdint>
#include <cstring>

using Bytef = unsigned char;
using uLong = unsigned long;
using uLongf = unsigned long;

constexpr int Z_OK = 0;
constexpr int Z_BUF_ERROR = -5;
constexpr uLong kStoredBlockBytes = 65535;

// Two bytes of head, four of checksum, and five for each block; empty data have one block.
inline uLong compressBound(uLong size) { return 2 + 4 + 5 * (size / kStoredBlockBytes + 1) + size; }

inline int compress2(Bytef *out, uLongf *out_len, const Bytef *in, uLong size, int /*level*/) {
    if (*out_len < compressBound(size)) return Z_BUF_ERROR;
    Bytef *const start = out;
    *out++ = 0x78;
    *out++ = 0x01;
    uLong done = 0;
    do {
        const uLong left = size - done;
        const uLong block = left < kStoredBlockBytes ? left : kStoredBlockBytes;
        *out++ = block == left;  // set in the last block
        *out++ = static_cast<Bytef>(block);
        *out++ = static_cast<Bytef>(block >> 8);
        *out++ = static_cast<Bytef>(~block);
        *out++ = static_cast<Bytef>(~block >> 8);
        if (block != 0) std::memcpy(out, in + done, block);
        out += block;
        done += block;
    } while (done < size);
    uint32_t a = 1;  // Adler-32
    uint32_t b = 0;
    for (uLong i = 0; i < size; ++i) {
        a = (a + in[i]) % 65521;
        b = (b + a) % 65521;
    }
    const uint32_t checksum = b << 16 | a;
    for (int shift = 24; shift >= 0; shift -= 8) *out++ = static_cast<Bytef>(checksum >> shift);
    *out_len = static_cast<uLongf>(out - start);
    return Z_OK;
}

#endif
