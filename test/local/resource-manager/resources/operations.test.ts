import { describe, expect, it } from "vitest";
import { Router } from "../../../../local/src/api/index.js";
import {
  addOperationRoutes,
  Operations,
} from "../../../../local/src/resource-manager/resources/operations.js";
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

  it("have no result before they end: 202, and where to ask again", async () => {
    const operations = new Operations();
    const subscriptionId = "22222222-2222-4222-8222-222222222222";
    const router = new Router();
    addOperationRoutes(router, { subscriptionId, operations });
    const resultOf = (work: Promise<unknown>) => {
      const { operationId } = operations.start(work, () => "done");
      const path = `/subscriptions/${subscriptionId}/operationresults/${operationId}`;
      const asked = {
        method: "GET" as const,
        path,
        query: new URLSearchParams("api-version=1"),
        headers: {},
      };
      const request = {
        ...asked,
        body: undefined,
        origin: "https://a.example",
        caller: Object({}),
      };
      return { result: router.handle(request), path };
    };
    const { result, path } = resultOf(new Promise(() => {}));
    const location = `https://a.example${path}?api-version=1`;
    operations.stop();
    const headers = { location, "retry-after": "0" };
    expect(await result).toEqual({ status: 202, headers });
    expect(await resultOf(Promise.resolve()).result).toEqual({ status: 200, body: "done" });
    await expect(resultOf(Promise.reject(new Error("a bug"))).result).rejects.toThrow("a bug");
  });

  it("are kept for a thousand further operations", async () => {
    const operations = new Operations();
    const { operationId } = operations.start(Promise.resolve());
    for (let index = 0; index < 1_000; index++) operations.start(Promise.resolve());
    expect(await operations.status(operationId)).toBeUndefined();
  });
});
