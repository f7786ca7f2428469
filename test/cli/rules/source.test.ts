import { expect, it } from "vitest";
import { sourceVerdicts, UNKNOWN } from "../../../cli/src/rules/index.js";
import { worldOf } from "./world-of.js";

const GROUP = "/subscriptions/s/resourceGroups/g/providers";
const judged = async (type: string, body: object, types?: readonly string[]) => {
  const scope = `${GROUP}/${type}/shop`;
  const verdicts = await sourceVerdicts(worldOf({ [scope]: body }), scope, types);
  return verdicts.map(({ rule, status }) => `${rule} ${status}`);
};
const storage = "Microsoft.Storage/storageAccounts";
const mode = (value: unknown) => ({ properties: { features: [{ flag: "ServiceMode", value }] } });

// https://learn.microsoft.com/azure/event-grid/event-schema-blob-storage
// https://learn.microsoft.com/azure/event-grid/event-schema-service-bus
// https://learn.microsoft.com/azure/event-hubs/compare-tiers
// https://learn.microsoft.com/azure/azure-signalr/concept-service-mode
// https://learn.microsoft.com/azure/event-grid/subscribe-to-partner-events
it.each([
  [
    storage,
    "kind",
    (kind: unknown) => ({ kind }),
    ["Storage", "FileStorage"],
    ["BlobStorage", "BlockBlobStorage", "StorageV2"],
  ],
  [
    "Microsoft.ServiceBus/namespaces",
    "tier",
    (name: unknown) => ({ sku: { name } }),
    ["Basic", "Standard"],
    ["Premium"],
  ],
  [
    "Microsoft.EventHub/namespaces",
    "tier",
    (name: unknown) => ({ sku: { name } }),
    ["Basic"],
    ["Standard", "Premium"],
  ],
  ["Microsoft.SignalRService/SignalR", "mode", mode, ["Default"], ["Serverless"]],
  [
    "Microsoft.EventGrid/partnerTopics",
    "activation",
    (activationState: unknown) => ({ properties: { activationState } }),
    ["NeverActivated", "Deactivated"],
    ["Activated"],
  ],
])("%s raises events or not by its %s", async (type, rule, body, silent, others) => {
  for (const value of silent) {
    expect(await judged(type, body(value))).toEqual([`${rule} failed`]);
    expect(await judged(type.toUpperCase(), body(value.toLowerCase()))).toEqual([`${rule} failed`]);
  }
  for (const value of others) expect(await judged(type, body(value))).toEqual([`${rule} ok`]);
  for (const value of [UNKNOWN, undefined])
    expect(await judged(type, body(value))).toEqual([`${rule} unknown`]);
});

it("a partner topic gets no events once its partner has deleted the channel", async () => {
  const provisioningState = "IdleDueToMirroredChannelResourceDeletion";
  const body = { properties: { activationState: "Activated", provisioningState } };
  expect(await judged("Microsoft.EventGrid/partnerTopics", body)).toEqual(["activation failed"]);
});

it("renames and directories exist in a storage account with a hierarchical namespace only", async () => {
  const account = (isHnsEnabled?: unknown) => ({ kind: "StorageV2", properties: { isHnsEnabled } });
  const renamed = ["Microsoft.Storage.BlobRenamed", "Microsoft.Storage.DirectoryCreated"];
  expect(await judged(storage, account(), renamed)).toEqual(["kind ok", "hierarchy failed"]);
  expect(await judged(storage, account(true), renamed)).toEqual(["kind ok", "hierarchy ok"]);
  expect(await judged(storage, account(UNKNOWN), renamed)).toEqual([
    "kind ok",
    "hierarchy unknown",
  ]);
  const mixed = [...renamed, "Microsoft.Storage.BlobCreated"];
  expect(await judged(storage, account(), mixed)).toEqual(["kind ok"]);
});

it("other resources, and those that are not there, are not judged", async () => {
  expect(await judged("Microsoft.EventGrid/topics", { kind: "Storage" })).toEqual([]);
  expect(await sourceVerdicts(worldOf({}), `${GROUP}/${storage}/shop`)).toEqual([]);
});
