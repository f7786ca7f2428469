import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:https";
import { createSecureContext, type SecureContext } from "node:tls";
import { type ApiService, apiRoute, authenticator } from "../api/index.js";
import {
  checkOptions,
  fields,
  LocalCloudError,
  list,
  normalizeScope,
  text,
} from "../base/index.js";
import { IdentityEndpoint, type Tokens } from "../entra/index.js";
import { graphService } from "../graph/index.js";
import { close, listen, type Route, requestListener } from "../http/index.js";
import { isLoopback, isPublicHost, reachableName } from "../network/index.js";
import {
  type EventGridState,
  type ProviderRegistrations,
  type RoleAssignments,
  type RoleDefinitions,
  resourceManagerService,
} from "../resource-manager/index.js";
import { CertificateAuthority } from "../tls/index.js";
import type { ControlPlaneOptions } from "./control-plane-options.js";
import { type Deployer, declareDeployer, deployerOf } from "./deployer.js";
import { permissionsIn } from "./management.js";
import { metadataRoute } from "./metadata.js";

/** The dependencies of the control plane on the rest of the cloud. */
export interface ControlPlaneDependencies {
  readonly state: EventGridState;
  readonly tokens: Tokens;
  /** Address of the HTTP server. */
  readonly httpOrigin: string;
  /** Address of the proxy, which is the HTTP server: with the token, if clients need it. */
  readonly proxyAddress: string;
  /** Address to listen on. */
  readonly host: string;
  /** Names in the certificate, besides `localhost`; URLs have the first one. */
  readonly hostNames: readonly string[];
}

const assignment = fields({ roleName: text, principalId: text, scope: text });
const allowance = fields({ principalId: text, actions: list(text), scope: text });

/** Resource Manager and Graph over HTTPS, for Terraform and other Azure tools. */
export class ControlPlane {
  /** Role assignments. `assignRole` adds one by the role's name. */
  readonly roleAssignments: RoleAssignments;
  /** @internal */
  readonly roleDefinitions: RoleDefinitions;
  readonly registrations: ProviderRegistrations;
  readonly certificates: CertificateAuthority;
  readonly #deployer: Deployer;
  readonly #state: EventGridState;
  /** @internal Tokens of managed identities. */
  readonly identityEndpoint: IdentityEndpoint;
  readonly #services: readonly ApiService[];
  /** The operations of Resource Manager and Graph that are served. */
  readonly operations: readonly { readonly method: string; readonly path: string }[];
  /** Types of resources that are served, with the names of their POST requests. */
  readonly resourceTypes: readonly { readonly type: string; readonly actions: readonly string[] }[];
  #server: Server | undefined;
  #port = 0;

  /** @internal */
  constructor(
    private readonly dependencies: ControlPlaneDependencies,
    private readonly options: ControlPlaneOptions,
  ) {
    const { state } = dependencies;
    const { directory, tenantId, resources } = state;
    this.#state = state;
    this.roleAssignments = state.roleAssignments;
    this.roleDefinitions = state.roleDefinitions;
    this.registrations = state.registrations;
    this.#deployer = deployerOf(isLoopback(dependencies.host), options.deployer);
    this.identityEndpoint = new IdentityEndpoint({
      tenant: directory.createTenant({ tenantId }),
      tokens: dependencies.tokens,
      secret: this.#deployer.secret,
      origin: dependencies.httpOrigin,
    });
    this.#services = [resourceManagerService(state), graphService(directory)];
    this.resourceTypes = resources.types.map(({ type, actions = {} }) => ({
      type,
      actions: Object.keys(actions),
    }));
    this.operations = this.#services.flatMap(({ router }) => router.operations());
    this.certificates = new CertificateAuthority({ directory: options.certificateDirectory });
  }

  /**
   * @internal Serves Resource Manager and Graph.
   *
   * @param dataRoutes routes of Entra and the topics, also served over HTTPS
   * @param withChanges adds a callback for requests that have changed the state
   * @throws LocalCloudError `ERR_PORT`, `ERR_PORT_IN_USE`
   */
  async listen(dataRoutes: readonly Route[], withChanges: (route: Route) => Route): Promise<void> {
    const { state, tokens, host, hostNames } = this.dependencies;
    const authenticate = authenticator(tokens, state.directory);
    const routes = [
      ...this.#services.map((each) => withChanges(apiRoute(each, authenticate))),
      metadataRoute(),
      ...dataRoutes,
    ];
    const certificate = this.certificates.issue([
      "localhost",
      "127.0.0.1",
      "::1",
      host,
      ...hostNames,
    ]);
    const server = createServer(
      { ...certificate, SNICallback: publicHostContexts(this.certificates) },
      requestListener(routes, "https"),
    );
    this.#port = await listen(server, this.options.httpsPort ?? 0, host);
    this.#server = server;
  }

  /** @internal `undefined` until it listens */
  get server(): Server | undefined {
    return this.#server;
  }

  /** @internal Called when the state of an earlier start is restored. */
  declareDeployer(): void {
    const { directory, subscriptionIds, tenantId } = this.#state;
    const tenant = directory.createTenant({ tenantId });
    declareDeployer(this.#deployer, tenant, this.roleAssignments, subscriptionIds);
  }

  /** @internal */
  get persistedState() {
    return {
      registrations: this.registrations,
      roleDefinitions: this.roleDefinitions,
      roleAssignments: this.roleAssignments,
      allowances: this.#state.authorization,
      resources: this.#state.resources.store,
      deletions: this.#state.resources.deletions,
    };
  }

  /** The first host name, for URLs. */
  get #hostName(): string {
    const { host, hostNames } = this.dependencies;
    const name = reachableName(host);
    return hostNames[0] ?? (name === "127.0.0.1" ? "localhost" : name);
  }

