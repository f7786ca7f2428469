import { randomInt } from "node:crypto";
import { propertiesOf as queuePropertiesOf } from "../../local/src/eventgrid/namespaces/subscriptions/new-subscription.js";
import { propertiesOf } from "../../local/src/eventgrid/subscriptions/settings.js";
import {
  cloudEvent,
  gridEvent,
  ORIGIN,
  type Outcome,
  publish,
  type Stage,
  type StageQueue,
  type StageSubscription,
  statusOf,
} from "../../test/local/parity/stage.js";
import type { Webhook } from "../../test/local/support/webhook.js";
import type { Shared } from "./shared.js";
import { MissingError, type Translation } from "./translation.js";

const A_GROUP = /^\/subscriptions\/[^/]+\/resourceGroups\/([^/?]+)(\?|$)/i;
const NAMESPACE = /\/Microsoft\.EventGrid\/namespaces\/[^/?]+(\?|$)/i;
/** Namespaces that rows create at most. One costs about four cents an hour. */
const MOST_NAMESPACES = 15;
/** Milliseconds without a request after which no more is expected, and how often to wait for one. */
const QUIET_MS = 10_000;
const DELIVERY_WAITS = 6;

/** The need of a row that changes what the webhook answers. */
export const ALONE = "the webhook for itself";
const CLOCK = "a clock that can be moved";

function missing(need = "what only the local Azure has"): never {
  throw new MissingError(need);
}

/** An object of the local Azure, of which a subscription has only these members. */
function only<T extends object>(
  known: Partial<T>,
  needs: Partial<Record<keyof T, string>> = {},
): T {
  return new Proxy(known as T, {
    get(_, name) {
      // `await` looks for `then`.
      if (name in known || name === "then") return Reflect.get(known, name);
      return missing(needs[name as keyof T]);
    },
  });
}

/** Where one row runs: in the subscription. What only the local Azure has ends the row. */
export class RowStage implements Stage, AsyncDisposable {
  readonly publish = publish;
  readonly cloud = only<Stage["cloud"]>({}, { clock: CLOCK, faults: "a fault" });
  readonly storage = () => missing();
  readonly blobOf = () => missing();
  readonly outcomeOf = () => missing();
  /** Paths to delete after the row. */
  readonly #created: string[] = [];
  readonly #translation: Translation;

  /** @param isAlone whether no other row runs, so that this one may change what the webhook answers */
  constructor(
    private readonly shared: Shared,
    private readonly isAlone: boolean,
  ) {
    this.#translation = shared.translation;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const id of this.#created) await this.shared.connection.call("DELETE", id);
  }

  get webhook(): Webhook {
    const webhook = this.#sharedWebhook;
    return this.isAlone ? webhook : missing(ALONE);
  }

