#include "orders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../device.h"
#include "../graph/reorder.h"

enum order_source order_choose(const struct order_wish *wish)
{
    bool needs_own = wish->by_own_ids || wish->only_own;
    const struct {
        bool holds;
        enum order_source source;
    } rules[] = {{wish->of_user != NULL && needs_own && strcmp(wish->of_user, "natural") != 0, ORDER_REFUSED},
                 {needs_own, ORDER_OWN},
                 {wish->of_user != NULL, ORDER_OF_USER},
                 {wish->in_file && !wish->untranslated, ORDER_OF_FILE},
                 {wish->of_algorithm != NULL, ORDER_OF_ALGORITHM},
                 {true, ORDER_OWN}};
    int i = 0;
    while (!rules[i].holds)
        i++;
    return rules[i].source;
}

int order_make(struct order *order, const struct graph *graph, const char *spec, struct error *error)
{
    struct reorder wanted;
    *order = (struct order){.users = 1};
    if (graph->permutation != NULL)
        return error_set(error, STATUS_INPUT, "%s is already reordered (%s)", graph->name, graph->reordering);
    snprintf(order->spec, sizeof order->spec, "%s", spec);
    if (reorder_parse(spec, &wanted, error) != STATUS_OK || !reorder_changes(&wanted))
        return error->status;
    double begin_ms = now_ms();
    graph_reorder(graph, &wanted, &order->graph, error);
    order->ms = now_ms() - begin_ms;
    return error->status;
}

void order_release(struct order *order)
{
    graph_release(&order->graph);
    *order = (struct order){0};
}

void orders_open(struct orders *orders)
{
    *orders = (struct orders){0};
    pthread_mutex_init(&orders->lock, NULL);
    pthread_mutex_init(&orders->making, NULL);
}

void orders_close(struct orders *orders)
{
    orders_forget(orders);
    pthread_mutex_destroy(&orders->lock);
    pthread_mutex_destroy(&orders->making);
}

void order_share(struct orders *orders, struct order *order)
{
    pthread_mutex_lock(&orders->lock);
    if (order != NULL)
        order->users++;
    pthread_mutex_unlock(&orders->lock);
}

void order_put(struct orders *orders, struct order *order)
{
    pthread_mutex_lock(&orders->lock);
    bool is_last = order != NULL && --order->users == 0;
    pthread_mutex_unlock(&orders->lock);
    if (!is_last)
        return;
    order_release(order);
    free(order);
}

static struct order *find_order(struct orders *orders, const char *spec)
{
    pthread_mutex_lock(&orders->lock);
    struct order *order = orders->list;
    while (order != NULL && strcmp(order->spec, spec) != 0)
        order = order->next;
    if (order != NULL)
        order->users++;
    pthread_mutex_unlock(&orders->lock);
    return order;
}

int order_take(struct orders *orders, const struct graph *graph, const char *spec, struct order **order,
               struct error *error)
{
    pthread_mutex_lock(&orders->making);
    if ((*order = find_order(orders, spec)) == NULL &&
        allocate_zeroed(order, 1, sizeof **order, "the order", error) == STATUS_OK) {
        if (order_make(*order, graph, spec, error) == STATUS_OK) {
            pthread_mutex_lock(&orders->lock);
            (*order)->users++;
            (*order)->next = orders->list;
            orders->list = *order;
            pthread_mutex_unlock(&orders->lock);
        } else {
            order_put(orders, *order);
            *order = NULL;
        }
    }
    pthread_mutex_unlock(&orders->making);
    return error->status;
}

void orders_forget(struct orders *orders)
{
    pthread_mutex_lock(&orders->lock);
    struct order *order = orders->list, *next;
    orders->list = NULL;
    pthread_mutex_unlock(&orders->lock);
    for (; order != NULL; order = next) {
        next = order->next;
        order_put(orders, order);
    }
}
