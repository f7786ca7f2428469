import { type Azure, at, listAt, textAt } from "../../azure/index.js";
import { sameId, subscriptionOf } from "../../resource-id.js";
import { type Findings, findings } from "../finding.js";
import { EVENT_GRID_API, NAMESPACE_API } from "./event-subscription.js";

const METRIC_ALERTS_API = "2018-03-01";
const DIAGNOSTIC_SETTINGS_API = "2021-05-01-preview";

/**
 * What a review before production recommends for a topic or a namespace and Azure can show. Nothing of
 * it prevents delivery.
 *
 * @param id the scope of an event subscription, or a namespace
 */
export async function checkProduction(azure: Azure, id: string): Promise<Findings> {
  const finding = findings("production");
  const [, type] = /\/providers\/Microsoft\.EventGrid\/(topics|namespaces)\/[^/]+$/i.exec(id) ?? [];
  if (type === undefined) {
    const remedy = "look at its identity, alerts and diagnostic settings in the Azure portal";
    return finding.note("the scope is not a topic, and its system topic is not known", remedy);
  }
  const isTopic = type.toLowerCase() === "topics";
  const [resource, alerts, settings] = await Promise.all([
    azure.arm(id, isTopic ? EVENT_GRID_API : NAMESPACE_API),
    azure.list(
      azure.arm(
        `${subscriptionOf(id)}/providers/Microsoft.Insights/metricAlerts`,
        METRIC_ALERTS_API,
      ),
    ),
    azure.list(
      azure.arm(`${id}/providers/Microsoft.Insights/diagnosticSettings`, DIAGNOSTIC_SETTINGS_API),
    ),
  ]);
  const { body } = resource;
  const isIn = (scope: unknown) => sameId(String(scope), id);
  const lines = [
    {
      answer: resource,
      isMet: /Assigned/.test(textAt(body, "identity", "type") ?? ""),
      met: "it has a managed identity",
      missing: "it has no managed identity",
      remedy: "set identity",
    },
    {
      answer: resource,
      isMet: at(body, "properties", "disableLocalAuth") === true,
      met: "it accepts no access keys",
      // A namespace has no such setting.
      isOfTopics: true,
      missing: "it accepts access keys",
      remedy: "publish with Entra, and leave localAuthEnabled out",
    },
    {
      answer: resource,
      isMet:
        textAt(body, "properties", "publicNetworkAccess") === "Disabled" ||
        listAt(body, "properties", "inboundIpRules").length > 0,
      met: "its network access is restricted",
      missing: "every address may connect to it",
      remedy: "set privateEndpoints or allowedAddresses",
    },
    {
      answer: alerts,
      isMet: alerts.items.some((alert) => listAt(alert, "properties", "scopes").some(isIn)),
      met: "metric alerts watch it",
      missing: "no metric alert watches it",
      remedy: "call alerts of the topic or the binding",
    },
    {
      answer: settings,
      isMet: settings.items.length > 0,
      met: "its logs are stored",
      missing: "its logs are stored nowhere",
      remedy: "set diagnostics",
    },
  ];
  return lines
    .filter(({ isOfTopics }) => isTopic || !isOfTopics)
    .map(({ answer, isMet, met, missing, remedy }) => {
      if (answer.status !== 200) {
        return finding.note(
          `whether ${met} cannot be read: ${answer.status}`,
          "needs the role Reader",
        );
      }
      return isMet ? finding.ok(met) : finding.warning(missing, remedy);
    });
}
