import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDeployment } from "../../../cli/src/doctor/read-deployment.js";
import { root } from "../../support/project.js";
import { command } from "../command.js";
import { directoryWith } from "../temporary.js";
import { document, withQuery } from "./document.js";

const silent = () => {};
const streams = {
  out: silent,
  error: silent,
  progress: silent,
  done: silent,
  input: async () => "",
};

describe("cloud-eventgrid synth", () => {
  it("writes a module whose defaults are the document's values, without its secrets", async () => {
    const directory = directoryWith({ "orders.yaml": withQuery });
    const { exitCode, out } = await command(["synth", "orders.yaml", "--out", "module"], {
      directory,
    });
    expect(exitCode).toBe(0);
    expect(out).toBe(`module/main.tf
module/event-types.tf
module/versions.tf
module/variables.tf
module/outputs.tf
module/examples/basic/main.tf
module/examples/new-topic/main.tf
module/README.md

module "orders_events" {
  source              = "./module"
  subscriber_endpoint = var.subscriber_endpoint
}
`);
    const read = (file: string) => readFileSync(join(directory, "module", file), "utf8");
    const all = readdirSync(join(directory, "module"), { recursive: true, encoding: "utf8" });
    const files = all.filter((file) => /\.(tf|md)$/.test(file));
    const texts = files.map(read).join("\n");
    expect(texts).not.toMatch(/hush|not-a-real-secret/);
    expect(files.filter((file) => read(file).includes('provider "')).sort()).toEqual([
      "examples/basic/main.tf",
      "examples/new-topic/main.tf",
    ]);
    expect(read("versions.tf")).toContain('required_version = ">= 1.5"');
    const [, tenant] = /variable "tenant_id" \{\n([\s\S]*?)\n\}/.exec(read("variables.tf")) ?? [];
    expect(tenant).toContain('default     = "11111111-1111-4111-8111-111111111111"');
    const [, endpoint] =
      /variable "subscriber_endpoint" \{\n([\s\S]*?)\n\}/.exec(read("variables.tf")) ?? [];
    expect(endpoint).toContain("sensitive   = true");
    expect(endpoint).not.toContain("default");
    const readme = read("README.md");
    expect(readme).toContain(
      '| `handshake_port` | `string` | `"9000"` | Port on which the service listens, behind the public URL. |\n',
    );
    expect(readme).toContain("| `subscriber_endpoint` | `string` | required | Public HTTPS URL");
    expect(readme).toContain(
      "| `topic_id` | Resource ID of the topic, if the module creates one. |\n",
    );
    for (const file of readdirSync(join(root, "test/provider-schemas"))) {
      const [, name, version] = /^(\w+)-([\d.]+)\.json$/.exec(file) ?? [];
      if (name !== "azapi") expect(readme).toContain(`${name} ${version}`);
    }
  });

  it("writes a folder for each of several components, and only outputs for a publisher", async () => {
    const publisher = `apiVersion: dapr.io/v1alpha1
kind: Component
metadata:
  name: parcels
spec:
  type: bindings.cloud.eventgrid
  version: v1
  metadata:
    - name: topicEndpoint
      value: https://parcels.westeurope-1.eventgrid.azure.net/api/events
    - name: accessKey
      value: aGlkZGVu
`;
    const directory = directoryWith({ "orders.yaml": `${document}---\n${publisher}` });
    const args = ["synth", "orders.yaml", "--out", "modules", "--json"];
    const { out } = await command(args, { directory });
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      modules: [
        { folder: "modules/orders-events", variables: [] },
        {
          folder: "modules/parcels",
          variables: ["access_key"],
          outputs: ["environment"],
          files: ["variables.tf", "outputs.tf", "examples/basic/main.tf", "README.md"],
        },
      ],
    });
  });

  it.each([
    ["shoporders", "shoporders", 'eventSubscriptionName: "shoporders"'],
    ["shop-orders", "shop-orders", 'new CloudEventGridBinding(this, "shop-orders"'],
    ["shop.orders", "shop-orders-7458f44c", 'new CloudEventGridBinding(this, "shop.orders"'],
  ])(
    "names the event subscription of %s as check, doctor and convert do",
    async (component, name, converted) => {
      const text = document
        .replace("name: orders-events", `name: ${component}`)
        .replace(/ {4}- name: eventSubscriptionName\n.*\n/, "");
      const directory = directoryWith({ "orders.yaml": text });
      await command(["synth", "orders.yaml", "--out", "module"], { directory });
      const variables = readFileSync(join(directory, "module/variables.tf"), "utf8");
      expect(variables).toMatch(
        new RegExp(`variable "event_subscription_name" \\{[^}]* default     = "${name}"\\n`),
      );
      const { out } = await command(["check", "orders.yaml", "--json"], { directory });
      expect(JSON.parse(out).results[0].directions[0].facts).toMatchObject({
        "event subscription": name,
      });
      const target = readDeployment({ directory, env: {}, ...streams }, "orders.yaml", {});
      expect(target.input?.eventSubscriptionName).toBe(name);
      await command(["convert", "orders.yaml", "--out", "shop"], { directory });
      const project = ["stack.ts", "component.ts"].map((file) =>
        readFileSync(join(directory, "shop", file), "utf8"),
      );
      expect(project.join()).toContain(converted);
    },
  );

  it("reports the problems of an invalid document and exits with 3", async () => {
    const directory = directoryWith({ "orders.yaml": document.replace('"9000"', '"0"') });
    const args = ["synth", "orders.yaml", "--out", "module"];
    const { exitCode, error } = await command(args, { directory });
    expect(exitCode).toBe(3);
    expect(error).toContain("handshakePort must be");
  });
});
