import { describe, expect, it } from "vitest";
import { Operations } from "../../../../local/src/resource-manager/resources/operations.js";
import { startManaged } from "../../support/cloud.js";

describe("long-running operations", () => {
  it("are 404 if unknown", async () => {
    const { cloud, call } = await startManaged();
    const path = `/subscriptions/${cloud.subscriptionId}/providers/Microsoft.EventGrid/locations/westeurope/operationsStatus/x`;
    expect((await call("GET", path)).status).toBe(404);
  });

  it("fail with the error of their work", async () => {
    const operations = new Operations();
    const { operationId } = operations.start(Promise.reject(new Error("a bug")));
    expect(await operations.status(operationId)).toMatchObject({
      status: "Failed",
      error: { serviceCode: "InternalServerError", message: "Error: a bug" },
    });
  });

  it("are in progress for waiting requests when the cloud stops", async () => {
    const operations = new Operations();
    const { operationId } = operations.start(new Promise(() => {}));
    const status = operations.status(operationId);
    operations.stop();
    expect(await status).toEqual({ status: "InProgress" });
  });

  it("are kept for a thousand further operations", async () => {
    const operations = new Operations();
    const { operationId } = operations.start(Promise.resolve());
    for (let index = 0; index < 1_000; index++) operations.start(Promise.resolve());
    expect(await operations.status(operationId)).toBeUndefined();
  });
});
