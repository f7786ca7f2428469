import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:https";
import { checkOptions } from "../check-options.js";
import { type Directory, EVENT_GRID_CLIENT_ID, type Tenant } from "../directory/index.js";
import type { Claims } from "../entra/index.js";
import { LocalCloudError } from "../errors.js";
import { normalizeScope } from "../eventgrid/scope.js";
import type { EventSubscription } from "../eventgrid/subscriptions/index.js";
import { graphService } from "../graph/index.js";
import { close, listen, type Route, requestListener } from "../http/index.js";
import { Authorization } from "../resource-manager/authorization.js";
import { deadLetterProblem } from "../resource-manager/dead-letter-rules.js";
import type { EventGridStores } from "../resource-manager/event-grid-stores.js";
import { resourceManagerService } from "../resource-manager/index.js";
import { ManagedIdentities } from "../resource-manager/managed-identities.js";
import { Operations } from "../resource-manager/operations.js";
import { ProviderRegistrations } from "../resource-manager/provider-registrations.js";
import { ResourceGroups } from "../resource-manager/resource-groups.js";
import { RoleAssignments } from "../resource-manager/role-assignments.js";
import { roleDefinitionByName, roleDefinitions } from "../resource-manager/role-definitions.js";
import type { ResourceManagerState } from "../resource-manager/state.js";
import { SystemTopics } from "../resource-manager/system-topics.js";
import { list, object, text } from "../shape.js";
import { CertificateAuthority } from "../tls/index.js";
import { apiRoute } from "./api-route.js";
import { authenticator } from "./authenticator.js";
import type { ControlPlaneOptions } from "./control-plane-options.js";
import { type Deployer, declareDeployer, deployerOf } from "./deployer.js";
import { metadataRoute } from "./metadata.js";

/** What the rest of the cloud gives its control plane. */
export interface ControlPlaneParts extends EventGridStores {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly directory: Directory;
  readonly verify: (token: string) => Promise<Claims | undefined>;
  /** Routes that HTTPS serves too: Entra's and the topics'. */
  readonly dataRoutes: readonly Route[];
  /** Milliseconds since 1970, on the cloud's clock: role assignments take effect by it. */
  readonly now: () => number;
}

const assignment = object({ roleName: text, principalId: text, scope: text }, {});
const allowance = object({ principalId: text, actions: list(text), scope: text }, {});

/** Resource Manager and Graph over HTTPS: what Terraform and other tools of Azure talk to. */
export class ControlPlane {
  /** @throws LocalCloudError `ERR_PORT`, `ERR_PORT_IN_USE` */
  static async start(
    parts: ControlPlaneParts,
    options: ControlPlaneOptions = {},
  ): Promise<ControlPlane> {
    const authority = new CertificateAuthority({ directory: options.certificateDirectory });
    const plane = new ControlPlane(parts, options, authority);
    try {
      plane.#port = await listen(plane.#server, options.httpsPort ?? 0);
    } catch (error) {
      authority.remove();
      throw error;
    }
    return plane;
  }

  /** Role assignments; `assignRole` adds one by the role's name. */
  readonly roleAssignments: RoleAssignments;
  readonly registrations: ProviderRegistrations;
  readonly resourceGroups = new ResourceGroups();
  readonly #authorization: Authorization;
  readonly #operations = new Operations();
  readonly #deployer: Deployer;
  readonly #state: ResourceManagerState;
  readonly #server: Server;
  #port = 0;

