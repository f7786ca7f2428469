import { isSystemType, quoted, sampleData } from "./events-file.js";
import { type BindingSpec, directionOf, namesOf, pathOf } from "./spec.js";

/** `service.test.ts`: runs the service against a local Azure. */
export function testFile(binding: BindingSpec): string {
  const { prefix } = namesOf(binding.name);
  const { input, output, eventTypes, name } = binding;
  const [type = "com.example.event"] = eventTypes;
  const variables = [
    `DIRECTION: ${quoted(directionOf(binding))}`,
    ...(input
      ? [
          "TENANT_ID: cloud.tenantId",
          "CLIENT_ID: application.clientId",
          "AUTHORITY_HOST: cloud.authorityHost",
          `HANDSHAKE_PORT: ${quoted(input.handshakePort)}`,
          `WEBHOOK_PATH: ${quoted(pathOf(input))}`,
        ]
      : []),
    ...(output ? ["TOPIC_ENDPOINT: topic.endpoint", "ACCESS_KEY: topic.accessKey"] : []),
  ].map((variable) => `      ${prefix}_${variable},`);
  const application = input
    ? `    const application = cloud.applications.create({ displayName: ${quoted(name)} });\n`
    : "";
  const setup = `    const topic = cloud.topics.create({ name: ${quoted(name)} });
${application}    const env = {
${variables.join("\n")}
    };
`;
  return input === undefined ? publishing(type, setup) : receiving(binding, type, setup);
}

function receiving({ input, output, name }: BindingSpec, type: string, setup: string): string {
  if (input === undefined) return "";
  const url = new URL(input.subscriberEndpoint);
  const path = pathOf(input);
  const isSystem = isSystemType(type);
  const scope = isSystem ? "account" : "topic.id";
  const account = isSystem
    ? `    const account = \`/subscriptions/\${cloud.subscriptionId}/resourceGroups/test/providers/Microsoft.Storage/storageAccounts/test\`;
`
    : "";
  const publish = isSystem
    ? `      await cloud.emit(${quoted(type)}, { scope: account, subject: "/blobServices/default/containers/in/blobs/1.json" });`
    : output
      ? `      await service.publisher.create({ type: ${quoted(type)}, data: ${sampleData(type)} });`
      : `      const response = await fetch(topic.endpoint, {
        method: "POST",
        headers: {
          "aeg-sas-key": topic.accessKey,
          "content-type": "application/cloudevents+json",
        },
        body: JSON.stringify({
          specversion: "1.0",
          id: "1",
          source: "/test",
          type: ${quoted(type)},
          data: ${sampleData(type)},
        }),
      });
      assert.equal(response.status, 200);`;
  return `import assert from "node:assert/strict";
import { test } from "node:test";
import { LocalCloud } from "cloud-eventgrid-local";
import { createService } from "./service.js";

test("handles an event that Event Grid delivers", async () => {
  const cloud = await LocalCloud.start();
  try {
${setup}${account}    const service = createService({ env, port: 0, drainLagMs: 0 });
    const { port } = new URL(await service.start());
    try {
      cloud.ingress.route(${quoted(url.origin)}, \`http://127.0.0.1:\${port}\`);
      await cloud.eventSubscriptions.create({
        name: ${quoted(name)},
        scope: ${scope},
        endpointUrl: ${quoted(`${url.origin}${path}`)},
        clientId: application.clientId,
      });
${publish}
      await cloud.drain();
      assert.deepEqual(
        cloud.deliveries().map(({ outcome }) => outcome),
        ["delivered"],
      );
    } finally {
      await service.stop();
    }
  } finally {
    await cloud.stop();
  }
});
`;
}

function publishing(type: string, setup: string): string {
  return `import assert from "node:assert/strict";
import { test } from "node:test";
import { LocalCloud } from "cloud-eventgrid-local";
import { createService } from "./service.js";

test("publishes an event that the topic accepts", async () => {
  const cloud = await LocalCloud.start();
  try {
${setup}    const { publisher } = createService({ env });
    await publisher.create({ type: ${quoted(type)}, data: ${sampleData(type)} });
    await publisher.close();
    assert.deepEqual(
      topic.events().map((event) => event.type),
      [${quoted(type)}],
    );
  } finally {
    await cloud.stop();
  }
});
`;
}
