import { SECURE_WEBHOOK_ROLE } from "cloud-eventgrid-binding-runtime/internal";
import { audienceOf, get } from "../../rules/index.js";
import { namesOf } from "../dependencies/index.js";
import { type Finding, lost, unknown } from "../finding.js";
import {
  blocksOf,
  idOf,
  type PlannedChange,
  type SubscriptionChange,
  same,
} from "../terraform/index.js";

/** Event Grid's own application, in every tenant. */
const EVENT_GRID = "/4962773b-9cdb-44cf-a8bf-237846a00ab7";

/** What the removal of an app role does to webhooks, and to those who write event subscriptions. */
export function appRoleFindings(
  { action, before: role = {} }: PlannedChange,
  subscriptions: readonly SubscriptionChange[],
  changes: readonly PlannedChange[],
): Finding[] {
  const removed = action === "delete" ? "removed" : "removed for a moment";
  const named = (name: unknown) =>
    changes.filter((each) => namesOf(each).includes(String(idOf(name))));
  const resources = named(role.resource_object_id).flatMap(namesOf);
  const staying = subscriptions.filter(({ before, after }) => {
    const audience = before && after && idOf(audienceOf(after.destination));
    if (audience === undefined) return false;
    const own = named(audience).flatMap(namesOf);
    return (
      own.length === 0 || resources.length === 0 || own.some((name) => resources.includes(name))
    );
  });
  if (staying.length === 0 || isOtherRole(role.app_role_id, changes)) return [];
  const names = ["principal_object_id", "resource_object_id", "app_role_id"];
  const isKept = changes.some(
    ({ type, action: kept, after }) =>
      type === "azuread_app_role_assignment" &&
      kept === "no-op" &&
      names.every((name) => same(after?.[name], role[name])),
  );
  if (isKept) return [];
  const isEventGrid =
    /event\s?grid/i.test(String(role.principal_display_name)) ||
    named(role.principal_object_id).flatMap(namesOf).includes(EVENT_GRID);
  if (isEventGrid) {
    const message = `Event Grid's app role of ${role.resource_display_name} is ${removed}: webhooks refuse its tokens, and 401 and 403 are not retried`;
    return [action === "delete" ? lost("role", "LOST", message) : unknown("role", message)];
  }
  const isWritten = staying.some(({ change }) => change.action !== "no-op");
  const isNamed =
    typeof role.principal_display_name === "string" && role.principal_display_name !== "";
  const message = isNamed
    ? `the app role of a writer is ${removed}: handshakes of the apply may fail`
    : `an app role of the webhook is ${removed}, perhaps Event Grid's`;
  return isWritten || !isNamed ? [unknown("role", message)] : [];
}

/** Whether the plan has the app role, and neither Event Grid nor a writer needs it. */
function isOtherRole(id: unknown, changes: readonly PlannedChange[]): boolean {
  const roles = changes.flatMap(({ type, before }) =>
    type === "azuread_application"
      ? blocksOf(before?.app_role)
      : type === "azuread_application_app_role"
        ? [{ id: before?.role_id, value: before?.value }]
        : [],
  );
  const own = roles.filter((role) => typeof id === "string" && get(role, "id") === id);
  return own.length > 0 && own.every((role) => get(role, "value") !== SECURE_WEBHOOK_ROLE);
}
