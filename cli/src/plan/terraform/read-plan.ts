import { isObject } from "cloud-eventgrid-binding-runtime/internal";
import { UNKNOWN } from "../../rules/index.js";
import { CommandError } from "../../terminal/index.js";
import { Configuration } from "./configuration.js";
import { withBody } from "./filter.js";
import { oneOf } from "./matching.js";
import { planIn } from "./plan-text.js";
import { idOf, same } from "./values.js";

export type Attributes = Readonly<Record<string, unknown>>;

const ACTIONS = {
  "no-op": "no-op",
  read: "no-op",
  create: "create",
  update: "update",
  delete: "delete",
  "delete,create": "delete-create",
  "create,delete": "create-delete",
  forget: "forget",
} as const;

/**
 * What Terraform does with a resource. `"delete-create"` and `"create-delete"` replace it in this order;
 * `"forget"` leaves it in Azure.
 */
export type Action = (typeof ACTIONS)[keyof typeof ACTIONS] | "unknown";

/** One resource of a plan. */
export interface PlannedChange {
  readonly address: string;
  readonly type: string;
  readonly action: Action;
  /** As it is in Azure now; undefined for a new one. What azapi writes is among the attributes. */
  readonly before: Attributes | undefined;
  /**
   * As it will be, with {@link UNKNOWN} for what is known only after the apply; undefined for a deleted one.
   * What Terraform forgets stays as it is.
   */
  readonly after: Attributes | undefined;
  /** The attributes that force a replacement. */
  readonly replacePaths: readonly string[];
  /** Whether what changes, or a part of it, is not in the plan. */
  readonly isHidden: boolean;
  /** Whether the plan imports it. */
  readonly isImported: boolean;
  /** Whether Terraform treats a value as a secret; also a part of it counts. */
  readonly isSensitive: (attribute: string) => boolean;
  /** What the configuration of an attribute refers to; undefined if the plan has no configuration. */
  readonly references: (attribute: string) => readonly string[] | undefined;
  /** The addresses, without indices, of the resources that the value of an attribute comes from. */
  readonly origins: (attribute: string) => ReadonlySet<string>;
}

export interface Plan {
  readonly changes: readonly PlannedChange[];
  /** Why the plan does not say everything that the apply does. */
  readonly gaps: readonly string[];
  /** Texts that Terraform marks as sensitive. */
  readonly secrets: ReadonlySet<string>;
}

/** Terraform nests values some ten levels deep. */
const MAX_DEPTH = 100;

/**
 * Reads what `terraform show -json` prints of a saved plan.
 *
 * @throws {CommandError} when it is something else, or a version that this release does not know
 */
export function readPlan(text: string): Plan {
  const json = planIn(text);
  const version = typeof json.format_version === "string" ? json.format_version : undefined;
  const isPlan = json.resource_changes !== undefined || json.planned_values !== undefined;
  if (version === undefined || !isPlan) {
    const isState = version !== undefined && "values" in json;
    const what = isState ? "this is a state, not a plan" : "this is no plan of Terraform";
    throw new CommandError(`${what}: give the output of terraform show -json PLANFILE`);
  }
  if (!version.startsWith("1.")) {
    throw new CommandError(
      `the plan has format_version ${JSON.stringify(version.slice(0, 20))}, but this release reads 1.x: update ${version.startsWith("0.") ? "Terraform" : "cloud-eventgrid"}`,
    );
  }
  const secrets = new Set<string>();
  const configuration = new Configuration(json.configuration);
  const all = listOf(json, "resource_changes")
    .filter(({ mode }) => mode === "managed")
    .flatMap(asSeparate)
    .map((change) => readChange(change, configuration, secrets));
  // What one address forgets and another one imports is one resource.
  const imported = new Set(
    all.flatMap(({ isImported, before }) => (isImported && before?.id ? idOf(before.id) : [])),
  );
  const changes = all.filter(
    ({ action, before }) => action !== "forget" || !imported.has(idOf(before?.id)),
  );
  return { changes, gaps: gapsOf(json), secrets };
}

function gapsOf(json: Attributes): string[] {
  return [
    ...(json.errored === true ? ["planning failed, so the plan is not complete"] : []),
    ...(isPartial(json) && json.errored !== true
      ? ["the plan is not complete: a later apply has further changes"]
      : []),
    ...listOf(json, "action_invocations")
      .filter(({ type }) => oneOf("(azapi|azuread|azurerm)_*").test(String(type)))
      .map(({ address }) => `what ${String(address)} does is not in the plan`),
    ...listOf(json, "deferred_changes").map(({ resource_change: change }) => {
      const address = isObject(change) ? String(change.address) : "a resource";
      return `the change of ${address} is deferred to a later plan`;
    }),
  ];
}

/**
 * Reports whether the plan leaves resources out. Plans of OpenTofu, and of Terraform before 1.8, do not
 * say so, but name what they keep, too: a resource of the state without a change was not planned.
 */
function isPartial(json: Attributes): boolean {
  if (json.complete !== undefined) return json.complete === false;
  const changes = listOf(json, "resource_changes");
  const planned = new Set(changes.flatMap((each) => [each.address, each.previous_address]));
  const state = isObject(json.prior_state) ? json.prior_state.values : undefined;
  const root = isObject(state) ? state.root_module : undefined;
  // A plan that only refreshes names nothing, and changes nothing in Azure.
  return changes.length > 0 && isObject(root) && managedIn(root).some((each) => !planned.has(each));
}

/** The addresses of the resources in a module of a state, and in the modules below it. */
function managedIn(module: Attributes): unknown[] {
  const own = listOf(module, "resources").filter(({ mode }) => mode === "managed");
  const below = listOf(module, "child_modules").flatMap(managedIn);
  return [...own.map(({ address }) => address), ...below];
}

