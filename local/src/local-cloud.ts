import * as v from "valibot";
import { clientConnectionString } from "./azurite/index.js";
import { checkOptions, expected, fields, LocalCloudError, optionalFields } from "./base/index.js";
import { buildParts, type CloudParts, LOOPBACK, openState } from "./cloud-parts.js";
import { CloudServer } from "./cloud-server.js";
import type { ControlPlane } from "./control-plane/index.js";
import { type Directory, WebhookApplications } from "./directory/index.js";
import type { SigningKeys, Tokens } from "./entra/index.js";
import type {
  AcceptedEvent,
  DeadLetter,
  DeliveryAttempt,
  EventGrid,
  EventSubscriptions,
  Handshake,
  Message,
  Namespaces,
  SystemEventOptions,
  SystemEventType,
  Topics,
} from "./eventgrid/index.js";
import { close, createHttpServer, listen } from "./http/index.js";
import { type LocalCloudOptions, localCloudOptions } from "./local-cloud-options.js";
import { Access, type Ingress, isLoopback, reachableName, ServerNames } from "./network/index.js";
import {
  filesOf,
  type RecordingFile,
  type ReplayOptions,
  type ReplayResult,
  readRecording,
  replay,
  replayOptionFields,
} from "./replay/index.js";
import { type Clock, type Duration, type Faults, inMilliseconds } from "./simulation/index.js";

const replayOptions = fields({
  ...replayOptionFields,
  signal: v.optional(v.instance(AbortSignal, expected("an AbortSignal"))),
});

const drainOptions = optionalFields({ within: v.unknown() });

/** A local Azure in this process: Entra and Event Grid, with Resource Manager and Graph if wanted. */
export class LocalCloud implements AsyncDisposable {
  /**
   * Starts a cloud.
   *
   * @throws LocalCloudError `ERR_OPTIONS` with every invalid option, `ERR_PORT_IN_USE`, `ERR_PORT` if
   * this user may not listen on the port, `ERR_HOST` if the machine does not have the address,
   * `ERR_DIRECTORY` if a directory cannot be created or written to, or `ERR_AZURITE` if Azurite's blob service does not answer
   */
  static async start(options: LocalCloudOptions = {}): Promise<LocalCloud> {
    checkOptions(localCloudOptions, options, "Invalid options of a local Azure");
    const { port = 0, host = LOOPBACK, hostNames = [] } = options;
    const serverNames = new ServerNames(hostNames);
    const access = accessTo(host, serverNames, options.dashboardToken);
    const stored = openState(options);
    const server = createHttpServer();
    try {
      const origin = `http://${hostNames[0] ?? reachableName(host)}:${await listen(server, port, host)}`;
      const parts = buildParts(options, stored, access, origin);
      const cloud = new LocalCloud(options, parts, server);
      await cloud.#server.start(serverNames);
      return cloud;
    } catch (error) {
      stored.persistence?.stop();
      if (server.listening) await close(server);
      throw error;
    }
  }

  /** Tenant of the subscription: a binding's `cloudTenantId`. */
  readonly tenantId: string;
  /** The first Azure subscription: a binding's `cloudSubscriptionId`. */
  readonly subscriptionId: string;
  /** Entra's tenants with applications, service principals, role assignments, users and groups. */
  readonly directory: Directory;
  /** Registers webhook applications with their roles. */
  readonly applications: WebhookApplications;
  /** The keys that Entra signs tokens with. */
  readonly keys: SigningKeys;
  /** Issues tokens directly, without a request. */
  readonly tokens: Tokens;
  /** Custom topics. */
  readonly topics: Topics;
  /** Domains. Each published event chooses a topic of its domain by its `topic` or `source`. */
  readonly domains: Topics;
  /** Namespaces, whose events receivers pull or that are pushed to webhooks. */
  readonly namespaces: Namespaces;
  /** Event subscriptions, created with a handshake as in Azure. */
  readonly eventSubscriptions: EventSubscriptions;
  /** Leads public addresses to servers of this machine. */
  readonly ingress: Ingress;
  /** The clock of retries, timeouts and expirations. Tests move a stepped one. */
  readonly clock: Clock;
  /** Failures on demand. */
  readonly faults: Faults;
  /** @internal */
  readonly eventGrid: EventGrid;
  /** @internal */
  readonly clockKind: "real" | "scaled" | "stepped";
  /** @internal how many times as fast as the wall clock; 0 for a stepped clock */
  readonly clockSpeed: number;
  /** @internal */
  readonly controlPlane: ControlPlane | undefined;
  readonly #server: CloudServer;

