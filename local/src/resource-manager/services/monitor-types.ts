import { field, listAt, propertiesIn, serviceError, textOrEmpty } from "../../base/index.js";
import type { Resource, Resources, ResourceType } from "../engine/index.js";
import { intervals } from "../event-grid/index.js";
import { diagnosticSettings } from "./diagnostic-settings.js";

const RECEIVERS = [
  ...["email", "sms", "webhook", "itsm", "azureAppPush", "automationRunbook", "voice"],
  ...["logicApp", "azureFunction", "armRole", "eventHub"],
].map((kind) => `${kind}Receivers`);

/** Azure Monitor: alert rules, action groups and diagnostic settings are stored, and never executed. */
export function monitorTypes(resources: Resources): readonly ResourceType[] {
  return [
    {
      type: "Microsoft.Insights/metricAlerts",
      location: "global",
      writeStatus: 200,
      onWrite: checkedRule,
      properties: () => ({ enabled: true, autoMitigate: true, actions: [] }),
    },
    {
      type: "Microsoft.Insights/actionGroups",
      location: "global",
      writeStatus: 200,
      onWrite: (group) => {
        const name = textOrEmpty(propertiesIn(group.body), "groupShortName");
        if (name.length > 0 && name.length <= 12) return group;
        throw serviceError.BadRequest(
          `The short name of an action group must have 1 to 12 characters, not '${name}'.`,
        );
      },
      properties: () => ({
        enabled: true,
        ...Object.fromEntries(RECEIVERS.map((receivers) => [receivers, []])),
      }),
    },
    diagnosticSettings(resources),
  ];
}

/** @throws ServiceError 400 with every problem of the rule */
function checkedRule(rule: Resource): Resource {
  const properties = propertiesIn(rule.body);
  const [frequency, window] = ["evaluationFrequency", "windowSize"].map((name) =>
    intervals.get(textOrEmpty(properties, name)),
  );
  const severity = field(properties, "severity");
  const problems = [
    listAt(properties, "scopes").length === 0 && "scopes must name a resource",
    listAt(properties, "criteria", "allOf").length === 0 && "criteria.allOf must have a criterion",
    !frequency && "evaluationFrequency must be a duration such as PT1M",
    !window && "windowSize must be a duration such as PT5M",
    frequency && window && frequency > window && "windowSize must not be below evaluationFrequency",
    ![0, 1, 2, 3, 4].some((each) => each === severity) && "severity must be a number from 0 to 4",
  ].filter((problem) => typeof problem === "string");
  if (problems.length === 0) return rule;
  throw serviceError.BadRequest(`The metric alert is invalid: ${problems.join("; ")}.`);
}
