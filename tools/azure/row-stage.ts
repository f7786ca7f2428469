import { randomInt } from "node:crypto";
import { propertiesOf as queuePropertiesOf } from "../../local/src/eventgrid/namespaces/settings.js";
import { propertiesOf } from "../../local/src/eventgrid/subscriptions/settings.js";
import {
  eventFor,
  ORIGIN,
  type Outcome,
  publish,
  publishEvents,
  type Stage,
  type StageQueue,
  type StageSubscription,
  statusOf,
} from "../../test/local/parity/stage.js";
import { confirmValidation } from "../../test/local/support/webhook.js";
import { NAMESPACE, PROPAGATION_MS, type Shared } from "./shared.js";
import { MissingError, randomLetters } from "./translation.js";

const A_GROUP = /^\/subscriptions\/[^/]+\/resourceGroups\/([^/?]+)(\?|$)/i;
const A_NAMESPACE = /\/Microsoft\.EventGrid\/namespaces\/[^/?]+(\?|$)/i;
/** Namespaces that rows create at most. With three others, 20 cost 80 cents an hour. */
const MOST_NAMESPACES = 17;
/** Milliseconds for a delivery and two retries, after 10 and 30 seconds. */
const DELIVERY_MS = 45_000;

function missing(need = "what only the local Azure has, such as a clock and faults"): never {
  throw new MissingError(need);
}

/** An object of the local Azure, of which a subscription has only these members. */
const only = <T extends object>(known: Partial<T>): T =>
  new Proxy(known as T, {
    // `await` looks for `then`.
    get: (_, name) => (name in known || name === "then" ? Reflect.get(known, name) : missing()),
  });

/** Where one row runs: in the subscription. What only the local Azure has ends the row. */
export class RowStage implements Stage, AsyncDisposable {
  readonly publish = publish;
  readonly cloud = only<Stage["cloud"]>({});
  readonly storage = () => missing();
  readonly blobOf = () => missing();
  readonly outcomeOf = () => missing();
  get otherSubscriptionId(): string {
    return missing();
  }

  /** Paths to delete after the row, because a region has a hundred topics at most. */
  readonly #created: string[] = [];
  /** Begins the paths of the webhook that are the row's own. */
  readonly #path = `/${randomLetters(8)}`;

  constructor(private readonly shared: Shared) {}

