/* The driver of a device that does single products: an exponentiation as a stream of them (products.h).
 *
 * An operation: start, which zeroes the counters; if the modulus is new LENGTH, modulus, inverse, and 1 and R^2 mod N
 * into their entries; the base into its own; then the products into the queue. INTERRUPT.queue tells when there is room
 * again, and is written as often as STATUS.queued leaves room: never more. After the last one, INTERRUPT.enable; when
 * the device is idle the accumulator is read and reduced modulo N.
 *
 * For words of w bits and a product of K digits, R = 2^(w K). What the library computes for a new modulus:
 *     N' = 2^-w mod N      slot modulus; w halvings. Of an exact device N itself
 *     n' = -1/N mod 2^w    slot inverse, of an exact device, whose words have no more bits than DATA
 *     R^2 mod N            entry
 * Constant time: in the modulus, which may be a prime, and the base; of a secret exponent nothing shows on the bus but
 * one bit in the data of each choice. That holds as long as the device's time depends on lengths only. */
#include <string.h>

#include "device_access.h"
#include "device_lengths.h"
#include "montgomery.h"
#include "status.h"
#include "wipe.h"

#define BUS_WORD_BITS 32u
#define MOST_ENTRIES 32u /* that PRODUCT can name */

bool monpro_device_takes_products(const monpro_engine_info *info)
{
    const uint32_t words = monpro_device_operand_words(info, info->max_bits);
    return info->entries > MONPRO_ENTRY_TABLE && info->entries <= MOST_ENTRIES &&
           4 * monpro_device_bus_words(info, words) <= MONPRO_DEVICE_NUMBER_BYTES &&
           (info->exact == 0 || info->word_bits <= BUS_WORD_BITS);
}

static uint32_t entry_operand(uint32_t entry)
{
    return MONPRO_REGS_PUT(OPERAND_SLOT, MONPRO_REGS_SLOT_ENTRY) | MONPRO_REGS_PUT(OPERAND_ENTRY, entry);
}

static uint32_t number_words(const monpro_engine_info *info, uint32_t modulus_bits)
{
    return monpro_device_bus_words(info, monpro_device_operand_words(info, modulus_bits));
}

/* ---- constants of a modulus ---------------------------------------------------------------------------------- */

/* What goes into slot modulus. */
static void modulus_number(monpro_limb *r, const monpro_engine_info *info, const monpro_mont *m)
{
    memset(r, 0, m->limbs * sizeof *r);
    r[0] = 1;
    for (uint32_t i = 0; i < info->word_bits && info->exact == 0; i++) {
        monpro_limbs_halve_mod(r, r, m->n, m->limbs);
    }
    if (info->exact != 0) {
        memcpy(r, m->n, m->limbs * sizeof *r);
    }
}

/* r = 2^(2 w K) mod n: from the largest power of two below n by doublings to 2^(w K), and the square of that by the
 * library's own Montgomery products. */
static void square_of_r(monpro_limb *r, const monpro_engine_info *info, uint32_t bits, const monpro_mont *m)
{
    const uint32_t r_bits = info->word_bits * monpro_device_digits(info, bits);
    memset(r, 0, m->limbs * sizeof *r);
    r[(bits - 1) / MONPRO_LIMB_BITS] = (monpro_limb)1 << ((bits - 1) % MONPRO_LIMB_BITS);
    for (uint32_t i = bits - 1; i < r_bits; i++) {
        monpro_limbs_double_mod(r, r, 0, m->n, m->limbs);
    }
    monpro_mont_sqr(r, r, m);
    monpro_mont_enter(r, r, m);
}

/* Where the numbers of a modulus go. */
typedef struct sink {
    monpro_put_operand put;
    void *context;
} sink;

