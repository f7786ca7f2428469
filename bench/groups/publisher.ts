import { Agent, request as httpRequest } from "node:http";
import { AzureKeyCredential, EventGridPublisherClient } from "@azure/eventgrid";
import { createPublisher, type Publisher } from "cloud-eventgrid-binding-runtime";
import { Pool } from "undici";
import { load } from "../harness/load.js";
import type { Reference } from "../harness/reference.js";
import type {
  Column,
  Contender,
  Group,
  Sample,
  Scenario,
  Settings,
  Target,
} from "../harness/scenario.js";
import { ServerProcess } from "../harness/server-process.js";
import { cloudEvent, KEY, payload } from "./event.js";

type PublisherModule = typeof import("cloud-eventgrid-binding-runtime");

const CALLERS = 64;
const ARRAY = 100;

export const publisher: Group = {
  name: "publisher",
  title: "Publishing 1 KB events to a topic that accepts everything",
  async *scenarios(settings) {
    const topic = await ServerProcess.start("topic");
    const senders = new Senders(topic, settings.against);
    try {
      yield one(senders, settings);
      yield many(senders, settings);
      yield arrays(senders, settings);
    } finally {
      await senders.close();
      await topic.stop();
    }
  },
};

const RATE: Column = { key: "rate", title: "events/s", better: "more" };
const CPU: Column = { key: "cpu", title: "CPU µs/event", better: "less" };
const WORK: Column = { key: "work", title: "CPU µs/event, with the topic", better: "less" };
const COLUMNS: Scenario["columns"] = [WORK, CPU, RATE];

function one(senders: Senders, { milliseconds }: Settings): Scenario {
  return {
    name: "one caller, each event awaited",
    columns: COLUMNS,
    contenders: everyone(senders, (send) => senders.load(send, 1, milliseconds), {
      sdk: { atMost: 0.55 },
    }),
  };
}

function many(senders: Senders, { milliseconds }: Settings): Scenario {
  return {
    name: `${CALLERS} callers at once, one event each`,
    columns: COLUMNS,
    contenders: everyone(senders, (send) => senders.load(send, CALLERS, milliseconds), {
      sdk: { atMost: 0.09 },
      undici: { atMost: 1 },
    }),
  };
}

function everyone(
  senders: Senders,
  measure: (send: () => Promise<unknown>) => Promise<Sample>,
  targets: { readonly sdk: Target; readonly undici?: Target },
): Contender[] {
  return [
    { name: "create", ours: true, measure: () => measure(senders.ours.create) },
    ...senders.ofReference(
      ({ create }) =>
        () =>
          measure(create),
    ),
    {
      name: "EventGridPublisherClient.send",
      target: targets.sdk,
      measure: () => measure(senders.sdk),
    },
    {
      name: "undici, by hand",
      ...(targets.undici && { target: targets.undici }),
      measure: () => measure(senders.undici),
    },
    { name: "node:http, by hand", measure: () => measure(senders.http) },
  ];
}

function arrays(senders: Senders, { milliseconds }: Settings): Scenario {
  const measure = (send: (count: number) => Promise<unknown>) => () =>
    senders.load(() => send(ARRAY), 1, milliseconds, ARRAY);
  return {
    name: `one caller, arrays of ${ARRAY}`,
    columns: COLUMNS,
    contenders: [
      { name: "create", ours: true, measure: measure(senders.ours.createMany) },
      ...senders.ofReference(({ createMany }) => measure(createMany)),
      {
        name: "EventGridPublisherClient.send",
        target: { atMost: 0.4 },
        measure: measure(senders.sdkMany),
      },
    ],
  };
}

/** Publishes with one of our publishers. */
class OurSender {
  readonly #publisher: Publisher;

  constructor(create: typeof createPublisher, topicEndpoint: string) {
    this.#publisher = create({ topicEndpoint, accessKey: KEY, name: "bench" });
  }

  readonly create = () => this.#publisher.create(newEvent());

  readonly createMany = (count: number) =>
    this.#publisher.create(Array.from({ length: count }, newEvent));

  close(): Promise<void> {
    return this.#publisher.close();
  }
}

/** Each contender's way to send one event, encoding its payload from an object each time. */
class Senders {
  readonly ours: OurSender;
  readonly #against: Reference | undefined;
  readonly #reference: OurSender | undefined;
  readonly #sdk;
  readonly #pool;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #url: URL;
  readonly #headers = {
    "content-type": "application/cloudevents-batch+json; charset=utf-8",
    "aeg-sas-key": KEY,
  };

  constructor(
    private readonly topic: ServerProcess,
    against: Reference | undefined,
  ) {
    const endpoint = `${topic.url}/api/events`;
    this.#url = new URL(`${endpoint}?api-version=2018-01-01`);
    this.ours = new OurSender(createPublisher, endpoint);
    this.#against = against;
    const published = against?.load<PublisherModule>("cloud-eventgrid-binding-runtime");
    this.#reference = published && new OurSender(published.createPublisher, endpoint);
    this.#sdk = new EventGridPublisherClient(endpoint, "CloudEvent", new AzureKeyCredential(KEY), {
      allowInsecureConnection: true,
    });
    this.#pool = new Pool(this.#url.origin, { connections: CALLERS });
  }

  /** Measures the topic as well: how requests are sent decides what they cost it. */
  load(job: () => Promise<unknown>, callers: number, milliseconds: number, events = 1) {
    return load(job, callers, milliseconds, events, () => this.topic.cpuMicros());
  }

  /** The contender of `--against`, if there is one. */
  ofReference(measure: (sender: OurSender) => Contender["measure"]): Contender[] {
    const [against, sender] = [this.#against, this.#reference];
    return against && sender ? [{ name: against.named("create"), measure: measure(sender) }] : [];
  }

  readonly sdk = () => this.#sdk.send([{ ...newEvent(), source: "bench" }]);

  readonly sdkMany = (count: number) =>
    this.#sdk.send(Array.from({ length: count }, () => ({ ...newEvent(), source: "bench" })));

  readonly undici = async () => {
    const { statusCode, body } = await this.#pool.request({
      method: "POST",
      path: this.#url.pathname + this.#url.search,
      headers: this.#headers,
      body: JSON.stringify([cloudEvent()]),
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`the topic answered ${statusCode}`);
  };

  readonly http = () =>
    new Promise<void>((resolve, reject) => {
      const body = JSON.stringify([cloudEvent()]);
      const headers = { ...this.#headers, "content-length": Buffer.byteLength(body) };
      const request = httpRequest(
        this.#url,
        { method: "POST", agent: this.#agent, headers },
        (response) => {
          response.resume();
          response.once("end", () =>
            response.statusCode === 200
              ? resolve()
              : reject(new Error(`the topic answered ${response.statusCode}`)),
          );
        },
      );
      request.once("error", reject);
      request.end(body);
    });

  async close(): Promise<void> {
    await this.ours.close();
    await this.#reference?.close();
    await this.#pool.close();
    this.#agent.destroy();
  }
}

function newEvent() {
  return { type: "bench.order.placed", subject: "orders/17", data: payload };
}