  private constructor(
    options: LocalCloudOptions,
    private readonly parts: CloudParts,
    server: ReturnType<typeof createHttpServer>,
  ) {
    this.tenantId = parts.tenantId;
    this.subscriptionId = parts.subscriptionId;
    this.directory = parts.directory;
    this.applications = new WebhookApplications(parts.directory, parts.tenantId);
    this.keys = parts.keys;
    this.tokens = parts.tokens;
    this.ingress = parts.ingress;
    this.faults = parts.faults;
    this.clock = parts.clock;
    this.clockKind = typeof options.clock === "object" ? "scaled" : (options.clock ?? "real");
    const flowingSpeed = typeof options.clock === "object" ? options.clock.scale : 1;
    this.clockSpeed = options.clock === "stepped" ? 0 : flowingSpeed;
    this.eventGrid = parts.eventGrid;
    this.topics = parts.eventGrid.topics;
    this.domains = parts.eventGrid.domains;
    this.namespaces = parts.eventGrid.namespaces;
    this.eventSubscriptions = parts.eventGrid.eventSubscriptions;
    this.controlPlane = parts.controlPlane;
    this.#server = new CloudServer(this, parts, options, server);
  }

  /** `http://127.0.0.1:PORT`, or with the first host name, the address of the HTTP server. */
  get httpOrigin(): string {
    return this.parts.origin;
  }

  /**
   * Resource Manager and Graph, with role assignments, provider registrations and certificates.
   *
   * @throws LocalCloudError `ERR_NO_CONTROL_PLANE` if the cloud was started without `control`
   */
  get control(): ControlPlane {
    if (this.controlPlane) return this.controlPlane;
    throw new LocalCloudError(
      "ERR_NO_CONTROL_PLANE",
      "This cloud runs without Resource Manager and Graph. Start it with LocalCloud.start({ control: true }).",
    );
  }

  /** Address of the dashboard for a browser on this machine, with the token that opens it. */
  get dashboardUrl(): string {
    const { token } = this.parts.access;
    const origin = `http://${LOOPBACK}:${new URL(this.parts.origin).port}`;
    return token === false ? `${origin}/` : `${origin}/?token=${token}`;
  }

  /**
   * Environment variables that make Terraform's azurerm, azuread and azapi providers, `@azure/identity` and
   * Node use this cloud and sign in as its deployer.
   *
   * @throws LocalCloudError `ERR_NO_CONTROL_PLANE`
   */
  terraformEnvironment(): Record<string, string> {
    return this.control.environment();
  }

  /**
   * Environment variables that make clients use this cloud through an HTTPS proxy, as if it were the
   * public cloud: clients need no other setting, and sign in as the deployer.
   *
   * @throws LocalCloudError `ERR_NO_CONTROL_PLANE`
   */
  proxyEnvironment(): Record<string, string> {
    return this.control.proxyEnvironment();
  }

  /**
   * Environment variables that make `ManagedIdentityCredential` and `DefaultAzureCredential` get tokens
   * of a managed identity, as in App Service, Functions and Container Apps.
   *
   * @param name name or resource ID of a user-assigned identity, or of a resource with a
   * system-assigned one
   * @param options.proxy whether the service uses this cloud through its HTTPS proxy. @default false
   * @throws LocalCloudError `ERR_NO_CONTROL_PLANE`, `ERR_UNKNOWN_IDENTITY`
   */
  identityEnvironment(
    name: string,
    options: { readonly proxy?: boolean } = {},
  ): Record<string, string> {
    return this.control.identityEnvironment(name, options);
  }

  /**
   * Connection string of Azurite for clients of storage. Its blob service causes events.
   *
   * @throws LocalCloudError `ERR_NO_AZURITE` if the cloud was started without `azurite`
   */
  get storageConnectionString(): string {
    const { azurite } = this.parts;
    const { blobEndpoint } = this.#server;
    if (blobEndpoint && azurite) {
      const origin = new URL(this.parts.origin);
      origin.port = String(blobEndpoint.port);
      return clientConnectionString(azurite.connection, origin.origin);
    }
    throw new LocalCloudError(
      "ERR_NO_AZURITE",
      'This cloud runs without Azurite. Start it with LocalCloud.start({ azurite: "http://127.0.0.1:10000" }).',
    );
  }

  /** Entra's address: a binding's `cloudAuthorityHost`. */
  get authorityHost(): string {
    return this.parts.origin;
  }

  /**
   * Simulates an event of an Azure service, for the event subscriptions at its scope; those at the Azure
   * subscription also get the events of its resource groups. Types such as
   * `Microsoft.Storage.BlobCreated` have realistic data that fits the subject; any other type needs
   * all its data.
   *
   * @throws LocalCloudError `ERR_SYSTEM_EVENT` for a type without sample and data, a scope of another
   * resource type, or a subject from which no data can be derived; `ERR_OPTIONS`
   * @throws ServiceError if the scope is not a resource ID of the cloud's subscription
   */
  async emit(type: SystemEventType, options: SystemEventOptions): Promise<AcceptedEvent>;
  async emit(
    type: string,
    options: SystemEventOptions & { readonly data: Readonly<Record<string, unknown>> },
  ): Promise<AcceptedEvent>;
  async emit(type: string, options: SystemEventOptions): Promise<AcceptedEvent> {
    return this.eventGrid.acceptance.emit(type, options);
  }