static monpro_status put_number(const sink *to, uint32_t operand, const monpro_limb *number, size_t limbs, uint32_t count,
                                monpro_error *error)
{
    uint8_t bytes[MONPRO_MAX_BYTES];
    monpro_limbs_to_bytes(bytes, sizeof bytes, number, limbs);
    const monpro_status status = to->put(to->context, operand, bytes, sizeof bytes, count, error);
    monpro_wipe(bytes, sizeof bytes);
    return status;
}

/* n', of an exact device. */
static monpro_status put_inverse(const sink *to, const monpro_engine_info *info, const monpro_mont *m, monpro_error *error)
{
    monpro_limb inverse = m->n0 & (monpro_limb)(UINT32_MAX >> (BUS_WORD_BITS - info->word_bits));
    const monpro_status status = put_number(to, MONPRO_REGS_PUT(OPERAND_SLOT, MONPRO_REGS_SLOT_INVERSE), &inverse, 1,
                                            monpro_device_bus_words(info, 1), error);
    monpro_wipe(&inverse, sizeof inverse);
    return status;
}

static monpro_status put_constants(const sink *to, const monpro_engine_info *info, uint32_t bits, const monpro_mont *m,
                                   monpro_limb *number, monpro_error *error)
{
    static const uint8_t one = 1;
    const uint32_t count = number_words(info, bits);
    modulus_number(number, info, m);
    MONPRO_TRY(put_number(to, MONPRO_REGS_PUT(OPERAND_SLOT, MONPRO_REGS_SLOT_MODULUS), number, m->limbs, count, error));
    if (info->exact != 0) {
        MONPRO_TRY(put_inverse(to, info, m, error));
    }
    square_of_r(number, info, bits, m);
    MONPRO_TRY(put_number(to, entry_operand(MONPRO_ENTRY_RR), number, m->limbs, count, error));
    return to->put(to->context, entry_operand(MONPRO_ENTRY_ONE), &one, 1, count, error);
}

monpro_status monpro_device_put_modulus(const monpro_engine_info *info, const monpro_operation *operation,
                                        monpro_put_operand put, void *context, monpro_error *error)
{
    monpro_limb number[MONPRO_MAX_LIMBS];
    monpro_mont m;
    const sink to = {put, context};
    const size_t limbs = monpro_limbs_for_bits(operation->modulus_bits);
    monpro_limbs_from_bytes(number, limbs, operation->modulus, operation->modulus_len);
    monpro_mont_init(&m, number, limbs, operation->modulus_bits);
    const monpro_status status = put_constants(&to, info, operation->modulus_bits, &m, number, error);
    monpro_wipe(number, sizeof number);
    monpro_wipe(&m, sizeof m);
    return status;
}

monpro_status monpro_device_put_base(const monpro_engine_info *info, const monpro_operation *operation,
                                     monpro_put_operand put, void *context, monpro_error *error)
{
    return put(context, entry_operand(MONPRO_ENTRY_BASE), operation->base, operation->base_len,
               number_words(info, operation->modulus_bits), error);
}

static monpro_status write_operand(void *context, uint32_t operand, const uint8_t *bytes, size_t size, uint32_t count,
                                   monpro_error *error)
{
    return monpro_device_write_operand(context, operand, bytes, size, count, error);
}

/* ---- an operation -------------------------------------------------------------------------------------------- */

