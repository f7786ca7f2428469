import type { CloudName } from "../cloud.js";

/** The cdk that a project's stack is written for. */
export type Cdk = "cdktf" | "cdktn";

/** The server of the webhook: the runtime's own, or the project's Fastify app. */
export type AppKind = "standalone" | "fastify";

/** The platform of the service, if the project configures one. */
export type Host = "none" | "container-apps" | "kubernetes";

/** A project to generate. */
export interface ProjectSpec {
  /** Name of the package, of the stack and of its resource group: lower-case letters, digits, hyphens. */
  readonly name: string;
  readonly cdk: Cdk;
  readonly app: AppKind;
  readonly host: Host;
  readonly bindings: readonly BindingSpec[];
}

/** One binding of a project. */
export interface BindingSpec {
  /** Name of the binding and of its folder: lower-case letters, digits, hyphens. */
  readonly name: string;
  readonly input?: InputSpec;
  readonly output?: OutputSpec;
  /** The event types of the binding's catalogue. */
  readonly eventTypes: readonly string[];
  /**
   * Whether the types are all that the service handles, so that its subscription may be restricted
   * to them. Without, they are an example, and no other type may be acknowledged.
   */
  readonly typesAreKnown: boolean;
}

/** The source of the events: a topic or storage account of the stack, or an existing resource. */
export type InputSource = "topic" | "storage" | { readonly scope: string };

export interface InputSpec {
  readonly source: InputSource;
  /** Fields from a component document; the stack provisions resources for the missing ones. */
  readonly cloudTenantId?: string;
  readonly cloudSubscriptionId?: string;
  readonly cloudClientId?: string;
  readonly cloudEnvironment?: CloudName;
  readonly subscriberEndpoint: string;
  readonly handshakePort: string;
  readonly eventSubscriptionName?: string;
  /** Whether the stack takes over a subscription that exists. */
  readonly adopt: boolean;
}

export interface OutputSpec {
  /** The endpoint of a topic that exists; absent for the topic of the stack. */
  readonly topicEndpoint?: string;
  readonly publishWith: "accessKey" | "entra";
}

/**
 * The assignments that an adopted event subscription has already: its component needed them to
 * write it, and Entra and Azure reject a second identical one.
 */
export const adoptedAssignments = ["eventGrid", "client", "clientAtScope"] as const;

/** The ways to write a binding's name. */
export interface Names {
  /** `orders-events` */
  readonly folder: string;
  /** `ordersEvents` */
  readonly variable: string;
  /** `ORDERS_EVENTS` */
  readonly prefix: string;
  /** `orders_events` */
  readonly output: string;
}

export function namesOf(name: string): Names {
  const words = name.split("-");
  const [first = "", ...rest] = words;
  return {
    folder: name,
    variable: first + rest.map(capitalized).join(""),
    prefix: words.join("_").toUpperCase(),
    output: words.join("_"),
  };
}

/** `OrdersEventsStack` for `orders-events`. */
export function stackClass(name: string): string {
  return `${name.split("-").map(capitalized).join("")}Stack`;
}

/** A name for folders, variables and environment variables: lower-case words with hyphens. */
export function projectName(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const name = words.join("-");
  return /^[a-z]/.test(name) ? name : `binding-${name}`.replace(/-$/, "");
}

/** The directions of a binding, as its `direction` says. */
export function directionOf({ input, output }: BindingSpec): string {
  return [input && "input", output && "output"].filter(Boolean).join(", ");
}

/**
 * Whether the services are deployed by other means than the stack, which is therefore applied without
 * its event subscriptions first.
 */
export function deploysApart({ bindings, host }: ProjectSpec): boolean {
  return host !== "container-apps" && bindings.some(({ input }) => input !== undefined);
}

/** The path that the listener serves. */
export function pathOf({ subscriberEndpoint }: InputSpec): string {
  const { pathname } = new URL(subscriberEndpoint);
  return pathname === "/" ? "/api/events" : pathname;
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
