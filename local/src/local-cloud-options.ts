import * as v from "valibot";
import { type AzuriteOptions, azuriteOptions } from "./azurite/index.js";
import {
  anyFunction,
  expected,
  fields,
  flag,
  HOUR_MS,
  integer,
  list,
  NameRule,
  numberWhere,
  optionalFields,
  port,
  text,
  textWhere,
  uuid,
} from "./base/index.js";
import { type ControlPlaneOptions, controlPlaneOptions } from "./control-plane/index.js";
import type { DeliveryAttempt, EventSubscription, Handshake } from "./eventgrid/index.js";
import {
  type FunctionApps,
  functionApps,
  type IngressTable,
  ingressTable,
} from "./network/index.js";
import type { ClockChoice } from "./simulation/index.js";
import { connectionString } from "./storage/index.js";

/** Options of {@link LocalCloud.start}. */
export interface LocalCloudOptions {
  /** @default 11111111-1111-4111-8111-111111111111 */
  readonly tenantId?: string | undefined;
  /** @default 22222222-2222-4222-8222-222222222222 */
  readonly subscriptionId?: string | undefined;
  /**
   * More Azure subscriptions, for example that of a topic whose events a stack of another one receives.
   * The deployer owns them, too. Registrations of resource providers hold for all.
   * @default none
   */
  readonly otherSubscriptionIds?: readonly string[] | undefined;
  /** HTTP port. @default 0, a free port */
  readonly port?: number | undefined;
  /**
   * Address to listen on. `0.0.0.0` admits other machines and containers, which then need the token
   * of the dashboard for all commands below `/local/`.
   * @default "127.0.0.1"
   */
  readonly host?: string | undefined;
  /**
   * Names of this server for other machines and containers. The first one is in URLs, such as topic
   * endpoints and the issuer of tokens, instead of `127.0.0.1` and `localhost`.
   * @default none
   */
  readonly hostNames?: readonly string[] | undefined;
  /**
   * Whether clients on other machines may use the HTTPS proxy for all hosts, those that only this
   * machine reaches included. Otherwise the proxy leads them to Azure's hosts only. Both need the token.
   * @default false
   */
  readonly proxyForward?: boolean | undefined;
  /**
   * Resource Manager and Graph over HTTPS, for Terraform and other Azure tools.
   * @default false
   */
  readonly control?: boolean | ControlPlaneOptions | undefined;
  /** Public https addresses of webhooks and the local servers behind them. @default none */
  readonly ingress?: IngressTable | undefined;
  /**
   * Function apps by name, and the addresses of their hosts: `{ shop: "http://127.0.0.1:7071" }`, where
   * `func start` listens. A deployment slot is `shop-staging`. @default none
   */
  readonly functionApps?: FunctionApps | undefined;
  /** The clock of retries, timeouts and expirations. @default "real" */
  readonly clock?: ClockChoice | undefined;
  /**
   * Certificate authorities, as PEM, to trust for webhooks outside the ingress table, in addition to
   * the public ones. Self-signed certificates are refused, as in Azure.
   * @default none
   */
  readonly endpointCa?: string | readonly string[] | undefined;
  /**
   * Directory for dead letters: `{directory}/{account}/{container}/{blob}`.
   * @default dead letters are kept in memory only
   */
  readonly deadLetterDirectory?: string | undefined;
  /**
   * Connection string of a storage account, such as Azurite's: `UseDevelopmentStorage=true`, or one
   * with `AccountName` and `AccountKey`. It stands for every storage account: dead letters are written
   * to its containers, and messages for storage queues are sent to its queues. Missing containers and
   * queues are created.
   * @default dead letters and messages are kept in memory only
   */
  readonly storageConnectionString?: string | undefined;
  /**
   * Azurite, whose blobs cause events: the address of its blob service, such as
   * `http://127.0.0.1:10000`. Clients use `cloud.storageConnectionString` instead of Azurite's own. It
   * is also the storage account of dead letters and queues, as with `storageConnectionString`, which
   * is needed in addition only for another account or other ports.
   * @default events of storage accounts are only simulated
   */
  readonly azurite?: string | AzuriteOptions | undefined;
  /** Port of the blob service that causes events, with `azurite`. @default 0, a free port */
  readonly blobPort?: number | undefined;
  /**
   * Maximum number of deliveries, handshakes, dead letters, messages and events of a topic to keep, each with
   * at most 64 MiB of events.
   * @default 10000
   */
  readonly history?: number | undefined;
  /**
   * Directory for topics, subscriptions, the directory of Entra, undelivered events and dead letters,
   * which survive a restart and a crash. One process at a time may use it.
   * @default everything is kept in memory only
   */
  readonly persist?: string | undefined;
  /** Called after every handshake, for example to log it. */
  readonly onHandshake?: ((handshake: Handshake) => void) | undefined;
  /**
   * Called when a webhook answers the validation event without its code. Someone then has to open
   * `subscription.validationUrl` within ten minutes.
   */
  readonly onAwaitingManualAction?: ((subscription: EventSubscription) => void) | undefined;
  /** Called after every delivery attempt, for example to log it. */
  readonly onDelivery?: ((attempt: DeliveryAttempt) => void) | undefined;
  /**
   * Real milliseconds for which a stepped clock waits for responses in flight before it moves.
   * @default 5000
   */
  readonly stepTimeoutMs?: number | undefined;
  /**
   * The token that opens the dashboard, or `false` to open it to every program on this machine.
   * @default a random one, which `cloud.dashboardUrl` contains
   */
  readonly dashboardToken?: string | false | undefined;
  /** The wall clock, in milliseconds since 1970, for the times in tokens. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Returns a number from 0 up to 1. @default Math.random */
  readonly random?: (() => number) | undefined;
}

