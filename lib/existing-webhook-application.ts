import type { TerraformProvider } from "cdktf";
import type { CloudEnvironmentName } from "cloud-eventgrid-binding-runtime/binding";
import { Construct } from "constructs";
import { type Check, preconditionsOf, problemsOf } from "./check.js";
import {
  type EventGridIdentityProps,
  eventGridChecks,
  eventGridProblems,
} from "./event-grid-principal.js";
import { givenProps } from "./given-props.js";
import type { IWebhookApplication } from "./i-webhook-application.js";
import { existingApplicationProps } from "./known-props.js";
import { namedApplication } from "./named-application.js";
import { providerProblems } from "./provider-checks.js";
import type { SharedApplication } from "./shared-application.js";
import type { SubscriberRole } from "./subscriber-role.js";
import { TerraformData } from "./terraform-data.js";
import { choiceRule, uuidRule } from "./value-rule.js";

/** Where an application's service principal comes from. */
export const servicePrincipalRule = choiceRule("lookup", "provision");

/** An assignment of the app role that somebody made before. */
export type ExistingAppRoleAssignment = "eventGrid" | "client";

/** Props of {@link WebhookApplication.fromClientId}. */
export interface ExistingWebhookApplicationProps extends EventGridIdentityProps {
  /** Client ID of the application. It must be known when Terraform plans. */
  readonly clientId: string;
  /**
   * Whether the application's service principal exists and is looked up, or has to be made.
   *
   * @default "lookup"
   */
  readonly servicePrincipal?: "lookup" | "provision";
  /**
   * Assignments of the app role that exist already and stay somebody else's: Entra refuses to make
   * them again, and nothing can look them up.
   *
   * @default none
   */
  readonly existingAssignments?: readonly ExistingAppRoleAssignment[];
  /** @default the stack's azuread provider */
  readonly azuread?: TerraformProvider;
}

/**
 * A name for an application that exists already. What there is to look up, to make and to assign is
 * held by the stack, at an address that depends neither on this construct's path nor on whether the
 * application is named here or by `cloudClientId`.
 */
export class ExistingWebhookApplication extends Construct implements IWebhookApplication {
  readonly provisioned = false;
  readonly #shared: SharedApplication;

  /** Tells it from one that the stack makes, also where the library is installed twice. */
  static isExistingWebhookApplication(
    value: unknown,
  ): value is Pick<ExistingWebhookApplication, "makesPrincipal"> {
    return typeof value === "object" && value !== null && "makesPrincipal" in value;
  }

  constructor(scope: Construct, id: string, given: ExistingWebhookApplicationProps) {
    super(scope, id);
    const { props, problems: unreadable } = givenProps(this, given, existingApplicationProps);
    const problems = [
      ...unreadable,
      ...applicationProblems(props),
      ...providerProblems(this, props),
    ];
    this.node.addValidation({ validate: () => problems });
    this.#shared = namedApplication(this, { ...props, cloudClientId: props.clientId });
    const precondition = [...applicationChecks(props), ...eventGridChecks(props)].flatMap(
      preconditionsOf,
    );
    if (precondition.length === 0) return;
    const checked = new TerraformData(this, "preconditions", { lifecycle: { precondition } });
    this.subscriberRole.waitFor(checked);
  }

  get clientId(): string {
    return this.#shared.clientId;
  }

  get principalId(): string {
    return this.#shared.principalId;
  }

  /** Whether this stack makes the application's service principal. */
  get makesPrincipal(): boolean {
    return this.#shared.makesPrincipal;
  }

  get cloudEnvironment(): CloudEnvironmentName {
    return this.#shared.cloudEnvironment;
  }

  get eventGridApplicationId(): string | undefined {
    return this.#shared.eventGridApplicationId;
  }

  get subscriberRole(): SubscriberRole {
    return this.#shared.subscriberRole;
  }
}

const assignmentRule = choiceRule("eventGrid", "client");

function applicationChecks({ clientId }: ExistingWebhookApplicationProps): Check[] {
  return [{ field: "clientId", value: clientId, rule: uuidRule, required: true }];
}

function applicationProblems(props: ExistingWebhookApplicationProps): string[] {
  const { servicePrincipal, existingAssignments } = props;
  return [
    ...applicationChecks(props).flatMap(problemsOf),
    ...problemsOf({
      field: "servicePrincipal",
      value: servicePrincipal,
      rule: servicePrincipalRule,
      early: true,
    }),
    ...problemsOf({
      field: "existingAssignments",
      value: existingAssignments,
      rule: assignmentRule,
      items: true,
      early: true,
    }),
    ...eventGridProblems(props),
  ];
}
