import { expect, it } from "vitest";
import { checkDeliveries, checkUnmatched } from "../../../../cli/src/doctor/checks/deliveries.js";
import { deliveryOf } from "../../../../cli/src/rules/index.js";

const NOW = Date.parse("2026-01-31T12:00:00Z");
const HOUR = 3_600_000;
const TOPIC = "/subscriptions/s/resourceGroups/g/providers/Microsoft.EventGrid/topics/t";
const subscription = {
  ...{ id: "/sub", name: "orders", scope: TOPIC, properties: {} },
  delivery: deliveryOf({}, false),
};

type Counts = Readonly<Record<string, number>>;
const NAMES = {
  matched: "MatchedEventCount",
  delivered: "DeliverySuccessCount",
  failed: "DeliveryAttemptFailCount",
  dropped: "DroppedEventCount",
  dead: "DeadLetteredCount",
  unmatched: "UnmatchedEventCount",
} as const;

/** Resource Manager with metrics, of which it may hide one; notes what is asked for. */
function azureWith(points: readonly [at: number, counts: Counts][], hidden = "", status = 200) {
  const asked: unknown[] = [];
  const value = Object.entries(NAMES)
    .filter(([word]) => word !== hidden)
    .map(([word, name]) => {
      const data = points.map(([at, counts]) => ({
        ...{ timeStamp: new Date(at).toISOString(), total: counts[word] ?? 0 },
      }));
      return { name: { value: name }, timeseries: [{ data }] };
    });
  const arm = async (path: string, _: string, query?: object) => {
    asked.push(path, query);
    return { status, body: { value }, code: undefined, message: undefined };
  };
  return { azure: { arm }, asked };
}

/** What the check says of the last two hours, and of the time before them. */
async function says(recent: Counts, older: Counts = {}) {
  const { azure } = azureWith([
    [NOW - 2 * HOUR - 1, older],
    [NOW - 2 * HOUR, recent],
  ]);
  const finding = [await checkDeliveries(azure, subscription, NOW)].flat()[0];
  return `${finding?.status}: ${finding?.message}`.replace(
    /(; )?in the last 2 hours .*failed/,
    "…",
  );
}

it("counts the outcomes of a day, and judges the last two hours", async () => {
  const counts = { matched: 8, delivered: 8, failed: 1 };
  const { azure, asked } = azureWith([[NOW, counts]]);
  expect(await checkDeliveries(azure, subscription, NOW)).toEqual({
    ...{ check: "deliveries", status: "ok" },
    message: "in the last 2 hours 8 events matched, 8 events delivered, 1 attempt failed",
  });
  const metricnames = Object.values(NAMES).slice(0, 5).join();
  const timespan = "2026-01-30T12:00:00.000Z/2026-01-31T12:00:00.000Z";
  expect(asked).toEqual([
    "/sub/providers/Microsoft.Insights/metrics",
    expect.objectContaining({ metricnames, timespan }),
  ]);
});

it("reports what was lost, or not delivered", async () => {
  expect(await says({ dropped: 1, dead: 2 })).toBe("failed: 1 event dropped, 2 dead-lettered…");
  expect(await says({ dead: 1, delivered: 9 })).toBe("failed: 1 event dead-lettered…");
  expect(await says({ matched: 1, failed: 1 })).toBe("failed: no event was delivered…");
  const quarter = "warning: more than a quarter of the attempts failed…";
  expect(await says({ matched: 1, delivered: 29, failed: 10 })).toBe(quarter);
  expect(await says({ matched: 1, delivered: 30, failed: 10 })).toBe("ok: …");
  expect(await says({ matched: 1, delivered: 1, failed: 9 })).toBe("ok: …");
  expect(await says({ failed: 1 })).toBe(quarter);
  const idle = "warning: no delivery was attempted…";
  expect(await says({ matched: 1 }, { failed: 1 })).toBe(idle);
  expect(await says({}, { failed: 1 })).toBe("ok: …");
  expect(await says({ matched: 1, delivered: 1 }, { failed: 1 })).toBe("ok: …");
  const lost = "warning: …; earlier today 1 event dropped, 2 dead-lettered";
  expect(await says({}, { dropped: 1, dead: 2 })).toBe(lost);
  expect(await says({ matched: 1 })).toBe("ok: …");
});

it("does not know outcomes that Azure does not show", async () => {
  const hidden = azureWith([], "dead");
  expect(await checkDeliveries(hidden.azure, subscription, NOW)).toMatchObject({
    ...{ check: "deliveries", status: "unknown" },
    message: "Azure does not show the metric DeadLetteredCount",
  });
  const unread = azureWith([], "", 403);
  expect(await checkDeliveries(unread.azure, subscription, NOW)).toMatchObject({
    ...{ status: "unknown", message: "the metrics cannot be read: 403" },
  });
});

it("warns of events of a topic that no subscription wanted", async () => {
  const { azure, asked } = azureWith([[NOW, { unmatched: 1 }]]);
  expect(await checkUnmatched(azure, TOPIC, NOW)).toMatchObject({
    ...{ check: "filters", status: "warning" },
    message: "1 event of the topic matched no event subscription in the last 2 hours",
  });
  const timespan = "2026-01-31T10:00:00.000Z/2026-01-31T12:00:00.000Z";
  expect(asked).toMatchObject([{}, { metricnames: NAMES.unmatched, timespan }]);
  expect(await checkUnmatched(azureWith([[NOW, {}]]).azure, TOPIC, NOW)).toEqual([]);
  expect(await checkUnmatched(azureWith([], "unmatched").azure, TOPIC, NOW)).toMatchObject({
    ...{ status: "note", message: "the number of unmatched events cannot be read: 200" },
  });
  expect(await checkUnmatched(azure, "/subscriptions/s", NOW)).toEqual([]);
});
