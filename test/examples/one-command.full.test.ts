import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { describeWithTerraform } from "../terraform/with-terraform.js";

const run = promisify(execFile);

/** What `npm start` in the folder of an example prints. */
async function start(example: string, ...flags: string[]): Promise<string> {
  const args = ["--import", "tsx", `examples/${example}/start.ts`, ...flags];
  return (await run(process.execPath, args)).stdout;
}

describe("npm start of an example", () => {
  it("serves an order with Hono, and refuses a delivery without a token", async () => {
    const output = await start("hono");
    expect(output).toContain('/orders/17: {"article":"teapot"}');
    expect(output).toContain("/api/events without a token: 401");
  });

  it("lets two services exchange the events of their catalogue", async () => {
    const output = await start("shared-catalogue");
    expect(output).toContain("order 17 is packed, number of parcels: 1");
    expect(output).toContain("order 18 is packed, number of parcels: 2");
    expect(output).toContain("4 deliveries, each to one service");
  });

  it("replays a dead letter to the repaired service", async () => {
    const output = await start("dead-letters");
    expect(output).toContain("dead letter: UndeliverableDueToHttpBadRequest");
    expect(output).toContain("orders/17 handled");
  });

  it("ships each order exactly once while it kills its services", async () => {
    expect(await start("exactly-once")).toMatch(
      /200 orders, 200 shipped, 0 lost, 0 shipped twice; 3 processes killed, \d+ events delivered again\n$/,
    );
  });
});

describeWithTerraform("npm start of a deployed example", () => {
  const { TERRAFORM_PROVIDERS: providers } = process.env;
  const flags = providers === undefined ? [] : [`--providers=${providers}`];

  it("pulls events, redelivers one, and destroys everything", async () => {
    const output = await start("pull-container-app", ...flags);
    expect(output).toContain("3 acknowledged, 1 given back before");
    expect(output).toContain("everything as expected");
  });

  it("publishes with a managed identity, and destroys everything", async () => {
    const output = await start("publisher", ...flags);
    expect(output).toContain("POST /orders: 202");
    expect(output).toContain("accepted shop.order.placed with the id order-17");
    const { stdout: processes } = await run("ps", ["-eo", "args"]);
    expect(processes).not.toContain(`${process.cwd()}/examples/publisher/service.ts`);
  });
});
