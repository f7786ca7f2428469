import { App, TerraformStack } from "cdktf";
import { CloudEventGridNamespace, CloudEventGridTopic } from "cloud-eventgrid-binding";
import { Construct } from "constructs";
import { describe, expect, it } from "vitest";
import { defaultName } from "../../../lib/validation/names.js";
import { synthesized } from "../../support/synthesized.js";
import { resourceGroup, storageAccount } from "../fixtures.js";

const place = { resourceGroupName: "shop", location: "westeurope" };
const subnetId = `${resourceGroup}/providers/Microsoft.Network/virtualNetworks/shop/subnets/one`;

/** Ids of constructs, whose names Azure would refuse if they only got a hash. */
const ids = ["system", "eventgrid", "Microsoft", "EventGrid-orders", "-", "日本", "x".repeat(80)];

/** The names of all resources of a stack in which everything has this id. */
function namesWith(id: string) {
  const { json } = synthesized((scope) => {
    const settings = { ...place, privateEndpoints: [{ subnetId }] };
    const topic = new CloudEventGridTopic(scope, `${id}`, settings);
    topic.alerts({ actionGroupId: `${resourceGroup}/providers/Microsoft.Insights/actionGroups/a` });
    const namespace = new CloudEventGridNamespace(scope, `${id} `, settings);
    namespace.addTopic("orders").addSource(id, { ...place, scope: storageAccount });
  });
  const named = JSON.stringify(json.resource).matchAll(/"name":"([^"]+)"/g);
  const resources = Object.entries(json.resource as Record<string, Record<string, object>>);
  const of = (type: string, azapiType?: RegExp) =>
    resources
      .filter(([key]) => key === type)
      .flatMap(([, each]) => Object.values(each))
      .filter((body) => azapiType === undefined || azapiType.test(Reflect.get(body, "type")))
      .map((body): string => Reflect.get(body, "name"));
  return {
    all: [...named].map(([, name = ""]) => name),
    topics: of("azurerm_eventgrid_topic"),
    namespaces: of("azapi_resource", /EventGrid\/namespaces@/),
    systemTopics: of("azapi_resource", /systemTopics@/),
    privateEndpoints: of("azurerm_private_endpoint"),
    alerts: of("azurerm_monitor_metric_alert"),
  };
}

describe("the names that constructs give to resources", () => {
  it.each(ids)("follow Azure's rules for an id such as %s", (id) => {
    const { all, topics, namespaces, systemTopics, privateEndpoints, alerts } = namesWith(id);
    expect([topics.length, namespaces.length, systemTopics.length]).toEqual([1, 1, 1]);
    for (const name of [...topics, ...systemTopics]) {
      expect(name).toMatch(/^(?!(microsoft|eventgrid|system)-)[a-z0-9-]{3,50}$/i);
    }
    for (const name of namespaces) {
      expect(name).toMatch(/^(?!microsoft|eventgrid|system)[a-z0-9-]{3,50}$/i);
    }
    expect(privateEndpoints).toHaveLength(2);
    for (const name of privateEndpoints) expect(name).toMatch(/^[a-z0-9][a-z0-9-]{0,62}[a-z0-9]$/i);
    expect(alerts).not.toEqual([]);
    for (const name of alerts) expect(name).toMatch(/^[a-z0-9-]{1,260}$/i);
    expect(all.filter((name) => name.length < 3)).toEqual([]);
  });

  it("keep their length, because Azure would replace a resource with another name", () => {
    const construct = new Construct(new TerraformStack(new App(), "stack"), "x".repeat(80));
    const kinds = [
      "topic",
      "systemTopic",
      "namespace",
      "eventSubscription",
      "privateEndpoint",
      "alert",
    ] as const;
    const lengths = kinds.map((kind) => [kind, defaultName(construct, kind).length]);
    expect(Object.fromEntries(lengths)).toEqual({
      topic: 50,
      systemTopic: 50,
      namespace: 48,
      eventSubscription: 50,
      privateEndpoint: 50,
      alert: 60,
    });
    const reserved = new Construct(construct, `System-${"x".repeat(80)}`);
    for (const kind of ["topic", "systemTopic", "namespace"] as const)
      expect(defaultName(reserved, kind)).toMatch(/^[tsn]-System-x{32}-[0-9a-f]{8}$/);
  });

  it("are the id and a hash of the path otherwise", () => {
    const { topics, namespaces } = namesWith("orders");
    expect(topics).toEqual([expect.stringMatching(/^orders-[0-9a-f]{8}$/)]);
    expect(namespaces).toEqual([expect.stringMatching(/^orders-[0-9a-f]{8}$/)]);
  });
});
