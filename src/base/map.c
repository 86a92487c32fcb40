/* Open addressing with linear probing; at most half full. */
#include <string.h>

#include "internal.h"

struct map_slot {
	const char *key; /* NULL: free */
	size_t len;
	uint32_t index;
	uint32_t hash;
};

/* FNV-1a, folded; keys are ids of a few dozen bytes. */
static uint32_t
hash_bytes(const char *key, size_t len)
{
	uint64_t h = 14695981039346656037u;
	size_t i;

	for (i = 0; i < len; i++)
		h = (h ^ (unsigned char)key[i]) * 1099511628211u;
	return (uint32_t)(h ^ h >> 32);
}

void
map_init(struct map *map, struct arena *arena)
{
	*map = (struct map){.arena = arena};
}

void
map_drop(struct map *map)
{
	if (map->nslots)
		arena_drop(
		    map->arena, map->slots, map->nslots * sizeof(*map->slots));
	map_init(map, map->arena);
}

/* The slot that holds key, or the free one where it belongs. */
static struct map_slot *
find(const struct map *map, uint32_t hash, const char *key, size_t len)
{
	size_t mask = map->nslots - 1, i = hash & mask;
	struct map_slot *slot;

	for (;; i = (i + 1) & mask) {
		slot = &map->slots[i];
		if (!slot->key ||
		    (slot->hash == hash && slot->len == len &&
			memcmp(slot->key, key, len) == 0))
			return slot;
	}
}

bool
map_get(const struct map *map, const char *key, size_t len, size_t *index)
{
	struct map_slot *slot;

	if (!map->nslots)
		return false;
	slot = find(map, hash_bytes(key, len), key, len);
	if (!slot->key)
		return false;
	*index = slot->index;
	return true;
}

static void
resize(struct map *map, size_t nslots)
{
	struct map_slot *old = map->slots;
	size_t nold = map->nslots, i;

	map->nslots = nslots;
	map->slots = arena_array(map->arena, map->nslots, sizeof(*map->slots));
	for (i = 0; i < nold; i++)
		if (old[i].key)
			*find(map, old[i].hash, old[i].key, old[i].len) =
			    old[i];
	if (nold)
		arena_drop(map->arena, old, nold * sizeof(*old));
}

void
map_reserve(struct map *map, size_t nkeys)
{
	size_t nslots = 16;

	while (nslots <= nkeys * 2)
		nslots *= 2;
	if (nslots > map->nslots)
		resize(map, nslots);
}

bool
map_add(struct map *map, const char *key, size_t len, size_t *index)
{
	uint32_t hash = hash_bytes(key, len);
	struct map_slot *slot;

	if (map->nkeys * 2 >= map->nslots)
		resize(map, map->nslots ? map->nslots * 2 : 16);
	slot = find(map, hash, key, len);
	if (slot->key) {
		*index = slot->index;
		return false;
	}
	*slot = (struct map_slot){key, len, (uint32_t)*index, hash};
	map->nkeys++;
	return true;
}
