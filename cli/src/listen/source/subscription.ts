import { MINUTE_MS } from "cloud-eventgrid-binding-runtime/internal";
import {
  type Azure,
  at,
  type Caller,
  EVENT_GRID_API,
  textAt,
  textOrEmpty,
} from "../../azure/index.js";
import { CommandError } from "../../terminal/index.js";
import { type Right, refusal } from "./rights.js";
import type { Scope } from "./scope.js";

/** Minutes after which an event subscription ends that is not renewed. */
export const EXPIRY_MINUTES = 60;

/** How often, and how many times, a creation that has not completed is looked at. */
const INTERVAL_MS = 2000;
const ATTEMPTS = 60;

export interface SubscriptionServices {
  readonly azure: Azure;
  readonly caller: Caller;
  readonly now: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** An event subscription that expires unless it is written again. */
export class TemporarySubscription {
  readonly id: string;
  #expiresAt = 0;
  #mayExist = false;

  /** @param properties those without the expiration time */
  constructor(
    private readonly scope: Scope,
    readonly name: string,
    private readonly properties: object,
    private readonly services: SubscriptionServices,
  ) {
    this.id = `${scope.subscriptions}/${name}`;
  }

  /**
   * Creates the subscription, or makes it expire later. One that has expired is created again.
   *
   * @throws {CommandError} when Azure refuses it
   */
  async write(): Promise<void> {
    const { azure, caller, now } = this.services;
    const expiresAt = now() + EXPIRY_MINUTES * MINUTE_MS;
    const expirationTimeUtc = new Date(expiresAt).toISOString();
    // Without an answer, too, it may have been created.
    const existed = this.#mayExist;
    this.#mayExist = true;
    const answer = await azure.change({
      method: "PUT",
      path: this.id,
      apiVersion: EVENT_GRID_API,
      body: { properties: { ...this.properties, expirationTimeUtc } },
    });
    if (answer.status >= 300) {
      this.#mayExist = existed;
      const what = `an event subscription at ${this.scope.id} cannot be written`;
      throw refusal(what, answer, rightTo("write", this.scope), caller);
    }
    await this.#completion();
    this.#expiresAt = expiresAt;
  }

  /** Postpones the expiry. @returns the time of the last one if it has passed: events were missed */
  async renew(): Promise<number | undefined> {
    const before = this.#expiresAt;
    const isLate = before < this.services.now();
    await this.write();
    return isLate ? before : undefined;
  }

  async #completion(): Promise<void> {
    const { azure, wait } = this.services;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { status, body } = await azure.arm(this.id, EVENT_GRID_API);
      const state = textAt(body, "properties", "provisioningState");
      if (status === 200 && state === "Succeeded") return;
      if (status === 200 && /failed|canceled/i.test(String(state))) {
        throw new CommandError(`the event subscription ${this.name} is in the state ${state}`);
      }
      await wait(INTERVAL_MS);
    }
    throw new CommandError(`the event subscription ${this.name} is not ready after two minutes`);
  }

  /** Deletes it. @returns why it is still there; undefined if it is not */
  async delete(): Promise<string | undefined> {
    if (!this.#mayExist) return undefined;
    const problem = await deleteSubscription(this.services.azure, this.id);
    if (problem !== undefined) return problem;
    this.#mayExist = false;
    return undefined;
  }
}

function rightTo(verb: "read" | "write", { id }: Scope): Right {
  return {
    action: `Microsoft.EventGrid/eventSubscriptions/${verb}`,
    role: "EventGrid EventSubscription Contributor",
    scope: id,
  };
}

/** An event subscription at a scope, or below it if the scope is a subscription or a group. */
export interface ExistingSubscription {
  readonly id: string;
  readonly name: string;
  /** The queue that it delivers to, if it does. */
  readonly queue?: { readonly account: string; readonly name: string };
}

/** The event subscriptions at a scope. @throws {CommandError} when they cannot be read */
export async function listSubscriptions(
  azure: Azure,
  scope: Scope,
  caller: Caller,
): Promise<ExistingSubscription[]> {
  const answer = await azure.list(azure.arm(scope.subscriptions, EVENT_GRID_API));
  if (answer.status === 404) throw new CommandError(`the scope ${scope.id} does not exist`);
  if (answer.status !== 200) {
    const what = `the event subscriptions at ${scope.id} cannot be read`;
    throw refusal(what, answer, rightTo("read", scope), caller);
  }
  return answer.items.map((item) => {
    const properties = at(item, "properties");
    const queue =
      queueIn(at(properties, "destination")) ??
      queueIn(at(properties, "deliveryWithResourceIdentity", "destination"));
    const name = textOrEmpty(item, "name");
    const id = textAt(item, "id") ?? `${scope.subscriptions}/${name}`;
    return { id, name, ...(queue && { queue }) };
  });
}

function queueIn(destination: unknown): ExistingSubscription["queue"] {
  const account = textAt(destination, "properties", "resourceId");
  const name = textAt(destination, "properties", "queueName");
  return account === undefined || name === undefined ? undefined : { account, name };
}

/** Deletes an event subscription. @returns why it is still there; undefined if it is not */
export async function deleteSubscription(azure: Azure, id: string): Promise<string | undefined> {
  try {
    const { status, code, message } = await azure.change({
      method: "DELETE",
      path: id,
      apiVersion: EVENT_GRID_API,
    });
    if (status < 300 || status === 404) return undefined;
    return [status, code, message].filter(Boolean).join(" ");
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
}
