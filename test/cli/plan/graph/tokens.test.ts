import { describe, expect, it } from "vitest";
import { EVENT_GRID, effects, TOPIC } from "../world.js";
import { changed, LATER, of, planWith, type Sets, same } from "./changed-world.js";

const SUBSCRIBER = "AzureEventGridSecureWebhookSubscriber";
const APPLICATION = "azuread_application.orders";
const inline = (id: string, member: string) => ({
  app_role: [{ value: SUBSCRIBER, enabled: true, id, allowed_member_types: [member] }],
});
/** Another role, and that of the resource {@link APP_ROLE}. */
const withRoles = (member: string) => ({
  ...of(APPLICATION),
  app_role: [{ value: "other", id: "2" }, ...inline("1", member).app_role],
});
const inList: Sets = { "azuread_application_app_role.subscriber": [null, null] };
const APP_ROLE = "azuread_application_app_role.subscriber";
const appRole = (role_id: string, member: string) => ({
  ...of(APP_ROLE),
  ...{ role_id, allowed_member_types: [member] },
});
const principal = (more: object = {}) => ({
  ...{ id: "/servicePrincipals/e", object_id: EVENT_GRID, account_enabled: true },
  ...{ client_id: "4962773b-9cdb-44cf-a8bf-237846a00ab7", ...more },
});
const takenIn = (more: object = {}) => principal({ object_id: LATER, use_existing: true, ...more });
const registration = { id: "/applications/r", client_id: "client-r" };
const ofRegistration: Sets = {
  "azurerm_eventgrid_event_subscription.e": same({
    ...{ name: "e", scope: TOPIC },
    webhook_endpoint: [
      { url: "https://web.example.net/events", active_directory_app_id_or_uri: "client-r" },
    ],
  }),
  "azuread_service_principal.r": same({ object_id: "r", client_id: "client-r" }),
};
const USERS_ONLY =
  "the app role of Event Grid's tokens is removed or disabled, or is for users only";
const gone: Readonly<Record<string, readonly [Sets, string]>> = {
  "Event Grid's service principal is destroyed": [
    { "azuread_service_principal.e": [principal(), null] },
    "lost identity azuread_service_principal.e: Event Grid's service principal is gone or disabled",
  ],
  "Event Grid's service principal is disabled": [
    { "azuread_service_principal.e": [principal(), principal({ account_enabled: false })] },
    "lost identity azuread_service_principal.e: Event Grid's service principal is gone or disabled",
  ],
  "Event Grid's service principal is taken in disabled": [
    { "azuread_service_principal.e": [null, takenIn({ account_enabled: false })] },
    "lost identity azuread_service_principal.e: Event Grid's service principal is gone or disabled",
  ],
  "the webhook's service principal is taken in disabled": [
    {
      "azuread_service_principal.orders": [
        null,
        takenIn({
          client_id: of("azuread_service_principal.orders").client_id,
          account_enabled: false,
        }),
      ],
    },
    "lost identity azuread_service_principal.orders: it is disabled",
  ],
  "the app role in a list is made anew": [
    { ...inList, ...changed(APPLICATION, inline("9", "Application")) },
    `lost role ${APPLICATION}: Event Grid loses its app role`,
  ],
  "the app role of a resource is for users only in the list": [
    { [APPLICATION]: [withRoles("Application"), withRoles("User")] },
    `lost identity ${APPLICATION}: ${USERS_ONLY}`,
  ],
  "the app role in a list is for users only": [
    { ...inList, ...changed(APPLICATION, inline("1", "User")) },
    `lost identity ${APPLICATION}: ${USERS_ONLY}`,
  ],
  "the app role of a resource is made anew": [
    { [APP_ROLE]: [appRole("1", "Application"), appRole("9", "Application")] },
    `lost role ${APP_ROLE}: Event Grid loses its app role`,
  ],
  "the app role of a resource is for users only": [
    { [APP_ROLE]: [appRole("1", "Application"), appRole("1", "User")] },
    `lost identity ${APP_ROLE}: ${USERS_ONLY}`,
  ],
  "an application without anything inline is destroyed": [
    { ...ofRegistration, "azuread_application_registration.r": [registration, null] },
    "lost identity azuread_application_registration.r: the application that tokens are for is gone",
  ],
};

describe("what Event Grid needs for its tokens", () => {
  it.each(Object.entries(gone))("is missed: %s", async (_, [sets, expected]) => {
    expect(await effects(planWith(sets))).toContainEqual(expect.stringContaining(expected));
  });

  const within = (optional_claims: object[]) => changed(APPLICATION, { optional_claims });
  const CLAIMS = "azuread_application_optional_claims.c";
  const apart = (claims: object): Sets[string] => [
    { application_id: of(APPLICATION).id, access_token: [] },
    { application_id: of(APPLICATION).id, access_token: [], ...claims },
  ];
  const audience = [{ name: "aud", additional_properties: ["use_guid"] }];
  it.each<readonly [Sets, string[]]>([
    [within([{ access_token: audience }]), [APPLICATION]],
    [{ [CLAIMS]: apart({ access_token: audience }) }, [CLAIMS]],
    [{ [CLAIMS]: [null, apart({})[1]] }, [CLAIMS]],
    [{ [CLAIMS]: [apart({})[0], null] }, [CLAIMS]],
    [within([{ id_token: audience, saml2_token: audience }]), []],
    [{ [CLAIMS]: apart({ id_token: audience, saml2_token: audience }) }, []],
  ])("may change with the claims of access tokens, and of no others %#", async (sets, changing) => {
    const found = await effects(planWith(sets));
    expect(found.map((text) => text.split(":")[0])).toEqual(
      changing.map((each) => `unknown identity ${each}`),
    );
  });

  it("stays if Event Grid's service principal is taken in as it is", async () => {
    const found = { "azuread_service_principal.e": [null, takenIn()] } as const;
    expect(await effects(planWith(found))).toEqual([]);
  });
});
