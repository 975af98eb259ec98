/* orders.h: a graph in other vertex orders than its own, for the library and the program. The library keeps every
 * order that it makes; the program keeps one at a time, which its ranks share. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "../graph/graph.h"

/* What decides in which order an algorithm gets the graph. */
struct order_wish {
    const char *of_user, *of_algorithm; /* specs of orders (reorder.h) that they want; NULL: any */
    bool in_file;                       /* the graph's file stores another order than the graph's own */
    bool untranslated; /* the result keeps the ids of the reordered graph, since it stays on the device */
    bool by_own_ids;   /* the result depends on the order of the graph's own ids */
    bool only_own;     /* the algorithm can search only the graph in its own order */
};
enum order_source { ORDER_OWN, ORDER_OF_USER, ORDER_OF_FILE, ORDER_OF_ALGORITHM, ORDER_REFUSED };

/* Returns whose order the algorithm gets. ORDER_REFUSED: by_own_ids or only_own excludes the order of the user. */
enum order_source order_choose(const struct order_wish *wish);

struct order {
    struct order *next;
    char spec[64];      /* spec of the order (reorder.h); "": not made yet */
    struct graph graph; /* the reordered graph; empty if the spec names the graph's own order */
    double ms;          /* time that making the order took */
    atomic_int users;   /* number of searches and engines that use it, plus 1 while it is in the list */
};

/* Makes the graph in the order of the spec. The caller calls order_release() in every case. */
int order_make(struct order *order, const struct graph *graph, const char *spec, struct error *error);
void order_release(struct order *order);

/* The orders of a graph. Several threads may take orders at the same time. */
struct orders {
    struct order *list;   /* linked list, guarded by the lock */
    pthread_mutex_t lock; /* held while an order is made */
};
void orders_open(struct orders *orders);
void orders_close(struct orders *orders); /* no order may have users then */

/* Finds or makes an order. The caller gives it back by order_put(). */
int order_take(struct orders *orders, const struct graph *graph, const char *spec, struct order **order,
               struct error *error);
/* Adds a user to an order that the caller has taken. NULL does nothing. */
static inline void order_share(struct order *order)
{
    if (order != NULL)
        atomic_fetch_add(&order->users, 1);
}
void order_put(struct order *order); /* NULL does nothing */
/* Removes all orders from the list. An order with users is freed when its last user puts it. */
void orders_forget(struct orders *orders);
