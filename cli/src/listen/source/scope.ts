import { EVENT_GRID_API, NAMESPACE_API, subscriptionsPath } from "../../doctor/index.js";
import { trimmedId } from "../../resource-id.js";
import { UsageError } from "../../terminal/index.js";

/** The resource whose events are received. */
export interface Scope {
  readonly id: string;
  /** The path of its event subscriptions. */
  readonly subscriptions: string;
  /** The version of Resource Manager's API that knows them. */
  readonly apiVersion: string;
  /** The namespace and the topic's name, if the scope is the topic of a namespace. */
  readonly namespace?: { readonly id: string; readonly topic: string };
}

/** Reads a resource ID. @throws {UsageError} for anything else */
export function readScope(text: string): Scope {
  const id = trimmedId(text);
  if (!/^\/subscriptions\/[0-9a-f-]{36}(\/.+)?$/i.test(id)) {
    throw new UsageError(
      `--scope must be a resource ID such as /subscriptions/…/topics/orders, not "${text}"`,
    );
  }
  const subscriptions = subscriptionsPath(id);
  const [, namespace, rest] =
    /^(.+\/providers\/Microsoft\.EventGrid\/namespaces\/[^/]+)(\/.*)?$/i.exec(id) ?? [];
  if (namespace === undefined) return { id, subscriptions, apiVersion: EVENT_GRID_API };
  const [, topic] = /^\/topics\/([^/]+)$/i.exec(rest ?? "") ?? [];
  if (topic === undefined) {
    throw new UsageError(`--scope must be a topic of the namespace: ${namespace}/topics/NAME`);
  }
  return { id, subscriptions, apiVersion: NAMESPACE_API, namespace: { id: namespace, topic } };
}
