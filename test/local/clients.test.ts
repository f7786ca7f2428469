import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LocalCloud } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { freePort } from "../../examples/start/free-port.js";
import { itWith } from "../support/describe-with.js";
import { root } from "../support/project.js";
import { publishTo, startCloud } from "./support/cloud.js";
import { exampleBelow } from "./support/documented-example.js";
import { runNode, runPython, startProgram } from "./support/run-program.js";

const ENDPOINT = "https://orders.westeurope-1.eventgrid.azure.net/api/events";

function events(cloud: LocalCloud): unknown {
  return cloud.topics.list()[0]?.events();
}

describe("the documented example", () => {
  it("creates a topic with JavaScript and publishes to it", async () => {
    const cloud = await startCloud({ control: true });
    const output = await runNode(exampleBelow("With JavaScript", "js"), cloud.proxyEnvironment());
    expect(output).toBe(`${ENDPOINT}\n`);
    expect(events(cloud)).toMatchObject([{ type: "shop.order.placed", subject: "17" }]);
  });

  itWith("python3-azure", "with Python creates a topic and publishes to it", async () => {
    const cloud = await startCloud({ control: true });
    const example = exampleBelow("With Python", "python");
    const output = await runPython(example, cloud.proxyEnvironment());
    expect(output).toBe(`${ENDPOINT}\n`);
    expect(events(cloud)).toMatchObject([{ type: "shop.order.placed", subject: "17" }]);
  });

  itWith("python3", "with Python receives the events of a subscription", async () => {
    const cloud = await startCloud({ control: true });
    const source = /```python\n([\s\S]*?)```/.exec(
      readFileSync(join(root, "docs/local-azure.md"), "utf8"),
    )?.[1];
    const port = await freePort();
    const server = source?.replace("9000", String(port)) ?? "";
    const { printed } = startProgram("python3", ["-c", server], { cwd: root });
    const target = `http://127.0.0.1:${port}`;
    const handshake = () => fetch(target, { method: "OPTIONS" }).then(({ ok }) => ok);
    await expect.poll(() => handshake().catch(() => false)).toBe(true);
    cloud.ingress.route("https://orders.example.com", target);
    const topic = cloud.topics.create({ name: "orders" });
    const endpointUrl = "https://orders.example.com/api/events";
    await cloud.eventSubscriptions.create({ name: "webhook", scope: topic.id, endpointUrl });
    await publishTo(topic);
    await printed(/shop\.order\.placed\n/);
  });
});
