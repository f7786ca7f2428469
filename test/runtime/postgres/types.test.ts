import type { PGlite, Transaction } from "@electric-sql/pglite";
import type {
  ClientOf,
  ConnectionSource,
  Outbox,
  Queryable,
  Transactions,
} from "cloud-eventgrid-binding-runtime/postgres";
import type { Pool, PoolClient } from "pg";
import { expectTypeOf, it } from "vitest";

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
