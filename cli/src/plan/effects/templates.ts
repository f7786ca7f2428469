import { isOneOf, UNKNOWN } from "../../rules/index.js";
import { type Finding, unknown } from "../finding.js";
import {
  type Attributes,
  canonical,
  oneOf,
  type PlannedChange,
  value,
} from "../terraform/index.js";
import { relevantIn } from "./resources.js";

/** Observes, or is observed: neither a delivery nor the way to a webhook depends on it. */
const ASIDE = oneOf(`Microsoft.(Insights|OperationalInsights|OperationsManagement)/**
  Microsoft.(AlertsManagement|Monitor|Portal|Dashboard)/**
  Microsoft.(Consumption|CostManagement|Advisor)/**`);

/** What a template deploys can be anything, unless it says the types of all that it deploys. */
export function templateFindings(change: PlannedChange): Finding[] {
  const isAside = [change.before, change.after].every((side) => !side || deploysAside(side));
  if (isAside || relevantIn(change, "target").length === 0) return [];
  return [unknown("plan", "what its template does to deliveries is not known to this command")];
}

function deploysAside(side: Attributes): boolean {
  const content = value(side, "template_content", "template");
  const mode = value(side, "deployment_mode", "mode");
  const text = typeof content === "string" ? content : canonical(content);
  // In this mode, a deployment destroys what it does not name.
  if (text === undefined || mode === UNKNOWN || isOneOf(mode, "Complete")) return false;
  const types = [...text.matchAll(/"type"\s*:\s*"([^"]*[/[][^"]*)"/g)].map(([, type]) =>
    String(type),
  );
  return !text.includes('"unknown":true') && types.every((type) => ASIDE.test(type));
}
