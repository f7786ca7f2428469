import { AppRoleAssignment } from "@cdktf/provider-azuread/lib/app-role-assignment/index.js";
import type { TerraformMetaArguments, TerraformProvider, TerraformResource } from "cdktf";
import {
  type CloudEnvironmentName,
  SECURE_WEBHOOK_ROLE,
} from "cloud-eventgrid-binding-runtime/internal";
import { Construct, type IConstruct } from "constructs";
import {
  countUnlessAmong,
  Dependencies,
  defined,
  identityInAnyCase,
  knownAtPlan,
  sameIdentity,
  shortHash,
  withAlias,
} from "../terraform/index.js";
import { lookUpEventGridPrincipal } from "./service-principals.js";

/** The application that deliveries are authenticated with: created by the stack, or existing. */
export interface IWebhookApplication extends IConstruct {
  readonly clientId: string;
  /** Object ID of the application's service principal. */
  readonly principalId: string;
  readonly cloudEnvironment: CloudEnvironmentName;
  /** Application ID of Event Grid itself, which may deliver to the application's webhooks. */
  readonly eventGridApplicationId: string | undefined;
}

/** An assignment of the app role that exists already. */
export type ExistingAppRoleAssignment = "eventGrid" | "client";

/** The app role as Microsoft's own script writes it. */
export const appRole = {
  displayName: SECURE_WEBHOOK_ROLE,
  value: SECURE_WEBHOOK_ROLE,
  description: "Azure Event Grid Role",
  allowedMemberTypes: ["Application", "User"],
};

interface SubscriberRoleProps {
  readonly roleId: string;
  /** Whether the application's `principalId` is known when Terraform plans. */
  readonly principalKnownAtPlan: boolean;
  readonly role: TerraformResource;
  /** Waits until Graph knows a new role everywhere. */
  readonly replication?: TerraformResource;
  readonly existingAssignments?: readonly ExistingAppRoleAssignment[] | undefined;
  readonly azuread?: TerraformProvider | undefined;
}

const ROLE: unique symbol = Symbol.for("cloud-eventgrid-binding/SubscriberRole");

/** An application with its role, which is not a public property because users have no use for it. */
interface HasSubscriberRole {
  readonly [ROLE]: SubscriberRole;
}

/**
 * The app role `AzureEventGridSecureWebhookSubscriber` of one application, and its assignments.
 *
 * Entra refuses the same assignment twice, so each application has one owner of them. Only when
 * Terraform plans may a writer turn out to be an existing application itself, or to be named twice: then
 * the second assignment is not created.
 */
export class SubscriberRole extends Construct {
  /** The role of an application. Validation has refused every object that has none. */
  static of(application: IWebhookApplication): SubscriberRole {
    if (SubscriberRole.isPublishedAs(application)) return application[ROLE];
    throw new TypeError(`${application.node.path} is no application of this library`);
  }

  /** Reports whether an object is an application with this role, of this copy of the library or another. */
  static isPublishedAs(application: object): application is HasSubscriberRole {
    return ROLE in application;
  }

  /** Whether the application's principal is known when Terraform plans. */
  readonly principalKnownAtPlan: boolean;
  readonly #props: SubscriberRoleProps;
  /** Object ID of the application's service principal. */
  readonly #principalId: string;
  readonly #assignments = new Map<string, readonly AppRoleAssignment[]>();
  readonly #base: AppRoleAssignment[] = [];
  readonly #holders = new Map<string, AppRoleAssignment>();
  readonly #beforeAssignments = new Dependencies();
  readonly #client: AppRoleAssignment | undefined;

  /** Assigns the role to Event Grid, which then may call the webhooks, and to the application. */
  constructor(application: Construct & IWebhookApplication, props: SubscriberRoleProps) {
    super(application, "subscriber");
    Object.defineProperty(application, ROLE, { value: this });
    const { eventGridApplicationId } = application;
    const { existingAssignments = [], azuread } = props;
    this.#props = props;
    this.#principalId = application.principalId;
    this.principalKnownAtPlan = props.principalKnownAtPlan;
    this.#beforeAssignments.add(props.role);
    if (props.replication) this.#beforeAssignments.add(props.replication);
    if (eventGridApplicationId !== undefined && !existingAssignments.includes("eventGrid")) {
      const { objectId } = lookUpEventGridPrincipal(this, eventGridApplicationId, azuread);
      this.#base.push(this.#assign("event-grid", objectId));
    }
    if (!existingAssignments.includes("client")) {
      this.#client = this.#assign("client", this.#principalId);
      this.#base.push(this.#client);
    }
  }

  /** The assignments of Event Grid and of the application itself. */
  get baseAssignments(): readonly AppRoleAssignment[] {
    return this.#base;
  }

  /**
   * Assigns the role to the identity that applies the stack; returns the assignments to wait for.
   */
  assignToCaller(alias: string | undefined, objectId: string): readonly AppRoleAssignment[] {
    return this.#assignOnce(withAlias("caller", alias), objectId);
  }

  /**
   * Assigns the role to a named writer.
   *
   * @param isUserOrGroup whether it is a user or a group, and so cannot be the application
   * @returns the assignments to wait for: none if the writer is the application itself and its
   * assignment is managed elsewhere
   */
  assignToWriter(objectId: string, isUserOrGroup: boolean): readonly AppRoleAssignment[] {
    if (sameIdentity(this, objectId, this.#principalId)) {
      return this.#client === undefined ? [] : [this.#client];
    }
    const id = `principal-${shortHash(identityInAnyCase(this, objectId))}`;
    return this.#assignOnce(id, objectId, isUserOrGroup);
  }

  /** Also returns the assignments that may turn out to be the same one, which then replace it. */
  #assignOnce(id: string, objectId: string, isUserOrGroup = false): readonly AppRoleAssignment[] {
    const existing = this.#assignments.get(id);
    if (existing !== undefined) return existing;
    const { principalKnownAtPlan } = this;
    const principalId = this.#principalId;
    const mayBeClient = principalKnownAtPlan && !isUserOrGroup;
    const others = [...this.#holders].filter(([holder]) => knownAtPlan(this, holder));
    const holders = [...(mayBeClient ? [principalId] : []), ...this.#holders.keys()];
    const count = countUnlessAmong(this, holders, objectId);
    const assignment = this.#assign(id, objectId, defined({ count }));
    this.#holders.set(objectId, assignment);
    const all =
      count === undefined ? [assignment] : [assignment, ...others.map(([, other]) => other)];
    this.#assignments.set(id, all);
    return all;
  }

  #assign(id: string, objectId: string, options: TerraformMetaArguments = {}): AppRoleAssignment {
    const { roleId, azuread } = this.#props;
    const assignment = new AppRoleAssignment(this, id, {
      appRoleId: roleId,
      principalObjectId: objectId,
      resourceObjectId: this.#principalId,
      ...defined({ provider: azuread }),
      ...options,
    });
    this.#beforeAssignments.attachTo(assignment);
    return assignment;
  }
}
