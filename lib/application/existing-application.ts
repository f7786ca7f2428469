import { ApplicationAppRoleA } from "@cdktf/provider-azuread/lib/application-app-role/index.js";
import { DataAzureadApplication } from "@cdktf/provider-azuread/lib/data-azuread-application/index.js";
import { DataAzureadServicePrincipal } from "@cdktf/provider-azuread/lib/data-azuread-service-principal/index.js";
import { TerraformStack, Token } from "cdktf";
import {
  type Checks,
  type CloudEnvironmentName,
  choiceRule,
  type Problem,
  problem,
  SECURE_WEBHOOK_ROLE,
  uuidRule,
} from "cloud-eventgrid-binding-runtime/internal";
import { Construct, type IConstruct } from "constructs";
import {
  delay,
  identityInAnyCase,
  identityOf,
  OncePerStack,
  originOf,
  shortHash,
  uuidOf,
  withAlias,
} from "../terraform/index.js";
import { listOf, literal, report, required, validated } from "../validation/index.js";
import {
  createServicePrincipal,
  type EventGridServicePrincipalProps,
  eventGridApplicationId,
  eventGridChecks,
  eventGridProblems,
} from "./service-principals.js";
import {
  appRole,
  type ExistingAppRoleAssignment,
  type IWebhookApplication,
  SubscriberRole,
} from "./subscriber-role.js";

/** Props of {@link WebhookApplication.fromClientId}. */
export interface ExistingWebhookApplicationProps extends EventGridServicePrincipalProps {
  /** Client ID of the application. It must be known when Terraform plans. */
  readonly clientId: string;
  /**
   * Whether the application's service principal exists and is looked up, or is created.
   *
   * @default "lookup"
   */
  readonly servicePrincipal?: "lookup" | "provision";
  /**
   * Assignments of the app role that exist already and are managed elsewhere: Entra refuses to
   * create them again, and they cannot be looked up.
   *
   * @default none
   */
  readonly existingAssignments?: readonly ExistingAppRoleAssignment[];
}

function existingApplicationChecks(construct: IConstruct): Checks<ExistingWebhookApplicationProps> {
  return {
    ...eventGridChecks(construct),
    clientId: required(uuidRule),
    servicePrincipal: literal(choiceRule("lookup", "provision")),
    existingAssignments: literal(listOf(literal(choiceRule("eventGrid", "client")))),
  };
}

/**
 * Refers to an application that exists already. The stack owns the look-ups, resources and
 * assignments for it, at addresses that depend neither on this construct's path nor on whether the
 * application is named here or by `cloudClientId`.
 */
export function existingApplication(
  scope: Construct,
  id: string,
  rawProps: ExistingWebhookApplicationProps,
): IWebhookApplication {
  const construct = new Construct(scope, id);
  const { props, problems } = validated(rawProps, existingApplicationChecks(construct));
  report(construct, () => problems);
  return applicationOfClientId(construct, props);
}

/** An application that is named by its client ID. */
interface NamedApplication {
  readonly application: ExistingApplication;
  /** The props of the construct that named it first. */
  readonly description: Description;
  /** Path of that construct. */
  readonly namedBy: string;
}

/** Props of an application in a form in which they can be compared. */
type Description = Readonly<Record<string, string>>;

const applications = new OncePerStack<NamedApplication>("application");

/** The props of an application, and assignments of its binding, which are ignored. */
type ApplicationProps = Omit<ExistingWebhookApplicationProps, "existingAssignments"> & {
  readonly existingAssignments?: readonly string[];
};

/**
 * One application for all constructs of a stack that name it: Entra refuses a second app role of the
 * same value, and a second assignment of it.
 */
export function applicationOfClientId(
  construct: IConstruct,
  props: ApplicationProps,
): IWebhookApplication {
  const { clientId = "", azuread } = props;
  const same = keyOf(construct, clientId);
  const key = withAlias(same, azuread?.alias);
  const description = descriptionOf(construct, props);
  const made = applications.get(construct, key, (home) => {
    const application = new ExistingApplication(home, `application-${key}`, {
      ...props,
      clientId,
      existingAssignments: assignmentsOf(props),
      // The stack's path keeps the ID apart from that of another stack with the same application.
      ownRoleId: uuidOf(`${home.node.path}/application-${same}/${SECURE_WEBHOOK_ROLE}`),
    });
    return { application, description, namedBy: construct.node.path };
  });
  const problems = differences(identityOf(construct, clientId), made, description);
  report(construct, () => problems);
  return made.application;
}

function assignmentsOf({ existingAssignments = [] }: ApplicationProps) {
  return (["eventGrid", "client"] as const).filter((assignment) =>
    existingAssignments.includes(assignment),
  );
}