monpro_status monpro_device_start_products(monpro_device *dev, const monpro_operation *operation, monpro_error *error)
{
    const uint32_t bits = operation->modulus_bits;
    const monpro_exponent exponent = {operation->exponent, operation->exponent_len, operation->exponent_bits};
    uint32_t status_word;
    MONPRO_TRY(monpro_device_write(dev, MONPRO_REG(COMMAND), MONPRO_REGS_COMMAND_CLEAR_MASK, error));
    MONPRO_TRY(monpro_device_write(dev, MONPRO_REG(COMMAND), MONPRO_REGS_COMMAND_START_MASK, error));
    MONPRO_TRY(monpro_device_read(dev, MONPRO_REG(STATUS), &status_word, error));
    dev->warm = monpro_device_holds(dev, operation) && MONPRO_REGS_GET(status_word, STATUS_WARM) != 0;
    if (!dev->warm) { /* setting the length makes the device forget every operand */
        const uint32_t words = monpro_device_modulus_words(&dev->info, bits);
        monpro_device_forget(dev);
        MONPRO_TRY(monpro_device_write(dev, MONPRO_REG(LENGTH), MONPRO_REGS_PUT(LENGTH_WORDS, words), error));
        MONPRO_TRY(monpro_device_put_modulus(&dev->info, operation, write_operand, dev, error));
        monpro_device_hold(dev, operation);
    }
    MONPRO_TRY(monpro_device_put_base(&dev->info, operation, write_operand, dev, error));
    monpro_products_init(&dev->products, operation->scheme, operation->window, &exponent, operation->is_public);
    dev->given = dev->given_products = 0;
    dev->draining = false;
    dev->elapsed_cycles = 0;
    dev->limit_cycles = monpro_device_limit_cycles(&dev->info, operation);
    return monpro_device_write(dev, MONPRO_REG(INTERRUPT), MONPRO_REGS_INTERRUPT_QUEUE_MASK, error);
}

/* Puts products into the queue: `room` of them, or what is left. PRODUCT.first is a bit of a secret exponent: no copy of
 * it stays. */
static monpro_status feed(monpro_device *dev, uint32_t room, monpro_error *error)
{
    uint32_t next = 0;
    monpro_status status = MONPRO_OK;
    for (uint32_t i = 0; i < room && status == MONPRO_OK && !dev->draining; i++) {
        next = monpro_products_word(&dev->products);
        dev->draining = next == 0;
        if (dev->draining) {
            status = monpro_device_write(dev, MONPRO_REG(INTERRUPT), MONPRO_REGS_INTERRUPT_ENABLE_MASK, error);
        } else {
            dev->given++;
            dev->given_products += 1 - MONPRO_REGS_GET(next, PRODUCT_CHOOSE);
            status = monpro_device_write(dev, MONPRO_REG(PRODUCT), next & ~MONPRO_PRODUCTS_NEXT, error);
        }
    }
    monpro_wipe(&next, sizeof next);
    return status;
}

uint32_t monpro_device_last_entry(void)
{
    return entry_operand(MONPRO_ENTRY_ACCUMULATOR);
}

size_t monpro_device_last_size(const monpro_engine_info *info, const monpro_operation *operation)
{
    return 4 * (size_t)number_words(info, operation->modulus_bits);
}

/* Its upper bits, as many as leave it below N, and then each of the lower ones by a doubling modulo N. */
void monpro_device_reduce(const monpro_engine_info *info, const monpro_operation *operation, const uint8_t *bytes)
{
    enum { NUMBER_LIMBS = MONPRO_DEVICE_NUMBER_BYTES * 8 / MONPRO_LIMB_BITS + 1 };
    monpro_limb number[NUMBER_LIMBS], n[MONPRO_MAX_LIMBS], r[MONPRO_MAX_LIMBS];
    const uint32_t number_bits = info->word_bits * monpro_device_operand_words(info, operation->modulus_bits);
    const size_t limbs = monpro_limbs_for_bits(operation->modulus_bits);
    const uint32_t lower_bits = number_bits - (operation->modulus_bits - 1);
    const size_t skip = lower_bits / MONPRO_LIMB_BITS, shift = lower_bits % MONPRO_LIMB_BITS;
    monpro_limbs_from_bytes(number, NUMBER_LIMBS, bytes, monpro_device_last_size(info, operation));
    monpro_limbs_from_bytes(n, limbs, operation->modulus, operation->modulus_len);
    for (size_t i = 0; i < limbs; i++) {
        const monpro_limb low = i + skip < NUMBER_LIMBS ? number[i + skip] : 0;
        const monpro_limb high = i + skip + 1 < NUMBER_LIMBS ? number[i + skip + 1] : 0;
        r[i] = shift == 0 ? low : low >> shift | high << (MONPRO_LIMB_BITS - shift);
    }
    for (uint32_t i = lower_bits; i-- > 0;) {
        const monpro_limb bit = number[i / MONPRO_LIMB_BITS] >> (i % MONPRO_LIMB_BITS) & 1u;
        monpro_limbs_double_mod(r, r, bit, n, limbs);
    }
    monpro_limbs_to_bytes(operation->result, operation->result_len, r, limbs);
    monpro_wipe(number, sizeof number);
    monpro_wipe(n, sizeof n);
    monpro_wipe(r, sizeof r);
}

