import { WebhookApplications } from "./applications.js";
import { checkOptions } from "./check-options.js";
import { type Clock, createClock, type Duration, inMilliseconds } from "./clock/index.js";
import { ControlPlane, type ControlPlaneOptions } from "./control-plane/index.js";
import { Directory } from "./directory/index.js";
import { entraRoute, SigningKeys, Tokens } from "./entra/index.js";
import { LocalCloudError } from "./errors.js";
import type { DeadLetter } from "./eventgrid/delivery/dead-letter.js";
import type { DeliveryAttempt } from "./eventgrid/delivery/delivery-attempt.js";
import type { AcceptedEvent } from "./eventgrid/event.js";
import { EventGrid } from "./eventgrid/event-grid.js";
import type { EventSubscriptions, Handshake } from "./eventgrid/subscriptions/index.js";
import type {
  SystemEventOptions,
  SystemEventType,
} from "./eventgrid/system-events/system-events.js";
import { publishRoute, type Topics } from "./eventgrid/topics/index.js";
import { Faults } from "./faults.js";
import { close, createHttpServer, listen, type Route } from "./http/index.js";
import { Ingress } from "./ingress.js";
import type { LocalCloudOptions } from "./local-cloud-options.js";
import { indexRoute } from "./remote/index-route.js";
import { remoteRoute } from "./remote/remote-route.js";
import { anything, object } from "./shape.js";
import { startOptions } from "./start-options.js";

const TENANT_ID = "11111111-1111-4111-8111-111111111111";
const SUBSCRIPTION_ID = "22222222-2222-4222-8222-222222222222";

const drainOptions = object({}, { within: anything });

/** An Azure of one's own: Entra and Event Grid, on this machine, in this process. */
export class LocalCloud implements AsyncDisposable {
  /**
   * Starts one on 127.0.0.1.
   *
   * @throws LocalCloudError `ERR_OPTIONS` with all that is wrong with the options, `ERR_PORT_IN_USE`,
   * `ERR_PORT` where this user may not have the port
   */
  static async start(options: LocalCloudOptions = {}): Promise<LocalCloud> {
    checkOptions(startOptions, options, "A local Azure cannot start with these options");
    const cloud = new LocalCloud(options);
    const port = await listen(cloud.#server, options.port ?? 0);
    cloud.#origin = `http://127.0.0.1:${port}`;
    try {
      await cloud.#startControlPlane(options.control ?? false);
    } catch (error) {
      await cloud.stop();
      throw error;
    }
    return cloud;
  }

  /** Tenant of the subscription: a binding's `cloudTenantId`. */
  readonly tenantId: string;
  /** The one Azure subscription that there is: a binding's `cloudSubscriptionId`. */
  readonly subscriptionId: string;
  /** Tenants with what Entra keeps in them: applications, principals, assignments, people. */
  readonly directory: Directory;
  /** Registers webhook applications, roles included. */
  readonly applications: WebhookApplications;
  /** What Entra signs with. */
  readonly keys = new SigningKeys();
  /** Tokens without asking for them over the wire. */
  readonly tokens: Tokens;
  /** Custom topics: made, found, changed, removed. */
  readonly topics: Topics;
  /** Event subscriptions: made with a handshake, as in Azure. */
  readonly eventSubscriptions: EventSubscriptions;
  /** Where public addresses lead to on this machine. */
  readonly ingress: Ingress;
  /** The time that retries and the like go by; tests move a stepped one. */
  readonly clock: Clock;
  /** What goes wrong on demand. */
  readonly faults = new Faults();
  readonly #eventGrid: EventGrid;
  readonly #server: ReturnType<typeof createHttpServer>;
  readonly #now: () => number;
  #origin = "";
  #controlPlane: ControlPlane | undefined;

  private constructor(options: LocalCloudOptions) {
    const { now = Date.now, random = Math.random, endpointCa = [], control } = options;
    const { assignmentDeletionDelaySeconds = 0 } = typeof control === "object" ? control : {};
    this.tenantId = (options.tenantId ?? TENANT_ID).toLowerCase();
    this.subscriptionId = (options.subscriptionId ?? SUBSCRIPTION_ID).toLowerCase();
    this.ingress = new Ingress(options.ingress);
    this.directory = new Directory({
      now,
      deletedAssignments: {
        now: () => this.clock.now(),
        seconds: assignmentDeletionDelaySeconds,
      },
    });
    this.directory.createTenant({ tenantId: this.tenantId });
    this.applications = new WebhookApplications(this.directory, this.tenantId);
    this.tokens = new Tokens({
      directory: this.directory,
      keys: this.keys,
      authorityHost: () => this.authorityHost,
      defaultTenantId: this.tenantId,
      now,
      random,
    });
    this.#eventGrid = new EventGrid({
      subscriptionId: this.subscriptionId,
      tenantId: this.tenantId,
      directory: this.directory,
      tokens: this.tokens,
      ingress: this.ingress,
      faults: this.faults,
      random,
      clock: (settled) => createClock(options.clock ?? "real", now, settled),
      now,
      origin: () => this.httpOrigin,
      endpointCa: typeof endpointCa === "string" ? [endpointCa] : endpointCa,
      deadLetterDirectory: options.deadLetterDirectory,
      mayDeadLetter: (subscription) => this.#controlPlane?.mayDeadLetter(subscription) ?? true,
      history: options.history ?? 10_000,
      onHandshake: options.onHandshake,
      onDelivery: options.onDelivery,
      stepPatienceMs: options.stepPatienceMs ?? 5_000,
    });
    this.clock = this.#eventGrid.clock;
    this.topics = this.#eventGrid.topics;
    this.eventSubscriptions = this.#eventGrid.eventSubscriptions;
    this.keys.onRotation(() => this.#eventGrid.forgetTokens());
    this.#now = now;
    this.#server = createHttpServer(this.#routes());
  }