  get #sharedWebhook(): Webhook {
    return this.shared.webhook ?? missing("--webhook");
  }

  /** A run that continues gives other names. */
  readonly newName = () => `row-${randomInt(10 ** 12)}`;

  readonly topicFor: Stage["topicFor"] = (schema) => this.shared.topicFor(schema);

  readonly newTopic: Stage["newTopic"] = async (options = {}) => {
    if ((options.resourceGroupName ?? "parity") !== "parity") missing("another resource group");
    const name = this.#translation.name(options.name ?? this.newName());
    return this.shared.newTopic({ inputSchema: "CloudEventSchemaV1_0", ...options, name });
  };

  readonly newQueue: Stage["newQueue"] = async (settings = {}, { eventRetentionInDays } = {}) => {
    if (settings.deadLetter) missing("a storage account");
    if (settings.endpointUrl !== undefined) missing(CLOCK);
    const { namespace, connection } = this.shared;
    const { endpoint } = namespace;
    const { name = "queue" } = settings;
    const topicName = this.#translation.there(this.newName());
    const id = `${namespace.id}/topics/${topicName}`;
    this.#created.push(id);
    const properties = queuePropertiesOf({ ...settings, name }, this.#translation.subscriptionId);
    const queue = await namespace.newQueue(topicName, name, properties, { eventRetentionInDays });
    const keys = Object(await connection.done("POST", `${id}/listKeys`));
    const known = { endpoint, accessKey: namespace.keys.key1, keys: () => namespace.keys };
    return {
      namespace: only<StageQueue["namespace"]>(known),
      topic: only<StageQueue["topic"]>({ name: topicName, keys: () => keys }),
      queue: only<StageQueue["queue"]>(
        { name, receive: (options) => queue.receive(options) },
        { renewLocks: CLOCK },
      ),
    };
  };

  readonly answering: Stage["answering"] = (name, statuses) =>
    this.#sharedWebhook && statuses.length > 0 ? missing(CLOCK) : `${ORIGIN}/${name}`;

  readonly subscribe: Stage["subscribe"] = async (scope, settings = {}) => {
    const { name = this.newName(), destination, deadLetter } = settings;
    if (destination || deadLetter) missing("a storage account");
    const target = { endpointUrl: `${ORIGIN}/${name}`, ...settings };
    const properties = propertiesOf(
      { name, scope, ...target },
      { subscriptionId: "", isTopic: true },
    );
    const id = `${scope}/providers/Microsoft.EventGrid/eventSubscriptions/${name}`;
    const answer = await this.call("PUT", id, { properties });
    if (answer.status < 400) this.#created.push(this.#translation.there(id));
    await this.shared.connection.succeeded(answer, `PUT ${id}`);
    return only<StageSubscription>({ id, name });
  };

  readonly refusalOf: Stage["refusalOf"] = (settings) => {
    const { id } = this.topicFor("CloudEventSchemaV1_0");
    return this.subscribe(id, settings).then(() => undefined, statusOf);
  };

  readonly passes: Stage["passes"] = (schema, filter = {}, event) =>
    this.shared.passes(schema, filter, event);

  readonly deliver: Stage["deliver"] = async (delivery = {}) => {
    const { topic, subscription, events, answers = [] } = delivery;
    const webhook = this.#sharedWebhook;
    if (answers.length > 0) missing(CLOCK);
    const target = await this.newTopic(topic);
    const { name } = await this.subscribe(target.id, subscription);
    const isGrid = target.inputSchema === "EventGridSchema";
    const answer = await this.publish(target, events ?? [isGrid ? gridEvent() : cloudEvent()]);
    if (answer.status !== 200) throw new Error(answer.text);
    const path = `/${this.#translation.there(name)}`;
    const requests = () =>
      webhook.requests.filter(
        (each) => each.path === path && each.headers["aeg-event-type"] === "Notification",
      );
    for (let waits = 0, before = -1; waits < DELIVERY_WAITS; waits++) {
      if (before > 0 && before === requests().length) break;
      before = requests().length;
      await this.shared.connection.surroundings.wait(QUIET_MS);
    }
    const received = requests();
    return only<Outcome>(
      { requests: received.map((each) => ({ ...each, body: this.#translation.back(each.body) })) },
      { waits: CLOCK },
    );
  };

  readonly call: Stage["call"] = async (method, path, body) => {
    this.#check(method, path, body);
    const { connection } = this.shared;
    const there = this.#translation.there(path);
    const sent = body && JSON.parse(this.#translation.there(JSON.stringify(body)));
    const answer = /\/(operationsStatus|operationResults)\//i.test(path)
      ? await connection.ended(there)
      : await connection.call(method, there, sent);
    return JSON.parse(this.#translation.back(JSON.stringify(answer)));
  };

  /** Keeps a row within its group, its rights and a euro. @throws MissingError */
  #check(method: string, path: string, body: unknown): void {
    if (path.startsWith("/v1.0/")) missing("a directory that it may change");
    if (method === "GET") return;
    const [, group] = A_GROUP.exec(path) ?? [];
    const isOwn = group === "parity" && method === "PUT";
    if (group && !isOwn) missing("another resource group");
    if (method !== "PUT" || !NAMESPACE.test(path)) return;
    const isDear = Number(Object(Object(body).sku).capacity ?? 1) > 1;
    const { namespaces } = this.shared;
    const isMore = !namespaces.has(path) && namespaces.size === MOST_NAMESPACES;
    if (isDear || isMore) missing("more than a euro: run again with --continue");
    namespaces.add(path);
  }
}
