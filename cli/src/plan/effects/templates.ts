import { isObject } from "cloud-eventgrid-binding-runtime/internal";
import { UNKNOWN } from "../../rules/index.js";
import { type Finding, unknown } from "../finding.js";
import { type Attributes, idOf, type PlannedChange, value } from "../terraform/index.js";
import { relevantIn } from "./resources.js";

/**
 * The effects of deploying an ARM template. Only the names of its resources are read, so a change of one on
 * which deliveries depend is unknown.
 */
export function templateFindings(change: PlannedChange, names: readonly string[]): Finding[] {
  const { action, before, after } = change;
  if (relevantIn(change, "target").length === 0) return [];
  const reasons = [before, after].flatMap((side) => side && reasonsIn(side, action, names));
  const all = [...new Set(reasons.filter((reason) => reason !== undefined))].join(", ");
  const message = `${all}: what the deployment does to deliveries is not known to this command`;
  return all === "" ? [] : [unknown("plan", message)];
}

/** Why a deployment may touch something with one of these names. */
function reasonsIn(side: Attributes, action: string, all: readonly string[]): string[] {
  const template = parsed(value(side, "template_content", "template_body", "template"));
  const reasons = resourcesIn(template)
    .filter(({ type, name }) => isEventGrid(type, action) || isAmong(all, type, name))
    .map(({ type }) => `its template has ${type}`);
  if (all.length === 0) return reasons;
  const group = idOf(value(side, "resource_group_name") ?? "");
  const isIn = (name: string) => typeof group !== "string" || name.includes(`groups${group}/`);
  const mode = value(side, "deployment_mode", "mode");
  if ((mode === UNKNOWN || /^Complete$/i.test(String(mode))) && all.some(isIn)) {
    reasons.push("what its template lacks is destroyed");
  }
  const isLinked = !isObject(template) || JSON.stringify(template).includes('"templateLink"');
  return isLinked ? [...reasons, "its template is not in the plan"] : reasons;
}

function parsed(template: unknown): unknown {
  if (typeof template !== "string") return template;
  try {
    return JSON.parse(template);
  } catch {
    return UNKNOWN;
  }
}

interface TemplateResource {
  readonly type: string;
  readonly name: string;
}

/** The resources of a template, also of nested ones. Their properties have no types with a slash. */
function resourcesIn(template: unknown, depth = 0): TemplateResource[] {
  if (typeof template !== "object" || template === null || depth > 50) return [];
  const { type, name } = isObject(template) ? template : {};
  const own = typeof type === "string" && /^[\w.]+\/[\w./]+$/.test(type);
  const inner = Object.values(template).flatMap((each) => resourcesIn(each, depth + 1));
  return own ? [{ type, name: String(name) }, ...inner] : inner;
}

/** New event subscriptions take nothing from others, except one of the same name. */
const isEventGrid = (type: string, action: string) =>
  action !== "create" && /EventGrid|eventSubscriptions/i.test(type);

function isAmong(names: readonly string[], type: string, name: string): boolean {
  if (/^Microsoft\.Authorization\/locks$/i.test(type)) return names.length > 0;
  const [namespace, kind] = type.split("/");
  // The name can be an expression, and its parts are the names of what the resource is in.
  const [outer = ""] = name.startsWith("[") ? [] : name.split("/");
  const place = idOf(`/providers/${namespace}/${kind}/${outer}`.replace(/\/$/, ""));
  return names.some((each) => `${each}/`.includes(`${place}/`));
}
