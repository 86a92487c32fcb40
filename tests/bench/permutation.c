/*
 * The permutation test of 6,980 differences, as many as MS MARCO dev has
 * questions; its 10,000 draws are the test's own.
 */
#include <stdio.h>

#include "evalgate/gate.h"

#define QUESTIONS 6980

int
main(void)
{
	static double differences[QUESTIONS];
	uint32_t state = 1;
	double p;
	size_t i;

	/* Numerical Recipes' generator: what the values are matters little. */
	for (i = 0; i < QUESTIONS; i++) {
		state = state * 1664525 + 1013904223;
		differences[i] = (double)(state >> 8) / (1 << 24) - 0.5;
	}
	p = permutation_test(differences, QUESTIONS, 1);
	printf("%g\n", p);
	return p > 0 && p <= 1 ? 0 : 1;
}
