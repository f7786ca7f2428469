import { createPublisher, type PublisherOptions } from "cloud-eventgrid-binding-runtime";
import type { OutboxOptions } from "cloud-eventgrid-binding-runtime/postgres";
import { onTestFinished } from "vitest";
import { createOutboxWith } from "../../../runtime/src/postgres/outbox.js";
import { ManualClock } from "../../support/manual-clock.js";
import type { TopicServer, WireEvent } from "../../support/topic-server.js";
import { CollectingLog } from "../receiver/service.js";
import type { TestDatabase } from "./database.js";

export type OutboxSettings = Partial<Omit<OutboxOptions, "pool">> & {
  readonly publisher?: PublisherOptions;
};

/** An outbox in a schema of its own, whose relay runs by a manual clock. */
export async function startOutbox(
  database: TestDatabase,
  topic: TopicServer,
  { publisher: options, ...outboxOptions }: OutboxSettings = {},
) {
  const schema = outboxOptions.schema ?? (await database.schema());
  const publisher = createPublisher(topic.binding, {
    source: "/shop",
    retry: { attempts: 1 },
    ...options,
  });
  const clock = new ManualClock();
  const log = new CollectingLog();
  const outbox = createOutboxWith(
    publisher,
    { pool: database.pool, schema, logger: log, ...outboxOptions },
    clock,
    () => 1, // delays without their random part
  );
  onTestFinished(async () => {
    await outbox.close();
    await publisher.close();
  });
  const store = (...ids: string[]) =>
    outbox.add(
      database.pool,
      ids.map((id) => ({ type: "shop.order.placed", id, data: { orderId: id } })),
    );
  const waiting = async () => {
    const rows = await database.rows(
      `select convert_from(body, 'UTF8')::json->>'id' as id from ${schema}.eventgrid_outbox order by id`,
    );
    return rows.map(({ id }) => id);
  };
  /** The rows that were set aside. */
  const failed = () =>
    database.rows(
      `select id, convert_from(body, 'LATIN1') as body, failure from ${schema}.eventgrid_outbox where failed_at is not null order by id`,
    );
  return { schema, publisher, clock, log, outbox, store, waiting, failed };
}

export const ids = (events: readonly WireEvent[]) => events.map(({ id }) => id);
