import { AppRoleAssignment } from "@cdktf/provider-azuread/lib/app-role-assignment/index.js";
import {
  conditional,
  Fn,
  type ITerraformDependable,
  Op,
  type TerraformMetaArguments,
  type TerraformProvider,
  Token,
} from "cdktf";
import { Construct } from "constructs";
import { identityOf, knownAtPlan, shortHash } from "./deterministic-id.js";

/** Props of {@link SubscriberRole}. */
export interface SubscriberRoleProps {
  /** ID of the app role. */
  readonly roleId: string;
  /** Object ID of the application's service principal. */
  readonly principalId: string;
  /** Whether `principalId` is known when Terraform plans. */
  readonly principalKnownAtPlan: boolean;
  /** What makes the role. */
  readonly dependsOn: readonly ITerraformDependable[];
  readonly azuread?: TerraformProvider | undefined;
}

/**
 * The app role `AzureEventGridSecureWebhookSubscriber` of one application, and who holds it.
 *
 * Entra refuses the same assignment twice, so there is one owner of them per application; and
 * whoever writes a subscription may turn out to be the application itself, or named twice, only
 * when Terraform plans: then no second assignment is made.
 */
export class SubscriberRole extends Construct {
  readonly #props: SubscriberRoleProps;
  readonly #assignments = new Map<string, AppRoleAssignment>();
  readonly #writers: string[] = [];

  constructor(scope: Construct, id: string, props: SubscriberRoleProps) {
    super(scope, id);
    this.#props = props;
  }

  /** Every assignment made so far. */
  get assignments(): readonly AppRoleAssignment[] {
    return [...this.#assignments.values()];
  }

  /** Lets Event Grid call the application's webhooks. */
  assignToEventGrid(objectId: string): void {
    this.#assign("event-grid", objectId);
  }

  /** Gives the role to the application's own principal, which may then write subscriptions. */
  assignToClient(): void {
    this.#assign("client", this.#props.principalId);
  }

  /** Gives the role to whoever applies the stack. */
  assignToCaller(alias: string | undefined, objectId: string): AppRoleAssignment {
    return this.#assignToWriter(alias === undefined ? "caller" : `caller-${alias}`, objectId);
  }

  /** Gives the role to a writer that is named. */
  assignToWriter(objectId: string): AppRoleAssignment {
    return this.#assignToWriter(
      `writer-${shortHash(identityOf(this, objectId).toLowerCase())}`,
      objectId,
    );
  }

  #assignToWriter(id: string, objectId: string): AppRoleAssignment {
    const found = this.#assignments.get(id);
    if (found !== undefined) return found;
    const { principalId, principalKnownAtPlan } = this.#props;
    const holders = principalKnownAtPlan ? [principalId, ...this.#writers] : this.#writers;
    const distinct = principalKnownAtPlan ? undefined : notTheClient(objectId, principalId);
    const count = knownAtPlan(this, objectId) ? noneOf(holders, objectId) : undefined;
    if (knownAtPlan(this, objectId)) this.#writers.push(objectId);
    return this.#assign(id, objectId, {
      ...(count !== undefined && { count }),
      ...(distinct && { lifecycle: { precondition: [distinct] } }),
    });
  }

  #assign(id: string, objectId: string, options: TerraformMetaArguments = {}): AppRoleAssignment {
    const { principalId, azuread } = this.#props;
    const assignment = new AppRoleAssignment(this, id, {
      appRoleId: this.#props.roleId,
      principalObjectId: objectId,
      resourceObjectId: principalId,
      dependsOn: [...this.#props.dependsOn],
      ...(azuread && { provider: azuread }),
      ...options,
    });
    this.#assignments.set(id, assignment);
    return assignment;
  }
}

/** One assignment, or none where `objectId` turns out to be one of the holders; literals differ by now. */
function noneOf(holders: readonly string[], objectId: string): number | undefined {
  const others = holders
    .filter((holder) => Token.isUnresolved(holder) || Token.isUnresolved(objectId))
    .map((holder) => Fn.lower(holder));
  if (others.length === 0) return undefined;
  return Token.asNumber(conditional(Fn.contains(others, Fn.lower(objectId)), 0, 1));
}

/** Where the application is made in the same stack its principal is unknown at the first plan. */
function notTheClient(objectId: string, principalId: string) {
  return {
    condition: Op.neq(objectId, principalId),
    errorMessage:
      "Whoever applies is the webhook's own application, which holds the app role already: " +
      "name the writers in writerPrincipals.",
  };
}