monpro_status monpro_device_check_given(const monpro_device *dev, uint32_t ended, const monpro_counters *counters,
                                        monpro_error *error)
{
    if (ended != dev->given || counters->products != dev->given_products) {
        return monpro_fail(error, MONPRO_ERR_DEVICE_FAULT,
                           "the device counted %u commands, %u of them products; it was given %u and %u", (unsigned)ended,
                           (unsigned)counters->products, (unsigned)dev->given, (unsigned)dev->given_products);
    }
    return MONPRO_OK;
}

/* Everything that is read when the device is idle. The caller wipes the number. */
static monpro_status read_result(monpro_device *dev, const monpro_operation *operation, uint8_t *number,
                                 monpro_counters *counters, monpro_error *error)
{
    uint32_t ended;
    MONPRO_TRY(monpro_device_read_operand(dev, monpro_device_last_entry(), number,
                                          monpro_device_last_size(&dev->info, operation), error));
    MONPRO_TRY(monpro_device_read_counters(dev, counters, &ended, error));
    MONPRO_TRY(monpro_device_check_given(dev, ended, counters, error));
    monpro_device_reduce(&dev->info, operation, number);
    counters->operations = 1;
    return MONPRO_OK;
}

static monpro_status finish(monpro_device *dev, const monpro_operation *operation, monpro_counters *counters,
                            monpro_error *error)
{
    uint8_t number[MONPRO_DEVICE_NUMBER_BYTES];
    const monpro_status status = read_result(dev, operation, number, counters, error);
    monpro_wipe(number, sizeof number);
    return status;
}

static monpro_status step(monpro_device *dev, const monpro_operation *operation, uint64_t until, bool *finished,
                          monpro_counters *counters, monpro_error *error)
{
    uint64_t waited;
    uint32_t status_word;
    MONPRO_TRY(monpro_device_wait(dev, until, &waited, &status_word, error));
    const bool busy = MONPRO_REGS_GET(status_word, STATUS_BUSY) != 0;
    const uint32_t queued = MONPRO_REGS_GET(status_word, STATUS_QUEUED);
    MONPRO_TRY(monpro_device_check_fault(status_word, error));
    if (!busy || MONPRO_REGS_GET(status_word, STATUS_DONE) != 0) {
        MONPRO_TRY(monpro_device_check_error(status_word, error));
    }
    if (dev->draining && !busy) {
        *finished = true;
        return finish(dev, operation, counters, error);
    }
    if (!dev->draining && queued < MONPRO_DEVICE_QUEUE) {
        MONPRO_TRY(feed(dev, MONPRO_DEVICE_QUEUE - queued, error));
        waited = 1; /* it was not for nothing */
    }
    return monpro_device_check_wait(dev, waited, status_word, error);
}

monpro_status monpro_device_step_products(monpro_device *dev, const monpro_operation *operation, uint64_t until,
                                          bool *finished, monpro_counters *counters, monpro_error *error)
{
    const monpro_status status = step(dev, operation, until, finished, counters, error);
    if (status != MONPRO_OK || *finished) {
        monpro_wipe(&dev->products, sizeof dev->products);
    }
    return status;
}
