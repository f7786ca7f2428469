import type { NewNamespaceSubscription } from "cloud-eventgrid-local";
import type { ReceivedRequest } from "../../../support/webhook.js";
import type { Area, Row } from "../../row.js";
import { cloudEvent, type Stage, statusOf } from "../../stage.js";
import { MODEL, Opened, page, RETRIES } from "./opened.js";

const HOOK = page("namespace-handler-webhook", "Webhooks of namespaces");
const HUBS = page("namespace-handler-event-hubs", "Event hubs of namespaces");

interface Pushed {
  readonly opened: Opened;
  readonly name: string;
  readonly requests: () => readonly ReceivedRequest[];
}

/** A webhook that answers deliveries with these statuses, then with 200. */
async function subscribe(
  stage: Stage,
  answers: readonly number[] = [],
  settings: Partial<NewNamespaceSubscription> = {},
): Promise<Pushed> {
  const opened = await Opened.open(stage);
  const name = stage.newName();
  const endpointUrl = stage.answering(name, answers);
  await opened.topic.subscriptions.create({ name, endpointUrl, ...settings });
  const requests = () => stage.webhook.requests.filter(({ path }) => path === `/${name}`);
  return { opened, name, requests };
}

/** Pushes one event, and returns the attempts. */
async function attempts(
  stage: Stage,
  answers: readonly number[],
  settings?: Partial<NewNamespaceSubscription>,
) {
  const { opened, name } = await subscribe(stage, answers, settings);
  await opened.publish();
  await stage.cloud.drain();
  return stage.cloud.deliveries().filter(({ subscription }) => subscription === name);
}

const final = (status: number, outcome: string, documented: string): Row => ({
  source: RETRIES,
  input: `A webhook of a namespace answers ${status}`,
  documented,
  run: async (stage) => (await attempts(stage, [status]))[0]?.outcome,
  result: outcome,
});

const refused = (
  input: string,
  documented: string,
  settings: Partial<NewNamespaceSubscription>,
  source = MODEL,
): Row => ({
  source,
  input,
  documented,
  run: (stage) => subscribe(stage, [], settings).then(() => undefined, statusOf),
  result: 400,
});

const property = (name: string) => ({ type: "static", name, value: "x" }) as const;