  async [Symbol.asyncDispose](): Promise<void> {
    this.shared.answers.delete(this.#path);
    for (const id of this.#created) await this.shared.connection.call("DELETE", id);
  }

  /** What the row sees of the webhook. */
  get webhook(): Stage["webhook"] {
    const { webhook = missing("--webhook"), answers, translation } = this.shared;
    const path = this.#path;
    const own = webhook.requests.filter((each) => each.path.startsWith(`${path}/`));
    return {
      url: webhook.url,
      requests: own.map((each) => ({
        ...each,
        path: translation.back(each.path.slice(path.length)),
        body: translation.back(each.body),
      })),
      get answer() {
        return answers.get(path) ?? confirmValidation;
      },
      set answer(answer) {
        answers.set(path, answer);
      },
    };
  }

  /** A run that continues gives other names. */
  readonly newName = () => `row-${randomInt(10 ** 12)}`;

  readonly topicFor: Stage["topicFor"] = (schema) => this.shared.topicFor(schema);

  readonly passes: Stage["passes"] = (...given) => this.shared.passes(...given);

  readonly newTopic: Stage["newTopic"] = async (options = {}) => {
    const { resourceGroupName = "parity", name = this.newName() } = options;
    if (resourceGroupName !== "parity") missing("another resource group");
    // Others may have taken a name of letters only.
    const free = /^[a-z]+$/.test(name) ? randomLetters(name.length) : name;
    const settings = { inputSchema: "CloudEventSchemaV1_0", ...options, name: free } as const;
    const topic = await this.shared.newTopic(settings);
    this.#created.push(topic.id);
    return topic;
  };

  readonly newQueue: Stage["newQueue"] = async (settings = {}, { eventRetentionInDays } = {}) => {
    if (settings.deadLetterDestination) missing("a storage account");
    if (settings.endpointUrl !== undefined) missing();
    const { shared } = this;
    const { endpoint, keys } = shared;
    const { name = "queue" } = settings;
    const topic = this.newName();
    const id = `${NAMESPACE}/topics/${topic}`;
    this.#created.push(id);
    const properties = queuePropertiesOf({ ...settings, name }, "");
    const queue = await shared.newQueue(topic, name, properties, { eventRetentionInDays });
    const topicKeys = Object(await shared.connection.done("POST", `${id}/listKeys`));
    const known = { endpoint, accessKey: keys.key1, keys: () => keys };
    return {
      namespace: only<StageQueue["namespace"]>(known),
      topic: only<StageQueue["topic"]>({
        name: shared.translation.there(topic),
        keys: () => topicKeys,
      }),
      queue: only<StageQueue["queue"]>({
        name,
        receive: (options) => queue.receive(options?.maxEvents),
      }),
    };
  };

  readonly answering: Stage["answering"] = (name, statuses) =>
    this.webhook && statuses.length > 0 ? missing() : `${ORIGIN}/${name}`;

  readonly subscribe: Stage["subscribe"] = async (scope, settings = {}) => {
    const { name = this.newName(), destination, deadLetterDestination } = settings;
    if (destination || deadLetterDestination) missing("a storage account");
    const target = { endpointUrl: `${ORIGIN}/${name}`, ...settings };
    const properties = propertiesOf(
      { name, scope, ...target },
      { subscriptionId: "", isTopic: true },
    );
    const id = `${scope}/providers/Microsoft.EventGrid/eventSubscriptions/${name}`;
    const answer = await this.call("PUT", id, { properties });
    await this.shared.connection.succeeded(answer, `PUT ${id}`);
    return only<StageSubscription>({ id, name });
  };

  readonly refusalOf: Stage["refusalOf"] = (settings) => {
    const { id } = this.topicFor("CloudEventSchemaV1_0");
    return this.subscribe(id, settings).then(() => undefined, statusOf);
  };

  readonly deliver: Stage["deliver"] = async (delivery = {}) => {
    const { topic, subscription, events, answers = [] } = delivery;
    const { wait } = this.shared.connection.surroundings;
    if (this.webhook && answers.length > 0) missing();
    const target = await this.newTopic(topic);
    const { name } = await this.subscribe(target.id, subscription);
    await wait(PROPAGATION_MS);
    await publishEvents(target, events ?? [eventFor(target.inputSchema)]);
    await wait(DELIVERY_MS);
    const requests = this.webhook.requests.filter(
      ({ path, headers }) => path === `/${name}` && headers["aeg-event-type"] === "Notification",
    );
    return only<Outcome>({ requests });
  };

  readonly call: Stage["call"] = async (method, path, body) => {
    this.#check(method, path, body);
    const { connection } = this.shared;
    // The webhook's URL gets the row's path.
    const sent = body && JSON.parse(JSON.stringify(body).replace(URLS, `$&${this.#path}`));
    const answer = await connection.call(method, path, sent);
    if (method === "PUT" && path.includes("/providers/") && answer.status < 400)
      this.#created.push(path);
    return JSON.parse(JSON.stringify(answer).replaceAll(this.#path, ""));
  };

  /** Keeps a row within its group, its rights and a euro. @throws MissingError */
  #check(method: string, path: string, body: unknown): void {
    if (path.startsWith("/v1.0/")) missing("a directory that it may change");
    if (method === "GET") return;
    const [, group] = A_GROUP.exec(path) ?? [];
    const isOwn = group === "parity" && method === "PUT";
    if (group && !isOwn) missing("another resource group");
    if (method !== "PUT" || !A_NAMESPACE.test(path)) return;
    const isDear = Number(Object(Object(body).sku).capacity ?? 1) > 1;
    const { namespaces } = this.shared;
    const isMore = !namespaces.has(path) && namespaces.size === MOST_NAMESPACES;
    if (isDear || isMore) missing("more than a euro: run again with --continue");
    namespaces.add(path);
  }
}

/** The webhook's URL, to which rows may give its default port. */
const URLS = new RegExp(`${ORIGIN}(:\\d+)?`, "g");