function listOf(json: Attributes, name: string): Attributes[] {
  const list = json[name] ?? [];
  if (Array.isArray(list) && list.every(isObject)) return list;
  throw new CommandError(`the plan is malformed: ${name} is not a list of objects`);
}

/** Splits a replacement that destroys nothing: Terraform forgets the old resource and creates a new one. */
function asSeparate(resource: Attributes): Attributes[] {
  const { change } = resource;
  const { actions } = isObject(change) ? change : {};
  if (!Array.isArray(actions) || actions.length !== 2 || !actions.includes("forget")) {
    return [resource];
  }
  const old = { ...Object(change), actions: ["forget"], after: null, after_unknown: null };
  const next = { ...Object(change), actions: ["create"], before: null };
  return [old, next].map((each) => ({ ...resource, change: each }));
}

function readChange(
  resource: Attributes,
  configuration: Configuration,
  secrets: Set<string>,
): PlannedChange {
  const { address, type, change } = resource;
  if (typeof address !== "string" || typeof type !== "string" || !isObject(change)) {
    throw new CommandError("the plan is malformed: a resource has no address, type or change");
  }
  checkDepth(change);
  const { before, after, before_sensitive: hidden, after_sensitive: willHide } = change;
  const actions = Array.isArray(change.actions) ? change.actions.join(",") : "";
  for (const secret of secretsIn(before, hidden)) secrets.add(secret);
  for (const secret of secretsIn(after, willHide)) secrets.add(secret);
  const paths = Array.isArray(change.replace_paths) ? change.replace_paths : [];
  const isAzapi = type.startsWith("azapi_");
  const attributesOf = (side: unknown) =>
    isObject(side) ? (isAzapi ? withBody(side) : withoutEmpty(type, side)) : undefined;
  const written = { ...Object(before), ...Object(after) };
  const placeOf = (name: string) => (isAzapi && !(name in written) ? "body" : name);
  const planned = actions === "forget" ? before : withUnknown(after, change.after_unknown);
  const isSet = (name: string) => configuration.isSet(address, name);
  return {
    address,
    type,
    action: Object.entries(ACTIONS).find(([name]) => name === actions)?.[1] ?? "unknown",
    before: attributesOf(before),
    after: attributesOf(planned),
    replacePaths: [...new Set(paths.map((path) => String(Array.isArray(path) ? path[0] : path)))],
    isHidden: isAzapi && actions === "update" && isHidden(Object(before), Object(planned), isSet),
    isImported: isObject(change.importing),
    isSensitive: (name) => [hidden, willHide].some((marks) => isMarked(marks, placeOf(name))),
    references: (name) => configuration.references(address, placeOf(name)),
    origins: (attribute) => configuration.origins(address, attribute),
  };
}

/**
 * Whether azapi's `sensitive_body`, which is never stored, may change: its version does, nothing else
 * changes, or it has no version and azapi makes the output unknown, as it does whenever the body changes.
 *
 * @see https://github.com/Azure/terraform-provider-azapi/blob/main/internal/services/azapi_resource.go
 */
function isHidden(
  before: Attributes,
  after: Attributes,
  isSet: (name: string) => boolean | undefined,
): boolean {
  const { sensitive_body_version: version, output } = after;
  if (!same(before.sensitive_body_version, version)) return true;
  const isOpen = output === UNKNOWN || output == null;
  if (isSet("sensitive_body") && version == null && isOpen) return true;
  return Object.keys({ ...before, ...after }).every(
    (name) =>
      same(before[name], after[name]) ||
      (after[name] === UNKNOWN && (name === "output" || isSet(name) === false)),
  );
}

/** What azurerm and azuread store as an empty text is unset. */
function withoutEmpty(type: string, side: Attributes): Attributes {
  if (!oneOf("(azurerm|azuread)_*").test(type)) return side;
  const without = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(without);
    return isObject(value) ? unset(value) : value;
  };
  const unset = (value: Attributes): Attributes =>
    Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, inner === "" ? null : without(inner)]),
    );
  return unset(side);
}

function isMarked(marks: unknown, attribute: string): boolean {
  if (!isObject(marks)) return marks === true;
  return /\btrue\b/.test(JSON.stringify(marks[attribute] ?? false));
}

function checkDepth(value: unknown, levels = MAX_DEPTH): void {
  if (typeof value !== "object" || value === null) return;
  if (levels < 0) throw new CommandError("the plan is malformed: it is nested too deeply");
  for (const inner of Object.values(value)) checkDepth(inner, levels - 1);
}

/** The value with {@link UNKNOWN} wherever the marks are true. */
function withUnknown(value: unknown, marks: unknown): unknown {
  if (marks === true) return UNKNOWN;
  if (Array.isArray(marks)) {
    const list: readonly unknown[] = Array.isArray(value) ? value : [];
    const length = Math.max(list.length, marks.length);
    return Array.from({ length }, (_, index) => withUnknown(list[index], marks[index]));
  }
  if (!isObject(marks)) return value;
  const fields = isObject(value) ? value : {};
  const names = [...new Set([...Object.keys(fields), ...Object.keys(marks)])];
  if (names.length === 0) return value;
  return Object.fromEntries(names.map((name) => [name, withUnknown(fields[name], marks[name])]));
}

/** The texts and numbers wherever the marks are true. */
function* secretsIn(value: unknown, marks: unknown): Generator<string> {
  if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      const mark: unknown = marks === true || Object(marks)[name];
      if (mark) yield* secretsIn(inner, mark);
    }
  } else if (marks === true && typeof value !== "boolean" && value != null && value !== "") {
    yield String(value);
  }
}