export const push: Area = {
  title: "Namespaces: push to webhooks",
  rows: [
    {
      source: HOOK,
      input: "A webhook is subscribed",
      documented:
        "`OPTIONS` without `WebHook-Request-Callback` and `WebHook-Request-Rate`; the origin is open",
      unknown: "the origin `eventgrid.azure.net`, as for topics",
      run: async (stage) => {
        const [handshake] = (await subscribe(stage)).requests();
        const headers = Object.entries(handshake?.headers ?? {});
        return [handshake?.method, headers.filter(([name]) => name.startsWith("webhook-"))];
      },
      result: ["OPTIONS", [["webhook-request-origin", "eventgrid.azure.net"]]],
    },
    refused(
      "A webhook with `http:`",
      "only `https:`",
      { endpointUrl: "http://parity.example.com/" },
      { ...HOOK, quote: "if it uses encryption in transit (`HTTPS`)" },
    ),
    ...[200, 201, 202, 203, 204].map((status) => final(status, "delivered", "delivered")),
    ...[400, 403, 413].map((status) => final(status, "dropped", "not retried")),
    ...[401, 404, 414].map((status) => ({
      ...final(
        status,
        "dropped",
        "not retried; another table of the page retries some after minutes",
      ),
      unknown: "not retried",
    })),
    ...[408, 429, 500, 503].map((status) => final(status, "retrying", "retried")),
    {
      source: { ...RETRIES, quote: "Delivery retry doesn't happen for the following conditions" },
      input: "A webhook cannot be reached",
      documented: "not retried: `SocketException` is such a condition",
      run: async (stage) => {
        const end = stage.cloud.faults.deliveries({ unreachable: true });
        const outcomes = (await attempts(stage, [])).map(({ outcome }) => outcome);
        end();
        return outcomes;
      },
      result: ["dropped"],
    },
    {
      source: RETRIES,
      input: "The seconds between attempts",
      documented:
        "0 (immediate), 10, 30, 60, 300, then every 300, in at most 10 attempts: either waits after the first attempt, or times since it, as attempt 8 “at minute 20” says",
      unknown: "waits of 10, 30, 60 and then 300, so that attempt 8 is after 21:40 minutes",
      run: async (stage) => {
        const times = (await attempts(stage, Array(12).fill(500))).map(({ at }) => at / 1000);
        return times.slice(1).map((at, index) => Math.round(at - (times[index] ?? 0)));
      },
      result: [10, 30, 60, 300, 300, 300, 300, 300, 300],
    },
    {
      source: RETRIES,
      input: "The seconds until the attempt after 503, and after 408",
      documented: "30 and 120 in one table of the page, by the schedule in another",
      unknown: "30 and 120",
      run: async (stage) => {
        const waits: number[] = [];
        for (const status of [503, 408]) {
          const [first, second] = await attempts(stage, [status]);
          waits.push(((second?.at ?? 0) - (first?.at ?? 0)) / 1000);
        }
        return waits;
      },
      result: [30, 120],
    },
    {
      source: RETRIES,
      input: "New events for an endpoint that has failed",
      documented: "probation: they wait for seconds or minutes",
      differs: "delivered at once",
      run: async (stage) => {
        const { opened, requests } = await subscribe(stage, [503]);
        await opened.publish({ id: "1" });
        await stage.cloud.clock.advance({ seconds: 1 });
        await opened.publish({ id: "2" });
        await stage.cloud.clock.advance({ seconds: 1 });
        return requests().filter(({ method }) => method === "POST").length;
      },
      result: 2,
    },
    {
      source: RETRIES,
      input: "The time to live passes between two attempts of a push",
      documented: "checked at the next attempt",
      differs: "at once, so that tests need not wait for the next attempt",
      run: async (stage) => {
        const deadLetter = { container: "dead" };
        const settings = { eventTimeToLive: "PT2M", deadLetter };
        const { opened } = await subscribe(stage, Array(9).fill(500), settings);
        const publishedAt = stage.cloud.clock.now();
        await opened.publish();
        await stage.cloud.drain();
        const [letter] = opened.deadLetters();
        return [
          letter?.deadletterreason,
          letter?.deliveryattempts,
          stage.cloud.clock.now() - publishedAt,
        ];
      },
      result: ["Time to live was exceeded.", 4, 120_000],
    },
    {
      source: HUBS,
      input: "The headers of a delivery",
      documented: "known for event hubs only",
      unknown: "those of topics",
      run: async (stage) => {
        const { opened, requests } = await subscribe(stage);
        await opened.publish();
        await stage.cloud.drain();
        const headers = requests().at(-1)?.headers ?? {};
        return Object.keys(headers)
          .filter((name) => name.startsWith("aeg-"))
          .sort();
      },
      result: [
        "aeg-data-version",
        "aeg-delivery-count",
        "aeg-event-type",
        "aeg-metadata-version",
        "aeg-output-event-id",
        "aeg-subscription-name",
      ],
    },
    {
      source: MODEL,
      input: "The content types of one event and of a batch",
      documented: "structured JSON; the media type of batches is open",
      unknown:
        "`application/cloudevents+json` and `application/cloudevents-batch+json`, with a charset",
      run: async (stage) => {
        const { opened, name, requests } = await subscribe(stage);
        await opened.publish();
        await stage.cloud.drain();
        const endpointUrl = stage.answering(name, []);
        await opened.topic.subscriptions.put({
          name,
          endpointUrl,
          batching: { maxEventsPerBatch: 2 },
        });
        await opened.publishAll(["2", "3"].map((id) => cloudEvent({ id, data: {} })));
        await stage.cloud.drain();
        return requests().flatMap(({ method, headers }) =>
          method === "POST" ? [headers["content-type"]] : [],
        );
      },
      result: [
        "application/cloudevents+json; charset=utf-8",
        "application/cloudevents-batch+json; charset=utf-8",
      ],
    },
    {
      source: MODEL,
      input: "A delivery to a protected webhook",
      documented: "a bearer token; whose is open",
      unknown: "of Event Grid's application, with its app role, as for topics",
      run: async (stage) => {
        const { clientId } = stage.cloud.applications.create({ displayName: stage.newName() });
        const { opened, requests } = await subscribe(stage, [], { clientId });
        await opened.publish();
        await stage.cloud.drain();
        const token = requests().at(-1)?.headers.authorization?.split(".")[1] ?? "";
        const { aud, appid, roles } = JSON.parse(
          Buffer.from(token, "base64url").toString() || "{}",
        );
        return [aud === clientId, appid, roles];
      },
      result: [
        true,
        "4962773b-9cdb-44cf-a8bf-237846a00ab7",
        ["AzureEventGridSecureWebhookSubscriber"],
      ],
    },
    ...[0, 11].map((maxDeliveryCount) =>
      refused(
        `\`maxDeliveryCount\` of ${maxDeliveryCount}`,
        "1 to 10",
        { maxDeliveryCount },
        RETRIES,
      ),
    ),
    refused("Batches of 5,001 events", "1 to 5,000", { batching: { maxEventsPerBatch: 5_001 } }),
    refused("Batches of 1,025 KB", "1 to 1,024", {
      batching: { preferredBatchSizeInKilobytes: 1_025 },
    }),
    refused("11 delivery properties", "at most 10", {
      deliveryProperties: Array.from({ length: 11 }, (_, index) => property(`p${index}`)),
    }),
    refused("A delivery property of 4,097 bytes", "at most 4,096", {
      deliveryProperties: [{ type: "static", name: "p", value: "x".repeat(4_097) }],
    }),
  ],
};