  private constructor(
    private readonly parts: ControlPlaneParts,
    options: ControlPlaneOptions,
    readonly certificates: CertificateAuthority,
  ) {
    const { now, directory, subscriptionId, tenantId } = parts;
    this.roleAssignments = new RoleAssignments({
      now,
      delaySeconds: options.roleAssignmentDelaySeconds,
      deletionDelaySeconds: options.assignmentDeletionDelaySeconds,
    });
    this.registrations = new ProviderRegistrations({
      eventGridRegistered: options.eventGridRegistered ?? false,
    });
    this.#authorization = new Authorization(this.roleAssignments, now);
    this.#deployer = deployerOf(options.deployer);
    const tenant = directory.createTenant({ tenantId });
    declareDeployer(this.#deployer, tenant, this.roleAssignments, subscriptionId);
    if (options.eventGridPrincipal === false) removeEventGridPrincipal(tenant);

    const authenticate = authenticator(parts.verify, directory);
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
      operations: this.#operations,
    };
    const resourceManager = resourceManagerService(this.#state, parts);
    const routes = [
      metadataRoute(),
      apiRoute(resourceManager, authenticate),
      apiRoute(graphService(directory), authenticate),
      ...parts.dataRoutes,
    ];
    const certificate = certificates.issue(["localhost", "127.0.0.1", "::1"]);
    this.#server = createServer(certificate, requestListener(routes, "https"));
  }

  /** `https://localhost:PORT` */
  get origin(): string {
    return `https://localhost:${this.#port}`;
  }

  /**
   * The environment that makes Terraform's azurerm and azuread providers, `@azure/identity` and
   * Node use this cloud, signed in as the deployer.
   */
  environment(): Record<string, string> {
    const { tenantId, subscriptionId } = this.parts;
    const { clientId, secret } = this.#deployer;
    return {
      ARM_METADATA_HOSTNAME: `localhost:${this.#port}`,
      ARM_TENANT_ID: tenantId,
      ARM_SUBSCRIPTION_ID: subscriptionId,
      ARM_CLIENT_ID: clientId,
      ARM_CLIENT_SECRET: secret,
      SSL_CERT_FILE: this.certificates.bundleFile,
      SSL_CERT_DIR: this.certificates.emptyDirectory,
      NODE_EXTRA_CA_CERTS: this.certificates.certificateFile,
      AZURE_AUTHORITY_HOST: this.origin,
      AZURE_TENANT_ID: tenantId,
      AZURE_CLIENT_ID: clientId,
      AZURE_CLIENT_SECRET: secret,
    };
  }

  /**
   * Gives a principal a built-in role, by its name, at a scope.
   * @throws LocalCloudError `ERR_UNKNOWN_ROLE`, `ERR_OPTIONS`
   * @throws ServiceError when the principal has it there already
   */
  assignRole(roleName: string, principalId: string, scope: string): void {
    checkOptions(assignment, { roleName, principalId, scope }, "This role cannot be assigned");
    const role = roleDefinitionByName(roleName);
    if (!role) {
      throw new LocalCloudError(
        "ERR_UNKNOWN_ROLE",
        `There is no built-in role '${roleName}' here. There are: ${roleDefinitions.map((each) => each.roleName).join(", ")}.`,
      );
    }
    this.roleAssignments.put({ name: randomUUID(), scope, roleId: role.id, principalId });
  }

  /**
   * Lets a principal do these management actions at a scope and below it, as a role that users
   * define would: `Microsoft.EventGrid/topics/*`, for one, where `*` stands for any characters.
   *
   * @throws LocalCloudError `ERR_OPTIONS`
   */
  allow(principalId: string, actions: readonly string[], scope: string): void {
    checkOptions(allowance, { principalId, actions, scope }, "These actions cannot be allowed");
    this.#authorization.allow(principalId, actions, normalizeScope(scope));
  }

  /** Whether a role of the principal lets it publish to the topic. */
  maySend(principalId: string, topicId: string): boolean {
    const action = "Microsoft.EventGrid/events/send/action";
    return this.#authorization.allowsData(principalId, action, topicId);
  }

  /** Whether the identity that a subscription dead-letters with may write into the container. */
  mayDeadLetter(subscription: EventSubscription): boolean {
    return deadLetterProblem(this.#state, subscription) === undefined;
  }

  async stop(): Promise<void> {
    this.#operations.stop();
    await close(this.#server);
    this.certificates.remove();
  }
}

function removeEventGridPrincipal(tenant: Tenant): void {
  const principal = tenant.servicePrincipals.byClientId(EVENT_GRID_CLIENT_ID);
  if (principal) tenant.deleteServicePrincipal(principal.objectId);
}
