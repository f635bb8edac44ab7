// fuzz_snapshot.c: snapshots of worlds that hold everything, damaged as the input says (snapshot_damage.h): each is refused, or
// is a world that can be stepped, saved and loaded.
#include "fuzz/snapshot_damage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t length;
    unsigned char *bytes = damaged_snapshot(data, size, &length);
    use_snapshot(bytes, length);
    free(bytes);
    return 0;
}
