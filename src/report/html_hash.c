/*
 * SHA-256 (FIPS 180-4) in base64, as a page's security policy names the one
 * script and the one style that it may run: nothing else in it runs.
 */
#include <string.h>

#include "internal.h"

struct sha256 {
	uint32_t state[8];
};

static uint32_t
rotate(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

/* The first 32 bits of the fractions of the primes' cube roots. */
static const uint32_t constants[64] = {0x428a2f98, 0x71374491, 0xb5c0fbcf,
    0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
    0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7,
    0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
    0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e,
    0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
    0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c,
    0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee,
    0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

static void
block(struct sha256 *hash, const unsigned char *p)
{
	uint32_t w[64], s[8], a, b;
	size_t i;

	for (i = 0; i < 16; i++, p += 4)
		w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
		    (uint32_t)p[2] << 8 | p[3];
	for (; i < 64; i++) {
		a = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^
		    w[i - 15] >> 3;
		b = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^
		    w[i - 2] >> 10;
		w[i] = w[i - 16] + a + w[i - 7] + b;
	}
	memcpy(s, hash->state, sizeof(s));
	for (i = 0; i < 64; i++) {
		a = s[7] +
		    (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) +
		    ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + w[i];
		b = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) +
		    ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
		memmove(s + 1, s, 7 * sizeof(*s));
		s[4] += a;
		s[0] = a + b;
	}
	for (i = 0; i < 8; i++)
		hash->state[i] += s[i];
}

static void
digest(const char *text, unsigned char bytes[32])
{
	struct sha256 hash = {{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
	    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
	const unsigned char *p = (const unsigned char *)text;
	unsigned char last[128] = {0};
	size_t len = strlen(text), left, i;

	for (left = len; left >= 64; left -= 64, p += 64)
		block(&hash, p);
	memcpy(last, p, left);
	last[left] = 0x80;
	i = left < 56 ? 64 : 128;
	for (left = 1; left <= 8; left++)
		last[i - left] =
		    (unsigned char)((uint64_t)len * 8 >> (left - 1) * 8);
	block(&hash, last);
	if (i == 128)
		block(&hash, last + 64);
	for (i = 0; i < 32; i++)
		bytes[i] =
		    (unsigned char)(hash.state[i / 4] >> (24 - i % 4 * 8));
}

void
html_hash(struct buf *out, const char *text)
{
	static const char letters[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned char bytes[33] = {0};
	unsigned group;
	size_t i;

	digest(text, bytes);
	for (i = 0; i < 33; i += 3) {
		group = (unsigned)bytes[i] << 16 | (unsigned)bytes[i + 1] << 8 |
		    bytes[i + 2];
		buf_putc(out, letters[group >> 18]);
		buf_putc(out, letters[group >> 12 & 63]);
		buf_putc(out, letters[group >> 6 & 63]);
		/* 32 bytes are one short of whole groups. */
		buf_putc(out, i == 30 ? '=' : letters[group & 63]);
	}
}
