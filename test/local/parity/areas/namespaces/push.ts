import type { NewNamespaceSubscription } from "cloud-eventgrid-local";
import { deadLettersTo } from "../../../support/dead-letters.js";
import { type Area, type Row, row, rowsThat } from "../../row.js";
import { cloudEvent, type Stage, statusOf } from "../../stage.js";
import { MODEL, open, page, RETRIES } from "./opened.js";

const HOOK = page("namespace-handler-webhook", "Webhooks of namespaces");
const HUBS = page("namespace-handler-event-hubs", "Event hubs of namespaces");

interface Push {
  /** Statuses of the webhook, one for each delivery; 200 after the last. */
  readonly answers?: readonly number[];
  readonly settings?: Partial<NewNamespaceSubscription>;
}

async function subscribe(stage: Stage, { answers = [], settings }: Push) {
  const opened = await open(stage);
  const name = stage.newName();
  const endpointUrl = stage.answering(name, answers);
  await opened.topic.subscriptions.create({ name, endpointUrl, ...settings });
  const requests = () => stage.webhook.requests.filter(({ path }) => path === `/${name}`);
  return { opened, name, requests };
}

/** A row about a webhook that is subscribed to the topic of a namespace. */
const webhook = rowsThat((stage, of: Push = {}) => subscribe(stage, of));

async function push(stage: Stage, of: Push) {
  const { opened, name, requests } = await subscribe(stage, of);
  const publishedAt = stage.cloud.clock.now();
  await opened.publish();
  await stage.cloud.drain();
  const attempts = stage.cloud.deliveries().filter(({ subscription }) => subscription === name);
  return {
    opened,
    publishedAt,
    attempts,
    headers: requests().at(-1)?.headers ?? {},
    /** Seconds between the attempts. */
    waits: attempts
      .slice(1)
      .map(({ at }, index) => Math.round((at - (attempts[index]?.at ?? 0)) / 1000)),
  };
}

/** A row about one event that is pushed until nothing is pending. */
const pushed = rowsThat((stage, of: Push = {}) => push(stage, of));

const final = (status: number, outcome: string, documented: string): Row =>
  pushed(RETRIES, `A webhook of a namespace answers ${status}`)
    .documented(documented)
    .with({ answers: [status] })
    .gives(outcome, ({ attempts: [first] }) => first?.outcome);

const refused = (
  input: string,
  documented: string,
  settings: Partial<NewNamespaceSubscription>,
  source = MODEL,
): Row =>
  row(source, input)
    .documented(documented)
    .gives(400, (stage) => subscribe(stage, { settings }).then(() => undefined, statusOf));

const property = (name: string) => ({ type: "Static", name, properties: { value: "x" } }) as const;

