/* The provider's entry point, its configuration, parameters and errors.
 *
 * A wrong configuration does not keep the provider from loading: OpenSSL would then go on without it and say nothing. It
 * loads, and every operation fails with the sentence.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "provider.h"

/* What the dynamic loader gives to OpenSSL; all else in the module is hidden. */
__attribute__((visibility("default"))) OSSL_provider_init_fn OSSL_provider_init;

int provider_fail(const provider *p, uint32_t reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (p->new_error != NULL && p->vset_error != NULL) {
        p->new_error(p->handle);
        p->vset_error(p->handle, reason, format, arguments);
    }
    va_end(arguments);
    return 0;
}

/* ---- configuration --------------------------------------------------------------------------------------------- */

/* An engine on this processor, whose speed for one block is to be compared with OpenSSL's. */
static bool is_software(const char *engine)
{
    const char *const inner = strncmp(engine, "gather:", 7) == 0 ? engine + 7 : engine;
    return strncmp(inner, "lanes", 5) == 0 || strncmp(inner, "soft", 4) == 0;
}

/* OpenSSL takes a value that is the name of a section for that section. "default" always is one: so the default provider
 * is called "openssl" here. */
static void configure(provider *p, OSSL_FUNC_core_get_params_fn *core_get_params)
{
    const char *engine = "lanes", *fallback = "error", *public = "openssl", *alone = "auto", *path = NULL;
    OSSL_PARAM asked[] = {
        OSSL_PARAM_utf8_ptr("engine", (char **)&engine, 0),
        OSSL_PARAM_utf8_ptr("fallback", (char **)&fallback, 0),
        OSSL_PARAM_utf8_ptr("public", (char **)&public, 0),
        OSSL_PARAM_utf8_ptr("alone", (char **)&alone, 0),
        OSSL_PARAM_utf8_ptr("counters", (char **)&path, 0),
        OSSL_PARAM_END
    };
    if (core_get_params != NULL) {
        (void)core_get_params(p->handle, asked);
    }
    p->falls_back = strcmp(fallback, "openssl") == 0;
    p->public_by_engine = strcmp(public, "engine") == 0;
    const bool is_auto = strcmp(alone, "auto") == 0, is_openssl = strcmp(alone, "openssl") == 0;
    p->alone = is_openssl ? ALONE_OPENSSL : is_auto && is_software(engine) ? ALONE_AUTO : ALONE_ENGINE;
    if (!is_auto && !is_openssl && strcmp(alone, "engine") != 0) {
        (void)snprintf(p->flaw, sizeof p->flaw, "alone = %.100s in openssl.cnf; there are: auto, engine, openssl", alone);
    } else if (!p->falls_back && strcmp(fallback, "error") != 0) {
        (void)snprintf(p->flaw, sizeof p->flaw, "fallback = %.100s in openssl.cnf; there are: error, openssl", fallback);
    } else if (!p->public_by_engine && strcmp(public, "openssl") != 0) {
        (void)snprintf(p->flaw, sizeof p->flaw, "public = %.100s in openssl.cnf; there are: openssl, engine", public);
    } else if (strlen(engine) >= ENGINE_CHARACTERS) {
        (void)snprintf(p->flaw, sizeof p->flaw, "engine in openssl.cnf has more than %d characters",
                       ENGINE_CHARACTERS - 1);
    } else {
        /* The vectors serve many threads at once. */
        (void)snprintf(p->engine, sizeof p->engine, "%s%s", strncmp(engine, "lanes", 5) == 0 ? "gather:" : "", engine);
    }
    p->counters = counters_open(path);
    if (p->counters == NULL && path != NULL) {
        (void)snprintf(p->flaw, sizeof p->flaw, "counters = %.200s in openssl.cnf: %s", path,
                       errno == EEXIST ? "this is another program's file" : strerror(errno));
        p->counters = counters_open(NULL);
    }
}

/* ---- functions ------------------------------------------------------------------------------------------------- */

static void teardown(void *handle)
{
    provider *const p = handle;
    if (p == NULL) {
        return;
    }
    engine_close(p);
    EVP_KEYMGMT_free(p->keys[KEY_RSA]);
    EVP_KEYMGMT_free(p->keys[KEY_PSS]);
    EVP_SIGNATURE_free(p->signature);
    EVP_ASYM_CIPHER_free(p->cipher);
    if (p->base != NULL) {
        (void)OSSL_PROVIDER_unload(p->base);
    }
    OSSL_LIB_CTX_free(p->context);
    counters_close(p->counters);
    OPENSSL_free(p);
}

