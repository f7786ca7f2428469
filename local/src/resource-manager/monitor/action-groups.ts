import { field, listAt, objectAt, textAt } from "../../base/index.js";
import type { Counter } from "../../eventgrid/index.js";
import type { EndpointClient, Ingress } from "../../network/index.js";
import { type Resource, type Resources, stableUuid } from "../engine/index.js";

/** A call of a webhook receiver. */
export interface AlertCall {
  readonly receiver: string;
  /** HTTP status of the response; `undefined` without one. */
  readonly status?: number | undefined;
  /** Why it was not called, or has not answered. */
  readonly error?: string | undefined;
}

/** An alert that was fired or resolved. */
export interface AlertNotice {
  readonly rule: Resource;
  readonly scope: string;
  readonly state: "fired" | "resolved";
  /** Milliseconds since 1970, on the cloud's clock. */
  readonly at: number;
  readonly firedAt: number;
  /** The values of the conditions, in their order. */
  readonly values: readonly number[];
}

/** A webhook that takes longer counts as down. */
const TIMEOUT_MS = 10_000;

/**
 * Calls the webhook receivers of action groups, once for each change. Only public addresses on the
 * ingress table are called, so nothing outside this machine is.
 */
export class ActionGroups {
  constructor(
    private readonly cloud: {
      readonly resources: Resources;
      readonly ingress: Ingress;
      readonly client: EndpointClient;
      /** A stepped clock waits for calls in progress before it moves. */
      readonly busy: Counter;
    },
  ) {}

  /** @param onCall called with the result of each call */
  notify(notice: AlertNotice, onCall: (call: AlertCall) => void): void {
    for (const action of listAt(notice.rule.body, "properties", "actions")) {
      const group = this.cloud.resources.get(textAt(action, "actionGroupId") ?? "");
      if (field(group?.body, "properties", "enabled") === false) continue;
      for (const receiver of listAt(group?.body, "properties", "webhookReceivers")) {
        const payload = field(receiver, "useCommonAlertSchema") ? commonAlert : metricAlert;
        void this.#call(receiver, payload(notice, objectAt(action, "webHookProperties")), onCall);
      }
    }
  }

  async #call(receiver: unknown, body: object, onCall: (call: AlertCall) => void): Promise<void> {
    const { ingress, client, busy } = this.cloud;
    const name = textAt(receiver, "name") ?? "";
    const url = textAt(receiver, "serviceUri") ?? "";
    if (!URL.canParse(url) || !ingress.resolve(new URL(url))) {
      onCall({ receiver: name, error: "its address is not on the ingress table" });
      return;
    }
    if (field(receiver, "useAadAuth") === true) {
      onCall({ receiver: name, error: "the local Azure has no tokens for action groups" });
      return;
    }
    busy.add(1);
    try {
      const { status } = await client.send({
        method: "POST",
        url,
        headers: { "content-type": "application/json; charset=utf-8" },
        body: Buffer.from(JSON.stringify(body)),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      onCall({ receiver: name, status });
    } catch (error) {
      onCall({ receiver: name, error: error instanceof Error ? error.message : String(error) });
    } finally {
      busy.add(-1);
    }
  }
}

/** @see https://learn.microsoft.com/azure/azure-monitor/alerts/alerts-common-schema */
function commonAlert(notice: AlertNotice, properties: object): object {
  const { rule, scope, state, at, firedAt } = notice;
  const subscription = rule.id.split("/").slice(0, 3).join("/");
  const alert = stableUuid(`${rule.id}|${scope}|${firedAt}`);
  return {
    schemaId: "azureMonitorCommonAlertSchema",
    data: {
      essentials: {
        alertId: `${subscription}/providers/Microsoft.AlertsManagement/alerts/${alert}`,
        alertRule: rule.name,
        severity: `Sev${severityOf(rule)}`,
        signalType: "Metric",
        monitorCondition: state === "fired" ? "Fired" : "Resolved",
        monitoringService: "Platform",
        alertTargetIDs: [scope.toLowerCase()],
        configurationItems: [scope.split("/").at(-1)],
        originAlertId: alert,
        firedDateTime: iso(firedAt),
        ...(state === "resolved" && { resolvedDateTime: iso(at) }),
        description: descriptionOf(rule),
        essentialsVersion: "1.0",
        alertContextVersion: "1.0",
      },
      alertContext: {
        properties: Object.keys(properties).length > 0 ? properties : null,
        conditionType: conditionTypeOf(rule),
        condition: conditionOf(notice),
      },
    },
  };
}

/** @see https://learn.microsoft.com/azure/azure-monitor/alerts/alerts-metric-near-real-time */
function metricAlert(notice: AlertNotice, properties: object): object {
  const { rule, scope, state, at } = notice;
  const [, , subscriptionId, , resourceGroupName] = rule.id.split("/");
  return {
    schemaId: "AzureMonitorMetricAlert",
    data: {
      version: "2.0",
      status: state === "fired" ? "Activated" : "Deactivated",
      context: {
        timestamp: iso(at),
        id: rule.id,
        name: rule.name,
        description: descriptionOf(rule),
        conditionType: conditionTypeOf(rule),
        severity: String(severityOf(rule)),
        condition: conditionOf(notice),
        subscriptionId,
        resourceGroupName,
        resourceName: scope.split("/").at(-1),
        resourceType: scope.split("/").slice(6, -1).join("/"),
        resourceId: scope,
        portalLink: `https://portal.azure.com/#resource${scope}`,
      },
      properties,
    },
  };
}

function conditionOf({ rule, at, values }: AlertNotice): object {
  const properties = objectAt(rule.body, "properties");
  return {
    windowSize: field(properties, "windowSize"),
    allOf: listAt(properties, "criteria", "allOf").map((criterion, index) => ({
      metricName: field(criterion, "metricName"),
      metricNamespace: field(criterion, "metricNamespace") ?? null,
      operator: field(criterion, "operator"),
      threshold: String(field(criterion, "threshold")),
      timeAggregation: field(criterion, "timeAggregation"),
      dimensions: [],
      metricValue: values[index],
    })),
    windowEndTime: iso(at),
  };
}

function conditionTypeOf({ body }: Resource): string | undefined {
  return textAt(body, "properties", "criteria", "odata.type")?.split(".").at(-1);
}

export function severityOf({ body }: Resource): number {
  return Number(field(body, "properties", "severity") ?? 3);
}

function descriptionOf({ body }: Resource): string {
  return textAt(body, "properties", "description") ?? "";
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
