import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { command } from "../command.js";
import { directoryWith } from "../temporary.js";
import { document, withQuery } from "./document.js";

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
module/README.md

module "orders_events" {
  source              = "./module"
  subscriber_endpoint = var.subscriber_endpoint
}
`);
    const read = (file: string) => readFileSync(join(directory, "module", file), "utf8");
    const texts = readdirSync(join(directory, "module")).map(read).join("\n");
    expect(texts).not.toMatch(/hush|not-a-real-secret|provider "/);
    expect(read("versions.tf")).toContain('required_version = ">= 1.5"');
    const [, tenant] = /variable "tenant_id" \{\n([\s\S]*?)\n\}/.exec(read("variables.tf")) ?? [];
    expect(tenant).toContain('default     = "11111111-1111-4111-8111-111111111111"');
    const [, endpoint] =
      /variable "subscriber_endpoint" \{\n([\s\S]*?)\n\}/.exec(read("variables.tf")) ?? [];
    expect(endpoint).toContain("sensitive   = true");
    expect(endpoint).not.toContain("default");
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
          files: ["variables.tf", "outputs.tf", "README.md"],
        },
      ],
    });
  });

  it("reports the problems of an invalid document and exits with 3", async () => {
    const directory = directoryWith({ "orders.yaml": document.replace('"9000"', '"0"') });
    const args = ["synth", "orders.yaml", "--out", "module"];
    const { exitCode, error } = await command(args, { directory });
    expect(exitCode).toBe(3);
    expect(error).toContain("handshakePort must be");
  });
});