export const pushing: Area = {
  title: "Namespaces: push to webhooks",
  rows: [
    webhook(HOOK, "A webhook is subscribed")
      .documented(
        "`OPTIONS` without `WebHook-Request-Callback` and `WebHook-Request-Rate`; the origin is open",
      )
      .unknown("the origin `eventgrid.azure.net`, as for topics")
      .gives(["OPTIONS", [["webhook-request-origin", "eventgrid.azure.net"]]], ({ requests }) => {
        const [handshake] = requests();
        const headers = Object.entries(handshake?.headers ?? {});
        return [handshake?.method, headers.filter(([name]) => name.startsWith("webhook-"))];
      }),
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
    row(
      { ...RETRIES, quote: "Delivery retry doesn't happen for the following conditions" },
      "A webhook cannot be reached",
    )
      .documented("not retried: `SocketException` is such a condition")
      .gives(["dropped"], async (stage) => {
        const end = stage.cloud.faults.deliveries({ unreachable: true });
        const { attempts } = await push(stage, {});
        end();
        return attempts.map(({ outcome }) => outcome);
      }),
    pushed(RETRIES, "The seconds between attempts")
      .documented(
        "0 (immediate), 10, 30, 60, 300, then every 300, in at most 10 attempts: either waits after the first attempt, or times since it, as attempt 8 “at minute 20” says",
      )
      .unknown("waits of 10, 30, 60 and then 300, so that attempt 8 is after 21:40 minutes")
      .with({ answers: Array(12).fill(500) })
      .gives([10, 30, 60, 300, 300, 300, 300, 300, 300], ({ waits }) => waits),
    pushed(RETRIES, "The seconds until the attempt after 503, and after 408")
      .documented("30 and 120 in one table of the page, by the schedule in another")
      .unknown("30 and 120")
      .with({ answers: [503, 408] })
      .gives([30, 120], ({ waits }) => waits),
    webhook(RETRIES, "New events for an endpoint that has failed")
      .documented("probation: they wait for seconds or minutes")
      .differs("delivered at once")
      .with({ answers: [503] })
      .gives(2, async ({ opened, requests }) => {
        await opened.publish({ id: "1" });
        await opened.advance(1);
        await opened.publish({ id: "2" });
        await opened.advance(1);
        return requests().filter(({ method }) => method === "POST").length;
      }),
    pushed(RETRIES, "The time to live passes between two attempts of a push")
      .documented("checked at the next attempt")
      .differs("at once, so that tests need not wait for the next attempt")
      .with({
        answers: Array(9).fill(500),
        settings: { eventTimeToLive: "PT2M", ...deadLettersTo("dead") },
      })
      .gives(["Time to live was exceeded.", 4, 120_000], ({ opened, publishedAt }) => {
        const [letter] = opened.deadLetters();
        const { clock } = opened.stage.cloud;
        return [letter?.deadletterreason, letter?.deliveryattempts, clock.now() - publishedAt];
      }),
    pushed(HUBS, "The headers of a delivery")
      .documented("known for event hubs only")
      .unknown("those of topics")
      .gives(
        [
          "aeg-data-version",
          "aeg-delivery-count",
          "aeg-event-type",
          "aeg-metadata-version",
          "aeg-output-event-id",
          "aeg-subscription-name",
        ],
        ({ headers }) =>
          Object.keys(headers)
            .filter((name) => name.startsWith("aeg-"))
            .sort(),
      ),
    row(MODEL, "The content types of one event and of a batch")
      .documented("structured JSON; the media type of batches is open")
      .unknown(
        "`application/cloudevents+json` and `application/cloudevents-batch+json`, with a charset",
      )
      .gives(
        [
          "application/cloudevents+json; charset=utf-8",
          "application/cloudevents-batch+json; charset=utf-8",
        ],
        async (stage) => {
          const settings = { maxEventsPerBatch: 2 };
          const { opened, requests } = await subscribe(stage, { settings });
          await opened.publishAll(["2", "3"].map((id) => cloudEvent({ id, data: {} })));
          await stage.cloud.drain();
          const one = await push(stage, {});
          return [one.headers, requests().at(-1)?.headers].map((each) => each?.["content-type"]);
        },
      ),
    row(MODEL, "A delivery to a protected webhook")
      .documented("a bearer token; whose is open")
      .unknown("of Event Grid's application, with its app role, as for topics")
      .gives(
        [true, "4962773b-9cdb-44cf-a8bf-237846a00ab7", ["AzureEventGridSecureWebhookSubscriber"]],
        async (stage) => {
          const { clientId } = stage.cloud.applications.create({ displayName: stage.newName() });
          const { headers } = await push(stage, { settings: { clientId } });
          const claims = headers.authorization?.split(".")[1] ?? "";
          const { aud, appid, roles } = JSON.parse(Buffer.from(claims, "base64url").toString());
          return [aud === clientId, appid, roles];
        },
      ),
    ...[0, 11].map((maxDeliveryCount) =>
      refused(
        `\`maxDeliveryCount\` of ${maxDeliveryCount}`,
        "1 to 10",
        { maxDeliveryCount },
        RETRIES,
      ),
    ),
    refused("Batches of 5,001 events", "1 to 5,000", { maxEventsPerBatch: 5_001 }),
    refused("Batches of 1,025 KB", "1 to 1,024", {
      preferredBatchSizeInKilobytes: 1_025,
    }),
    refused("11 delivery properties", "at most 10", {
      deliveryAttributeMappings: Array.from({ length: 11 }, (_, index) => property(`p${index}`)),
    }),
    refused("A delivery property of 4,097 bytes", "at most 4,096", {
      deliveryAttributeMappings: [
        { type: "Static", name: "p", properties: { value: "x".repeat(4_097) } },
      ],
    }),
  ],
};
