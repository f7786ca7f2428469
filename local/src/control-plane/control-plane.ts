import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:https";
import { createSecureContext, type SecureContext } from "node:tls";
import { apiRoute, authenticator } from "../api/index.js";
import {
  checkOptions,
  fields,
  LocalCloudError,
  list,
  normalizeScope,
  text,
} from "../base/index.js";
import { type Directory, EVENT_GRID_CLIENT_ID, type Tenant } from "../directory/index.js";
import type { Claims } from "../entra/index.js";
import type { EventSubscription } from "../eventgrid/index.js";
import { graphService } from "../graph/index.js";
import { close, listen, type Route, requestListener } from "../http/index.js";
import { isLoopback, isPublicHost } from "../network/index.js";
import {
  Authorization,
  deadLetterProblem,
  type EventGridState,
  type EventGridStores,
  GenericResources,
  ManagedIdentities,
  Operations,
  ProviderRegistrations,
  ResourceGroups,
  RoleAssignments,
  resourceManagerService,
  resourceTypes,
  roleDefinitionByName,
  roleDefinitions,
  SystemTopics,
} from "../resource-manager/index.js";
import { CertificateAuthority } from "../tls/index.js";
import type { ControlPlaneOptions } from "./control-plane-options.js";
import { type Deployer, declareDeployer, deployerOf } from "./deployer.js";
import { metadataRoute } from "./metadata.js";

/** The dependencies of the control plane on the rest of the cloud. */
export interface ControlPlaneDependencies extends EventGridStores {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly directory: Directory;
  readonly verify: (token: string) => Promise<Claims | undefined>;
  /** Routes of Entra and the topics, also served over HTTPS. */
  readonly dataRoutes: readonly Route[];
  /** The value of `HTTPS_PROXY`. */
  readonly proxyAddress: string;
  /** Address to listen on. */
  readonly host: string;
  /** Names in the certificate, besides `localhost`; URLs have the first one. */
  readonly hostNames: readonly string[];
  /** Milliseconds since 1970 on the cloud's clock, by which role assignments take effect. */
  readonly now: () => number;
  /** Adds a callback for requests that have changed the state. */
  readonly withChanges: (route: Route) => Route;
}

const assignment = fields({ roleName: text, principalId: text, scope: text });
const allowance = fields({ principalId: text, actions: list(text), scope: text });

/** Resource Manager and Graph over HTTPS, for Terraform and other Azure tools. */
export class ControlPlane {
  /** @throws LocalCloudError `ERR_PORT`, `ERR_PORT_IN_USE` */
  static async start(
    dependencies: ControlPlaneDependencies,
    options: ControlPlaneOptions = {},
  ): Promise<ControlPlane> {
    const authority = new CertificateAuthority({ directory: options.certificateDirectory });
    const plane = new ControlPlane(dependencies, options, authority);
    try {
      plane.#port = await listen(plane.server, options.httpsPort ?? 0, dependencies.host);
    } catch (error) {
      authority.remove();
      throw error;
    }
    return plane;
  }

  /** Role assignments. `assignRole` adds one by the role's name. */
  readonly roleAssignments: RoleAssignments;
  readonly registrations: ProviderRegistrations;
  readonly resourceGroups = new ResourceGroups();
  readonly #authorization: Authorization;
  readonly #operations = new Operations();
  readonly #deployer: Deployer;
  readonly #state: EventGridState;
  /** The operations of Resource Manager and Graph that are served. */
  readonly operations: readonly { readonly method: string; readonly path: string }[];
  /** Types of resources that are stored as written, without behaviour of their own. */
  readonly resourceTypes: readonly string[] = resourceTypes.map(({ type }) => type);
  /** @internal */
  readonly server: Server;
  #port = 0;

