/* mailbox.cuh: messages between the blocks of a grid, without a barrier and without a fence.
 *
 * In each epoch, every block writes a message of two words into its slot in the mailbox of every block, also in its
 * own. A block continues when every slot of its mailbox holds a message of this epoch. So an exchange of messages is
 * also a barrier, and all blocks can know the same numbers after it. Epochs are counted over all kernels.
 *
 * Tags. Each half of a message carries the low 8 bits of its epoch. Only `from` writes slot (e % 2, to, from), in
 * epochs e, e + 2, ... It writes the message of e + 2 after it has received all messages of e + 1. `to` sent its
 * message of e + 1 after it had read epoch e. So a reader that waits for e finds, in each half, either e or the value
 * of e - 2. One bit would distinguish them. Zeroed memory matches no epoch, because epochs start at 1.
 *
 * Memory order. Messages are relaxed: they order no other writes. If a receiver must see another write, the sender
 * must do it by an atomic that has returned, or before a fence. */
#pragma once

#include "grid_barrier.cuh"

namespace BACKEND
{

#define TAG_BITS 8u

/* Describes a wait that timed out. */
struct broken {
    uint32_t broken, block, waits_for, epoch;
};

/* The mailboxes of a grid of `blocks` blocks, in device memory; zero before the first kernel. */
struct mailboxes {
    uint64_t *slots; /* 2 * blocks * blocks * 2; by parity of the epoch, receiver, sender */
    uint32_t *epoch; /* a single word: the last epoch used */
    struct broken *broken;
};

/* Allocates zeroed mailboxes for a grid of `blocks` blocks. */
static inline struct mailboxes take_mailboxes(struct gpu_arena *memory, size_t blocks, struct error *error)
{
    const char what[] = "the mailboxes";
    return {gpu_take_zeroed<uint64_t>(memory, 2 * blocks * blocks * 2, what, error),
            gpu_take_zeroed<uint32_t>(memory, 1, what, error), gpu_take_zeroed<struct broken>(memory, 1, what, error)};
}

/* Returns STATUS_DEVICE if a block waited too long for another block's message. who: the algorithm's name. */
static inline int check_mailboxes(const struct mailboxes *mailboxes, const char *who, struct error *error)
{
    struct broken broken;
    if (gpu_download(&broken, mailboxes->broken, 1, error) == STATUS_OK && broken.broken)
        error_set(error, STATUS_DEVICE,
                  "GPU: %s: block %u waited too long for the message of block %u (epoch %u); stopped", who,
                  broken.block, broken.waits_for, broken.epoch);
    return error->status;
}

/* Returns the rotation of block `from`: it sends its item i to block (i + rotation) % blocks. This spreads the first
 * receivers over the blocks, differently in each epoch. */
DEVICE uint32_t rotation(unsigned from, uint32_t epoch)
{
    const unsigned odd = 53, other = 29;
    return from * odd + epoch * other;
}

DEVICE uint32_t tag_of(uint32_t epoch)
{
    return epoch & ((1u << TAG_BITS) - 1);
}

/* Returns the slot for messages from block `from` to block `to`. */
DEVICE uint64_t *slot_of(const struct mailboxes &mailboxes, uint32_t epoch, unsigned to, unsigned from)
{
    return mailboxes.slots + (((size_t)(epoch % 2) * gridDim.x + to) * gridDim.x + from) * 2;
}

/* Waits for the messages of this epoch from the blocks from, from + 32, ..., at most `number` of them. Each poll
 * loads all slots together. Returns false if a message takes too long or if another block has given up. All lanes of
 * the warp must call it. */
template <unsigned number>
DEVICE bool wait_for_some(const struct mailboxes &mailboxes, unsigned from, uint32_t epoch,
                          uint64_t (&words)[number][2])
{
    bool waits = true, broken = false;
    for (unsigned polls = 1; __any_sync(WHOLE_WARP, waits) && !broken; polls++) {
        waits = false;
#pragma unroll
        for (unsigned k = 0; k < number; k++)
            if (from + k * WARP_SIZE < gridDim.x)
                load_pair(slot_of(mailboxes, epoch, blockIdx.x, from + k * WARP_SIZE), words[k]);
#pragma unroll
        for (unsigned k = 0; k < number; k++)
            if (from + k * WARP_SIZE < gridDim.x)
                waits = waits || tag_of((uint32_t)words[k][0]) != tag_of(epoch) ||
                        tag_of((uint32_t)words[k][1]) != tag_of(epoch);
        if (polls % POLLS_PER_CHECK != 0)
            continue;
        broken = __any_sync(WHOLE_WARP, waits && (polls >= MOST_POLLS || __ldcg(&mailboxes.broken->broken)));
        if (broken && waits)
            *mailboxes.broken = {1, blockIdx.x, from, epoch};
    }
    return !broken;
}

} // namespace BACKEND
