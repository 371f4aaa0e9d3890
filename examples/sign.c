/* Signs a file with RSA-PSS and SHA-256, as `openssl dgst -sha256 -sigopt rsa_padding_mode:pss -verify` accepts it.
 *   sign KEY.pem FILE SIGNATURE [soft|sim:small]
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <monpro/monpro.h>
#include <stdio.h>
#include <stdlib.h>

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    size_t room = 0;
    *size = 0;
    while (file != NULL && !feof(file) && !ferror(file)) {
        if (*size == room) {
            room = room == 0 ? 65536 : 2 * room;
            data = realloc(data, room);
            if (data == NULL) {
                break;
            }
        }
        *size += fread(data + *size, 1, room - *size, file);
    }
    if (file == NULL || data == NULL || ferror(file)) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    return data;
}

static void check(monpro_status status, const monpro_error *error)
{
    if (status != MONPRO_OK) {
        fprintf(stderr, "%s: %s\n", monpro_status_name(status), error->message);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: sign KEY.pem FILE SIGNATURE [soft|sim:small]\n");
        return 2;
    }
    monpro_engine *engine;
    monpro_key *key;
    monpro_error error;
    monpro_counters counters;
    uint8_t signature[512];
    size_t message_len, signature_len = sizeof signature;
    const monpro_rsa_options options = {.padding = MONPRO_PADDING_PSS, .counters = &counters};

    uint8_t *message = read_file(argv[2], &message_len);
    check(monpro_key_read_file(&key, argv[1], NULL, &error), &error);
    check(monpro_engine_open(&engine, argc > 4 ? argv[4] : "soft", &error), &error);
    check(monpro_sign(engine, key, message, message_len, signature, &signature_len, &options, &error), &error);

    FILE *out = fopen(argv[3], "wb");
    if (out == NULL || fwrite(signature, 1, signature_len, out) != signature_len || fclose(out) != 0) {
        fprintf(stderr, "cannot write %s\n", argv[3]);
        return 1;
    }
    printf("%u exponentiations, %llu cycles\n", (unsigned)counters.operations,
           (unsigned long long)(counters.cycles_load + counters.cycles_precompute + counters.cycles_exponentiate +
                                counters.cycles_read));
    monpro_key_free(key);
    monpro_engine_close(engine);
    free(message);
    return 0;
}
