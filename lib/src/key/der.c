/* Strict DER. Freestanding: nothing is decoded or kept, every element is only walked over.
 *
 * The key inside PKCS#8 (an OCTET STRING) and inside SubjectPublicKeyInfo (a BIT STRING) is DER of its own, and is walked
 * as well. The branches depend on lengths and tags, and of an INTEGER on the bits that DER fixes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "key/der.h"

#include <stdbool.h>

enum { INTEGER = 0x02, BIT_STRING = 0x03, OCTET_STRING = 0x04, SEQUENCE = 0x30, CONSTRUCTED = 0x20, LONG_TAG = 0x1f };
/* No key's structure is deeper. */
enum { MAX_DEPTH = 8 };

typedef struct element {
    uint8_t tag;
    const uint8_t *content;
    size_t len;
} element;

/* Reads the element at *from and moves *from and *left behind it. */
static const char *next(element *e, const uint8_t **from, size_t *left)
{
    const uint8_t *const p = *from;
    size_t head = 2, len;
    if (*left < head) {
        return "an element that is cut short";
    }
    if ((p[0] & LONG_TAG) == LONG_TAG) {
        return "a tag of several bytes";
    }
    len = p[1];
    if (len == 0x80) {
        return "an indefinite length";
    }
    if (len > 0x80) {
        const size_t bytes = len & 0x7f;
        if (bytes > 4 || bytes > *left - head) {
            return "a length of too many bytes";
        }
        len = 0;
        for (size_t i = 0; i < bytes; i++) {
            len = len << 8 | p[head + i];
        }
        if (p[head] == 0 || len < 0x80) {
            return "a length that is not minimal";
        }
        head += bytes;
    }
    if (len > *left - head) {
        return "an element that is cut short";
    }
    *e = (element){p[0], p + head, len};
    *from = p + head + len;
    *left -= head + len;
    return NULL;
}

static const char *check_integer(const element *e)
{
    if (e->len == 0) {
        return "an INTEGER without bytes";
    }
    if ((e->content[0] & 0x80) != 0) {
        return "a negative INTEGER";
    }
    if (e->len > 1 && e->content[0] == 0 && (e->content[1] & 0x80) == 0) {
        return "an INTEGER that is not minimal";
    }
    return NULL;
}

static const char *walk(const uint8_t *from, size_t left, unsigned depth)
{
    const char *flaw = depth > MAX_DEPTH ? "too many levels" : NULL;
    while (flaw == NULL && left != 0) {
        element e;
        flaw = next(&e, &from, &left);
        if (flaw == NULL && e.tag == INTEGER) {
            flaw = check_integer(&e);
        } else if (flaw == NULL && (e.tag & CONSTRUCTED) != 0) {
            flaw = walk(e.content, e.len, depth + 1);
        }
    }
    return flaw;
}

/* The version of PKCS#8 is 0, or 1 where a public key follows (RFC 5958); of PKCS#1 it is 0, or 1 with more primes. The
 * public key of PKCS#1 has two INTEGERs and no version. */
static bool is_version(const element *first, size_t count)
{
    return count <= 2 || (first->len == 1 && first->content[0] <= 1);
}

/* The elements of a key's own SEQUENCE; *inner is the key in it, if it is wrapped. */
static const char *check_sequence(const element *whole, element *inner)
{
    const uint8_t *from = whole->content;
    size_t left = whole->len, count = 0;
    element e = {0}, first = {0};
    while (left != 0) {
        (void)next(&e, &from, &left); /* walked before */
        first = count == 0 ? e : first;
        count++;
        if (first.tag == INTEGER && e.tag == OCTET_STRING) {
            *inner = e;
        }
        if (first.tag == SEQUENCE && e.tag == BIT_STRING) {
            if (e.len == 0 || e.content[0] != 0) {
                return "a BIT STRING that is not whole bytes";
            }
            *inner = (element){e.tag, e.content + 1, e.len - 1};
        }
    }
    return first.tag == INTEGER && !is_version(&first, count) ? "a version that is none of this format" : NULL;
}

const char *monpro_der_flaw(const uint8_t *der, size_t len)
{
    /* The key, and the key in it. */
    for (unsigned levels = 0; levels < 2 && der != NULL; levels++) {
        element whole, inner = {0};
        const char *flaw = next(&whole, &der, &len);
        if (flaw == NULL && len != 0) {
            flaw = "bytes after its end";
        }
        if (flaw == NULL && whole.tag == SEQUENCE) {
            flaw = walk(whole.content, whole.len, 0);
            flaw = flaw != NULL ? flaw : check_sequence(&whole, &inner);
        }
        if (flaw != NULL) {
            return flaw;
        }
        der = inner.content;
        len = inner.len;
    }
    return NULL;
}
