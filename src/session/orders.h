/* orders.h: a graph in other orders than its own, for both users. The library keeps every order that it makes; the
 * program keeps one at a time, which its ranks share. */
#pragma once

#include <pthread.h>

#include "../graph/graph.h"

struct order {
    struct order *next;
    char spec[64];      /* spec of the order (specs.h); "": none was made yet */
    struct graph graph; /* empty if the spec names the graph's own order */
    double ms;          /* time to make it */
    int users;          /* searches and engines; and 1 for the list */
};

/* Makes the graph in the order of the spec. order_release() in every case. */
int order_make(struct order *order, const struct graph *graph, const char *spec, struct error *error);
void order_release(struct order *order);

/* The orders of a graph, which several threads may take at the same time. */
struct orders {
    struct order *list;     /* guarded by the lock, as is the number of users */
    pthread_mutex_t lock;   /* held for moments */
    pthread_mutex_t making; /* held while an order is made */
};
void orders_open(struct orders *orders);
void orders_close(struct orders *orders); /* no order has users */

/* Finds or makes an order. order_put() gives it back. */
int order_take(struct orders *orders, const struct graph *graph, const char *spec, struct order **order,
               struct error *error);
/* Counts one more user of an order that is taken; NULL: there is none. */
void order_share(struct orders *orders, struct order *order);
void order_put(struct orders *orders, struct order *order); /* NULL does nothing */
/* Drops all orders from the list. Those with users last until the last user puts them. */
void orders_forget(struct orders *orders);
