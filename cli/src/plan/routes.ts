import {
  ConfigurationError,
  isObject,
  type Problem,
  problem,
  withoutEnd,
} from "cloud-eventgrid-binding-runtime/internal";
import { trimmedId } from "../resource-id.js";
import { applyFilter, withDefaultTypes } from "../rules/filters/index.js";
import { UNKNOWN } from "../rules/index.js";
import {
  azurermFilter,
  filterIn,
  isEventSubscription,
  oneOf,
  withBody,
} from "./terraform/index.js";

/** Where an event is published. */
export interface EventOrigin {
  /**
   * The construct path of the topic, such as `shop/topic`, its address in Terraform, or the scope of the
   * event subscriptions.
   */
  readonly topic: string;
}

/** The event subscriptions of a synthesized stack. */
export interface Routes {
  /**
   * The event subscriptions that get an event, by their names in Terraform without the hash: `orders` for
   * that of a binding `orders`, `shop_orders` if that is in a construct `shop` of the stack. Sorted.
   *
   * @throws {ConfigurationError} when there is no such topic, or a filter depends on a value that is known only later
   */
  of(event: object, origin: EventOrigin): string[];
}

/**
 * Reads the event subscriptions of a stack, for unit tests of which events arrive where.
 *
 * @example
 * ```ts
 * const routes = routesOf(Testing.synth(stack, true));
 * expect(routes.of({ type: "shop.order.placed", data: {} }, { topic: "shop/topic" })).toEqual(["orders"]);
 * ```
 *
 * @param synthesizedJson what `Testing.synth` of cdktf or cdktn returns, or the content of `cdk.tf.json`
 * @throws {ConfigurationError} when it is something else
 */
export function routesOf(synthesizedJson: string | object): Routes {
  const json = typeof synthesizedJson === "string" ? parsed(synthesizedJson) : synthesizedJson;
  const types = isObject(json) && isObject(json.resource) ? json.resource : {};
  const resources = Object.entries(types).flatMap(([type, byName]) =>
    Object.entries(isObject(byName) ? byName : {}).flatMap(([name, body]) =>
      isObject(body) ? [{ type, address: `${type}.${name}`, id: idOf(name), body }] : [],
    ),
  );
  const subscriptions = resources.flatMap(subscriptionOf);
  return {
    of(event, { topic }) {
      const id = topic.split("/").slice(topic.includes("/") ? 1 : 0);
      const wanted = id.filter((part, index) => part !== id[index - 1]).join("_");
      const named = resources.filter(
        (each) => each.address === topic || `${each.id}_`.startsWith(`${wanted}_`),
      );
      const refersTo = (scope: string) =>
        named.filter(({ address }) => scope.includes(`${address}.`)).map(({ address }) => address);
      const own = subscriptions.filter(
        ({ scope }) => idWithoutCase(scope) === idWithoutCase(topic) || refersTo(scope).length > 0,
      );
      const topics = new Set(own.flatMap(({ scope }) => refersTo(scope)));
      if ((own.length === 0 && named.length === 0) || topics.size > 1) {
        const scopes = [...new Set(subscriptions.map(({ scope }) => scope))].join(", ") || "none";
        const what =
          topics.size > 1
            ? `means ${[...topics].join(" and ")}: name one of them`
            : `is neither a construct of the stack nor a scope of its event subscriptions (${scopes})`;
        throw unknownRoutes([problem("topic", { known: `${JSON.stringify(topic)} ${what}` })]);
      }
      const passing = own
        .filter(({ isNone }) => !isNone)
        .map(({ name, filter, scope }) => {
          const chosen = withDefaultTypes(filter, sourceOf(scope, event, resources));
          return { name, ...applyFilter(chosen, { attributes: { ...event }, isPartial: false }) };
        })
        .filter(({ excluding }) => excluding.length === 0);
      const later = passing.flatMap(({ name, undecided }) => {
        const message = `has conditions that are known only when Terraform plans: ${undecided.join("; ")}`;
        return undecided.length > 0 ? [problem(name, { known: message })] : [];
      });
      if (later.length > 0) throw unknownRoutes(later);
      return passing.map(({ name }) => name).sort();
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const message = "is no JSON: give what Testing.synth returns, or the content of cdk.tf.json";
    throw unknownRoutes([problem("synthesizedJson", { json: message })]);
  }
}

/** What a scope is, for the types that Azure chooses if none is named; undefined if nothing says. */
function sourceOf(
  scope: string,
  event: object,
  resources: readonly Resource[],
): string | undefined {
  const { type, eventType = type } = event as { type?: unknown; eventType?: unknown };
  const isAzures = String(eventType).startsWith("Microsoft.");
  // Only topics of one's own have other events.
  if (!isAzures) return "/Microsoft.EventGrid/topics/";
  if (!scope.includes("${")) return scope;
  const found = resources.find(({ address }) => scope.includes(`${address}.`));
  if (found?.type === "azurerm_storage_account") return "Microsoft.Storage.StorageAccounts";
  const { topic_type: topicType, type: azapiType } = found?.body ?? {};
  if (topicType !== undefined) return String(topicType);
  const isTopic = oneOf("azurerm_eventgrid_(topic|domain)**").test(String(found?.type));
  return isTopic ? "/Microsoft.EventGrid/topics/" : `/${String(azapiType)}/`;
}

interface Resource {
  readonly type: string;
  readonly address: string;
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The construct path below the stack, joined by `_`; `Testing.synth` leaves the paths out. */
function idOf(name: string): string {
  return name.replace(/_[0-9A-F]{8}$/, "");
}

function subscriptionOf({ type, id, body }: Resource) {
  const known = withoutReferences(body);
  if (!isObject(known) || !isEventSubscription(type, body.type)) return [];
  const isNone = known.count === 0 || isNothing(body.for_each);
  const name = withoutEnd(id, "_subscription") || id;
  if (type === "azapi_resource") {
    const filter = known.count === UNKNOWN ? LATER : filterIn(withBody(known));
    return [{ name, isNone, scope: String(body.parent_id), filter }];
  }
  const isLater = "dynamic" in body || known.count === UNKNOWN;
  const filter = isLater ? LATER : azurermFilter(known);
  return [{ name, isNone, scope: String(body.scope ?? body.system_topic), filter }];
}

const LATER = { advancedFilters: UNKNOWN };

/** Whether a `for_each` makes no instance; cdktf writes a set as an expression. */
const isNothing = (each: unknown) =>
  each === `\${toset([])}` || (isObject(each) && Object.keys(each).length === 0);

/** The JSON with {@link UNKNOWN} for the values that Terraform computes. */
function withoutReferences(value: unknown): unknown {
  if (typeof value === "string") return value.includes("${") ? UNKNOWN : value;
  if (Array.isArray(value)) return value.map(withoutReferences);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withoutReferences(inner)]),
  );
}

function idWithoutCase(id: string): string {
  return trimmedId(id).toLowerCase();
}

/** The error when a synthesized stack does not tell which event subscriptions get an event. */
function unknownRoutes(problems: readonly Problem[]): ConfigurationError {
  return new ConfigurationError("The routes cannot be told", problems);
}
