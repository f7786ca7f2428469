import type { PGlite, Transaction } from "@electric-sql/pglite";
import { defineEvents, type ListenerOptions, type } from "cloud-eventgrid-binding-runtime";
import type {
  ClientOf,
  ConnectionSource,
  Inbox,
  Outbox,
  Queryable,
  Transactions,
} from "cloud-eventgrid-binding-runtime/postgres";
import type { Pool, PoolClient } from "pg";
import { expect, expectTypeOf, it } from "vitest";

it("accepts a pool of pg, PGlite and transactions of your own, and knows their clients", () => {
  expectTypeOf<Pool>().toExtend<ConnectionSource>();
  expectTypeOf<PGlite>().toExtend<ConnectionSource>();
  expectTypeOf<ClientOf<Pool>>().toEqualTypeOf<PoolClient>();
  expectTypeOf<ClientOf<PGlite>>().toEqualTypeOf<Transaction>();
  interface OwnClient extends Queryable {
    readonly orm: string;
  }
  expectTypeOf<Transactions<OwnClient>>().toExtend<ConnectionSource>();
  expectTypeOf<ClientOf<Transactions<OwnClient>>>().toEqualTypeOf<OwnClient>();
  expectTypeOf<{ connect(): Promise<OwnClient> }>().not.toExtend<ConnectionSource>();
});

it("types the events of an outbox by the publisher's catalogue", () => {
  type Placed = { input: { orderId: string }; output: unknown };
  expectTypeOf<Parameters<Outbox<{ "shop.order.placed": Placed }>["add"]>[1]>()
    .extract<{ type: "shop.order.placed"; specversion?: undefined }>()
    .toHaveProperty("data")
    .toEqualTypeOf<{ orderId: string }>();
});

it("types events by the listener's catalogue, and the client by the pool", () => {
  const events = defineEvents({ "shop.order.placed": type<{ orderId: string }>() });
  const check = (inbox: Inbox<Transaction>) => {
    const options: ListenerOptions<NonNullable<(typeof events)["~payloads"]>> = {
      events,
      on: {
        "shop.order.placed": inbox.handler((event, { client, signal }) => {
          expectTypeOf(event.data.orderId).toEqualTypeOf<string>();
          expectTypeOf(client).toEqualTypeOf<Transaction>();
          expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        }),
      },
    };
    return options;
  };
  expect(check).toBeTypeOf("function");
});