function keyOf(construct: IConstruct, clientId: string): string {
  if (!Token.isUnresolved(clientId)) return String(clientId).toLowerCase();
  const origin = originOf(clientId);
  const identity = identityOf(construct, clientId);
  return origin === undefined || origin === TerraformStack.of(construct)
    ? shortHash(identity)
    : shortHash(identity, origin.node.path);
}

/** An option that is left out counts as its default; the order of a list does not matter. */
function descriptionOf(construct: IConstruct, options: ApplicationProps): Description {
  return {
    servicePrincipal: JSON.stringify(options.servicePrincipal ?? "lookup"),
    cloudEnvironment: JSON.stringify(options.cloudEnvironment ?? "public"),
    eventGridApplicationId: JSON.stringify(
      identityInAnyCase(construct, String(eventGridApplicationId(options))),
    ),
    existingAssignments: JSON.stringify(assignmentsOf(options)),
  };
}

function differences(clientId: string, first: NamedApplication, description: Description) {
  return Object.entries(description)
    .filter(([field, value]) => first.description[field] !== value)
    .map(([field, value]) => {
      const message =
        `of the application ${clientId} is ${value} here, but ` +
        `${first.description[field]} where ${first.namedBy} names the same application: use the ` +
        "same value in both places, or pass one construct of WebhookApplication.fromClientId to both";
      return problem(field, { "same-application": message });
    });
}

/**
 * Until then Graph may refuse an assignment of a role that was added to an existing application
 * ("Permission being assigned was not found on application"), and the provider does not retry.
 */
const ROLE_REPLICATION_SECONDS = 40;

interface ExistingApplicationProps extends ExistingWebhookApplicationProps {
  /** ID that the app role gets if the application does not have the role yet. */
  readonly ownRoleId: string;
}

/**
 * Owns, once in a stack, the resources that the stack adds to an existing application. It adds the
 * app role unless the application has it: later plans find nothing to change in both cases, because
 * the ID of the role that is read back decides.
 */
class ExistingApplication extends Construct implements IWebhookApplication {
  readonly clientId: string;
  readonly principalId: string;
  readonly cloudEnvironment: CloudEnvironmentName;
  readonly eventGridApplicationId: string | undefined;

  constructor(scope: Construct, id: string, props: ExistingApplicationProps) {
    super(scope, id);
    const { clientId, ownRoleId } = props;
    this.clientId = clientId;
    report(this, () => [...unknownAtPlan(this, clientId), ...eventGridProblems(props)]);
    const provider = props.azuread && { provider: props.azuread };
    const application = new DataAzureadApplication(this, "application", {
      clientId,
      ...provider,
    });
    // Written as Terraform source: an expression made with Fn and Op is built anew wherever it is
    // used, which took 5 % of the time to synthesize a binding.
    const roleId = `lookup(${application.appRoleIds}, "${SECURE_WEBHOOK_ROLE}", "${ownRoleId}")`;
    const count = Token.asNumber(`\${(${roleId} == "${ownRoleId}") ? 1 : 0}`);
    const role = new ApplicationAppRoleA(this, "role", {
      applicationId: `/applications/${application.objectId}`,
      roleId: ownRoleId,
      count,
      ...appRole,
      ...provider,
    });
    const replication = delay(this, "role-replication", {
      seconds: ROLE_REPLICATION_SECONDS,
      triggersReplace: { application: application.objectId },
      count,
      dependsOn: [role],
    });
    const createsPrincipal = props.servicePrincipal === "provision";
    const principal = createsPrincipal
      ? createServicePrincipal(this, "principal", props.azuread, { clientId, dependsOn: [role] })
      : new DataAzureadServicePrincipal(this, "principal", { clientId, ...provider });
    this.principalId = principal.objectId;
    this.cloudEnvironment = props.cloudEnvironment ?? "public";
    this.eventGridApplicationId = eventGridApplicationId(props);
    new SubscriberRole(this, {
      roleId: `\${${roleId}}`,
      principalKnownAtPlan: !createsPrincipal,
      role,
      replication,
      existingAssignments: props.existingAssignments,
      azuread: props.azuread,
    });
  }
}

/**
 * Whether the app role exists decides how many roles are created, which Terraform has to know when it
 * plans. Tested at synthesis, because only then a value from another stack shows as known.
 */
function unknownAtPlan(construct: Construct, clientId: string): Problem[] {
  const made = /\$\{(azuread_application\w*\.[\w-]*)/.exec(identityOf(construct, clientId))?.[1];
  if (made === undefined) return [];
  const message =
    "of an existing application must be known when Terraform plans, but comes from a resource of the " +
    `same stack (${made}): create the application with WebhookApplication`;
  return [problem("clientId", { "known-at-plan": message })];
}
