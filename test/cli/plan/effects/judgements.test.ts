import { describe, expect, it } from "vitest";
import { EVENT_GRID } from "../../../../cli/src/plan/worlds/index.js";
import { LATER, type Sets, same } from "../graph/changed-world.js";
import type { Attributes } from "../world.js";
import {
  A,
  ACCOUNT,
  ARM,
  account,
  byIdentity,
  CLIENT,
  closed,
  dead,
  judged,
  keysOff,
  N,
  OTHER,
  R,
  role,
  S,
  SYSTEM,
  stays,
  subscription,
  T,
  TOPIC,
  topic,
  toQueue,
  turns,
  WRITES,
  webhook,
} from "./judged.js";

const needed = "(needed by s)";
const REFUSED = "its network rules refuse Event Grid";
const KEYS = "access keys are switched off, and events are written without an identity";
const ROLE = "the identity that writes events or dead letters loses its role";

describe("a rule of a delivery", () => {
  it("is lost with what changes, whose attribute is shown, and by whom it is needed", async () => {
    const twin = { "azurerm_eventgrid_event_subscription.b": same(subscription(toQueue, "b")) };
    expect(await judged({ ...stays(toQueue), ...twin, ...turns(A, account, keysOff) })).toEqual([
      `LOST destination ${A}: ${KEYS} (shared_access_key_enabled) (needed by s, b)`,
    ]);
    expect(await judged({ ...stays(toQueue), ...turns(A, account, closed) })).toEqual([
      `LOST destination ${A}: ${REFUSED} (network_rules) ${needed}`,
    ]);
    const kind = { account_kind: "FileStorage" };
    const holds = "it is of a kind that cannot hold them (account_kind: StorageV2 → FileStorage)";
    expect(await judged({ ...stays({ ...toQueue, ...dead }), ...turns(A, account, kind) })).toEqual(
      ["dead-letters", "destination"].map((part) => `LOST ${part} ${A}: ${holds} ${needed}`),
    );
    const broken = { ...account, ...keysOff };
    expect(await judged({ ...stays(toQueue), ...turns(A, broken, kind) })).toHaveLength(1);
    expect(await judged({ ...stays(toQueue), [A]: [account, null] })).toEqual([]);
  });

  it("is unknown if it depends on a value that is known later, unless it was broken", async () => {
    const later = { shared_access_key_enabled: LATER };
    const text = (what: string) => `unknown destination ${A}: ${what} ${needed}`;
    expect(await judged({ ...stays(toQueue), ...turns(A, account, later) })).toEqual([
      text(`it is not known whether ${KEYS} (shared_access_key_enabled)`),
    ]);
    const broken = { ...account, ...keysOff };
    expect(await judged({ ...stays(toQueue), ...turns(A, broken, later) })).toEqual([]);
    expect(await judged({ ...stays(toQueue), ...turns(A, broken, { tags: {} }) })).toEqual([]);
  });

  it("is lost with the subscription if nothing else changes, where it is needed only afterwards", async () => {
    const refusing = { [A]: same({ ...account, ...keysOff }) };
    const at = (before: Attributes, after: Attributes) =>
      judged({ ...refusing, [S]: [subscription(before), subscription(after)] });
    expect(await at({ ...toQueue, ...byIdentity }, toQueue)).toEqual([
      `LOST destination ${S}: ${KEYS} ${needed}`,
    ]);
    expect(await at(webhook(), toQueue)).toEqual([`LOST destination ${S}: ${KEYS} ${needed}`]);
    const stored = { ...dead, ...webhook() };
    expect(
      await at({ ...stored, dead_letter_identity: [{ type: "SystemAssigned" }] }, stored),
    ).toEqual([`LOST dead-letters ${S}: ${KEYS} ${needed}`]);
    const shut = (settings: Attributes) => ({ [A]: same({ ...account, ...settings }) });
    const other = { storage_account_id: `${ACCOUNT}2`, storage_blob_container_name: "dead" };
    const moving: Sets = {
      [S]: [
        subscription({ ...webhook(), storage_blob_dead_letter_destination: [other] }),
        subscription(stored),
      ],
    };
    const firewall = { network_rules: [{ default_action: "Deny", bypass: ["AzureServices"] }] };
    expect(await judged({ ...moving, ...shut(firewall) })).toEqual([
      `unknown dead-letters ${S}: it is not known whether ${REFUSED} ${needed}`,
    ]);
    expect(await judged({ ...moving, ...shut({}) })).toEqual([]);
    // Dead letters that nobody kept are not lost.
    expect(await at(webhook(), stored)).toEqual([]);
  });

  it("is unknown of a resource in another plan that this one changes in part", async () => {
    const patch = (properties: object): Sets => ({
      "azapi_update_resource.u": [
        null,
        {
          ...{ type: "Microsoft.Storage/storageAccounts@2024-01-01", resource_id: ACCOUNT },
          body: { properties },
        },
      ],
    });
    const elsewhere = { ...stays(toQueue), [A]: same({ id: `${ACCOUNT}2` }) };
    const off = { allowSharedKeyAccess: false };
    expect(await judged({ ...elsewhere, ...patch(off) })).toEqual([
      `unknown destination azapi_update_resource.u: ${KEYS} ${needed}`,
    ]);
    expect(await judged({ ...elsewhere, ...patch({ allowSharedKeyAccess: true }) })).toEqual([]);
  });
});

