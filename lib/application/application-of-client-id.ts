import { Annotations, type TerraformProvider, TerraformStack, Token } from "cdktf";
import { SECURE_WEBHOOK_ROLE } from "cloud-eventgrid-binding-runtime/binding";
import type { IConstruct } from "constructs";
import {
  defined,
  identityInAnyCase,
  identityOf,
  OncePerStack,
  originOf,
  shortHash,
  uuidOf,
  withAlias,
} from "../terraform/index.js";
import { problem, report } from "../validation/index.js";
import { eventGridApplicationId } from "./event-grid-principal.js";
import { ExistingApplication } from "./existing-application.js";
import type { ExistingWebhookApplicationProps } from "./i-webhook-application.js";

/**
 * An application that is named by its client ID, with the props of the construct that named it
 * first.
 */
interface NamedApplication {
  readonly application: ExistingApplication;
  readonly description: Description;
  /** Path of the construct that named it first. */
  readonly namedBy: string;
}

const applications = new OncePerStack<NamedApplication>("application");
/** The azuread providers through which an application is named, in words. */
const providersOfApplications = new OncePerStack<string[]>("providers of application");

const described = [
  "servicePrincipal",
  "cloudEnvironment",
  "eventGridApplicationId",
  "existingAssignments",
] as const;
type Description = Readonly<Record<(typeof described)[number], string>>;

/** How an application is described, by a construct for it or on a binding. */
type ApplicationOptions = Pick<
  ExistingWebhookApplicationProps,
  "servicePrincipal" | "cloudEnvironment" | "eventGridApplicationId" | "azuread"
> & {
  readonly cloudClientId?: string;
  /** Assignments that do not belong to the application are ignored. */
  readonly existingAssignments?: readonly string[];
};

/**
 * One application for all constructs of a stack that name it: Entra refuses a second app role of the
 * same value, and a second assignment of it.
 */
export function applicationOfClientId(
  construct: IConstruct,
  options: ApplicationOptions,
): ExistingApplication {
  const { cloudClientId: clientId = "", azuread } = options;
  const same = keyOf(construct, clientId);
  const key = withAlias(same, azuread?.alias);
  const description = describe(construct, options);
  const made = applications.get(construct, key, (home) => {
    warnOfOtherProvider(construct, same, identityOf(construct, clientId), azuread);
    const { servicePrincipal, cloudEnvironment, eventGridApplicationId } = options;
    const application = new ExistingApplication(home, `application-${key}`, {
      clientId,
      ...defined({ azuread, servicePrincipal, cloudEnvironment, eventGridApplicationId }),
      existingAssignments: assignmentsOf(options),
      // The stack's path keeps the ID apart from that of another stack with the same application.
      ownRoleId: uuidOf(`${home.node.path}/application-${same}/${SECURE_WEBHOOK_ROLE}`),
    });
    return { application, description, namedBy: construct.node.path };
  });
  const problems = differences(identityOf(construct, clientId), made, description);
  report(construct, () => problems);
  return made.application;
}

function assignmentsOf({ existingAssignments = [] }: ApplicationOptions) {
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
function describe(construct: IConstruct, options: ApplicationOptions): Description {
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
  return described
    .filter((field) => first.description[field] !== description[field])
    .map((field) => {
      const message =
        `of the application ${clientId} is ${description[field]} here, but ` +
        `${first.description[field]} where ${first.namedBy} names the same application: use the ` +
        "same value in both places, or pass one construct of WebhookApplication.fromClientId to both";
      return problem(field, "same-application", message);
    });
}

/** Two providers that sign in to the application's tenant would create everything twice. */
function warnOfOtherProvider(
  construct: IConstruct,
  same: string,
  clientId: string,
  azuread: TerraformProvider | undefined,
): void {
  const others = providersOfApplications.get(construct, same, () => []);
  const [other] = others;
  const provider = nameOf(azuread);
  others.push(provider);
  if (other === undefined) return;
  Annotations.of(construct).addWarning(
    `The application ${clientId} is named through ${other} and through ${provider}. If both sign in ` +
      "to the same tenant, its app role is created and assigned twice, which Entra refuses: pass " +
      "the same azuread wherever the application is named",
  );
}

function nameOf(azuread: TerraformProvider | undefined): string {
  return azuread?.alias === undefined
    ? "the stack's own azuread provider"
    : `the azuread provider "${azuread.alias}"`;
}
