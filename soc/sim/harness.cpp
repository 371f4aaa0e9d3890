// Runs a system on chip, Verilated: clock, reset, and what its UART says.
//
//     soc CYCLES_PER_BIT CYCLE_LIMIT
//
// The model reads the program when it starts, from files (LiteX's *.init) in the folder that it runs in. Every byte
// from the UART goes to standard output. Standard error gets a line "cycles N" now and then, and the last of them at
// the end. Nothing here is random: equal runs take equal cycles.
//
// Exit status: 0 with the first line that begins with "$end"; 3 if the cycle limit came first; 4 for a byte without its
// stop bit.
//
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "Vmonpro.h"
#include "verilated.h"

namespace {

constexpr uint64_t kResetCycles = 16;
constexpr uint64_t kProgressCycles = 1u << 22;

// A UART receiver: 8 data bits, no parity. `bit_cycles` clock cycles to a bit, sampled in the middle.
class Receiver {
public:
    explicit Receiver(uint64_t bit_cycles) : bit_cycles_(bit_cycles) {}

    // One clock cycle; returns a byte, -1 if there is none yet, -2 if its stop bit is missing.
    int step(bool line) {
        if (bits_ == 0) {
            if (!line) {
                bits_ = 10;
                wait_ = bit_cycles_ / 2;
            }
            return -1;
        }
        if (wait_-- != 0) return -1;
        wait_ = bit_cycles_ - 1;
        --bits_;
        if (bits_ == 9) return -1;  // the start bit
        if (bits_ != 0) {
            value_ = value_ >> 1 | (line ? 0x80u : 0u);
            return -1;
        }
        return line ? static_cast<int>(value_) : -2;
    }

private:
    uint64_t bit_cycles_, wait_ = 0;
    unsigned bits_ = 0, value_ = 0;
};

void say_cycles(uint64_t cycles) { std::fprintf(stderr, "cycles %llu\n", static_cast<unsigned long long>(cycles)); }

}  // namespace

int main(int argc, char **argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s CYCLES_PER_BIT CYCLE_LIMIT\n", argv[0]);
        return 2;
    }
    const uint64_t bit_cycles = std::strtoull(argv[1], nullptr, 10), limit = std::strtoull(argv[2], nullptr, 10);
    VerilatedContext context;
    auto model = std::make_unique<Vmonpro>(&context, "soc");
    Receiver receiver(bit_cycles);
    std::string line;
    model->serial_rx = 1;
    model->rst = 1;
    uint64_t cycles = 0;
    int status = 3;
    while (cycles < limit) {
        model->clk = 0;
        model->eval();
        const int byte = model->rst ? -1 : receiver.step(model->serial_tx);
        model->clk = 1;
        model->eval();
        if (++cycles == kResetCycles) model->rst = 0;  // the line is idle by then
        if (cycles % kProgressCycles == 0) say_cycles(cycles);
        if (byte == -1) continue;
        if (byte == -2) {
            status = 4;
            break;
        }
        std::putchar(byte);
        if (byte != '\n') {
            line.push_back(static_cast<char>(byte));
            continue;
        }
        std::fflush(stdout);
        if (line.rfind("$end", 0) == 0) {
            status = 0;
            break;
        }
        line.clear();
    }
    say_cycles(cycles);
    model->final();
    return status;
}
