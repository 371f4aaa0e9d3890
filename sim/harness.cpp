// The C ABI of monpro_sim.h over a Verilated coprocessor: clock, reset and an AXI4-Lite master.
//
// python/monpro/hardware/simulator.py has the command that builds it. The class is called Vmonpro. -DMONPRO_TRACE is
// given where a trace is wanted. Only the ABI is exported (exports.map). The command does two things more:
// - It replaces Verilator's list of libraries. That list has liblz4 and libz, which a machine need not have. lz4.h and
//   zlib.h of this folder stand in for them.
// - It names the Python to use. Verilator would call `python`, which Debian does not have.
//
// clocked.h has the clock and the memory.
//
// SPDX-License-Identifier: Apache-2.0

#include <memory>
#include <new>

#include "clocked.h"
#include "monpro_sim.h"
#ifdef MONPRO_OBSERVED
#include "observed.h"
#endif

namespace {

constexpr uint32_t kAddressBits = 7;  // width of the coprocessor's s_axil_awaddr and s_axil_araddr
constexpr int kResponseCycles = 4096;

}  // namespace

struct monpro_sim : monpro_clocked {
    bool bus_lost = false;

#ifdef MONPRO_OBSERVED
    observed values{*model.rootp};

    void rising_edge() {
        values.before_rising_edge();
        monpro_clocked::rising_edge();
    }
#endif

    void reset() {
        model.s_axil_awvalid = 0;
        model.s_axil_wvalid = 0;
        model.s_axil_bready = 0;
        model.s_axil_arvalid = 0;
        model.s_axil_rready = 0;
        hold_reset();
        bus_lost = false;
    }

    // Whether an access can be made at all: there is no register beyond the address lines, and after an access without
    // an answer the bus stays lost until a reset, because a late answer would be taken for the next one's.
    int refusal(uint32_t address) const {
        if (bus_lost) return MONPRO_SIM_HANG;
        return address >> kAddressBits != 0 ? MONPRO_SIM_DECERR : MONPRO_SIM_OKAY;
    }

    int hang() {
        bus_lost = true;
        return MONPRO_SIM_HANG;
    }

    int write(uint32_t address, uint32_t value) {
        if (const int code = refusal(address)) return code;
        model.s_axil_awaddr = static_cast<CData>(address);
        model.s_axil_awprot = 0;
        model.s_axil_awvalid = 1;
        model.s_axil_wdata = value;
        model.s_axil_wstrb = 0xF;
        model.s_axil_wvalid = 1;
        model.s_axil_bready = 1;
        for (int cycle = 0; cycle < kResponseCycles; ++cycle) {
            settle();
            const bool address_taken = model.s_axil_awready;
            const bool data_taken = model.s_axil_wready;
            const bool answered = model.s_axil_bvalid;
            const int response = model.s_axil_bresp;
            rising_edge();
            if (address_taken) model.s_axil_awvalid = 0;
            if (data_taken) model.s_axil_wvalid = 0;
            if (answered) {
                model.s_axil_bready = 0;
                return response;
            }
        }
        return hang();
    }

    int read(uint32_t address, uint32_t *value) {
        *value = 0;
        if (const int code = refusal(address)) return code;
        model.s_axil_araddr = static_cast<CData>(address);
        model.s_axil_arprot = 0;
        model.s_axil_arvalid = 1;
        model.s_axil_rready = 1;
        for (int cycle = 0; cycle < kResponseCycles; ++cycle) {
            settle();
            const bool address_taken = model.s_axil_arready;
            const bool answered = model.s_axil_rvalid;
            const int response = model.s_axil_rresp;
            const uint32_t data = model.s_axil_rdata;
            rising_edge();
            if (address_taken) model.s_axil_arvalid = 0;
            if (answered) {
                model.s_axil_rready = 0;
                *value = data;
                return response;
            }
        }
        return hang();
    }
};

extern "C" {

// The declarations come without visibility, and everything else is compiled hidden.
#pragma GCC visibility push(default)

uint32_t monpro_sim_abi(void) { return MONPRO_SIM_ABI; }

monpro_sim *monpro_sim_create(const char *trace_path) { return create_clocked<monpro_sim>(trace_path); }

void monpro_sim_destroy(monpro_sim *sim) { delete sim; }

void monpro_sim_reset(monpro_sim *sim) { sim->reset(); }

int monpro_sim_write(monpro_sim *sim, uint32_t address, uint32_t value) { return sim->write(address, value); }

int monpro_sim_read(monpro_sim *sim, uint32_t address, uint32_t *value) { return sim->read(address, value); }

uint64_t monpro_sim_wait(monpro_sim *sim, uint64_t cycles) {
    const uint64_t start = sim->cycles;
    while (!sim->model.irq_o && sim->cycles - start < cycles) {
        sim->settle();
        sim->rising_edge();
    }
    return sim->cycles - start;
}

int monpro_sim_irq(const monpro_sim *sim) { return sim->model.irq_o; }

uint64_t monpro_sim_cycles(const monpro_sim *sim) { return sim->cycles; }

#pragma GCC visibility pop
}
