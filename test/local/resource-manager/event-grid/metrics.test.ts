import { expect, it } from "vitest";
import { GROUP, startGroup, startShop } from "../../support/cloud.js";
import { signIn } from "../../support/management-client.js";

it("counts deliveries and dropped events by subscription, as Azure Monitor returns them", async () => {
  const { cloud, webhook, topic, publish } = await startShop({
    control: { eventGridRegistered: true },
  });
  const call = await signIn(cloud);
  const path = `${topic.id}/providers/Microsoft.EventGrid/eventSubscriptions/orders-sub/providers/Microsoft.Insights/metrics`;
  const totals = async (query = "") => {
    const { body } = await call("GET", `${path}?interval=PT1H${query}`);
    const { value } = body as {
      value: { name: { value: string }; timeseries: { data: { total: number }[] }[] }[];
    };
    const sum = (data: readonly { total: number }[]) =>
      data.reduce((all, { total }) => all + total, 0);
    return Object.fromEntries(
      value.map(({ name, timeseries }) => [name.value, sum(timeseries[0]?.data ?? [])]),
    );
  };

  await publish({ id: "1" });
  await publish({ id: "2" });
  await cloud.drain();
  webhook.answerDeliveries(() => 400);
  await publish({ id: "3" });
  await cloud.drain();
  expect(await totals()).toEqual({
    DeliverySuccessCount: 2,
    DeliveryAttemptFailCount: 1,
    MatchedEventCount: 3,
    DroppedEventCount: 1,
    DeadLetteredCount: 0,
  });
  const one = "&metricnames=DroppedEventCount&aggregation=total";
  expect(await totals(one)).toEqual({ DroppedEventCount: 1 });
  const full = `${path}?interval=FULL&metricnames=MatchedEventCount&aggregation=Count,Maximum`;
  expect((await call("GET", full)).body).toMatchObject({
    value: [{ timeseries: [{ data: [{ timeStamp: expect.any(String), count: 3, maximum: 1 }] }] }],
  });
  const ofTopic = `${topic.id}/providers/Microsoft.Insights`;
  const published = `${ofTopic}/metrics?interval=PT1H&metricnames=PublishSuccessCount,MatchedEventCount`;
  const { body } = await call("GET", published);
  expect(body).toMatchObject({ namespace: "Microsoft.EventGrid/topics" });
  expect(JSON.stringify(body)).toMatch(/"total":3.*"total":3/);
  expect((await call("GET", `${ofTopic.replace("orders", "no")}/metrics`)).status).toBe(404);
  const group = `${topic.id.split("/").slice(0, 5).join("/")}/providers/Microsoft.Insights/metrics`;
  expect(await call("GET", group)).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining("has no metrics of the type") } },
  });
  const refused = [
    "metricnames=Hits",
    "timespan=yesterday",
    "interval=PT7M",
    "aggregation=Total,Median",
    "metricnamespace=Microsoft.EventGrid/domains",
  ];
  for (const query of refused) {
    expect((await call("GET", `${path}?${query}`)).status, query).toBe(400);
  }
  const span = (to: string) => `timespan=2026-01-01T00:00:00Z/2026-${to}&interval=P1D`;
  const spans = ["02-01T00:00:00Z", "02-02T00:00:00", "01-01T00:00:00Z"];
  const answers = await Promise.all(
    // az encodes it once more.
    spans.map((to) => call("GET", `${path}?${span(to.replaceAll(":", "%253A"))}`)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
  // Azure takes the last 31 days of a longer one.
  const shown = "2026-01-02T00:00:00.000Z/2026-02-02T00:00:00.000Z";
  expect(answers[1]?.body).toMatchObject({ timespan: shown });
  cloud.eventSubscriptions.delete(topic.id, "orders-sub");
  await publish({ id: "4" });
  const unmatched = `${ofTopic}/metrics?interval=PT1H&metricnames=UnmatchedEventCount`;
  expect(JSON.stringify((await call("GET", unmatched)).body)).toContain('"total":1');
});

it("shows a metric in Azure Monitor's form, in intervals of the clock", async () => {
  const { call } = await startGroup();
  const topic = `${GROUP}/providers/Microsoft.EventGrid/topics/orders`;
  await call("PUT", topic, { location: "westeurope" });
  const path = `${topic}/providers/Microsoft.Insights/metrics`;
  const shown = async (to: string, query: string) => {
    const span = `timespan=2026-01-01T00:00:30Z/2026-01-${to}Z`;
    return (await call("GET", `${path}?${span}&metricnames=publishsuccesscount&${query}`)).body;
  };
  const first = await shown("01T00:02:00", "aggregation=total,%20average,Minimum");
  const point = (minute: number) => ({
    timeStamp: `2026-01-01T00:0${minute}:00.000Z`,
    ...{ total: 0, average: 0, minimum: 0 },
  });
  expect(first).toEqual({
    cost: 0,
    timespan: "2026-01-01T00:00:30.000Z/2026-01-01T00:02:00.000Z",
    interval: "PT1M",
    namespace: "Microsoft.EventGrid/topics",
    resourceregion: "westeurope",
    value: [
      {
        id: `${path}/PublishSuccessCount`,
        type: "Microsoft.Insights/metrics",
        name: { value: "PublishSuccessCount", localizedValue: "PublishSuccessCount" },
        unit: "Count",
        errorCode: "Success",
        timeseries: [{ metadatavalues: [], data: [point(0), point(1)] }],
      },
    ],
  });
  const minutes: Record<string, number> = {};
  for (const interval of ["PT1M", "PT5M", "PT15M", "PT30M", "PT1H", "PT6H", "PT12H", "P1D"]) {
    const body = Object(await shown("02T00:00:30", `interval=${interval}`));
    const { data } = body.value[0].timeseries[0];
    minutes[interval] = (Date.parse(data[1].timeStamp) - Date.parse(data[0].timeStamp)) / 60_000;
  }
  expect(minutes).toEqual({
    ...{ PT1M: 1, PT5M: 5, PT15M: 15, PT30M: 30 },
    ...{ PT1H: 60, PT6H: 360, PT12H: 720, P1D: 1440 },
  });
  expect((await call("GET", `${path}?$filter=a%20eq%20'b'`)).status).toBe(400);
});
