import type { CloudEnvironmentName } from "cloud-eventgrid-binding-runtime/binding";
import { choiceRule } from "cloud-eventgrid-binding-runtime/contract";
import { Construct, type IConstruct } from "constructs";
import { TerraformData } from "../terraform/index.js";
import {
  type Checks,
  listOf,
  literal,
  report,
  required,
  uuidRule,
  validated,
} from "../validation/index.js";
import { applicationOfClientId } from "./application-of-client-id.js";
import { eventGridChecks } from "./event-grid-principal.js";
import type { ExistingApplication } from "./existing-application.js";
import type {
  ExistingWebhookApplicationProps,
  IWebhookApplication,
} from "./i-webhook-application.js";
import { SubscriberRole } from "./subscriber-role.js";

/** Whether an application's service principal is looked up or created. */
export const servicePrincipalCheck = literal(choiceRule("lookup", "provision"));

/**
 * Refers to an application that exists already. The stack owns the look-ups, resources and
 * assignments for it, at addresses that depend neither on this construct's path nor on whether the
 * application is named here or by `cloudClientId`.
 */
export class ApplicationReference extends Construct implements IWebhookApplication {
  readonly provisioned = false;
  readonly #application: ExistingApplication;

  constructor(scope: Construct, id: string, rawProps: ExistingWebhookApplicationProps) {
    super(scope, id);
    const { props, problems, preconditions } = validated(rawProps, checks(this));
    report(this, () => problems);
    this.#application = applicationOfClientId(this, { ...props, cloudClientId: props.clientId });
    const role = SubscriberRole.of(this.#application);
    role.publishAs(this);
    if (preconditions.length === 0) return;
    const precondition = [...preconditions];
    role.waitFor(new TerraformData(this, "preconditions", { lifecycle: { precondition } }));
  }

  get clientId(): string {
    return this.#application.clientId;
  }

  get principalId(): string {
    return this.#application.principalId;
  }

  get cloudEnvironment(): CloudEnvironmentName {
    return this.#application.cloudEnvironment;
  }

  get eventGridApplicationId(): string | undefined {
    return this.#application.eventGridApplicationId;
  }
}

function checks(construct: IConstruct): Checks<ExistingWebhookApplicationProps> {
  return {
    ...eventGridChecks(construct),
    clientId: required(uuidRule),
    servicePrincipal: servicePrincipalCheck,
    existingAssignments: literal(listOf(literal(choiceRule("eventGrid", "client")))),
  };
}
