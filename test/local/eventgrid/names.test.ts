import type { LocalCloud } from "cloud-eventgrid-local";
import { expect, it } from "vitest";
import { startCloud } from "../support/cloud.js";

/** @see https://learn.microsoft.com/azure/event-grid/troubleshoot-errors#error-code-400 */
const kinds: [string, number, (cloud: LocalCloud, name: string) => unknown][] = [
  ["topic", 50, ({ topics }, name) => topics.create({ name })],
  ["domain", 50, ({ domains }, name) => domains.create({ name })],
  ["namespace", 50, ({ namespaces }, name) => namespaces.create({ name })],
  [
    "topic of a namespace",
    50,
    ({ namespaces }, name) => namespaces.create({ name: "shop" }).topics.create({ name }),
  ],
  [
    "event subscription",
    64,
    ({ eventSubscriptions, topics }, name) => {
      const scope = topics.create({ name: "orders" }).id;
      const resourceId = scope.replace(
        /Microsoft.EventGrid.*/,
        "Microsoft.EventHub/namespaces/a/eventhubs/b",
      );
      return eventSubscriptions.create({
        name,
        scope,
        destination: { endpointType: "EventHub", properties: { resourceId } },
      });
    },
  ],
];

it.each(kinds)("a %s has a name of 3 to %i letters, digits and hyphens", async (_, max, create) => {
  const accepts = async (name: string) => {
    const cloud = await startCloud();
    return (async () => create(cloud, name))().then(
      () => true,
      (error) => {
        expect(String(error)).toContain(`'${name}'`);
        return false;
      },
    );
  };
  for (const name of ["a-9", "Z".repeat(max)]) expect(await accepts(name), name).toBe(true);
  for (const name of ["a9", "Z".repeat(max + 1), "a_9", "-a.9"])
    expect(await accepts(name), name).toBe(false);
});

it.each(kinds.slice(0, 3))(
  "the name of a %s does not begin as Azure's own do",
  async (kind, _, create) => {
    const cloud = await startCloud();
    for (const name of ["Microsoft-1", "eventgrid-x", "SYSTEM-x"])
      expect(() => create(cloud, name), name).toThrow("is invalid");
    expect(() => create(cloud, "my-Microsoft")).not.toThrow();
    const systems = expect(() => create(cloud, "systems"));
    if (kind === "namespace") systems.toThrow("begin with Microsoft, EventGrid or System.");
    else systems.not.toThrow();
  },
);