  private constructor(
    private readonly dependencies: ControlPlaneDependencies,
    options: ControlPlaneOptions,
    readonly certificates: CertificateAuthority,
  ) {
    const { now, directory, subscriptionId, tenantId } = dependencies;
    this.roleAssignments = new RoleAssignments({
      now,
      delaySeconds: options.roleAssignmentDelaySeconds,
      deletionDelaySeconds: options.assignmentDeletionDelaySeconds,
    });
    this.registrations = new ProviderRegistrations({
      eventGridRegistered: options.eventGridRegistered ?? false,
    });
    this.#authorization = new Authorization(this.roleAssignments, now);
    this.#deployer = deployerOf(isLoopback(dependencies.host), options.deployer);
    const tenant = directory.createTenant({ tenantId });
    if (options.eventGridPrincipal === false) removeEventGridPrincipal(tenant);

    const authenticate = authenticator(dependencies.verify, directory);
    this.#state = {
      subscriptionId,
      tenantId,
      directory,
      registrations: this.registrations,
      roleAssignments: this.roleAssignments,
      authorization: this.#authorization,
      resourceGroups: this.resourceGroups,
      identities: new ManagedIdentities(tenant),
      systemTopics: new SystemTopics(),
      genericResources: new GenericResources(),
      operations: this.#operations,
      topics: dependencies.topics,
      domains: dependencies.domains,
      eventSubscriptions: dependencies.eventSubscriptions,
      metrics: dependencies.metrics,
      now: dependencies.now,
    };
    const services = [resourceManagerService(this.#state), graphService(directory)];
    this.operations = services.flatMap(({ router }) => router.operations());
    const routes = [
      metadataRoute(),
      ...services.map((each) => dependencies.withChanges(apiRoute(each, authenticate))),
      ...dependencies.dataRoutes,
    ];
    const certificate = certificates.issue([
      "localhost",
      "127.0.0.1",
      "::1",
      ...dependencies.hostNames,
    ]);
    this.server = createServer(
      { ...certificate, SNICallback: publicHostContexts(certificates) },
      requestListener(routes, "https"),
    );
  }

  /** @internal Called when the state of an earlier start is restored. */
  declareDeployer(): void {
    const { directory, subscriptionId, tenantId } = this.dependencies;
    const tenant = directory.createTenant({ tenantId });
    declareDeployer(this.#deployer, tenant, this.roleAssignments, subscriptionId);
  }

  /** @internal */
  get persistedState() {
    return {
      registrations: this.registrations,
      roleAssignments: this.roleAssignments,
      resourceGroups: this.resourceGroups,
      allowances: this.#authorization,
      identities: this.#state.identities,
      systemTopics: this.#state.systemTopics,
      genericResources: this.#state.genericResources,
    };
  }

  /** @internal */
  systemTopics(): ReturnType<SystemTopics["list"]> {
    return this.#state.systemTopics.list();
  }

  /** The first host name, for URLs. */
  get #hostName(): string {
    return this.dependencies.hostNames[0] ?? "localhost";
  }

  /** `https://localhost:PORT` */
  get origin(): string {
    return `https://${this.#hostName}:${this.#port}`;
  }

  /**
   * Environment variables that make Terraform's azurerm and azuread providers, `@azure/identity` and
   * Node use this cloud and sign in as the deployer.
   */
  environment(): Record<string, string> {
    return {
      ARM_METADATA_HOSTNAME: `${this.#hostName}:${this.#port}`,
      AZURE_AUTHORITY_HOST: this.origin,
      // The public instance does not know this authority.
      AZURE_CORE_INSTANCE_DISCOVERY: "false",
      ...this.#credentials(),
    };
  }

  /** Environment variables for clients that use this cloud through its HTTPS proxy. */
  proxyEnvironment(): Record<string, string> {
    return {
      HTTPS_PROXY: this.dependencies.proxyAddress,
      NO_PROXY: ["localhost", "127.0.0.1", ...this.dependencies.hostNames].join(","),
      ...this.#credentials(),
    };
  }

  #credentials(): Record<string, string> {
    const { tenantId, subscriptionId } = this.dependencies;
    const { clientId, secret } = this.#deployer;
    const { bundleFile, certificateFile, emptyDirectory } = this.certificates;
    return {
      ARM_TENANT_ID: tenantId,
      ARM_SUBSCRIPTION_ID: subscriptionId,
      ARM_CLIENT_ID: clientId,
      ARM_CLIENT_SECRET: secret,
      AZURE_TENANT_ID: tenantId,
      AZURE_SUBSCRIPTION_ID: subscriptionId,
      AZURE_CLIENT_ID: clientId,
      AZURE_CLIENT_SECRET: secret,
      // Go and OpenSSL, Python's requests, Node.
      SSL_CERT_FILE: bundleFile,
      SSL_CERT_DIR: emptyDirectory,
      REQUESTS_CA_BUNDLE: bundleFile,
      NODE_EXTRA_CA_CERTS: certificateFile,
    };
  }

  /**
   * Assigns a principal a built-in role at a scope.
   *
   * @throws LocalCloudError `ERR_UNKNOWN_ROLE`, `ERR_OPTIONS`
   * @throws ServiceError 409 if the principal has the role there already
   */
  assignRole(roleName: string, principalId: string, scope: string): void {
    checkOptions(assignment, { roleName, principalId, scope }, "Invalid options of assignRole");
    const role = roleDefinitionByName(roleName);
    if (!role) {
      throw new LocalCloudError(
        "ERR_UNKNOWN_ROLE",
        `Unknown built-in role '${roleName}'. Known roles: ${roleDefinitions.map((each) => each.roleName).join(", ")}.`,
      );
    }
    this.roleAssignments.put({ name: randomUUID(), scope, roleId: role.id, principalId });
  }

  /**
   * Allows a principal management actions at a scope and below it, as a custom role would. In
   * `Microsoft.EventGrid/topics/*` the `*` stands for any characters.
   *
   * @throws LocalCloudError `ERR_OPTIONS`
   */
  allow(principalId: string, actions: readonly string[], scope: string): void {
    checkOptions(allowance, { principalId, actions, scope }, "Invalid options of allow");
    this.#authorization.allow(principalId, actions, normalizeScope(scope));
  }

  /** Whether the principal may publish to the topic. */
  maySend(principalId: string, topicId: string): boolean {
    const action = "Microsoft.EventGrid/events/send/action";
    return this.#authorization.allowsData(principalId, action, topicId);
  }

  /** Whether the subscription's identity may write to the dead-letter container. */
  mayDeadLetter(subscription: EventSubscription): boolean {
    return deadLetterProblem(this.#state, subscription) === undefined;
  }

  async stop(): Promise<void> {
    this.#operations.stop();
    await close(this.server);
    this.certificates.remove();
  }
}

/** Certificates for Azure's public hosts, issued when a client of the proxy first needs one. */
function publicHostContexts(certificates: CertificateAuthority) {
  const contexts = new Map<string, SecureContext>();
  return (host: string, callback: (error: Error | null, context?: SecureContext) => void): void => {
    if (!isPublicHost(host)) {
      callback(null);
      return;
    }
    const context = contexts.get(host) ?? createSecureContext(certificates.issue([host]));
    contexts.set(host, context);
    callback(null, context);
  };
}

function removeEventGridPrincipal(tenant: Tenant): void {
  const principal = tenant.servicePrincipals.byClientId(EVENT_GRID_CLIENT_ID);
  if (principal) tenant.deleteServicePrincipal(principal.objectId);
}
