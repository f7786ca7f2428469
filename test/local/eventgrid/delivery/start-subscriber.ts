import { setImmediate } from "node:timers/promises";
import { DeliverySlots } from "../../../../local/src/eventgrid/delivery/delivery-slots.js";
import { PushSubscriber } from "../../../../local/src/eventgrid/delivery/push-subscriber.js";
import {
  type AttemptResult,
  basicRetryPolicy,
} from "../../../../local/src/eventgrid/delivery/retry-policy.js";
import {
  Counter,
  EventStages,
  PendingEvents,
} from "../../../../local/src/eventgrid/delivery/stages.js";
import type {
  AcceptedEvent,
  EventSubscriptionSettings,
} from "../../../../local/src/eventgrid/index.js";
import { readRecordedEvent } from "../../../../local/src/eventgrid/topics/index.js";
import { createClock, Faults } from "../../../../local/src/simulation/index.js";
import { cloudEvent } from "../../support/cloud.js";
import { settings } from "./settings.js";

/** The time at which each test starts. */
export const START = Date.parse("2026-01-31T07:00:00Z");

/** The result of an attempt whose connection was reset. */
export const lost: AttemptResult = { failure: "SocketError", message: "reset" };

const ids = (events: readonly AcceptedEvent[]) =>
  events.map(({ json }) => JSON.parse(json).id).join();

/** A subscriber whose endpoint gives the answers in turn, and 200 after them. */
export function startSubscriber(changes: Partial<EventSubscriptionSettings> = {}) {
  const stages: unknown[] = [];
  const sent: string[] = [];
  const answers: (AttemptResult | Promise<AttemptResult>)[] = [];
  const deadLetters: unknown[] = [];
  const container: { takes: boolean; problem?: string } = { takes: false };
  const random = { value: 0 };
  const forgotten = { times: 0 };
  const busy = new Counter();
  const pending = new PendingEvents(busy);
  const faults = new Faults();
  const slots = new DeliverySlots();
  // What waits for no clock is over after two turns of the event loop.
  const clock = createClock(
    "stepped",
    () => START,
    async () => {
      await setImmediate();
      await setImmediate();
    },
  );
  const recorder = {
    matched: (_: string, count: number) => stages.push(`matched ${count}`),
    resumed: (event: AcceptedEvent) => stages.push(`resumed ${ids([event])}`),
    retrying: (events: readonly AcceptedEvent[], _: string, progress: object) =>
      stages.push([`retrying ${ids(events)}`, progress]),
    due: (events: readonly AcceptedEvent[]) => stages.push(`due ${ids(events)}`),
    settled: (events: readonly AcceptedEvent[], _: string, end: string) =>
      stages.push(`${end} ${ids(events)}`),
    cleared: (_: string, due: number, waiting: number) => stages.push({ due, waiting }),
    attempted: ({ events, subscription, subscriptionId, durationMs, ...attempt }: Attempted) =>
      stages.push([`attempted ${ids(events)}`, attempt]),
  };
  type Attempted = Parameters<
    NonNullable<ConstructorParameters<typeof EventStages>[0][number]["attempted"]>
  >[0];
  const current = {
    subscription: {
      ...{ id: "/s", name: "orders-sub", scope: "/t", properties: {} },
      provisioningState: "Succeeded" as const,
      settings: { ...settings, ...changes },
    },
  };
  const tokens = { authorization: async () => ({}), forget: () => void forgotten.times++ };
  const subscriber = new PushSubscriber(current, tokens, {
    clock,
    faults,
    slots,
    random: () => random.value,
    policy: basicRetryPolicy,
    stages: new EventStages([pending, recorder]),
    sender: {
      send: async ({ events, deliveryCount }) => {
        sent.push(`${ids(events)} ${deliveryCount}`);
        return answers.shift() ?? { status: 200 };
      },
    },
    deadLetters: {
      takes: () => container.takes,
      problem: () => container.problem,
      put: async (events, reason, { attempts, lastOutcome, lastAttemptAt }) =>
        void deadLetters.push({ ids: ids(events), reason, attempts, lastOutcome, lastAttemptAt }),
    },
  });
  const event = (id: string, data = "", publishedAt = clock.now()) =>
    readRecordedEvent(
      { json: JSON.stringify(cloudEvent({ id, data })), schema: "CloudEventSchemaV1_0" },
      "/t",
      publishedAt,
    ).event;
  const change = (more: Partial<EventSubscriptionSettings>) => {
    const { subscription } = current;
    current.subscription = { ...subscription, settings: { ...subscription.settings, ...more } };
    subscriber.settingsChanged();
  };
  /** Answers when the test says. */
  const hold = () => {
    let answer: (result: AttemptResult) => void = () => {};
    answers.push(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    return answer;
  };
  const counts = () => [busy.count, pending.backlog.count];
  const now = () => clock.advance({ seconds: 0 });
  const [log, dead] = [stages, deadLetters];
  return {
    ...{ subscriber, event, clock, now, faults, slots, random, change, forgotten },
    ...{ log, sent, answers, hold, dead, container, counts },
  };
}