const scaledClock = fields({
  scale: numberWhere((scale) => scale > 0, "a number above 0 (60 lets a minute pass in a second)"),
});

/** A value whose schema depends on whether it is an object. */
const clockChoice = v.lazy((value) =>
  typeof value === "object" && value !== null
    ? scaledClock
    : v.picklist(["real", "stepped"], expected('"real", "stepped" or { scale }')),
);

const control = v.lazy((value) => (typeof value === "boolean" ? flag : controlPlaneOptions));

const endpointCa = v.lazy((value) => (typeof value === "string" ? text : list(text)));

const HOST_NAME = new NameRule({
  least: 1,
  most: 253,
  characters: ["letters", "digits", "periods", "hyphens"],
  first: ["letters", "digits"],
});

/** A variable that is set to nothing would otherwise open the dashboard to everyone. */
const dashboardToken = textWhere((token) => token !== "", "a token that is not empty, or false");

const callbacks = {
  onHandshake: anyFunction,
  onAwaitingManualAction: anyFunction,
  onDelivery: anyFunction,
  now: anyFunction,
  random: anyFunction,
};

/** The options that are not functions. */
export const localCloudSettings = {
  tenantId: uuid,
  subscriptionId: uuid,
  otherSubscriptionIds: list(uuid),
  port,
  host: text,
  hostNames: list(textWhere((name) => HOST_NAME.allows(name), "a host name, without a port")),
  proxyForward: flag,
  control,
  ingress: ingressTable,
  functionApps,
  clock: clockChoice,
  endpointCa,
  deadLetterDirectory: text,
  storageConnectionString: connectionString,
  azurite: azuriteOptions,
  blobPort: port,
  history: integer(1, 10_000_000),
  persist: text,
  stepTimeoutMs: integer(0, HOUR_MS),
  dashboardToken: v.lazy((value) => (value === false ? v.literal(false) : dashboardToken)),
};

/** Schema of the options. */
export const localCloudOptions = optionalFields({ ...localCloudSettings, ...callbacks });
