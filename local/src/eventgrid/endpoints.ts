import * as v from "valibot";
import {
  checkScope,
  hyphenated,
  invalidRequest,
  type ResourceStore,
  serviceError,
  text,
  uuid,
} from "../base/index.js";
import { type AccessKeys, KeyOwner, newAccessKeys } from "./credentials.js";

/** Settings of a new topic, domain or namespace. */
export interface NewEndpoint {
  /** 3 to 50 letters, digits and hyphens; unique in its location, as in Azure it is a host name. */
  readonly name: string;
  /** One of the cloud's Azure subscriptions. @default the first one */
  readonly subscriptionId?: string | undefined;
  /** @default "local" */
  readonly resourceGroupName?: string | undefined;
  /** @default "westeurope" */
  readonly location?: string | undefined;
  /** The first key. @default a random one */
  readonly accessKey?: string | undefined;
}

/** Schema of these settings, except the name. */
export const endpointSettings = {
  subscriptionId: v.optional(uuid),
  resourceGroupName: v.optional(text),
  location: v.optional(text),
  accessKey: v.optional(text),
};

const NAME = hyphenated(3, 50);
const RESERVED = ["Microsoft", "EventGrid", "System"];

/**
 * The beginnings that Azure reserves: of a topic or domain only with a hyphen.
 *
 * @see https://learn.microsoft.com/azure/event-grid/troubleshoot-errors#error-code-400
 * @see https://learn.microsoft.com/azure/event-grid/create-view-manage-namespaces
 */
function reservedFor(kind: EndpointServices["kind"]): string[] {
  return kind === "namespace" ? RESERVED : RESERVED.map((word) => `${word}-`);
}

export function isEndpointName(kind: EndpointServices["kind"], name: string): boolean {
  const written = name.toLowerCase();
  const isReserved = reservedFor(kind).some((word) => written.startsWith(word.toLowerCase()));
  return NAME.allows(name) && !isReserved;
}

/** The rule for the name of a topic, domain or namespace, as text. */
export function endpointNameRule(kind: EndpointServices["kind"]): string {
  const [first, second, third] = reservedFor(kind);
  return `${NAME} that do not begin with ${first}, ${second} or ${third}`;
}

/** The fields from Resource Manager that nothing else reads, stored unchanged. */
type Attributes = Readonly<Record<string, unknown>>;

export interface EndpointServices {
  readonly kind: "topic" | "domain" | "namespace";
  readonly subscriptionId: string;
  readonly subscriptionIds: readonly string[];
  /** Address of the HTTP server. */
  readonly origin: string;
}

/** A topic, domain or namespace: a resource with keys, and with an endpoint for requests. */
export class Endpoint extends KeyOwner {
  /** The resource ID. */
  readonly id: string;
  readonly name: string;
  readonly resourceGroupName: string;
  readonly location: string;
  /** Path of the endpoint. Its first segment is part of the host name in Azure. */
  readonly path: string;
  /** The URL of requests: to publish to, or for a namespace the base of `/topics/…`. */
  readonly endpoint: string;
  /** The other fields from Resource Manager, stored unchanged. */
  attributes: Attributes;

  /** @internal */
  constructor(
    props: NewEndpoint & { readonly attributes?: Attributes | undefined },
    { kind, subscriptionId: first, origin }: EndpointServices,
    keys: AccessKeys = newAccessKeys(props.accessKey),
  ) {
    super(keys);
    const {
      subscriptionId = first,
      name,
      resourceGroupName = "local",
      location = "westeurope",
      attributes = {},
    } = props;
    this.id = `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroupName}/providers/Microsoft.EventGrid/${kind}s/${name}`;
    this.name = name;
    this.resourceGroupName = resourceGroupName;
    this.location = location;
    const below = kind === "namespace" ? "" : "/api/events";
    this.path = `/${name}.${location}-1${below}`.toLowerCase();
    this.endpoint = `${origin}${this.path}`;
    this.attributes = attributes;
  }
}

export interface EndpointsServices<T extends Endpoint> extends EndpointServices {
  readonly store: ResourceStore<T>;
  readonly running: { check(): void };
  readonly onTopic: (endpoint: T) => void;
}

/** The topics, the domains or the namespaces of the cloud. */
export class Endpoints<T extends Endpoint> {
  readonly #services: EndpointsServices<T>;

  /** @internal */
  constructor(services: EndpointsServices<T>) {
    this.#services = services;
  }

  /** @param id the resource ID, compared case-insensitively */
  get(id: string): T | undefined {
    return this.#services.store.get(id);
  }

  list(): T[] {
    return this.#services.store.list();
  }

  /** @internal the one at the path of a request */
  atPath(path: string): T | undefined {
    const wanted = path.toLowerCase();
    return this.list().find((each) => each.path === wanted);
  }

  /**
   * @internal
   * @throws ServiceError if the name is invalid or taken
   */
  protected add(endpoint: T): T {
    const { kind, store, onTopic, subscriptionIds } = this.#services;
    const { name, location } = endpoint;
    checkScope(endpoint.id, subscriptionIds);
    if (!isEndpointName(kind, name)) {
      throw invalidRequest(
        `The ${kind} name '${name}' is invalid. It must have ${endpointNameRule(kind)}.`,
      );
    }
    if (this.get(endpoint.id) || this.atPath(endpoint.path)) {
      throw serviceError.Conflict(
        `The ${kind} '${name}' already exists in ${location}; the name must be unique there.`,
      );
    }
    store.put(endpoint);
    onTopic(endpoint);
    return endpoint;
  }
}
