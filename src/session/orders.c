#include "orders.h"

#include "../device.h"
#include "../graph/reorder.h"

enum order_source order_choose(const struct order_wish *wish)
{
    bool needs_own = wish->by_own_ids || wish->only_own;
    if (wish->of_user != NULL && needs_own && strcmp(wish->of_user, "natural") != 0)
        return ORDER_REFUSED;
    if (needs_own)
        return ORDER_OWN;
    if (wish->of_user != NULL)
        return ORDER_OF_USER;
    if (wish->in_file && !wish->untranslated)
        return ORDER_OF_FILE;
    return wish->of_algorithm != NULL ? ORDER_OF_ALGORITHM : ORDER_OWN;
}

int order_make(struct order *order, const struct graph *graph, const char *spec, struct error *error)
{
    struct reorder wanted;
    *order = (struct order){.users = 1};
    snprintf(order->spec, sizeof order->spec, "%s", spec);
    if (reorder_parse(spec, &wanted, error) != STATUS_OK || !reorder_changes(&wanted))
        return error->status;
    if (graph->permutation != NULL)
        return error_set(error, STATUS_INPUT, "%s is already reordered (%s)", graph->name, graph->reordering);
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
}

void orders_close(struct orders *orders)
{
    orders_forget(orders);
    pthread_mutex_destroy(&orders->lock);
}

void order_put(struct order *order)
{
    if (order == NULL || atomic_fetch_sub(&order->users, 1) > 1)
        return;
    order_release(order);
    free(order);
}

int order_take(struct orders *orders, const struct graph *graph, const char *spec, struct order **order,
               struct error *error)
{
    pthread_mutex_lock(&orders->lock);
    struct order *found = orders->list;
    while (found != NULL && strcmp(found->spec, spec) != 0)
        found = found->next;
    if (found == NULL && allocate_zeroed(&found, 1, sizeof *found, "the order", error) == STATUS_OK) {
        order_make(found, graph, spec, error);
        found->next = orders->list;
        orders->list = error->status == STATUS_OK ? found : found->next;
    }
    if (error->status == STATUS_OK) {
        order_share(found);
    } else {
        order_put(found);
        found = NULL;
    }
    pthread_mutex_unlock(&orders->lock);
    *order = found;
    return error->status;
}

void orders_forget(struct orders *orders)
{
    pthread_mutex_lock(&orders->lock);
    for (struct order *order; (order = orders->list) != NULL; order_put(order))
        orders->list = order->next;
    pthread_mutex_unlock(&orders->lock);
}
