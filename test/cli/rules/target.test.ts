import { describe, expect, it } from "vitest";
import {
  Doubt,
  READING,
  type RoleAssignment,
  targetVerdicts,
  UNKNOWN,
  yes,
} from "../../../cli/src/rules/index.js";
import { worldOf } from "./world-of.js";

const GROUP = "/subscriptions/s/resourceGroups/g/providers";
const TOPIC = `${GROUP}/Microsoft.EventGrid/topics/t`;
const ACCOUNT = `${GROUP}/Microsoft.Storage/storageAccounts/a`;
const QUEUE = `${ACCOUNT}/queueServices/default/queues/q`;
const BUS = `${GROUP}/Microsoft.ServiceBus/namespaces/b`;
const TYPES: Readonly<Record<string, { holder: string; place: string; write: string }>> = {
  StorageBlob: {
    holder: ACCOUNT,
    place: `${ACCOUNT}/blobServices/default/containers/c`,
    write: "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/write",
  },
  StorageQueue: {
    holder: ACCOUNT,
    place: QUEUE,
    write: "Microsoft.Storage/storageAccounts/queueServices/queues/messages/add/action",
  },
  ServiceBusQueue: {
    holder: BUS,
    place: `${BUS}/queues/q`,
    write: "Microsoft.ServiceBus/namespaces/messages/send/action",
  },
  ServiceBusTopic: {
    holder: BUS,
    place: `${BUS}/topics/t`,
    write: "Microsoft.ServiceBus/namespaces/messages/send/action",
  },
  EventHub: {
    holder: `${GROUP}/Microsoft.EventHub/namespaces/e`,
    place: `${GROUP}/Microsoft.EventHub/namespaces/e/eventhubs/h`,
    write: "Microsoft.EventHub/namespaces/messages/send/action",
  },
  HybridConnection: {
    holder: `${GROUP}/Microsoft.Relay/namespaces/r`,
    place: `${GROUP}/Microsoft.Relay/namespaces/r/hybridConnections/h`,
    write: "Microsoft.Relay/namespaces/hybridConnections/send/action",
  },
  NamespaceTopic: {
    holder: `${GROUP}/Microsoft.EventGrid/namespaces/n`,
    place: `${GROUP}/Microsoft.EventGrid/namespaces/n/topics/t`,
    write: "Microsoft.EventGrid/events/send/action",
  },
};

const OWN = { type: "SystemAssigned" };
const sender = { [TOPIC]: { identity: { ...OWN, principalId: "p" } } };

function holding(dataActions: readonly string[]): RoleAssignment {
  const role = { id: "r", permissions: [{ dataActions }] };
  return { isHeld: yes(), scope: GROUP.replace("/providers", ""), role, hasCondition: false };
}

/** Each rule with what it says and of what, for a destination with these bodies. */
async function judged(
  type: string,
  place: unknown,
  bodies: Readonly<Record<string, unknown>>,
  { identity, actions = ["*"] }: { identity?: unknown; actions?: readonly string[] } = {},
) {
  const world = worldOf(
    {},
    {
      resource: async (id) => {
        const body = bodies[id];
        if (body instanceof Doubt) return body;
        return id in bodies ? { id, witnesses: [id], body } : undefined;
      },
      roleAssignments: async () => ({ items: [holding(actions)] }),
    },
  );
  const target = { type, place, identity, settings: {} };
  const verdicts = await targetVerdicts(world, "destination", target, TOPIC);
  return verdicts.map(({ rule, status, code, doubt, subject }) =>
    [rule, status, doubt?.why ?? code, subject].join(" "),
  );
}

/** The same for a place and its holder, without what is fine. */
async function wrong(
  type: string,
  properties: object,
  { place = {}, identity, ...holder }: { place?: unknown; identity?: unknown; kind?: unknown } = {},
) {
  const { place: id = "", holder: holderId = "" } = TYPES[type] ?? {};
  const bodies = { ...sender, [holderId]: { ...holder, properties }, [id]: place };
  const found = await judged(type, id, bodies, { identity });
  return found.filter((text) => !text.includes(" ok ")).map((text) => text.replace(/ \/\S+$/, ""));
}

