import type { CloudEnvironmentName } from "cloud-eventgrid-binding-runtime/binding";
import { Construct } from "constructs";
import { TerraformData } from "../terraform/index.js";
import {
  type All,
  type Check,
  choiceRule,
  givenProps,
  preconditionsOf,
  problemsOf,
  providerProblems,
  uuidRule,
} from "../validation/index.js";
import { namedApplication } from "./application-of-client-id.js";
import { eventGridChecks, eventGridProblems, eventGridPropNames } from "./event-grid-principal.js";
import type { ExistingApplication } from "./existing-application.js";
import type {
  ExistingWebhookApplicationProps,
  IWebhookApplication,
} from "./i-webhook-application.js";
import type { SubscriberRole } from "./subscriber-role.js";

/** Where an application's service principal comes from. */
export const servicePrincipalRule = choiceRule("lookup", "provision");

/**
 * A name for an application that exists already. What there is to look up, to make and to assign is
 * held by the stack, at an address that depends neither on this construct's path nor on whether the
 * application is named here or by `cloudClientId`.
 */
export class ExistingWebhookApplication extends Construct implements IWebhookApplication {
  readonly provisioned = false;
  readonly #shared: ExistingApplication;

  /** Tells it from one that the stack makes, also where the library is installed twice. */
  static isExistingWebhookApplication(
    value: unknown,
  ): value is Pick<ExistingWebhookApplication, "makesPrincipal"> {
    return typeof value === "object" && value !== null && "makesPrincipal" in value;
  }

  constructor(scope: Construct, id: string, given: ExistingWebhookApplicationProps) {
    super(scope, id);
    const { props, problems: unreadable } = givenProps(this, given, propNames);
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

const propNames: All<ExistingWebhookApplicationProps> = {
  ...eventGridPropNames,
  clientId: true,
  servicePrincipal: true,
  existingAssignments: true,
};

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
