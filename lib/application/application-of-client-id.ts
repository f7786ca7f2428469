import { Annotations, type TerraformProvider, TerraformStack, Token } from "cdktf";
import { SECURE_WEBHOOK_ROLE } from "cloud-eventgrid-binding-runtime/binding";
import type { IConstruct } from "constructs";
import {
  identityInAnyCase,
  identityOf,
  OncePerStack,
  originOf,
  shortHash,
  uuidOf,
  withAlias,
} from "../terraform/index.js";
import { eventGridApplicationId } from "./event-grid-principal.js";
import { ExistingApplication } from "./existing-application.js";
import type { ExistingWebhookApplicationProps } from "./i-webhook-application.js";

/** An application that is named by its client ID, and how the first to name it described it. */
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
type Naming = Pick<
  ExistingWebhookApplicationProps,
  "servicePrincipal" | "cloudEnvironment" | "eventGridApplicationId" | "azuread"
> & {
  readonly cloudClientId?: string;
  /** Also those that are not the application's, which are left out here. */
  readonly existingAssignments?: readonly string[];
};

/**
 * One application for all that name it in a stack, wherever and however they do: Entra refuses a
 * second app role of the same value, and a second assignment of it.
 */
export function namedApplication(construct: IConstruct, naming: Naming): ExistingApplication {
  const { cloudClientId: clientId = "", azuread } = naming;
  const same = keyOf(construct, clientId);
  const key = withAlias(same, azuread?.alias);
  const description = describe(construct, naming);
  const made = applications.get(construct, key, (home) => {
    warnOfOtherProvider(construct, same, identityOf(construct, clientId), azuread);
    const { servicePrincipal, cloudEnvironment, eventGridApplicationId } = naming;
    const application = new ExistingApplication(home, `application-${key}`, {
      clientId,
      ...(azuread && { azuread }),
      ...(servicePrincipal && { servicePrincipal }),
      ...(cloudEnvironment && { cloudEnvironment }),
      ...(eventGridApplicationId !== undefined && { eventGridApplicationId }),
      existingAssignments: assignmentsOf(naming),
      // The stack's path keeps the ID apart from that of another stack with the same application.
      ownRoleId: uuidOf(`${home.node.path}/application-${same}/${SECURE_WEBHOOK_ROLE}`),
    });
    return { application, description, namedBy: construct.node.path };
  });
  const problems = differences(identityOf(construct, clientId), made, description);
  construct.node.addValidation({ validate: () => problems });
  return made.application;
}

/** Of plain JavaScript's values, which are told elsewhere, nothing here may break. */
function assignmentsOf({ existingAssignments }: Naming) {
  const existing = Array.isArray(existingAssignments) ? existingAssignments : [];
  return (["eventGrid", "client"] as const).filter((one) => existing.includes(one));
}

function keyOf(construct: IConstruct, clientId: string): string {
  if (!Token.isUnresolved(clientId)) return String(clientId).toLowerCase();
  const origin = originOf(clientId);
  const identity = identityOf(construct, clientId);
  return origin === undefined || origin === TerraformStack.of(construct)
    ? shortHash(identity)
    : shortHash(identity, origin.node.path);
}

/** What is left out counts as its default; an order of a list counts for nothing. */
function describe(construct: IConstruct, naming: Naming): Description {
  return {
    servicePrincipal: JSON.stringify(naming.servicePrincipal ?? "lookup"),
    cloudEnvironment: JSON.stringify(naming.cloudEnvironment ?? "public"),
    eventGridApplicationId: JSON.stringify(
      identityInAnyCase(construct, String(eventGridApplicationId(naming))),
    ),
    existingAssignments: JSON.stringify(assignmentsOf(naming)),
  };
}

function differences(clientId: string, first: NamedApplication, description: Description) {
  return described
    .filter((field) => first.description[field] !== description[field])
    .map(
      (field) =>
        `${field} of the application ${clientId} is ${description[field]} here, but ` +
        `${first.description[field]} where ${first.namedBy} names the same application: say the ` +
        "same in both places, or pass one construct of WebhookApplication.fromClientId to both",
    );
}

/** An application is of one tenant, so that two providers that find it make everything twice. */
function warnOfOtherProvider(
  construct: IConstruct,
  same: string,
  clientId: string,
  azuread: TerraformProvider | undefined,
): void {
  const others = providersOfApplications.get(construct, same, () => []);
  const [other] = others;
  const provider = spoken(azuread);
  others.push(provider);
  if (other === undefined) return;
  Annotations.of(construct).addWarning(
    `the application ${clientId} is named through ${other} and through ${provider}: where ` +
      "both sign in to the same tenant its app role is made and assigned twice, which Entra " +
      "refuses. Give the same azuread wherever the application is named",
  );
}

function spoken(azuread: TerraformProvider | undefined): string {
  return azuread?.alias === undefined
    ? "the stack's own azuread provider"
    : `the azuread provider "${azuread.alias}"`;
}
