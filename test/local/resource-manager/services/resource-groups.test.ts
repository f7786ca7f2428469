import { describe, expect, it } from "vitest";
import { SUBSCRIPTION, startGroup, startManaged } from "../../support/cloud.js";
import { refusal } from "../../support/management-client.js";

describe("resource groups", () => {
  const path = `${SUBSCRIPTION}/resourceGroups/shop`;

  it("are created with 201, updated with 200, read and deleted", async () => {
    const { call } = await startManaged();
    expect(await call("GET", path)).toMatchObject(
      refusal(404, "ResourceGroupNotFound", "Resource group 'shop' could not be found."),
    );
    const body = { location: "westeurope", tags: { team: "shop" } };
    expect((await call("PUT", path, body)).status).toBe(201);
    expect((await call("PUT", path, body)).status).toBe(200);
    expect((await call("PATCH", path, { tags: { team: "web" } })).status).toBe(200);
    expect((await call("GET", path)).body).toEqual({
      id: path,
      name: "shop",
      type: "Microsoft.Resources/resourceGroups",
      location: "westeurope",
      tags: { team: "web" },
      properties: { provisioningState: "Succeeded" },
    });
    expect((await call("HEAD", path)).status).toBe(204);
    expect(await call("DELETE", path)).toMatchObject({
      status: 202,
      headers: { location: expect.stringContaining("/operationresults/"), "retry-after": "0" },
    });
    expect((await call("HEAD", path)).status).toBe(404);
  });

  it("keep managedBy until it is changed", async () => {
    const { call } = await startGroup();
    const managedBy = `${SUBSCRIPTION}/resourceGroups/apps/providers/Microsoft.Solutions/applications/a`;
    await call("PUT", path, { location: "westeurope", managedBy });
    await call("PATCH", path, { tags: {} });
    expect((await call("GET", path)).body).toMatchObject({ managedBy });
    await call("PUT", path, { location: "westeurope" });
    expect((await call("GET", path)).body).not.toHaveProperty("managedBy");
  });

  it.each(["x".repeat(90), "Zürich_(test).1"])("may be called %s", async (name) => {
    const { call } = await startManaged();
    const group = `${SUBSCRIPTION}/resourceGroups/${encodeURIComponent(name)}`;
    expect((await call("PUT", group, { location: "westeurope" })).status).toBe(201);
  });

  it.each([
    ["a shop!", "has these invalid characters: '  !'. The name can only be"],
    ["x".repeat(91), "is longer than 90 characters"],
  ])("cannot be called %s", async (name, message) => {
    const { call } = await startManaged();
    const group = `${SUBSCRIPTION}/resourceGroups/${encodeURIComponent(name)}`;
    expect(await call("PUT", group, { location: "westeurope" })).toMatchObject(
      refusal(400, "InvalidResourceGroup", expect.stringContaining(message)),
    );
  });
});
