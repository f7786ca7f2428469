import { DataAzureadServicePrincipal } from "@cdktf/provider-azuread/lib/data-azuread-service-principal/index.js";
import { ServicePrincipal } from "@cdktf/provider-azuread/lib/service-principal/index.js";
import { type TerraformProvider, Token } from "cdktf";
import {
  type CloudEnvironmentName,
  cloudEnvironments,
} from "cloud-eventgrid-binding-runtime/binding";
import { Construct } from "constructs";
import { identityOf, OncePerStack, shortHash, withAlias } from "../terraform/index.js";
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

/** Which of Event Grid's first-party applications is meant. */
export interface EventGridIdentityProps {
  /** @default "public" */
  readonly cloudEnvironment?: CloudEnvironmentName;
  /**
   * Application ID of Event Grid itself in this cloud.
   *
   * @default the published one of `cloudEnvironment`; China's is published nowhere, so it is
   * required there
   */
  readonly eventGridApplicationId?: string;
}

/** Application ID of Event Grid in a cloud; undefined where it is neither published nor given. */
export function eventGridApplicationId(props: EventGridIdentityProps): string | undefined {
  const environment = cloudEnvironments[props.cloudEnvironment ?? "public"];
  return props.eventGridApplicationId ?? environment?.eventGridApplicationId;
}

/** Names of the props of {@link EventGridIdentityProps}, and of the provider beside them. */
export const eventGridPropNames: All<EventGridServicePrincipalProps> = {
  cloudEnvironment: true,
  eventGridApplicationId: true,
  azuread: true,
};

const cloudRule = choiceRule(...Object.keys(cloudEnvironments));

/** The application ID of Event Grid where it is given, and what it must be. */
export function eventGridChecks({ eventGridApplicationId }: EventGridIdentityProps): Check[] {
  return [{ field: "eventGridApplicationId", value: eventGridApplicationId, rule: uuidRule }];
}

/** What is wrong with the cloud that is named, and with the application ID. */
export function eventGridProblems(props: EventGridIdentityProps): string[] {
  const { cloudEnvironment } = props;
  return [
    ...problemsOf({
      field: "cloudEnvironment",
      value: cloudEnvironment,
      rule: cloudRule,
      early: true,
    }),
    ...eventGridChecks(props).flatMap(problemsOf),
  ];
}

/** What is said where Event Grid's application ID is not known. */
export const EVENT_GRID_APPLICATION_UNKNOWN =
  'eventGridApplicationId is required where cloudEnvironment is "china": the application ID of ' +
  "Event Grid is not published for that cloud (look it up in your tenant's enterprise applications)";

const principals = new OncePerStack<DataAzureadServicePrincipal>("event-grid-principal");

/**
 * Looks up Event Grid's service principal, once in a stack. It is never made on the way: destroying
 * it with a binding would break every other one in the tenant.
 */
export function lookUpEventGridPrincipal(
  construct: Construct,
  applicationId: string,
  azuread: TerraformProvider | undefined,
): DataAzureadServicePrincipal {
  const application = Token.isUnresolved(applicationId)
    ? shortHash(identityOf(construct, applicationId))
    : applicationId;
  const key = withAlias(application, azuread?.alias);
  return principals.get(construct, key, (home) => {
    return new DataAzureadServicePrincipal(home, `event-grid-principal-${key}`, {
      clientId: applicationId,
      ...(azuread && { provider: azuread }),
    });
  });
}

/** Props of {@link EventGridServicePrincipal}. */
export interface EventGridServicePrincipalProps extends EventGridIdentityProps {
  /** @default the stack's azuread provider */
  readonly azuread?: TerraformProvider;
}

/**
 * Event Grid's service principal, for a tenant that has none yet.
 *
 * It belongs to the whole tenant: put it into a small stack of its own that an administrator applies
 * once, never beside a binding. Terraform refuses to destroy it.
 */
export class EventGridServicePrincipal extends Construct {
  /** Object ID of the principal. */
  readonly objectId: string;

  constructor(scope: Construct, id: string, given: EventGridServicePrincipalProps = {}) {
    super(scope, id);
    const { props, problems: unreadable } = givenProps(this, given, eventGridPropNames);
    const problems = [...unreadable, ...eventGridProblems(props), ...providerProblems(this, props)];
    const clientId = eventGridApplicationId(props);
    if (clientId === undefined && problems.length === 0) {
      problems.push(EVENT_GRID_APPLICATION_UNKNOWN);
    }
    this.node.addValidation({ validate: () => problems });
    const precondition = eventGridChecks(props).flatMap(preconditionsOf);
    const principal = new ServicePrincipal(this, "principal", {
      clientId: clientId ?? "",
      lifecycle: { preventDestroy: true, ...(precondition.length > 0 && { precondition }) },
      ...(props.azuread && { provider: props.azuread }),
    });
    this.objectId = principal.objectId;
  }
}
