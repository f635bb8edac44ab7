// cluster_frame_pack.cu: distributes a small scene over the blocks of a cluster (cluster_frame.cu). Accessing a point
// of another block costs many times an access to the block's own, so rows and faces go to a block that has their
// points. A block's slots are consecutive, and thus close in space, except for tethered slots: they go with the slot
// they are tethered to, which all of its tethers read in the same colour.
//
// The host lays out an image of the initial shared memory of each block when rows or faces have changed.
#include "backend/cuda/links.h"
#include "backend/cuda/cluster_frame_pack.h"

// The host's copy of an array of the packed block.
template <class T> static const T *host_address(const device *d, const T *p)
{
    return (const T *)(d->host_packing + ((const char *)p - d->packing));
}

// ---- distribution --------------------------------------------------------------------------------------------------

// A tether only reads its second point, so that many tethers of a colour may share it.
static bool is_tether(int kind)
{
    static const bool tethers[] = {
#define ENTRY(name, NAME, arity, writes, params, ...) (arity) == 2 && (writes) == 1,
        PL_KINDS(ENTRY)
#undef ENTRY
    };
    return tethers[kind];
}

static int32_t slot_at(const uint32_t *index, int32_t k) { return (int32_t)(index[k] / 4); }

// Orders the slots by the slot that they are tethered to (itself, if none), then by number.
static bool place_slots(const device *d, const cluster_run *runs, const cluster_frame *f, cluster_layout *l)
{
    int32_t slots = d->captured.slots;
    int32_t *with = (int32_t *)calloc((size_t)slots, sizeof *with);
    int32_t *first = (int32_t *)calloc((size_t)slots + 1, sizeof *first);
    bool made = with && first;
    for (int32_t i = 0; made && i < slots; i++)
        with[i] = i;
    for (int32_t r = 0; made && r < f->stretches; r++)
    {
        const packed_rows *p = &d->captured.rows[runs[r].kind];
        const uint32_t *one = host_address(d, p->index[0]), *other = host_address(d, p->index[1]);
        for (int32_t k = runs[r].begin; is_tether(runs[r].kind) && k < runs[r].end; k++)
            with[slot_at(one, k)] = slot_at(other, k);
    }
    for (int32_t i = 0; made && i < slots; i++)
        first[with[i] + 1]++;
    for (int32_t i = 0; made && i < slots; i++)
        first[i + 1] += first[i];
    for (int32_t i = 0; made && i < slots; i++)
    {
        int32_t at = first[with[i]]++;
        l->address[i] = address_in(at / f->share, at % f->share);
        l->slot[at] = i;
    }
    free(with);
    free(first);
    return made;
}

// Among the blocks that have the row's points, the one with the least work so far.
static int32_t lighter(const cluster_layout *l, const int32_t *load, const uint32_t *const *index, int points,
                       int32_t k)
{
    int32_t best = block_of(l->address[slot_at(index[0], k)]);
    for (int c = 1; c < points; c++)
    {
        int32_t block = block_of(l->address[slot_at(index[c], k)]);
        best = load[block] < load[best] ? block : best;
    }
    return best;
}

static int32_t most_of(const int32_t *count)
{
    int32_t most = 0;
    for (int b = 0; b < CLUSTER_BLOCKS; b++)
        most = count[b] > most ? count[b] : most;
    return most;
}

// Distributes the rows, run after run. Padding is left out.
static void place_rows(const device *d, const cluster_run *runs, cluster_frame *f, cluster_layout *l)
{
    int32_t total[CLUSTER_BLOCKS] = {0}, at = 0;
    for (int32_t r = 0; r < f->stretches; r++)
    {
        const packed_rows *p = &d->captured.rows[runs[r].kind];
        const uint32_t *const index[2] = {host_address(d, p->index[0]), host_address(d, p->index[1])};
        int32_t load[CLUSTER_BLOCKS] = {0};
        for (int32_t k = runs[r].begin; k < runs[r].end; k++)
        {
            bool real = index[0][k] < 4 * (uint32_t)d->captured.particles;
            int32_t block = lighter(l, load, index, is_tether(runs[r].kind) ? 1 : 2, k);
            l->row[at++] = real ? address_in(block, total[block] + load[block]++) : CLUSTER_NOWHERE;
        }
        for (int b = 0; b < CLUSTER_BLOCKS; b++)
        {
            l->stretch[r * CLUSTER_BLOCKS + b] = cluster_stretch{total[b], load[b]};
            total[b] += load[b];
        }
    }
    f->rows = most_of(total);
}

static void place_faces(const device *d, cluster_frame *f, cluster_layout *l)
{
    const packed_faces *p = &d->captured.faces;
    const uint32_t *const index[3] = {host_address(d, p->index[0]), host_address(d, p->index[1]),
                                      host_address(d, p->index[2])};
    const int32_t *start = host_address(d, p->slot_start);
    int32_t load[CLUSTER_BLOCKS] = {0}, corners[CLUSTER_BLOCKS] = {0};
    for (int32_t k = 0; k < p->count; k++)
    {
        bool real = index[0][k] < 4 * (uint32_t)d->captured.particles;
        int32_t block = lighter(l, load, index, 3, k);
        l->face[k] = real ? address_in(block, load[block]++) : CLUSTER_NOWHERE;
    }
    for (int32_t i = 0; i < d->captured.slots; i++)
        corners[block_of(l->address[i])] += start[i + 1] - start[i];
    f->faces = most_of(load);
    f->corners = most_of(corners);
}

