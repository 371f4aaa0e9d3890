// What every harness has: a Verilated model called Vmonpro, its clock and its trace. One file of a model includes it.
//
// A cycle is two evaluations. Inputs change before the first, with the clock low. Outputs are sampled after it, as they
// stand before the rising edge. The second evaluation is that edge. Nothing here is random, so equal calls take equal
// cycles.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef MONPRO_CLOCKED_H
#define MONPRO_CLOCKED_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <memory>
#include <new>

#include "Vmonpro.h"
#include "verilated.h"
#if defined(MONPRO_TOGGLES)  // a trace that counts each bit's changes, instead of writing them down
#include "verilated_saif_c.h"
using trace_file = VerilatedSaifC;
#elif defined(MONPRO_TRACE)
#include "verilated_fst_c.h"
using trace_file = VerilatedFstC;
#endif

// A model's memory holds keys, so whatever this shared object frees is wiped first. (exports.map keeps these
// replacements inside it.) The barrier keeps the compiler from dropping a write to memory that is about to be freed.
static void wipe_and_free(void *memory) noexcept {
    if (memory == nullptr) return;
    std::memset(memory, 0, malloc_usable_size(memory));
    __asm__ volatile("" : : "r"(memory) : "memory");
    std::free(memory);
}

void *operator new(std::size_t size) {
    void *memory = std::malloc(size != 0 ? size : 1);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void *operator new(std::size_t size, std::align_val_t alignment) {
    void *memory = nullptr;
    if (posix_memalign(&memory, static_cast<std::size_t>(alignment), size) != 0) throw std::bad_alloc();
    return memory;
}
void operator delete(void *memory) noexcept { wipe_and_free(memory); }
void operator delete(void *memory, std::size_t) noexcept { wipe_and_free(memory); }
void operator delete(void *memory, std::align_val_t) noexcept { wipe_and_free(memory); }
void operator delete(void *memory, std::size_t, std::align_val_t) noexcept { wipe_and_free(memory); }

struct monpro_clocked {
    static constexpr int kResetCycles = 4;
    static constexpr uint64_t kHalfCycleNs = 5;  // for the trace's time axis only

    VerilatedContext context;
    Vmonpro model{&context, "monpro"};
    uint64_t cycles = 0;
#ifdef MONPRO_TRACE
    trace_file trace;  // destroyed before the model that it reads
    bool tracing = false;
#endif

    ~monpro_clocked() {
#ifdef MONPRO_TRACE
        if (tracing) trace.close();
#endif
        model.final();
    }

    void evaluate() {
        model.eval();
#ifdef MONPRO_TRACE
        if (tracing) {
            trace.dump(context.time());
            context.timeInc(kHalfCycleNs);
        }
#endif
    }

    // First half of a cycle: afterwards the outputs are those that the rising edge will see.
    void settle() {
        model.clk_i = 0;
        evaluate();
    }

    void rising_edge() {
        model.clk_i = 1;
        evaluate();
        ++cycles;
    }

    // Clocks the model with its reset held; what drives its inputs has been silenced before.
    void hold_reset() {
        model.rst_ni = 0;
        for (int cycle = 0; cycle < kResetCycles; ++cycle) {
            settle();
            rising_edge();
        }
        model.rst_ni = 1;
    }

    bool open_trace(const char *path) {
#ifdef MONPRO_TRACE
        // The writer does not say when it cannot write.
        std::FILE *const probe = std::fopen(path, "wb");
        if (probe == nullptr) return false;
        std::fclose(probe);
        context.traceEverOn(true);
        model.trace(&trace, 99);
        trace.open(path);
        tracing = trace.isOpen();
        return tracing;
#else
        (void)path;
        return false;
#endif
    }
};

// A model after its reset, with its cycles counted from there; null without memory, or if the trace cannot be written.
template <typename Sim>
Sim *create_clocked(const char *trace_path) {
    try {
        auto sim = std::make_unique<Sim>();
        if (trace_path != nullptr && !sim->open_trace(trace_path)) return nullptr;
        sim->reset();
        sim->cycles = 0;
        return sim.release();
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

#endif