describe("the role of an identity that writes", () => {
  const writing = stays({ ...toQueue, ...byIdentity });
  const own = role(WRITES, SYSTEM, ACCOUNT);
  const lost = `LOST role ${R}: ${ROLE} ${needed}`;

  it("is lost with its assignment, unless another one or a group may have it", async () => {
    expect(await judged({ ...writing, [R]: [own, null] })).toEqual([lost]);
    const reader = { ...own, role_definition_name: "Reader" };
    expect(await judged({ ...writing, [R]: [own, reader] })).toEqual([lost]);
    expect(await judged({ ...writing, [R]: [reader, null] })).toEqual([]);
    expect(await judged({ ...writing, [R]: [own, null], [N]: same({ ...own, id: "n" }) })).toEqual(
      [],
    );
    const someone = { [N]: same({ ...own, principal_id: OTHER }) };
    expect(await judged({ ...writing, [R]: [own, null], ...someone })).toEqual([
      `unknown role ${R}: it is not known whether ${ROLE} ${needed}`,
    ]);
    const ofGroup = { ...own, principal_id: OTHER };
    expect(await judged({ ...writing, [R]: [ofGroup, null] })).toEqual([
      `unknown role ${R}: ${ROLE} ${needed}`,
    ]);
  });

  it("is unknown where no plan shows what an assignment reaches, allows or demands", async () => {
    const turning = (before: Attributes, after?: Attributes) =>
      judged({ ...writing, [R]: [{ ...own, ...before }, after ? { ...own, ...after } : null] });
    const scope = "/providers/Microsoft.Management/managementGroups/a";
    const unknown = `unknown role ${R}: ${ROLE} ${needed}`;
    const later = `unknown role ${R}: it is not known whether ${ROLE} ${needed}`;
    expect(await turning({}, { scope })).toEqual([later]);
    expect(await turning({ scope }, { scope: `${scope}2` })).toEqual([later]);
    expect(await turning({ scope })).toEqual([lost]);
    expect(await turning({ scope }, { scope, description: "a" })).toEqual([]);
    for (const around of [ACCOUNT, "/subscriptions/s/resourceGroups/g", "/subscriptions/s"]) {
      const custom = { scope: around, role_definition_name: "Queue writer of another plan" };
      expect(await turning(custom)).toEqual([unknown]);
      expect(await turning({ scope: around }, custom)).toEqual([later]);
    }
    const limited = { condition: "a", role_definition_id: LATER };
    expect(await turning({ condition: "a" }, { condition: "b" })).toEqual([unknown]);
    expect(await turning({ condition: "a" }, { ...limited, description: "b" })).toEqual([]);
    const days = (duration_days: number) => ({ schedule: [{ expiration: [{ duration_days }] }] });
    expect(await turning(days(9), days(1))).toEqual([unknown]);
  });

  it("may be missing for a moment when another one replaces it, or for longer", async () => {
    const next = { ...own, id: "n" };
    const moment = `unknown role ${R}: ${ROLE} for a moment ${needed}`;
    expect(await judged({ ...writing, [R]: [own, null], [N]: [null, next] })).toEqual([moment]);
    const replaced = (...actions: string[]): Sets => ({ [R]: [own, own, actions] });
    expect(await judged({ ...writing, ...replaced("delete", "create") })).toEqual([moment]);
    expect(await judged({ ...writing, ...replaced("create", "delete") })).toEqual([]);
    const later = { ...own, principal_id: LATER };
    expect(await judged({ ...writing, [R]: [own, null], [N]: [null, later] })).toEqual([
      `unknown role ${R}: it is not known whether ${ROLE} ${needed}`,
    ]);
  });

  it("is that of the system topic, if the scope is its source", async () => {
    const scope = `${ARM}/Microsoft.Storage/storageAccounts/files`;
    const systemTopic = {
      id: `${ARM}/Microsoft.EventGrid/systemTopics/f`,
      identity: topic.identity,
    };
    const sets: Sets = {
      [S]: same({ ...subscription({ ...toQueue, ...byIdentity }), scope }),
      "azurerm_eventgrid_system_topic.f": same({ ...systemTopic, source_resource_id: scope }),
    };
    expect(await judged({ ...sets, [T]: [null, null], [R]: [own, null] })).toEqual([lost]);
  });

  it("is another one with another identity", async () => {
    const lone = { [T]: [topic, { ...topic, identity: [] }] } as const;
    const gone = "the topic loses the identity that events or dead letters are written with";
    expect(await judged({ ...writing, [R]: same(own), ...lone })).toEqual([
      `LOST identity ${T}: ${gone} (identity) ${needed}`,
    ]);
    for (const identity of [LATER, [{ type: LATER, principal_id: LATER }]]) {
      const later = { [T]: [topic, { ...topic, identity }] } as const;
      expect(await judged({ ...writing, [R]: same(own), ...later })).toEqual([
        `unknown identity ${T}: it is not known whether ${gone} (identity) ${needed}`,
      ]);
    }
    const other = [{ type: "SystemAssigned", principal_id: OTHER }];
    const changed = { [T]: [topic, { ...topic, identity: other }] } as const;
    // Its role is asked for anew, and that there is another identity is said of the settings.
    expect(await judged({ ...writing, [R]: same(own), ...changed })).toEqual([]);
  });
});

