/* Key management for RSA and RSA-PSS: the default provider's keys, and what the engine needs of one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>

#include "key/key.h"
#include "provider.h"

static const char *const type_names[] = {"RSA", "RSA-PSS"};

/* ---- the object ------------------------------------------------------------------------------------------------ */

static key *new_key(provider *p, int type)
{
    key *const made = OPENSSL_zalloc(sizeof *made);
    if (made != NULL) {
        made->provider = p;
        made->type = type;
        atomic_init(&made->references, 1);
    }
    return made;
}

static void *new_rsa(void *p)
{
    return new_key(p, KEY_RSA);
}

static void *new_pss(void *p)
{
    return new_key(p, KEY_PSS);
}

key *key_take(key *one)
{
    (void)atomic_fetch_add(&one->references, 1);
    return one;
}

static void free_forms(key_forms *forms)
{
    if (forms != NULL) {
        EVP_PKEY_free(forms->identity);
        OPENSSL_free(forms);
    }
}

void key_free(void *handle)
{
    key *const one = handle;
    if (one == NULL || atomic_fetch_sub(&one->references, 1) != 1) {
        return;
    }
    EVP_PKEY_free(one->real);
    free_forms(atomic_load(&one->forms));
    for (size_t i = 0; i < KEY_CLONES; i++) {
        monpro_key_free(atomic_load(&one->clones[i]));
    }
    OPENSSL_free(one);
}

/* Whether a number of this name belongs to the identity key as it is: n, and what restricts an RSA-PSS key. */
static bool stays(const char *name)
{
    return strcmp(name, OSSL_PKEY_PARAM_RSA_E) != 0 && strcmp(name, OSSL_PKEY_PARAM_RSA_D) != 0 &&
           strncmp(name, "rsa-factor", 10) != 0 && strncmp(name, "rsa-exponent", 12) != 0 &&
           strncmp(name, "rsa-coefficient", 15) != 0;
}

static EVP_PKEY *make_identity(const key *one)
{
    OSSL_PARAM *numbers = NULL, *chosen = NULL;
    EVP_PKEY *made = NULL;
    unsigned char e = 1, d = 1;
    size_t count = 0, used = 0;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(one->provider->context, type_names[one->type], NULL);
    if (ctx == NULL || EVP_PKEY_todata(one->real, EVP_PKEY_PUBLIC_KEY, &numbers) != 1) {
        EVP_PKEY_CTX_free(ctx);
        return NULL;
    }
    while (numbers[count].key != NULL) {
        count++;
    }
    chosen = OPENSSL_zalloc((count + 3) * sizeof *chosen);
    for (size_t i = 0; i < count && chosen != NULL; i++) {
        if (stays(numbers[i].key)) {
            chosen[used++] = numbers[i];
        }
    }
    if (chosen != NULL) {
        chosen[used++] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_RSA_E, &e, sizeof e);
        chosen[used++] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_RSA_D, &d, sizeof d);
        chosen[used] = OSSL_PARAM_construct_end();
        if (EVP_PKEY_fromdata_init(ctx) != 1 || EVP_PKEY_fromdata(ctx, &made, EVP_PKEY_KEYPAIR, chosen) != 1) {
            made = NULL;
        }
    }
    OPENSSL_free(chosen);
    OSSL_PARAM_free(numbers);
    EVP_PKEY_CTX_free(ctx);
    return made;
}

static monpro_key *make_clone(const key *one, monpro_error *error)
{
    monpro_key *const made = calloc(1, sizeof *made); /* monpro_key_free() frees it so */
    if (made == NULL) {
        error->status = MONPRO_ERR_MEMORY;
        return NULL;
    }
    (void)ERR_set_mark();
    const monpro_status status = monpro_key_adopt(made, one->real, error);
    (void)ERR_pop_to_mark();
    if (status != MONPRO_OK) {
        monpro_key_free(made);
        return NULL;
    }
    return made;
}

const key_forms *key_forms_of(key *one)
{
    key_forms *had = atomic_load(&one->forms);
    if (had != NULL) {
        return had;
    }
    monpro_error error;
    key_forms *const made = OPENSSL_zalloc(sizeof *made);
    monpro_key *const clone = made == NULL ? NULL : make_clone(one, &error);
    if (made == NULL) {
        return NULL;
    }
    made->is_taken = clone != NULL && monpro_key_is_private(clone);
    made->identity = clone != NULL ? make_identity(one) : NULL;
    if (clone != NULL) {
        key_give_back(one, clone);
    }
    if (!atomic_compare_exchange_strong(&one->forms, &had, made)) { /* another thread was first */
        free_forms(made);
        return had;
    }
    return made;
}