describe("the destination", () => {
  it.each(Object.entries(TYPES))("%s is judged whole", async (type, { holder, place, write }) => {
    const bodies = { ...sender, [holder]: {}, [place]: {} };
    const rules = [
      ...[`exists ok exists ${holder}`, `exists ok exists ${place}`],
      ...(type.startsWith("Storage") ? [`kind ok kind ${holder}`] : []),
    ];
    const has = /Storage|Bus|Hub/.test(type);
    const end = [...(has ? [`network ok network ${holder}`] : []), `status ok status ${place}`];
    expect(await judged(type, place, bodies)).toEqual([...rules, `keys ok keys ${holder}`, ...end]);
    const writer = [`identity ok identity ${TOPIC} system`, `role ok role p ${place}`];
    const identity = { identity: OWN, actions: [write] };
    expect(await judged(type, place, bodies, identity)).toEqual([...rules, ...end, ...writer]);
    const read = { identity: OWN, actions: READING[type]?.actions ?? ["*/read"] };
    expect((await judged(type, place, bodies, read)).at(-1)).toBe(
      `role failed may-not-write p ${place}`,
    );
  });

  it("may be missing, unread, or nothing that a rule knows", async () => {
    const exists = (one: string, other: string) => [
      `exists ${one} ${ACCOUNT}`,
      `exists ${other} ${QUEUE}`,
    ];
    expect(await judged("StorageQueue", QUEUE, {})).toEqual(
      exists("failed missing", "failed missing"),
    );
    expect(await judged("StorageQueue", QUEUE, { [ACCOUNT]: {} })).toEqual(
      exists("ok exists", "failed missing"),
    );
    const unread = new Doubt("unread", "it");
    expect(await judged("StorageQueue", QUEUE, { [ACCOUNT]: unread, [QUEUE]: unread })).toEqual(
      exists("unknown unread", "unknown unread"),
    );
    const open = { [ACCOUNT]: {}, [QUEUE]: new Doubt("open", "it") };
    expect(await judged("StorageQueue", QUEUE, open)).toEqual([
      ...exists("ok exists", "unknown open"),
      ...[`kind ok kind ${ACCOUNT}`, `keys ok keys ${ACCOUNT}`, `network ok network ${ACCOUNT}`],
    ]);
    expect(await judged("WebHook", "https://x", {})).toEqual([]);
    expect(await judged("StorageQueue", UNKNOWN, {})).toEqual([]);
    expect(await judged("StorageQueue", "/q", {})).toEqual(["exists failed missing /q"]);
    const later = { ...sender, [ACCOUNT]: {}, [QUEUE]: {}, [TOPIC]: { identity: OWN } };
    const user = await judged("StorageQueue", QUEUE, later, { identity: OWN, actions: [] });
    expect(user.at(-1)).toBe(`role failed may-not-write ${TOPIC} system ${QUEUE}`);
  });

  it("is whole, as what it is in is", async () => {
    for (const state of ["Failed", "failed", "CreateFailed", "Canceled", "Deleting", "deleted"]) {
      const properties = { provisioningState: state };
      const broken = ["exists failed broken"];
      expect(await wrong("EventHub", properties)).toEqual(broken);
      expect(await wrong("EventHub", {}, { place: { properties } })).toEqual(broken);
    }
    for (const state of ["Succeeded", "FailedOver", "NotDeleted", "Deletings", UNKNOWN]) {
      expect(await wrong("EventHub", { provisioningState: state })).toEqual([]);
    }
  });

  it("takes keys, which an identity does without", async () => {
    for (const [type, off] of [
      ["StorageQueue", { allowSharedKeyAccess: false }],
      ["EventHub", { disableLocalAuth: true }],
    ] as const) {
      expect(await wrong(type, off)).toEqual(["keys failed keys-refused"]);
      expect(await wrong(type, off, { identity: OWN })).toEqual([]);
    }
  });

  it("is a queue that takes messages, and gives them to readers", async () => {
    const status = (text: unknown) =>
      wrong("ServiceBusQueue", {}, { place: { properties: { status: text } } });
    for (const text of ["disabled", "SendDisabled"]) {
      expect(await status(text)).toEqual(["status failed disabled"]);
    }
    expect(await status("ReceiveDisabled")).toEqual(["status warning receive-disabled"]);
    for (const text of ["Active", "NotSendDisabled", "NotReceiveDisabled", "ReceiveDisabledNot"])
      expect(await status(text)).toEqual([]);
    expect(await status(UNKNOWN)).toEqual(["status unknown later"]);
  });
});

describe("the network of a destination", () => {
  it("is that of a namespace with its rules, which are a resource of their own", async () => {
    const { place = "" } = TYPES.ServiceBusQueue ?? {};
    const set = `${BUS}/networkRuleSets/default`;
    const found = async (rules: unknown, properties: object = {}) =>
      (
        await judged(
          "ServiceBusQueue",
          place,
          { ...sender, [BUS]: { properties }, [place]: {}, [set]: rules },
          { identity: OWN },
        )
      ).filter((text) => text.startsWith("network"));
    const deny = { defaultAction: "Deny" };
    expect(await found({ properties: deny })).toEqual([`network failed closed ${BUS}`]);
    const trusts = { ...deny, trustedServiceAccessEnabled: true };
    expect(await found({ properties: trusts })).toEqual([`network ok network ${BUS}`]);
    const off = { publicNetworkAccess: "Disabled" };
    expect(await found({ properties: trusts }, off)).toEqual([
      `network warning trusted-without-public-access ${BUS}`,
    ]);
    expect(await found(new Doubt("unread", "it"))).toEqual([`network unknown unread ${BUS}`]);
    expect(await found(new Doubt("open", "it"))).toEqual([`network ok network ${BUS}`]);
    expect(await found({ properties: UNKNOWN })).toEqual([`network unknown later ${BUS}`]);
    const open = new Doubt("open", "it");
    const none = await judged("ServiceBusQueue", place, { [BUS]: open, [place]: {}, [set]: open });
    expect(none.filter((text) => text.startsWith("network"))).toEqual([]);
  });
});