  /** `https://localhost:PORT` */
  get origin(): string {
    return `https://${this.#hostName}:${this.#port}`;
  }

  /**
   * Environment variables that make Terraform's azurerm, azuread and azapi providers, `@azure/identity` and
   * Node use this cloud and sign in as the deployer.
   */
  environment(): Record<string, string> {
    return {
      ARM_METADATA_HOSTNAME: `${this.#hostName}:${this.#port}`,
      // The azapi provider does not ask the metadata service, and would ask the public cloud instead.
      ARM_ACTIVE_DIRECTORY_AUTHORITY_HOST: this.origin,
      ARM_RESOURCE_MANAGER_ENDPOINT: this.origin,
      ARM_RESOURCE_MANAGER_AUDIENCE: this.origin,
      ARM_DISABLE_INSTANCE_DISCOVERY: "true",
      AZURE_AUTHORITY_HOST: this.origin,
      // The public instance does not know this authority.
      AZURE_CORE_INSTANCE_DISCOVERY: "false",
      ...this.#credentials(),
    };
  }

  /** Environment variables for clients that use this cloud through its HTTPS proxy. */
  proxyEnvironment(): Record<string, string> {
    return { ...this.#proxy(), ...this.#credentials() };
  }

  /**
   * Environment variables of a service that runs with a managed identity: `ManagedIdentityCredential`
   * and `DefaultAzureCredential` find the identity as in App Service, Functions and Container Apps.
   *
   * @param name name or resource ID of a user-assigned identity, or of a resource with a
   * system-assigned one
   * @param options.proxy whether the service uses this cloud through its HTTPS proxy. @default false
   * @throws LocalCloudError `ERR_UNKNOWN_IDENTITY`
   */
  identityEnvironment(
    name: string,
    options: { readonly proxy?: boolean } = {},
  ): Record<string, string> {
    return {
      ...(options.proxy ? this.#proxy() : {}),
      ...this.identityEndpoint.variables(name),
      ...this.#trust(),
    };
  }

  #proxy(): Record<string, string> {
    const { proxyAddress, hostNames } = this.dependencies;
    const direct = new Set(["localhost", "127.0.0.1", this.#hostName, ...hostNames]);
    return { HTTPS_PROXY: proxyAddress, NO_PROXY: [...direct].join(",") };
  }

  #credentials(): Record<string, string> {
    const { tenantId, subscriptionId } = this.#state;
    const { clientId, secret } = this.#deployer;
    return {
      ARM_TENANT_ID: tenantId,
      ARM_SUBSCRIPTION_ID: subscriptionId,
      ARM_CLIENT_ID: clientId,
      ARM_CLIENT_SECRET: secret,
      AZURE_TENANT_ID: tenantId,
      AZURE_SUBSCRIPTION_ID: subscriptionId,
      AZURE_CLIENT_ID: clientId,
      AZURE_CLIENT_SECRET: secret,
      ...this.#trust(),
    };
  }

  #trust(): Record<string, string> {
    const { bundleFile, certificateFile, emptyDirectory } = this.certificates;
    return {
      // Go and OpenSSL, Python's requests, Node.
      SSL_CERT_FILE: bundleFile,
      SSL_CERT_DIR: emptyDirectory,
      REQUESTS_CA_BUNDLE: bundleFile,
      NODE_EXTRA_CA_CERTS: certificateFile,
    };
  }

  /**
   * Assigns a principal a role at a scope.
   *
   * @throws LocalCloudError `ERR_UNKNOWN_ROLE`, `ERR_OPTIONS`
   * @throws ServiceError 409 if the principal has the role there already
   */
  assignRole(roleName: string, principalId: string, scope: string): void {
    checkOptions(assignment, { roleName, principalId, scope }, "Invalid options of assignRole");
    const role = this.roleDefinitions.named(roleName);
    if (!role) {
      throw new LocalCloudError(
        "ERR_UNKNOWN_ROLE",
        `Unknown role '${roleName}'. Known roles: ${this.roleDefinitions
          .list()
          .map((each) => each.roleName)
          .join(", ")}.`,
      );
    }
    const { directory, tenantId } = this.#state;
    const { type = "ServicePrincipal" } = directory.tenant(tenantId)?.assignee(principalId) ?? {};
    this.roleAssignments.put({
      ...{ name: randomUUID(), scope, roleId: role.id },
      ...{ principalId, principalType: type },
    });
  }

  /**
   * Allows a principal management actions at a scope and below it, as a custom role would. In
   * `Microsoft.EventGrid/topics/*` the `*` stands for any characters.
   *
   * @throws LocalCloudError `ERR_OPTIONS`
   */
  allow(principalId: string, actions: readonly string[], scope: string): void {
    checkOptions(allowance, { principalId, actions, scope }, "Invalid options of allow");
    this.#state.authorization.allow(principalId, actions, normalizeScope(scope));
  }

  /** Whether the principal may publish to the topic. */
  maySend(principalId: string, topicId: string): boolean {
    return permissionsIn(this.#state).maySend(principalId, topicId);
  }

  async close(): Promise<void> {
    this.#state.operations.stop();
    if (this.#server) await close(this.#server);
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
