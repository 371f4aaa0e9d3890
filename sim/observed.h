// Intermediate values of a coprocessor while it runs, for `monpro trace`. It is a part of harness.cpp in a model that
// is built with -DMONPRO_OBSERVED=1, 2 or 3, by the core that the design has. observed.vlt has the registers that are
// read here.
//
// Nothing of it is in the RTL: no port, no register, and no cycle more. A fault is made in the register in front of the
// operand memory, between two clock edges.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef MONPRO_OBSERVED_H
#define MONPRO_OBSERVED_H

#include <cstdint>

#include "Vmonpro___024root.h"
#include "monpro_sim.h"

namespace {

thread_local monpro_sim_observer next_observer = nullptr;
thread_local void *next_context = nullptr;

}  // namespace

#if MONPRO_OBSERVED == 1
#define MONPRO_SIGNAL(name) root.monpro_coprocessor__DOT__g_array__DOT__u_core__DOT__##name
#elif MONPRO_OBSERVED == 2
#define MONPRO_SIGNAL(name) root.monpro_coprocessor__DOT__g_products__DOT__u_core__DOT__##name
#elif MONPRO_OBSERVED == 3
#define MONPRO_SIGNAL(name) root.monpro_coprocessor__DOT__g_serial__DOT__u_core__DOT__##name
#else
#error "no such core"
#endif

class observed {
public:
    explicit observed(Vmonpro___024root &root) : root(root) {}

    // With all signals settled. A word is in the register a cycle after what it comes from is seen.
    void before_rising_edge() {
        if (observer == nullptr) return;
#if MONPRO_OBSERVED == 1
        if (source != 0 && MONPRO_SIGNAL(work_write_q)) {
            MONPRO_SIGNAL(write_data_q) ^= observer(context, source, MONPRO_SIGNAL(work_slot_q),
                                                    MONPRO_SIGNAL(write_index_q), MONPRO_SIGNAL(write_data_q));
        }
        source = MONPRO_SIGNAL(r_valid) ? MONPRO_SIM_PRODUCT : MONPRO_SIGNAL(select_write) ? MONPRO_SIM_COPY : 0;
#elif MONPRO_OBSERVED == 2
        if (source != 0 && MONPRO_SIGNAL(write_q)) {
            MONPRO_SIGNAL(write_data_q) ^= observer(context, source, MONPRO_SIGNAL(write_entry_q),
                                                    MONPRO_SIGNAL(write_index_q), MONPRO_SIGNAL(write_data_q));
        }
        source = MONPRO_SIGNAL(r_valid) ? MONPRO_SIM_PRODUCT : (MONPRO_SIGNAL(copying_q) & 2) != 0 ? MONPRO_SIM_COPY : 0;
#else
        // A new running value is a stream that begins two cycles after its step.
        if ((MONPRO_SIGNAL(first_q) & 2) != 0) {
            source = news[1] ? MONPRO_SIM_PRODUCT : 0;
            index = 0;
        }
        if ((MONPRO_SIGNAL(valid_q) & 2) == 0) source = 0;
        if (source != 0) (void)observer(context, source, 0, index++, MONPRO_SIGNAL(running_word));
        news[1] = news[0];
        news[0] = MONPRO_SIGNAL(u_control__DOT__next_bit) || MONPRO_SIGNAL(u_control__DOT__finish);
#endif
    }

private:
    Vmonpro___024root &root;
    const monpro_sim_observer observer = next_observer;
    void *const context = next_context;
    uint32_t source = 0;
#if MONPRO_OBSERVED == 3
    uint32_t index = 0;
    bool news[2] = {false, false};
#endif
};

extern "C" {
#pragma GCC visibility push(default)

void monpro_sim_observe(monpro_sim_observer observer, void *context) {
    next_observer = observer;
    next_context = context;
}

int monpro_sim_can_flip(void) { return MONPRO_OBSERVED != 3; }

#pragma GCC visibility pop
}

#endif
