import { describe, expect, it } from "vitest";
import { startCloud, startManaged } from "../support/cloud.js";
import { send } from "../support/management-client.js";

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

describe("request IDs of Resource Manager", () => {
  it.each([
    ["a success", "/subscriptions", 200],
    ["an error", "/subscriptions/22222222-2222-4222-8222-222222222222/nowhere", 404],
  ])("are in the answer to %s", async (_, path, status) => {
    const { call } = await startManaged();
    expect(await call("GET", path)).toMatchObject({
      status,
      headers: {
        "x-ms-request-id": expect.stringMatching(ID),
        "x-ms-correlation-request-id": expect.stringMatching(ID),
      },
    });
  });

  it("correlate requests by the ID that the client sends", async () => {
    const cloud = await startCloud({ control: true });
    const id = "5d2f9f3c-8a52-4d0c-9a5e-0c6f7b7a1e11";
    const answer = await send(cloud, "GET", "/subscriptions", {
      headers: { "x-ms-correlation-request-id": id },
    });
    expect(answer).toMatchObject({
      status: 401,
      headers: { "x-ms-correlation-request-id": id, "x-ms-request-id": expect.stringMatching(ID) },
    });
  });
});