describe("the application of tokens", () => {
  const application = {
    ...{ id: "/applications/1", client_id: CLIENT, identifier_uris: ["api://a"] },
    app_role: [{ value: "AzureEventGridSecureWebhookSubscriber", enabled: true, id: "1" }],
  };
  const principal = { id: "/p", object_id: "p", client_id: CLIENT, account_enabled: true };
  const entra = (after: Attributes): Sets => ({
    "azuread_application.a": same(application),
    "azuread_service_principal.p": [principal, after],
  });
  const off = { ...principal, account_enabled: false };
  const disabled = "it is disabled: Event Grid gets no tokens for it";

  it("is that of a webhook, and is needed as soon as a webhook has one", async () => {
    const at = `identity azuread_service_principal.p: ${disabled}`;
    expect(await judged({ ...stays(webhook("api://a")), ...entra(off) })).toEqual([
      `LOST ${at} (account_enabled: true → false) ${needed}`,
    ]);
    const later = { ...principal, account_enabled: LATER };
    expect(await judged({ ...stays(webhook("api://a")), ...entra(later) })).toEqual([
      expect.stringMatching(/^unknown identity .*: it is not known whether the application/),
    ]);
    const begins = { [S]: [subscription(webhook()), subscription(webhook("api://a"))] } as const;
    const sets = { ...begins, ...entra(off), "azuread_service_principal.p": same(off) };
    expect(await judged(sets)).toEqual([`LOST identity ${S}: ${disabled} ${needed}`]);
    expect(await judged({ ...stays(webhook()), ...entra(off) })).toEqual([]);
  });

  it("is lost with the app role of Event Grid", async () => {
    const principal_object_id = "grid";
    const grid = { id: "/g", object_id: "grid", client_id: EVENT_GRID, account_enabled: true };
    const G = "azuread_app_role_assignment.g";
    const assigned = { id: "g", app_role_id: "1", principal_object_id, resource_object_id: "p" };
    const sets = { ...entra(principal), "azuread_service_principal.g": same(grid) };
    const found = await judged({ ...stays(webhook("api://a")), ...sets, [G]: [assigned, null] });
    expect(found).toEqual([
      expect.stringMatching(`^LOST role ${G}: Event Grid loses its app role: webhooks refuse`),
    ]);
    // Who Event Grid is, another plan shows.
    const elsewhere = { ...stays(webhook("api://a")), ...entra({ ...principal, notes: "b" }) };
    expect(await judged({ ...elsewhere, [G]: same(assigned) })).toEqual([]);
  });

  it.each<readonly [string, Attributes]>([
    ["LOST identity A: the app role of Event Grid's tokens is removed", { app_role: [] }],
    ["LOST identity A: the application that tokens are for is gone", { identifier_uris: [] }],
    ["unknown identity A: it is not known whether the application", { identifier_uris: LATER }],
  ])("changes: %s", async (text, change) => {
    const sets = { ...entra(principal), ...turns("azuread_application.a", application, change) };
    expect(await judged({ ...stays(webhook("api://a")), ...sets })).toEqual([
      expect.stringMatching(`^${text.replace(" A:", " azuread_application.a:")}`),
    ]);
  });
});

it("judges the source of events, also of a subscription that moves to it", async () => {
  const of = (scope: string) => subscription({ ...webhook(), scope });
  const silent = { account_kind: "Storage" };
  const says = (address: string) =>
    `LOST destroyed ${address}: it is of a kind that raises no events`;
  expect(await judged({ [S]: same(of(ACCOUNT)), ...turns(A, account, silent) })).toEqual([
    `${says(A)} (account_kind: StorageV2 → Storage) ${needed}`,
  ]);
  const mute = { [A]: same({ ...account, ...silent }) };
  expect(await judged({ ...mute, [S]: [of(TOPIC), of(ACCOUNT)] })).toEqual([
    `${says(S)} ${needed}`,
  ]);
});
