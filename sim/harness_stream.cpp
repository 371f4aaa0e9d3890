// The C ABI of monpro_sim_stream.h over a Verilated stream kernel: clock, reset, and both ends of its AXI4-Streams.
// Built as harness.cpp is. clocked.h has the clock and the memory.
//
// SPDX-License-Identifier: Apache-2.0

#include <memory>
#include <new>

#include "clocked.h"
#include "monpro_sim_stream.h"

namespace {

// A beat as its port has it: 64 bits in one word, or more in several of 32.
template <typename Port>
struct Beat {
    static constexpr size_t kWords = sizeof(Port) / sizeof(uint32_t);

    static void put(Port &port, const uint32_t *words) {
        for (size_t i = 0; i < kWords; ++i) port[i] = words[i];
    }
    static void get(uint32_t *words, const Port &port) {
        for (size_t i = 0; i < kWords; ++i) words[i] = port[i];
    }
};

template <>
struct Beat<QData> {
    static constexpr size_t kWords = 2;

    static void put(QData &port, const uint32_t *words) { port = static_cast<QData>(words[1]) << 32 | words[0]; }
    static void get(uint32_t *words, const QData &port) {
        words[0] = static_cast<uint32_t>(port);
        words[1] = static_cast<uint32_t>(port >> 32);
    }
};

using In = Beat<std::remove_reference_t<decltype(Vmonpro::s_axis_tdata)>>;
using Out = Beat<std::remove_reference_t<decltype(Vmonpro::m_axis_tdata)>>;
static_assert(In::kWords == Out::kWords && In::kWords % 2 == 0, "two words a lane, in and out");

}  // namespace

struct monpro_sim_stream : monpro_clocked {
    void reset() {
        model.s_axis_tvalid = 0;
        model.s_axis_tlast = 0;
        model.m_axis_tready = 0;
        hold_reset();
        settle();  // a cycle on its own, in which a kernel may still be clearing
        rising_edge();
    }

    void transfer(monpro_sim_transfer *t) {
        t->in_done = t->out_done = 0;
        t->out_last = 0;
        for (uint64_t cycle = 0; cycle < t->cycles && !t->out_last; ++cycle) {
            const bool offered = t->in_done < t->in_beats;
            if (t->out_done == t->out_beats || (!offered && !t->in_last)) return;
            model.s_axis_tvalid = offered;
            if (offered) {
                In::put(model.s_axis_tdata, t->in + t->in_done * In::kWords);
                model.s_axis_tlast = t->in_last && t->in_done + 1 == t->in_beats;
            }
            model.m_axis_tready = 1;
            settle();
            const bool taken = offered && model.s_axis_tready;
            const bool given = model.m_axis_tvalid;
            if (given) {
                Out::get(t->out + t->out_done * Out::kWords, model.m_axis_tdata);
                t->out_last = model.m_axis_tlast;
            }
            rising_edge();
            t->in_done += taken;
            t->out_done += given;
        }
    }
};

extern "C" {

// The declarations come without visibility, and everything else is compiled hidden.
#pragma GCC visibility push(default)

uint32_t monpro_sim_stream_abi(void) { return MONPRO_SIM_STREAM_ABI; }

uint32_t monpro_sim_stream_lanes(void) { return In::kWords / 2; }

uint32_t monpro_sim_stream_digits(void) { return MONPRO_DIGITS; }  // as python/monpro/hardware/simulator.py says

monpro_sim_stream *monpro_sim_stream_create(const char *trace_path) { return create_clocked<monpro_sim_stream>(trace_path); }

void monpro_sim_stream_destroy(monpro_sim_stream *sim) { delete sim; }

void monpro_sim_stream_reset(monpro_sim_stream *sim) { sim->reset(); }

void monpro_sim_stream_transfer(monpro_sim_stream *sim, monpro_sim_transfer *transfer) { sim->transfer(transfer); }

uint64_t monpro_sim_stream_cycles(const monpro_sim_stream *sim) { return sim->cycles; }

#pragma GCC visibility pop
}
