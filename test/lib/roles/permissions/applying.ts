import type { LocalCloud, LocalCloudOptions } from "cloud-eventgrid-local";
import { Scenario } from "../../../terraform/scenario.js";
import { createAccount } from "../../../terraform/storage.js";

const PIPELINE = "44444444-4444-4444-8444-444444444444";
const GRAPH = "00000003-0000-0000-c000-000000000000";
export const ROLE = "AzureEventGridSecureWebhookSubscriber";

type Application = ReturnType<LocalCloud["applications"]["create"]>;

/** The scopes at which an action can be allowed. */
export type Place =
  | "subscription"
  | "group"
  | "group of the account"
  | "topic"
  | "namespace"
  | "container";

/** The permissions of an identity, in the notation of docs/permissions.md. */
export interface Rights {
  /** Azure's actions, each with its scope. */
  readonly azure?: readonly (readonly [action: string, at: Place])[];
  /** Permissions of Microsoft Graph. */
  readonly graph?: readonly string[];
  /** Actions of the webhook's application, if it is the writer. */
  readonly client?: readonly (readonly [action: string, at: Place])[];
}

/** The name of a permission, without its scope. */
export function nameOf(right: string | readonly [action: string, at: Place]): string {
  return typeof right === "string" ? right : right[0];
}

/** The environment of a stack: a cloud, the identity that applies, and an existing application. */
export interface Applying {
  readonly shop: Scenario;
  readonly places: Readonly<Record<Place, string>>;
  readonly pipeline: Application;
  /**
   * Creates an application before the apply. `roles: [ROLE]` also assigns the app role to Event
   * Grid.
   */
  application(roles?: readonly string[]): Application;
  /** Assigns the app role of that application to a principal. */
  assign(principal: Application, of: Application): void;
}

/** Starts a cloud with a pipeline that has exactly these rights. */
export async function applyingWith(
  { azure = [], graph = [], client = [] }: Rights,
  control: Exclude<LocalCloudOptions["control"], boolean | undefined> = {},
): Promise<Applying> {
  const shop = await Scenario.start(
    { eventGridRegistered: true, ...control },
    { ARM_CLIENT_ID: PIPELINE, ARM_CLIENT_SECRET: "only-for-tests" },
  );
  await shop.createGroup();
  const { cloud } = shop;
  const secret = "only-for-tests";
  const pipeline = cloud.applications.create({
    displayName: "pipeline",
    clientId: PIPELINE,
    secret,
    roles: [],
  });
  const subscription = `/subscriptions/${cloud.subscriptionId}`;
  const group = `${subscription}/resourceGroups/shop`;
  const account = await createAccount(cloud, "letters", "dead");
  const places = {
    subscription,
    group,
    "group of the account": account.replace(/\/providers\/.*/, ""),
    topic: `${group}/providers/Microsoft.EventGrid/topics/orders`,
    namespace: `${group}/providers/Microsoft.EventGrid/namespaces/orders`,
    container: `${account}/blobServices/default/containers/dead`,
  };
  const tenant = cloud.directory.tenant(cloud.tenantId);
  const microsoftGraph = tenant?.servicePrincipals.byClientId(GRAPH);
  const allow = ({ servicePrincipal }: Application, actions: Rights["azure"] = []) => {
    for (const [action, at] of actions) {
      cloud.control.allow(servicePrincipal.objectId, [action], places[at]);
    }
  };
  allow(pipeline, azure);
  for (const permission of graph) {
    if (microsoftGraph) tenant?.grant(pipeline.servicePrincipal, microsoftGraph, permission);
  }
  return {
    shop,
    places,
    pipeline,
    application(roles = [ROLE]) {
      const made = cloud.applications.create({ displayName: "orders", secret, roles });
      allow(made, client);
      return made;
    },
    assign(principal, { servicePrincipal }) {
      tenant?.grant(principal.servicePrincipal, servicePrincipal, ROLE);
    },
  };
}