  /** `http://127.0.0.1:PORT`, below which everything is served. */
  get httpOrigin(): string {
    return this.#origin;
  }

  /**
   * Resource Manager and Graph, with what belongs to them: roles, registrations, certificates.
   *
   * @throws LocalCloudError `ERR_NO_CONTROL_PLANE` when the cloud was started without `control`
   */
  get control(): ControlPlane {
    if (this.#controlPlane) return this.#controlPlane;
    throw new LocalCloudError(
      "ERR_NO_CONTROL_PLANE",
      "This cloud runs without Resource Manager and Graph. Start it with LocalCloud.start({ control: true }).",
    );
  }

  /**
   * The environment that makes Terraform's azurerm and azuread providers (and `@azure/identity`,
   * and Node) use this cloud, signed in as its deployer.
   *
   * @throws LocalCloudError `ERR_NO_CONTROL_PLANE`
   */
  terraformEnvironment(): Record<string, string> {
    return this.control.environment();
  }

  /** Entra's address, which a binding takes as `cloudAuthorityHost`. */
  get authorityHost(): string {
    return this.#origin;
  }

  /**
   * Sends an event as one of Azure's services would, for example `Microsoft.Storage.BlobCreated`,
   * with a realistic payload, to the event subscriptions at its scope and above.
   *
   * @throws LocalCloudError `ERR_SYSTEM_EVENT` when the type is unknown, or not of that resource;
   * `ERR_OPTIONS`
   * @throws ServiceError when the scope is no resource ID of the cloud's subscription
   */
  async emit(type: SystemEventType, options: SystemEventOptions): Promise<AcceptedEvent> {
    return this.#eventGrid.emit(type, options);
  }

  /**
   * Resolves when every event is delivered, dead-lettered or dropped. A stepped clock is moved on
   * from one retry to the next; on others the retries take the time that they take.
   *
   * @param options.within how long that may take, in real time. @default as long as it takes
   * @throws LocalCloudError `ERR_NOT_DRAINED` when it takes longer; `ERR_OPTIONS`, `ERR_DURATION`
   */
  async drain(options: { readonly within?: Duration | undefined } = {}): Promise<void> {
    checkOptions(drainOptions, options, "drain cannot take these options");
    const { within } = options;
    await this.#eventGrid.drain(within === undefined ? undefined : inMilliseconds(within));
  }

  /** Every delivery attempt, the oldest first, as far as the history reaches. */
  deliveries(): DeliveryAttempt[] {
    return this.#eventGrid.attempts.list();
  }

  /** Every event that was put into a dead-letter container, the oldest first. */
  deadLetters(): DeadLetter[] {
    return this.#eventGrid.deadLetters();
  }

  /** Every handshake, those that failed too, the oldest first. */
  handshakes(): Handshake[] {
    return this.#eventGrid.handshakes.list();
  }

  /**
   * Forgets what happened and what is on its way: deliveries, handshakes, dead letters, events and
   * faults. What was set up stays: topics, subscriptions, applications, keys, the ingress table.
   */
  async reset(): Promise<void> {
    this.faults.clear();
    await this.#eventGrid.reset();
  }

  /** Ends all connections; what is not delivered yet is gone. */
  async stop(): Promise<void> {
    this.#eventGrid.stop();
    await Promise.all([close(this.#server), this.#controlPlane?.stop()]);
  }

  /** For `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #startControlPlane(control: boolean | ControlPlaneOptions): Promise<void> {
    if (control === false) return;
    const parts = {
      tenantId: this.tenantId,
      subscriptionId: this.subscriptionId,
      directory: this.directory,
      topics: this.topics,
      eventSubscriptions: this.eventSubscriptions,
      verify: (token: string) => this.tokens.verify(token),
      dataRoutes: this.#routes(),
      now: () => this.clock.now(),
    };
    this.#controlPlane = await ControlPlane.start(parts, control === true ? {} : control);
  }

  #routes(): Route[] {
    return [
      publishRoute({
        topics: this.topics,
        verify: (token) => this.tokens.verify(token),
        // Roles live in the control plane; without one everybody that signs in may send.
        maySend: (principalId, topic) => this.#controlPlane?.maySend(principalId, topic.id) ?? true,
        now: this.#now,
        eventTime: () => this.clock.now(),
        accept: (topic, events) => this.#eventGrid.accept(topic, events),
        fault: () => this.faults.ofPublishing(),
      }),
      entraRoute({
        directory: this.directory,
        keys: this.keys,
        tokens: this.tokens,
        now: this.#now,
        isUnreachable: () => this.faults.isIssuerUnreachable,
      }),
      remoteRoute(this),
      indexRoute(this),
    ];
  }
}
