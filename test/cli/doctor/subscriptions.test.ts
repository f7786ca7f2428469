import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { command } from "../command.js";
import { Deployment, ENDPOINT } from "./deployment.js";

let deployment: Deployment;
beforeAll(async () => {
  deployment = await Deployment.start();
  await deployment.subscribe({
    filter: {
      includedEventTypes: ["shop.order.placed"],
      subjectBeginsWith: "orders/",
    },
    retryPolicy: { maxDeliveryAttempts: 7 },
    labels: ["shop"],
  });
  await deployment.subscribe({ name: "archive" });
});
afterAll(() => deployment[Symbol.asyncDispose]());

const subscriptions = (...args: readonly string[]) =>
  deployment.command(["subscriptions", ...args, "--scope", deployment.topic.id]);

describe("cloud-eventgrid subscriptions", () => {
  it("lists the event subscriptions at a scope", async () => {
    const { exitCode, out } = await subscriptions("list");
    expect(exitCode).toBe(0);
    expect(out).toBe(`name     state      destination                            types
archive  Succeeded  ${ENDPOINT}  all types
orders   Succeeded  ${ENDPOINT}  shop.order.placed
`);
  });

  it("refuses a scope that is no resource ID before it signs in", async () => {
    const { exitCode, error } = await command(["subscriptions", "list", "--scope", "nonsense"], {
      env: { ARM_METADATA_HOSTNAME: "azure.invalid" },
    });
    expect(exitCode).toBe(2);
    expect(error).toContain("argument 'nonsense' is invalid. It must be a resource ID");
  });

  it("shows one with its filter, retries and application", async () => {
    const { exitCode, out } = await subscriptions("show", "Orders");
    expect(exitCode).toBe(0);
    expect(out).toMatch(new RegExp(`^application +${deployment.application.clientId}$`, "m"));
    expect(out).toMatch(/^maxDeliveryAttempts +7$/m);
    expect(out).toMatch(/^types +shop\.order\.placed$/m);
    expect(out).toMatch(/^condition +the subject begins with "orders\/"$/m);
    expect(out).toMatch(/^labels +shop$/m);
  });

  it("prints JSON", async () => {
    const { out } = await subscriptions("list", "--json");
    expect(JSON.parse(out)).toMatchObject([
      { name: "archive", types: [] },
      { name: "orders", types: ["shop.order.placed"], maxDeliveryAttempts: 7 },
    ]);
  });

  it("names the others when there is none with the name", async () => {
    const { exitCode, error } = await subscriptions("show", "returns");
    expect([exitCode, error]).toEqual([
      1,
      'error: there is no event subscription "returns", but: archive, orders\n',
    ]);
  });
});
