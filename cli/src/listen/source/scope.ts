import { subscriptionsPath } from "../../azure/index.js";
import { trimmedId } from "../../resource-id.js";
import { UsageError } from "../../terminal/index.js";

/** The resource whose events are received. */
export interface Scope {
  readonly id: string;
  /** The path of its event subscriptions. */
  readonly subscriptions: string;
}

/** Reads a resource ID. @throws {UsageError} for anything else, and for a namespace */
export function readScope(text: string): Scope {
  const id = trimmedId(text);
  if (!/^\/subscriptions\/[0-9a-f-]{36}(\/.+)?$/i.test(id)) {
    throw new UsageError(
      `--scope must be a resource ID such as /subscriptions/…/topics/orders, not "${text}"`,
    );
  }
  if (/\/providers\/Microsoft\.EventGrid\/namespaces\//i.test(id)) {
    throw new UsageError(
      "a receiver of a namespace runs on this machine without listen: give it an event subscription of its own",
    );
  }
  return { id, subscriptions: subscriptionsPath(id) };
}
