import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { Explanation } from "../../../cli/src/plan/explain.js";
import { explainPlan, readPlan } from "../../../cli/src/plan/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { command } from "../command.js";
import { explain, planOf, plans, reportOf, TOPIC } from "./fixtures.js";

const GROUP = TOPIC.slice(0, TOPIC.indexOf("/providers/"));
const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/letters`;
const CONTAINER = `${ACCOUNT}/blobServices/default/containers/dead`;
const IDENTITY = `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/sender`;
const NAMESPACE = `${GROUP}/providers/Microsoft.EventGrid/namespaces/shop`;
const identity = { type: "UserAssigned", userAssignedIdentity: IDENTITY };
const stored = {
  identity,
  deadLetterDestination: {
    endpointType: "StorageBlob",
    properties: { resourceId: ACCOUNT, blobContainerName: "dead" },
  },
};
const webhook = (url: string) => ({
  endpointType: "WebHook",
  properties: { endpointUrl: url, azureActiveDirectoryApplicationIdOrUri: "api://orders" },
});

/** An event subscription of azapi, before and after the apply. */
function azapi(name: string, scope: string, before: object, after = before) {
  const [, kind] = /Microsoft\.EventGrid\/(namespaces\/)?/.exec(scope) ?? [];
  const path = kind === undefined ? "eventSubscriptions" : "namespaces/topics/eventSubscriptions";
  const side = (properties: object) => ({
    name,
    parent_id: scope,
    type: `Microsoft.EventGrid/${path}@2025-02-15`,
    body: { properties },
  });
  const actions = [before === after ? "no-op" : "update"];
  return resource(`azapi_resource.${name}`, actions, side(before), side(after));
}

/** Three that stay, with everything that they can have an identity for. */
const staying = () => [
  azapi("basic", TOPIC, {
    deliveryWithResourceIdentity: { identity, destination: webhook("https://a.example.com/") },
    deadLetterWithResourceIdentity: stored,
  }),
  ...["queue", "push"].map((mode) =>
    azapi(mode, `${NAMESPACE}/topics/orders`, {
      deliveryConfiguration: {
        deliveryMode: mode === "queue" ? "Queue" : "Push",
        [mode]: {
          deadLetterDestinationWithResourceIdentity: stored,
          ...(mode === "push" && { destination: webhook("https://a.example.com/") }),
        },
      },
    }),
  ),
];

function resource(address: string, actions: string[], before: object, after?: object) {
  const [type, name] = address.split(".");
  return { address, type, name, mode: "managed", change: { actions, before, after } };
}

const gone = (address: string, before: object) => resource(address, ["delete"], before);

async function explained(...changes: object[]): Promise<Explanation> {
  const input = JSON.stringify({ format_version: "1.2", resource_changes: changes });
  const { out } = await command(["explain-plan", "--json"], { input });
  return JSON.parse(out);
}

/** The findings of a plan, as `subscription effect check: message`. */
async function said(...changes: object[]): Promise<string[]> {
  const { resources } = await explained(...changes);
  return resources.flatMap(({ name, findings }) =>
    findings.map(({ check, effect, message }) => `${name} ${effect} ${check}: ${message}`),
  );
}

/** Those that lose events, or may. */
const losses = async (...changes: object[]) =>
  (await said(...changes)).filter((text) => !/^\S+ none /.test(text));

describe("explain-plan", () => {
  it.each(Object.keys(plans))("explains the plan %s", async (name) => {
    const { out, error } = await explain(name);
    expect(error).toBe("");
    expect(out).toBe(reportOf(name));
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  const LETTERS = ["basic", "queue", "push"].map((name) =>
    expect.stringMatching(
      `^${name} lost dead-letters: .* is destroyed, where its dead letters are`,
    ),
  );
  const TOKENS = [expect.stringMatching(/lost identity: the application .*by basic, push/)];
  it.each([
    ["azurerm_storage_account.letters", { id: ACCOUNT }, LETTERS],
    ["azurerm_storage_container.dead", { id: CONTAINER }, LETTERS],
    [
      "azurerm_storage_container.dead",
      { id: "https://letters.blob.core.windows.net/dead", resource_manager_id: CONTAINER },
      LETTERS,
    ],
    [
      "azurerm_user_assigned_identity.sender",
      { id: IDENTITY },
      [expect.stringMatching(/^azurerm_user_.*lost identity: .*needed by basic, queue, push/)],
    ],
    ["azuread_application.orders", { id: "/a/1", identifier_uris: ["api://orders"] }, TOKENS],
    ["azuread_service_principal.orders", { client_id: "API://orders" }, TOKENS],
  ])("reports that %s %o is destroyed", async (address, was, expected) => {
    expect(await losses(...staying(), gone(address, was))).toEqual(expected);
  });

  it("reports that a role is removed with which identities store dead letters", async () => {
    const principal_id = "55555555-5555-4555-8555-555555555555";
    const role_definition_name = "Storage Blob Data Contributor";
    const kept = { id: IDENTITY, principal_id };
    const found = await losses(
      ...staying(),
      resource("azurerm_user_assigned_identity.sender", ["no-op"], kept, kept),
      gone("azurerm_role_assignment.dead", {
        scope: CONTAINER,
        principal_id,
        role_definition_name,
      }),
    );
    expect(found).toEqual([expect.stringMatching(/ lost role: .*needed by basic, queue, push/)]);
  });

  it("reports events that another subscription delivers only after it was changed, too", async () => {
    const to = (url: string) => ({ destination: webhook(url), filter: {} });
    const [here, elsewhere] = [to("https://a.example.com/"), to("https://b.example.com/")];
    const { change, ...old } = azapi("old", TOPIC, here);
    const deleted = { ...old, change: { ...change, actions: ["delete"], after: null } };
    const found = await losses(deleted, azapi("twin", TOPIC, elsewhere, here));
    expect(found).toContainEqual(
      expect.stringMatching(/^old lost types: not delivered .* until twin/),
    );
  });

  it("does not compare each pair of subscriptions of one scope", async () => {
    const serialised = async (count: number) => {
      const to = (type: string) => ({
        destination: webhook("https://a.example.com/"),
        filter: { includedEventTypes: [type] },
      });
      const changes = Array.from({ length: count }, (_, index) =>
        azapi(`s${index}`, TOPIC, to("a"), to(`b${index % 7}`)),
      );
      const plan = { format_version: "1.2", resource_changes: changes };
      const read = readPlan(JSON.stringify(plan));
      const stringify = vi.spyOn(JSON, "stringify");
      await explainPlan(read, [], []);
      const { length } = stringify.mock.calls;
      stringify.mockRestore();
      return length;
    };
    expect(await serialised(300)).toBeLessThan(3.3 * (await serialised(100)));
  });

  it("says moved only if the other subscription serves the events as well", async () => {
    const filter = {};
    const settings = { destination: webhook("https://a.example.com/"), filter };
    const full = {
      ...settings,
      retryPolicy: { eventTimeToLiveInMinutes: 60 },
      deadLetterDestination: { properties: { resourceId: ACCOUNT, blobContainerName: "dead" } },
    };
    const { change, ...old } = azapi("old", TOPIC, full);
    const deleted = { ...old, change: { ...change, actions: ["delete"], after: null } };
    const twin = (properties: object) => azapi("twin", TOPIC, { ...full, ...properties });
    expect(await losses(deleted, twin({}))).toEqual([]);
    // Another one that the plan creates comes too late, but does not matter.
    const { change: made, ...first } = azapi("first", TOPIC, full);
    const created = { ...first, change: { ...made, actions: ["create"], before: null } };
    expect(await losses(created, deleted, twin({}))).toEqual([]);
    const other = async (properties: object) => (await losses(deleted, twin(properties))).join();
    const without = "still delivered to https://a.example.com/ by twin, but not with the same";
    const worse = { retryPolicy: { eventTimeToLiveInMinutes: 10 }, deadLetterDestination: null };
    expect(await other(worse)).toContain(`${without} dead letters, time to live`);
    expect(await other({ expirationTimeUtc: "2027-01-01T00:00:00Z" })).toContain(
      `${without} expiry`,
    );
    const sending = (more: object) => {
      const { destination } = settings;
      const properties = { ...destination.properties, ...more };
      return other({ destination: { ...destination, properties } });
    };
    const header = { name: "key", type: "Static", properties: { value: "a" } };
    expect(await sending({ deliveryAttributeMappings: [header] })).toContain(`${without} headers`);
    expect(await sending({ maxEventsPerBatch: 9 })).toContain(`${without} batches`);
    expect(await sending({ azureActiveDirectoryTenantId: "t" })).toContain(
      `${without} settings of`,
    );
    expect(await sending({ preferredBatchSizeInKilobytes: 9 })).toBe("");
  });

  it("knows the types that Azure chooses for a storage account if none is named", async () => {
    const blobs = (...names: string[]) => ({
      destination: webhook("https://a.example.com/"),
      filter: { includedEventTypes: names.map((name) => `Microsoft.Storage.${name}`) },
    });
    const none = { destination: webhook("https://a.example.com/"), filter: {} };
    const change = (before: object, after: object) =>
      losses(azapi("files", ACCOUNT, before, after));
    expect(await change(blobs("BlobCreated", "BlobTierChanged"), none)).toEqual([
      expect.stringMatching(/^files lost types: no longer delivered/),
    ]);
    expect(await change(none, blobs("BlobCreated", "BlobDeleted"))).toEqual([]);
    expect(await change(none, blobs("BlobCreated"))).toHaveLength(1);
    const vault = `${GROUP}/providers/Microsoft.KeyVault/vaults/shop`;
    expect(await losses(azapi("vault", vault, blobs("A"), none))).toEqual([
      "vault unknown types: its types are known after the apply, or chosen by Azure",
    ]);
  });

  it("takes the repair of a subject filter that no blob matches for new", async () => {
    const begins = (subjectBeginsWith: string) => ({
      destination: webhook("https://a.example.com/"),
      filter: { includedEventTypes: ["Microsoft.Storage.BlobCreated"], subjectBeginsWith },
    });
    const [wrong, right] = [
      begins("blobServices/default/containers/a"),
      begins("/blobServices/default/containers/a"),
    ];
    expect(await losses(azapi("files", ACCOUNT, wrong, right))).toEqual([]);
    expect(await losses(azapi("files", ACCOUNT, right, wrong))).toHaveLength(1);
  });

  it("does not decide whole numbers that JavaScript rounds", async () => {
    const exactly = (number: string) => ({
      destination: webhook("https://a.example.com/"),
      filter: { advancedFilters: [{ key: "data.n", operatorType: "NumberIn", values: [number] }] },
    });
    const change = azapi("big", TOPIC, exactly("9007199254740993"), exactly("9007199254740992"));
    const input = JSON.stringify({ format_version: "1.2", resource_changes: [change] });
    const plan = input.replace(/"(9007\d+)"/g, "$1");
    const { exitCode, out } = await command(["explain-plan"], { input: plan });
    expect({ exitCode, out }).toEqual({ exitCode: 4, out: expect.stringContaining("unknown") });
  });

  it("reads a plan that Windows PowerShell has written", async () => {
    const directory = temporaryFolder();
    writeFileSync(join(directory, "plan.json"), `\uFEFF${planOf("kept")}`, "utf16le");
    const { exitCode, out } = await command(["explain-plan", "plan.json"], { directory });
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: reportOf("kept") });
  });

  it("says that a webhook must answer whose URL is in a sensitive_body", async () => {
    const hidden = (filter: object) => ({ destination: { endpointType: "WebHook" }, filter });
    const change = azapi("orders", TOPIC, hidden({}), hidden({ subjectBeginsWith: "a" }));
    expect(await said(change)).toContain(
      "orders none handshake: a webhook must answer during the apply",
    );
  });

  it("reports a body that the plan does not show", async () => {
    const queue = () => ({ deliveryConfiguration: { deliveryMode: "Queue", queue: {} } });
    const change = azapi("pull", `${NAMESPACE}/topics/orders`, queue(), queue());
    Object.assign(change.change.before, { sensitive_body_version: { body: "1" } });
    Object.assign(change.change.after ?? {}, { sensitive_body_version: { body: "2" } });
    expect(await losses(change)).toEqual([
      "pull unknown plan: its sensitive_body may change, which the plan does not show",
    ]);
  });
});
