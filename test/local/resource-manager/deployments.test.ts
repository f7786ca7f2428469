import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { PUBLIC_URL, startHooked } from "../support/cloud.js";
import {
  deployer,
  finished,
  refusal,
  requestToken,
  send,
  signIn,
  textIn,
} from "../support/management-client.js";
import { itWith, runShell } from "../support/run-program.js";

const template = {
  $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  contentVersion: "1.0.0.0",
  parameters: {
    topicName: { type: "string" },
    location: { type: "string", defaultValue: "[resourceGroup().location]" },
  },
  // In any order.
  variables: {
    subscriptionName: "[concat(parameters('topicName'), variables('suffix'))]",
    suffix: "-sub",
  },
  resources: [
    {
      type: "Microsoft.EventGrid/eventSubscriptions",
      apiVersion: "2025-02-15",
      name: "[variables('subscriptionName')]",
      scope: "[format('Microsoft.EventGrid/topics/{0}', parameters('topicName'))]",
      dependsOn: ["[resourceId('Microsoft.EventGrid/topics', parameters('topicName'))]"],
      properties: {
        eventDeliverySchema: "CloudEventSchemaV1_0",
        destination: { endpointType: "WebHook", properties: { endpointUrl: PUBLIC_URL } },
      },
    },
    {
      type: "Microsoft.EventGrid/topics",
      apiVersion: "2025-02-15",
      name: "[parameters('topicName')]",
      location: "[parameters('location')]",
      properties: { inputSchema: "CloudEventSchemaV1_0" },
    },
  ],
  outputs: {
    endpoint: {
      type: "string",
      value:
        "[reference(resourceId('Microsoft.EventGrid/topics', parameters('topicName'))).endpoint]",
    },
  },
};

async function start() {
  const { cloud, webhook } = await startHooked({
    control: { eventGridRegistered: true },
  });
  const call = await signIn(cloud);
  const group = `/subscriptions/${cloud.subscriptionId}/resourcegroups/shop`;
  await call("PUT", group, { location: "westeurope" });
  const path = `${group}/providers/Microsoft.Resources/deployments/first`;
  return { cloud, call, webhook, path };
}

const parameters = { topicName: { value: "orders" } };

