import { SECURE_WEBHOOK_ROLE } from "cloud-eventgrid-binding-runtime/internal";
import { audienceOf, get, UNKNOWN } from "../../rules/index.js";
import { blocksOf, idOf, same } from "../terraform/index.js";
import type { Dependency } from "./follow.js";
import { EXISTENCE } from "./harmless.js";
import { type Neighbour, passing } from "./keeps.js";
import { isLater, isSubscriberRole } from "./settings.js";

/** The rows of the webhook's application and its service principal. */
export const APPLICATIONS: readonly Neighbour[] = [
  {
    types: /^azuread_application$/,
    attributes: ["identifier_uris"],
    uses: ["application"],
    keeps: passing((side, dependency) => {
      const names = [side?.identifier_uris, side?.client_id].flat();
      return (
        names.map(idOf).includes(audienceFor(dependency)) ||
        (names.includes(UNKNOWN) ? undefined : false)
      );
    }),
    says: "it loses the identifier that tokens are requested for",
  },
  {
    types: /^azuread_application_identifier_uri$/,
    attributes: [EXISTENCE, "identifier_uri"],
    uses: ["application"],
    keeps: (before, after, dependency) =>
      idOf(before?.identifier_uri) !== audienceFor(dependency) ||
      same(idOf(before?.identifier_uri), idOf(after?.identifier_uri)),
    says: "it is the identifier that tokens are requested for, and is removed or changes",
  },
  {
    types: /^azuread_application$/,
    attributes: ["app_role"],
    uses: ["application"],
    keeps: passing(
      (side) =>
        blocksOf(side?.app_role).some(isSubscriberRole) ||
        isLater(blocksOf(side?.app_role).map((role) => get(role, "enabled"))),
    ),
    says: "the app role of Event Grid's tokens is removed or disabled",
  },
  {
    types: /^azuread_application_app_role$/,
    attributes: [EXISTENCE, "value", "role_id", "allowed_member_types"],
    uses: ["application"],
    keeps: (before, after) =>
      before?.value !== SECURE_WEBHOOK_ROLE ||
      same([before.value, before.role_id], [after?.value, after?.role_id]),
    says: "the app role of Event Grid's tokens is removed or changes",
  },
  {
    types: /^azuread_application$/,
    attributes: ["api"],
    uses: ["application"],
    keeps(before, after) {
      const [old, next] = [before, after].map(
        (side) => get(blocksOf(side?.api)[0], "requested_access_token_version") ?? 1,
      );
      return same(old, next) || undefined;
    },
    says: "the receiver accepts tokens of another version",
  },
  {
    types: /^azuread_service_principal$/,
    attributes: ["app_role_assignment_required"],
    uses: ["application"],
    keeps: passing((side) => side?.app_role_assignment_required !== true || undefined),
    says: "Event Grid and the writers have an app role, without which they get no tokens",
  },
  {
    types: /^azuread_service_principal$/,
    attributes: ["account_enabled"],
    uses: ["application"],
    keeps: passing((side) => side?.account_enabled !== false),
    says: "it is disabled: Event Grid gets no tokens for it",
  },
];

function audienceFor({ subscription }: Dependency): unknown {
  return idOf(subscription?.after && audienceOf(subscription.after.destination));
}