monpro_key *key_borrow(key *one, monpro_error *error)
{
    for (size_t i = 0; i < KEY_CLONES; i++) {
        monpro_key *const found = atomic_exchange(&one->clones[i], NULL);
        if (found != NULL) {
            return found;
        }
    }
    return make_clone(one, error);
}

void key_give_back(key *one, monpro_key *clone)
{
    for (size_t i = 0; i < KEY_CLONES; i++) {
        monpro_key *empty = NULL;
        if (atomic_compare_exchange_strong(&one->clones[i], &empty, clone)) {
            return;
        }
    }
    monpro_key_free(clone);
}

/* ---- what is asked of a key ------------------------------------------------------------------------------------ */

static int has(const void *handle, int selection)
{
    const key *const one = handle;
    return one != NULL && ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0 || one->real != NULL) &&
           ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) == 0 || one->is_private);
}

static int match(const void *left, const void *right, int selection)
{
    const key *const one = left, *const other = right;
    if (one->real == NULL || other->real == NULL || one->type != other->type) {
        return 0;
    }
    return (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0 || EVP_PKEY_eq(one->real, other->real) == 1;
}

static int validate(const void *handle, int selection, int how)
{
    const key *const one = handle;
    int ok = 0;
    EVP_PKEY_CTX *ctx = one->real == NULL ? NULL
                                          : EVP_PKEY_CTX_new_from_pkey(one->provider->context, one->real, NULL);
    const int pair = selection & OSSL_KEYMGMT_SELECT_KEYPAIR;
    if (ctx == NULL) {
        return 0;
    }
    if (pair == OSSL_KEYMGMT_SELECT_KEYPAIR) {
        ok = EVP_PKEY_check(ctx);
    } else if (pair == OSSL_KEYMGMT_SELECT_PRIVATE_KEY) {
        ok = EVP_PKEY_private_check(ctx);
    } else if (pair == OSSL_KEYMGMT_SELECT_PUBLIC_KEY) {
        ok = how == OSSL_KEYMGMT_VALIDATE_QUICK_CHECK ? EVP_PKEY_public_check_quick(ctx) : EVP_PKEY_public_check(ctx);
    } else {
        ok = 1;
    }
    EVP_PKEY_CTX_free(ctx);
    return ok == 1;
}

static int get_params(void *handle, OSSL_PARAM params[])
{
    const key *const one = handle;
    return one->real != NULL && EVP_PKEY_get_params(one->real, params) == 1;
}

static const OSSL_PARAM *gettable(void *handle)
{
    const provider *const p = handle;
    return EVP_KEYMGMT_gettable_params(p->keys[KEY_RSA]);
}

static const char *operation_name(int operation)
{
    (void)operation; /* RSA-PSS keys are used by the operations of RSA */
    return "RSA";
}

/* ---- import, export -------------------------------------------------------------------------------------------- */

static int import(void *handle, int selection, const OSSL_PARAM params[])
{
    key *const one = handle;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(one->provider->context, type_names[one->type], NULL);
    const int ok = ctx != NULL && one->real == NULL && EVP_PKEY_fromdata_init(ctx) == 1 &&
                   EVP_PKEY_fromdata(ctx, &one->real, selection, (OSSL_PARAM *)params) == 1;
    EVP_PKEY_CTX_free(ctx);
    one->is_private = ok && (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 &&
                      OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_RSA_D) != NULL;
    return ok;
}

static int export(void *handle, int selection, OSSL_CALLBACK *give, void *argument)
{
    const key *const one = handle;
    OSSL_PARAM *params = NULL;
    if (one->real == NULL || !has(one, selection) || EVP_PKEY_todata(one->real, selection, &params) != 1) {
        return 0;
    }
    const int ok = give(params, argument);
    OSSL_PARAM_free(params);
    return ok;
}

/* The numbers of RSA, as the header of parameters names them. */
static const OSSL_PARAM *types(int selection)
{
    static const OSSL_PARAM list[] = {
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_N, NULL, 0),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_E, NULL, 0),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_D, NULL, 0),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_FACTOR1, NULL, 0),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_FACTOR2, NULL, 0),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_FACTOR3, NULL, 0),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_EXPONENT1, NULL, 0),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_EXPONENT2, NULL, 0),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_EXPONENT3, NULL, 0),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_COEFFICIENT1, NULL, 0),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_COEFFICIENT2, NULL, 0),
        OSSL_PARAM_END
    };
    return (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0 ? list : NULL;
}

static void *duplicate(const void *handle, int selection)
{
    const key *const one = handle;
    key *const made = new_key(one->provider, one->type);
    if (made == NULL || one->real == NULL) {
        return made;
    }
    OSSL_PARAM *params = NULL;
    const int ok = EVP_PKEY_todata(one->real, one->is_private ? selection : selection & ~OSSL_KEYMGMT_SELECT_PRIVATE_KEY,
                                   &params) == 1 && import(made, selection, params);
    OSSL_PARAM_free(params);
    if (!ok) {
        key_free(made);
        return NULL;
    }
    return made;
}