void free_layout(cluster_layout *l)
{
    free(l->address), free(l->slot), free(l->row), free(l->face), free(l->stretch);
    *l = cluster_layout{};
}

bool lay_out_cluster(const device *d, const cluster_run *runs, cluster_frame *f, cluster_layout *l)
{
    const state *s = &d->captured;
    size_t rows = 0;
    for (int32_t r = 0; r < f->stretches; r++)
        rows += (size_t)(runs[r].end - runs[r].begin);
    f->share = (s->slots + CLUSTER_BLOCKS - 1) / CLUSTER_BLOCKS;
    *l = cluster_layout{
        (uint32_t *)calloc((size_t)s->slots, sizeof *l->address), (int32_t *)calloc((size_t)s->slots, sizeof *l->slot),
        (uint32_t *)calloc(rows + 1, sizeof *l->row), (uint32_t *)calloc((size_t)s->faces.count + 1, sizeof *l->face),
        (cluster_stretch *)calloc((size_t)f->stretches * CLUSTER_BLOCKS + 1, sizeof *l->stretch)};
    if (!l->address || !l->slot || !l->row || !l->face || !l->stretch || !place_slots(d, runs, f, l))
        return false;
    place_rows(d, runs, f, l);
    f->faces = f->corners = 0;
    if (f->substeps)
        place_faces(d, f, l);
    return true;
}

// ---- images --------------------------------------------------------------------------------------------------------

// A part of a block's image.
template <class T> static T *part(char *images, const cluster_frame *f, int32_t block, size_t address)
{
    return (T *)(images + (size_t)block * image_bytes(*f) + (address - offsets_of(*f).rows));
}

static void draw_rows(const device *d, const cluster_run *runs, const cluster_frame *f, const cluster_layout *l,
                      char *images)
{
    cluster_offsets p = offsets_of(*f);
    int32_t at = 0;
    for (int32_t n = 0; n < f->stretches; n++)
    {
        const packed_rows *r = &d->captured.rows[runs[n].kind];
        const uint32_t *const index[2] = {host_address(d, r->index[0]), host_address(d, r->index[1])};
        const float *param = host_address(d, r->param[0]);
        const float *softness = host_address(d, d->captured.pbd ? r->stiffness : r->compliance);
        int step = d->captured.pbd ? r->stiffness_step : r->compliance_step;
        for (int32_t k = runs[n].begin; k < runs[n].end; k++)
        {
            uint32_t address = l->row[at++];
            if (address == CLUSTER_NOWHERE)
                continue;
            near_row *to = part<near_row>(images, f, block_of(address), p.rows) + (address & 0xffff);
            *to = near_row{{l->address[slot_at(index[0], k)], l->address[slot_at(index[1], k)]},
                           param[r->param_step[0] ? k : 0],
                           softness[step ? k : 0]};
            part<int32_t>(images, f, block_of(address), p.numbers)[address & 0xffff] = k;
        }
        for (int32_t b = 0; b < CLUSTER_BLOCKS; b++)
            part<cluster_stretch>(images, f, b, p.stretches)[n] = l->stretch[n * CLUSTER_BLOCKS + b];
    }
}

static void draw_slots(const device *d, const cluster_frame *f, const cluster_layout *l, char *images)
{
    cluster_offsets p = offsets_of(*f);
    for (int32_t b = 0; b < CLUSTER_BLOCKS; b++)
        for (int32_t i = 0; i < f->share; i++)
        {
            int32_t at = b * f->share + i;
            part<int32_t>(images, f, b, p.slots)[i] = at < d->captured.slots ? l->slot[at] : -1;
        }
}

// Writes the faces, and for each slot its face corners in the order in which their forces are summed.
static void draw_faces(const device *d, const cluster_frame *f, const cluster_layout *l, char *images)
{
    const packed_faces *from = &d->captured.faces;
    const float *drag = host_address(d, from->drag), *lift = host_address(d, from->lift);
    const int32_t *start = host_address(d, from->slot_start), *face = host_address(d, from->slot_face);
    cluster_offsets p = offsets_of(*f);
    for (int32_t k = 0; k < from->count; k++)
    {
        if (l->face[k] == CLUSTER_NOWHERE)
            continue;
        near_face *to = part<near_face>(images, f, block_of(l->face[k]), p.faces) + (l->face[k] & 0xffff);
        for (int c = 0; c < 3; c++)
            to->index[c] = l->address[slot_at(host_address(d, from->index[c]), k)];
        to->drag = drag[k], to->lift = lift[k], to->number = k + 1;
    }
    for (int32_t b = 0; b < CLUSTER_BLOCKS; b++)
    {
        int32_t *first = part<int32_t>(images, f, b, p.starts), at = 0;
        uint32_t *corner = part<uint32_t>(images, f, b, p.corners);
        for (int32_t i = 0; i < f->share; i++)
        {
            int32_t slot = b * f->share + i < d->captured.slots ? l->slot[b * f->share + i] : -1;
            first[i] = at;
            for (int32_t k = slot < 0 ? 0 : start[slot]; slot >= 0 && k < start[slot + 1]; k++)
                corner[at++] = l->face[face[k]];
        }
        first[f->share] = at;
    }
}

void draw_cluster(const device *d, const cluster_run *runs, const cluster_frame *f, const cluster_layout *l,
                  char *images)
{
    draw_rows(d, runs, f, l, images);
    draw_slots(d, f, l, images);
    if (f->faces)
        draw_faces(d, f, l, images);
}
