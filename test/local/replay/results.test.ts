import { describe, expect, it } from "vitest";
import { cloudEvent, PUBLIC_URL, startShop } from "../support/cloud.js";
import { deadLettersTo } from "../support/dead-letters.js";

describe("the result of a replay", () => {
  it("says what the service answered to each event", async () => {
    const { cloud, webhook, topic } = await startShop(
      {},
      {
        ...deadLettersTo("dead"),
        filter: { subjectBeginsWith: "orders/" },
        retryPolicy: { maxDeliveryAttempts: 2 },
      },
    );
    await cloud.eventSubscriptions.create({
      name: "paid-only",
      scope: topic.id,
      endpointUrl: PUBLIC_URL,
      filter: { includedEventTypes: ["shop.order.paid"] },
    });
    webhook.answerDeliveries(({ body, headers }) => {
      const { id } = JSON.parse(body);
      if (id === "rejected") return 400;
      if (id === "failing") return 503;
      return id === "late" && headers["aeg-delivery-count"] === "0" ? 503 : 200;
    });
    const { events } = await cloud.replay([
      cloudEvent({ id: "ok", subject: "orders/1" }),
      cloudEvent({ id: "late", subject: "orders/2" }),
      cloudEvent({ id: "rejected", subject: "orders/3" }),
      cloudEvent({ id: "failing", subject: "orders/4" }),
      cloudEvent({ id: "other", subject: "parcels/4", type: "shop.order.paid" }),
    ]);

    const outcomes = events.map(({ event, deliveries }) => [
      event.id,
      ...deliveries.map(({ subscription, outcome, attempts, reason }) => [
        subscription,
        outcome,
        attempts.map(({ status }) => status),
        reason,
      ]),
    ]);
    const notPaid = ["paid-only", "filtered", [], "includedEventTypes"];
    expect(outcomes).toEqual([
      ["ok", ["orders-sub", "delivered", [200], undefined], notPaid],
      ["late", ["orders-sub", "delivered", [503, 200], undefined], notPaid],
      [
        "rejected",
        ["orders-sub", "deadLettered", [400], "UndeliverableDueToHttpBadRequest"],
        notPaid,
      ],
      [
        "failing",
        ["orders-sub", "deadLettered", [503, 503], "MaxDeliveryAttemptsExceeded"],
        notPaid,
      ],
      [
        "other",
        ["orders-sub", "filtered", [], 'subjectBeginsWith "orders/"'],
        ["paid-only", "delivered", [200], undefined],
      ],
    ]);
  });

  it("has the first answers on a clock that runs, without waiting for retries", async () => {
    const { cloud, webhook } = await startShop({ clock: "real" });
    webhook.answerDeliveries(() => 503);
    const { events } = await cloud.replay([cloudEvent()]);
    expect(events[0]?.deliveries).toMatchObject([{ outcome: "retrying", status: 503 }]);
  });
});