/* ---- generation, by the default provider ----------------------------------------------------------------------- */

typedef struct generation {
    provider *provider;
    int type;
    EVP_PKEY_CTX *ctx;
} generation;

static void end_generation(void *handle)
{
    generation *const g = handle;
    if (g != NULL) {
        EVP_PKEY_CTX_free(g->ctx);
        OPENSSL_free(g);
    }
}

static int set_generation(void *handle, const OSSL_PARAM params[])
{
    generation *const g = handle;
    return params == NULL || params[0].key == NULL || EVP_PKEY_CTX_set_params(g->ctx, params) == 1;
}

static void *begin_generation(provider *p, int type, int selection, const OSSL_PARAM params[])
{
    generation *const g = (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0 ? NULL : OPENSSL_zalloc(sizeof *g);
    if (g == NULL) {
        return NULL;
    }
    g->provider = p;
    g->type = type;
    g->ctx = EVP_PKEY_CTX_new_from_name(p->context, type_names[type], NULL);
    if (g->ctx == NULL || EVP_PKEY_keygen_init(g->ctx) != 1 || !set_generation(g, params)) {
        end_generation(g);
        return NULL;
    }
    return g;
}

static void *begin_rsa(void *p, int selection, const OSSL_PARAM params[])
{
    return begin_generation(p, KEY_RSA, selection, params);
}

static void *begin_pss(void *p, int selection, const OSSL_PARAM params[])
{
    return begin_generation(p, KEY_PSS, selection, params);
}

static const OSSL_PARAM *settable_generation(void *handle, void *p)
{
    (void)p;
    const generation *const g = handle;
    return g == NULL ? NULL : EVP_PKEY_CTX_settable_params(g->ctx);
}

static void *generate(void *handle, OSSL_CALLBACK *progress, void *argument)
{
    (void)progress; /* the dots of a prime search */
    (void)argument;
    generation *const g = handle;
    key *const made = new_key(g->provider, g->type);
    if (made != NULL && EVP_PKEY_generate(g->ctx, &made->real) != 1) {
        key_free(made);
        return NULL;
    }
    if (made != NULL) {
        made->is_private = true;
    }
    return made;
}

/* ---- tables ---------------------------------------------------------------------------------------------------- */

#define FUNCTION(id, function) {id, (void (*)(void))(function)}
#define KEY_MANAGEMENT(make, begin) \
    { \
        FUNCTION(OSSL_FUNC_KEYMGMT_NEW, make), FUNCTION(OSSL_FUNC_KEYMGMT_FREE, key_free), \
        FUNCTION(OSSL_FUNC_KEYMGMT_HAS, has), FUNCTION(OSSL_FUNC_KEYMGMT_MATCH, match), \
        FUNCTION(OSSL_FUNC_KEYMGMT_VALIDATE, validate), FUNCTION(OSSL_FUNC_KEYMGMT_GET_PARAMS, get_params), \
        FUNCTION(OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, gettable), FUNCTION(OSSL_FUNC_KEYMGMT_IMPORT, import), \
        FUNCTION(OSSL_FUNC_KEYMGMT_IMPORT_TYPES, types), FUNCTION(OSSL_FUNC_KEYMGMT_EXPORT, export), \
        FUNCTION(OSSL_FUNC_KEYMGMT_EXPORT_TYPES, types), FUNCTION(OSSL_FUNC_KEYMGMT_DUP, duplicate), \
        FUNCTION(OSSL_FUNC_KEYMGMT_GEN_INIT, begin), FUNCTION(OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, set_generation), \
        FUNCTION(OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS, settable_generation), \
        FUNCTION(OSSL_FUNC_KEYMGMT_GEN, generate), FUNCTION(OSSL_FUNC_KEYMGMT_GEN_CLEANUP, end_generation), \
        FUNCTION(OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME, operation_name), {0, NULL} \
    }

static const OSSL_DISPATCH rsa_functions[] = KEY_MANAGEMENT(new_rsa, begin_rsa);
static const OSSL_DISPATCH pss_functions[] = KEY_MANAGEMENT(new_pss, begin_pss);

const OSSL_ALGORITHM provider_keys[] = {
    {"RSA:rsaEncryption:1.2.840.113549.1.1.1", "provider=monpro", rsa_functions, "RSA by an engine of Monpro"},
    {"RSA-PSS:RSASSA-PSS:1.2.840.113549.1.1.10", "provider=monpro", pss_functions, "RSA-PSS by an engine of Monpro"},
    {NULL, NULL, NULL, NULL}
};