describe("deployments of ARM templates", async () => {
  it("create resources in the order of their dependencies and return outputs", async () => {
    const { cloud, call, path } = await start();
    const properties = { mode: "Incremental", template, parameters };
    expect((await call("POST", `${path}/validate`, { properties })).status).toBe(200);
    const endpoint = `${cloud.control.origin}/orders.westeurope-1/api/events`;
    const deployed = {
      properties: {
        provisioningState: "Succeeded",
        outputs: { endpoint: { type: "string", value: endpoint } },
      },
    };
    const started = await call("PUT", path, { properties });
    expect(started).toMatchObject({
      status: 201,
      body: { properties: { provisioningState: "Running" } },
    });
    expect(await finished(call, started)).toMatchObject({ status: "Succeeded" });
    expect((await call("GET", path)).body).toMatchObject(deployed);
    expect(cloud.eventSubscriptions.list()).toMatchObject([
      { name: "orders-sub", provisioningState: "Succeeded" },
    ]);
  });

  it("create namespaces with what is in them", async () => {
    const { cloud, call, path } = await start();
    const version = { apiVersion: "2025-02-15", location: "westeurope" };
    const namespace = "[resourceId('Microsoft.EventGrid/namespaces', 'shop')]";
    const queue = { receiveLockDurationInSeconds: 120 };
    const resources = [
      {
        ...version,
        type: "Microsoft.EventGrid/namespaces/topics/eventSubscriptions",
        name: "shop/orders/queue",
        dependsOn: ["[resourceId('Microsoft.EventGrid/namespaces/topics', 'shop', 'orders')]"],
        properties: { deliveryConfiguration: { deliveryMode: "Queue", queue } },
      },
      {
        ...version,
        type: "Microsoft.EventGrid/namespaces/topics",
        name: "shop/orders",
        dependsOn: [namespace],
        properties: {},
      },
      { ...version, type: "Microsoft.EventGrid/namespaces", name: "shop", properties: {} },
    ];
    const reference = namespace.slice(1, -1);
    const outputs = {
      host: {
        type: "string",
        value: `[reference(${reference}).topicsConfiguration.hostname]`,
      },
      key: { type: "string", value: `[listKeys(${reference}, '2025-02-15').key1]` },
    };
    const properties = { template: { resources, outputs } };
    const deployed = await call("PUT", path, { properties });
    expect(await finished(call, deployed)).toMatchObject({ status: "Succeeded" });
    const [made] = cloud.namespaces.list();
    expect((await call("GET", path)).body).toMatchObject({
      properties: {
        outputs: {
          host: { value: `${new URL(cloud.control.origin).host}/shop.westeurope-1` },
          key: { value: made?.accessKey },
        },
      },
    });
    expect(made?.topics.get("orders")?.subscriptions.get("queue")?.settings).toMatchObject(queue);
  });

  it("accept the unquoted key that az sends", async () => {
    const { cloud, path } = await start();
    const { origin } = cloud.control;
    const { body } = await requestToken(cloud, deployer(cloud), `${origin}/.default`);
    const text = `{"properties": {template: ${JSON.stringify(template)}, "parameters": ${JSON.stringify(parameters)}}}`;
    const answer = await send(cloud, "PUT", `${path}?api-version=2022-09-01`, {
      headers: {
        authorization: `Bearer ${textIn(body, "access_token")}`,
        "content-type": "application/json",
      },
      body: text,
    });
    expect(answer.status).toBe(201);
  });

  it("list an operation for each resource, and can be deleted", async () => {
    const { cloud, call, path } = await start();
    await finished(call, await call("PUT", path, { properties: { template, parameters } }));
    const operations = path.replace("/providers/Microsoft.Resources", "");
    expect((await call("GET", `${operations}/operations`)).body).toMatchObject({
      value: [
        { properties: { targetResource: { resourceType: "Microsoft.EventGrid/topics" } } },
        {
          properties: {
            provisioningState: "Succeeded",
            targetResource: {
              resourceType: "Microsoft.EventGrid/eventSubscriptions",
              resourceName: "orders-sub",
            },
          },
        },
      ],
    });
    expect((await call("DELETE", path)).status).toBe(202);
    expect((await call("GET", path)).status).toBe(404);
    expect(cloud.topics.list()).toHaveLength(1);
  });

  it("stay deleted when they end after that", async () => {
    const { call, path, webhook } = await start();
    let consent = () => {};
    webhook.answer = () =>
      new Promise((resolve) => {
        consent = () => resolve({ headers: { "webhook-allowed-origin": "*" } });
      });
    const started = await call("PUT", path, { properties: { template, parameters } });
    await expect.poll(() => webhook.requests.length).toBe(1);
    expect((await call("DELETE", path)).status).toBe(202);
    consent();
    expect(await finished(call, started)).toMatchObject({ status: "Succeeded" });
    expect((await call("GET", path)).status).toBe(404);
  });

  it("use the keys and properties of resources, which they depend on", async () => {
    const { cloud, call, path } = await start();
    const outputs = {
      key: { type: "string", value: "[listKeys('orders', '2025-02-15').key1]" },
      group: { type: "string", value: "[reference('orders', '2025-02-15', 'Full').location]" },
      secret: { type: "securestring", value: "[listKeys('orders', '2025-02-15').key2]" },
    };
    const copied = {
      type: "Microsoft.Storage/storageAccounts",
      apiVersion: "2023-01-01",
      name: "keys",
      location: "westeurope",
      tags: { endpoint: "[reference('orders').endpoint]", key: "[listKeys('orders', '').key1]" },
    };
    const topic = { ...template.resources[1], name: "orders", location: "westeurope" };
    const properties = { template: { resources: [copied, topic], outputs } };
    await finished(call, await call("PUT", path, { properties }));
    const [{ id = "", endpoint = "" } = {}] = cloud.topics.list();
    const { key1, key2 } = cloud.topics.listKeys(id);
    const { body } = await call("GET", path);
    expect(body).toMatchObject({
      properties: {
        outputs: { key: { value: key1 }, group: { value: "westeurope" }, secret: {} },
      },
    });
    expect(JSON.stringify(body)).not.toContain(key2);
    const account = path.replace(/Microsoft.Resources.*/, "Microsoft.Storage/storageAccounts/keys");
    expect((await call("GET", account)).body).toMatchObject({
      tags: { key: key1, endpoint: expect.stringContaining(new URL(endpoint).pathname) },
    });
  });

  it("evaluate the functions of the template language", async () => {
    const { cloud, call, path } = await start();
    const values = {
      "[toLower('AbC')]": "abc",
      "[toUpper('AbC')]": "ABC",
      "[concat('a', 'b')]": "ab",
      "[format('{1}/{0}', 'a', 'b')]": "b/a",
      "[uniqueString('a')]": expect.stringMatching(/^[a-z\d]{13}$/),
      "[guid('a')]": expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
      "[subscription().subscriptionId]": cloud.subscriptionId,
      "[[not an expression]": "[not an expression]",
    };
    const all = Object.entries(values).map(([value, result], index) => ({ index, value, result }));
    const outputs = all.map(({ index, value }) => [`o${index}`, { type: "string", value }]);
    const deployed = { template: { resources: [], outputs: Object.fromEntries(outputs) } };
    await finished(call, await call("PUT", path, { properties: deployed }));
    const expected = all.map(({ index, result }) => [`o${index}`, { value: result }]);
    expect((await call("GET", path)).body).toMatchObject({
      properties: { outputs: Object.fromEntries(expected) },
    });
  });

  it("are recorded when they fail, with the error of the resource", async () => {
    const { cloud, call, path } = await start();
    const [subscription, topic] = template.resources;
    const destination = { endpointType: "WebHook", properties: { endpointUrl: "http://x" } };
    const failing = { ...subscription, properties: { destination } };
    const properties = { template: { ...template, resources: [topic, failing] }, parameters };
    const started = await call("PUT", path, { properties });
    const cause = {
      code: "InvalidRequest",
      message: expect.stringContaining("should follow the proper https URL format"),
    };
    const error = { code: "DeploymentFailed", details: [cause] };
    expect(await finished(call, started)).toMatchObject({ status: "Failed", error });
    expect((await call("GET", path)).body).toMatchObject({
      properties: { provisioningState: "Failed", error, outputResources: [{}] },
    });
    const operations = path.replace("/providers/Microsoft.Resources", "");
    expect((await call("GET", `${operations}/operations`)).body).toMatchObject({
      value: [
        { properties: { provisioningState: "Succeeded" } },
        { properties: { provisioningState: "Failed", statusMessage: { error: cause } } },
      ],
    });
    const all = path.replace("/first", "");
    const failed = await call("GET", `${all}?$filter=provisioningState%20eq%20'Failed'`);
    expect(failed.body).toMatchObject({ value: [{ name: "first" }] });
    expect(cloud.topics.list()).toHaveLength(1);
  });

  it("do not show secure parameters, and are deleted with their group", async () => {
    const { call, path } = await start();
    const secure = {
      template: { parameters: { key: { type: "secureString" } }, resources: [] },
      parameters: { key: { value: "hush" } },
    };
    await finished(call, await call("PUT", path, { properties: secure }));
    expect(JSON.stringify((await call("GET", path)).body)).not.toContain("hush");
    const group = path.replace(/.providers.*/, "");
    expect((await call("GET", `${group}/resources`)).body).toEqual({ value: [] });
    await call("DELETE", group);
    await call("PUT", group, { location: "westeurope" });
    expect((await call("GET", path)).status).toBe(404);
  });

  it.each([
    ["POST", "whatIf", "does not support what-if of deployments"],
    ["POST", "exportTemplate", "does not support the export of templates"],
  ])("refuse %s %s by name", async (method, action, message) => {
    const { call, path } = await start();
    expect(await call(method, `${path}/${action}`, {})).toMatchObject(
      refusal(400, undefined, expect.stringContaining(message)),
    );
  });

  it("are refused at a subscription", async () => {
    const { cloud, call } = await start();
    const path = `/subscriptions/${cloud.subscriptionId}/providers/Microsoft.Resources/deployments/a`;
    expect(await call("PUT", path, {})).toMatchObject(
      refusal(400, undefined, expect.stringContaining("deployments to a subscription")),
    );
  });

  await itWith("are created, shown with their resources, and deleted by az", ["az"], async () => {
    const { cloud } = await start();
    cloud.topics.create({ name: "posts", resourceGroupName: "blog" });
    const folder = temporaryFolder();
    writeFileSync(join(folder, "template.json"), JSON.stringify(template));
    const output = await runShell(
      `az login --service-principal -u "$AZURE_CLIENT_ID" -p "$AZURE_CLIENT_SECRET" --tenant "$AZURE_TENANT_ID" -o none
       az deployment group create -g shop -n first --template-file template.json -p topicName=orders -o none
       az deployment group show -g shop -n first --query properties.outputs.endpoint.value -o tsv
       az deployment operation group list -g shop -n first --query '[].properties.targetResource.resourceName' -o tsv
       az resource list -g shop --query '[].name' -o tsv
       az deployment group delete -g shop -n first`.replaceAll(
        "template.json",
        join(folder, "template.json"),
      ),
      { ...cloud.proxyEnvironment(), AZURE_CONFIG_DIR: folder },
    );
    expect(output).toBe(
      "https://orders.westeurope-1.eventgrid.azure.net/api/events\norders\norders-sub\norders\n",
    );
    expect(cloud.eventSubscriptions.list()).toHaveLength(1);
  });

  it.each<[string, object, string]>([
    ["without a template", {}, "The deployment has no template."],
    ["without a parameter", { template }, "'topicName' is not provided"],
    [
      "with an unknown function",
      { template: { resources: [{ type: "[fly()]" }] } },
      "The template function 'fly' is not supported",
    ],
    [
      "with an unknown function in an output, before anything is created",
      {
        template: {
          resources: [{ ...template.resources[1], name: "orders", location: "westeurope" }],
          outputs: { a: { value: "[fly()]" } },
        },
      },
      "The template function 'fly' is not supported",
    ],
    [
      "with parts of the language that would be ignored",
      {
        mode: "Complete",
        template: { functions: [], resources: [{ type: "a/b", copy: {}, condition: false }] },
      },
      "does not support these parts of the template language: the mode 'Complete', 'functions', 'condition' of a resource, 'copy' of a resource.",
    ],
    [
      "with variables that refer to each other in a circle",
      { template: { variables: { a: "[variables('b')]", b: "[variables('a')]" }, resources: [] } },
      "The template variable 'a' refers to itself.",
    ],
    [
      "with resources by symbolic name",
      { template: { languageVersion: "2.0", resources: { topic: {} } } },
      "resources with symbolic names",
    ],
    [
      "with an invalid expression",
      { template: { resources: [{ type: "[concat('a'" + "]" }] } },
      "is invalid",
    ],
  ])("are refused %s", async (_, properties, message) => {
    const { cloud, call, path } = await start();
    expect(await call("PUT", path, { properties })).toMatchObject(
      refusal(400, undefined, expect.stringContaining(message)),
    );
    expect(cloud.topics.list()).toEqual([]);
  });
});