  /**
   * Accepts the events of a recording again, with their ids and sources, in their order and with their
   * distances in time: recordings of `cloud-eventgrid listen`, exports of the dashboard, dead letters,
   * CloudEvents and events in the Event Grid schema.
   *
   * A record whose `attempt` is above 1 is a redelivery: the waiting retry of its event is made
   * due, or, where none waits, the event is delivered once more, as after so many attempts. An event that is in
   * the recording twice is accepted twice.
   *
   * @param recording paths of files and of directories with files, or the records themselves
   * @returns what became of each event
   * @throws LocalCloudError `ERR_REPLAY` if there is no event, a file cannot be read, or the topic is
   * unknown or not clear; `ERR_OPTIONS`
   * @throws ServiceError if the event subscription does not exist
   */
  async replay(
    recording: string | readonly string[] | readonly object[],
    options: ReplayOptions = {},
  ): Promise<ReplayResult> {
    checkOptions(replayOptions, options, "Invalid options of replay");
    const files = await filesOf(recording);
    return this.replayFiles(files, options);
  }

  /** @internal with what the files contain */
  async replayFiles(
    files: readonly RecordingFile[],
    options: ReplayOptions,
    onProgress?: (replayed: number) => void,
  ): Promise<ReplayResult> {
    const cloud = {
      eventGrid: this.eventGrid,
      subscriptionId: this.subscriptionId,
      isStepped: this.clockKind === "stepped",
      stepTimeoutMs: this.parts.stepTimeoutMs,
    };
    return replay(cloud, readRecording(files), options, onProgress);
  }

  /**
   * Resolves when every event is delivered, dead-lettered or dropped, and every handshake has ended.
   * Moves a stepped clock from one retry to the next, and to the end of a handshake whose validation URL
   * nobody opens; waits for them on other clocks.
   *
   * @param options.within timeout in real time. @default none
   * @throws LocalCloudError `ERR_NOT_DRAINED` after the timeout; `ERR_OPTIONS`, `ERR_DURATION`
   */
  async drain(options: { readonly within?: Duration | undefined } = {}): Promise<void> {
    checkOptions(drainOptions, options, "Invalid options of drain");
    const { within } = options;
    await this.eventGrid.drain(within === undefined ? undefined : inMilliseconds(within));
  }

  /** Number of events that are not yet delivered, dead-lettered or dropped. */
  get pendingEvents(): number {
    return this.eventGrid.pending;
  }

  /**
   * Delivers an accepted event once more.
   *
   * @param event the event's `id`; the latest event of that id
   * @param subscription name or resource ID of the only event subscription to deliver to, whether or
   * not its filter matches. @default all whose filter matched
   * @returns the names of the subscriptions
   * @throws ServiceError if the event or the subscription is unknown
   */
  resend(event: string, subscription?: string): string[] {
    return this.eventGrid.redelivery.resend(event, subscription);
  }

  /**
   * Makes retries due now, instead of moving the clock.
   *
   * @param event the event's `id`. @default all events
   * @param subscription name or resource ID of the only event subscription. @default all
   * @returns the number of deliveries
   * @throws ServiceError if the event or the subscription is unknown
   */
  retryNow(event?: string, subscription?: string): number {
    return this.eventGrid.redelivery.retryNow(event, subscription);
  }

  /** Delivery attempts, oldest first, limited by `history`. */
  deliveries(): DeliveryAttempt[] {
    return this.eventGrid.attempts.list();
  }

  /** Dead-lettered events, oldest first, limited by `history`. */
  deadLetters(): DeadLetter[] {
    return this.eventGrid.deadLetters();
  }

  /** Messages in queues, Service Bus topics and event hubs, oldest first, limited by `history`. */
  messages(): Message[] {
    return this.eventGrid.messages();
  }

  /**
   * Handshakes, including failed ones, oldest first, limited by `history`; then those that wait until
   * their validation URL is opened.
   */
  handshakes(): Handshake[] {
    return this.eventGrid.handshakes();
  }

  /**
   * Clears deliveries, handshakes, dead letters, messages, events and faults, and cancels pending deliveries.
   * Topics, subscriptions, applications, keys and the ingress table stay.
   */
  async reset(): Promise<void> {
    this.faults.clear();
    await this.eventGrid.reset();
  }

  /** Closes all connections and drops undelivered events. */
  async close(): Promise<void> {
    await this.#server.stop();
  }

  /** For `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function accessTo(
  host: string,
  serverNames: ServerNames,
  token: LocalCloudOptions["dashboardToken"],
): Access {
  const loopbackOnly = isLoopback(host);
  if (token !== false || loopbackOnly) return new Access(serverNames, loopbackOnly, token);
  throw new LocalCloudError(
    "ERR_OPTIONS",
    `The dashboard shows keys and tokens: on the address ${host}, which other machines reach, it needs a token.`,
  );
}