static const OSSL_PARAM *gettable_params(void *handle)
{
    (void)handle;
    return counters_gettable();
}

static int get_params(void *handle, OSSL_PARAM params[])
{
    const provider *const p = handle;
    static const struct {
        const char *name, *value;
    } texts[] = {
        {OSSL_PROV_PARAM_NAME, "Monpro RSA provider"},
        {OSSL_PROV_PARAM_VERSION, MONPRO_VERSION},
        {OSSL_PROV_PARAM_BUILDINFO, MONPRO_VERSION},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        OSSL_PARAM *const wanted = OSSL_PARAM_locate(params, texts[i].name);
        if (wanted != NULL && !OSSL_PARAM_set_utf8_ptr(wanted, texts[i].value)) {
            return 0;
        }
    }
    OSSL_PARAM *const status = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_STATUS);
    if (status != NULL && !OSSL_PARAM_set_int(status, p->flaw[0] == '\0')) {
        return 0;
    }
    return counters_get(p->counters, params);
}

static const OSSL_ALGORITHM *query(void *handle, int operation, int *no_cache)
{
    (void)handle;
    *no_cache = 0;
    switch (operation) {
    case OSSL_OP_KEYMGMT:
        return provider_keys;
    case OSSL_OP_SIGNATURE:
        return provider_signatures;
    case OSSL_OP_ASYM_CIPHER:
        return provider_ciphers;
    default:
        return NULL;
    }
}

static const OSSL_ITEM *reasons(void *handle)
{
    (void)handle;
    static const OSSL_ITEM list[] = {
        {REASON_CONFIGURATION, "monpro: the configuration is wrong"},
        {REASON_ENGINE, "monpro: the engine failed"},
        {REASON_KEY, "monpro: the key cannot do that"},
        {REASON_MEMORY, "monpro: no memory"},
        {0, NULL}
    };
    return list;
}

static bool fill(provider *p)
{
    p->context = OSSL_LIB_CTX_new();
    p->base = p->context == NULL ? NULL : OSSL_PROVIDER_load(p->context, "default");
    if (p->base == NULL) {
        return false;
    }
    p->keys[KEY_RSA] = EVP_KEYMGMT_fetch(p->context, "RSA", NULL);
    p->keys[KEY_PSS] = EVP_KEYMGMT_fetch(p->context, "RSA-PSS", NULL);
    p->signature = EVP_SIGNATURE_fetch(p->context, "RSA", NULL);
    p->cipher = EVP_ASYM_CIPHER_fetch(p->context, "RSA", NULL);
    return p->keys[KEY_RSA] != NULL && p->keys[KEY_PSS] != NULL && p->signature != NULL && p->cipher != NULL &&
           p->counters != NULL;
}

int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out,
                       void **provider_handle)
{
    static const OSSL_DISPATCH functions[] = {
        {OSSL_FUNC_PROVIDER_TEARDOWN, (void (*)(void))teardown},
        {OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, (void (*)(void))gettable_params},
        {OSSL_FUNC_PROVIDER_GET_PARAMS, (void (*)(void))get_params},
        {OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query},
        {OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, (void (*)(void))reasons},
        {0, NULL}
    };
    OSSL_FUNC_core_get_params_fn *core_get_params = NULL;
    provider *const p = OPENSSL_zalloc(sizeof *p);
    if (p == NULL) {
        return 0;
    }
    p->handle = handle;
    for (; in->function_id != 0; in++) {
        if (in->function_id == OSSL_FUNC_CORE_GET_PARAMS) {
            core_get_params = OSSL_FUNC_core_get_params(in);
        } else if (in->function_id == OSSL_FUNC_CORE_NEW_ERROR) {
            p->new_error = OSSL_FUNC_core_new_error(in);
        } else if (in->function_id == OSSL_FUNC_CORE_VSET_ERROR) {
            p->vset_error = OSSL_FUNC_core_vset_error(in);
        }
    }
    configure(p, core_get_params);
    if (!fill(p)) {
        (void)provider_fail(p, REASON_MEMORY, "no memory, or no default provider to build on");
        teardown(p);
        return 0;
    }
    *out = functions;
    *provider_handle = p;
    return 1;
}
