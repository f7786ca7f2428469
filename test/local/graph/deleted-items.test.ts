import type { LocalCloudOptions } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { startCloud, startManaged } from "../support/cloud.js";
import { emptyDirectory } from "../support/command.js";
import {
  newIdentity,
  refusal,
  requestToken,
  signIn,
  textIn,
} from "../support/management-client.js";

const DELETED = "/v1.0/directory/deletedItems";
const THIRTY_DAYS = 30 * 24 * 60 * 60 * 1000;
const GRAPH = "00000003-0000-0000-c000-000000000000";
const scope = "https://eventgrid.azure.net/.default";

async function start(options: LocalCloudOptions = {}) {
  const clock = { now: Date.parse("2026-03-01T12:00:00Z") };
  const { cloud, call } = await startManaged({ control: true, now: () => clock.now, ...options });
  const secret = "orders-secret";
  const { clientId, objectId, servicePrincipal } = cloud.applications.create({
    displayName: "orders",
    secret,
    identifierUris: ["api://orders"],
  });
  expect((await call("DELETE", `/v1.0/applications/${objectId}`)).status).toBe(204);
  const principalId = servicePrincipal.objectId;
  const principal = `/v1.0/servicePrincipals/${principalId}`;
  const restore = (id: string) => call("POST", `${DELETED}/${id}/restore`);
  return { clock, cloud, call, clientId, objectId, principal, principalId, restore, secret };
}

describe("deleted items", () => {
  it("have a deleted application and its service principal, which are gone elsewhere", async () => {
    const { call, clientId, objectId, principal, principalId } = await start();
    const filter = `$filter=${encodeURIComponent(`appId eq '${clientId}'`)}`;
    const item = {
      appId: clientId,
      displayName: "orders",
      deletedDateTime: "2026-03-01T12:00:00.000Z",
    };
    for (const [kind, id] of [
      ["application", objectId],
      ["servicePrincipal", principalId],
    ]) {
      const answer = await call("GET", `${DELETED}/microsoft.graph.${kind}?${filter}`);
      expect(answer.body).toMatchObject({ value: [{ ...item, id }] });
      expect((await call("GET", `${DELETED}/${id}`)).body).toMatchObject({ ...item, id });
    }
    expect((await call("GET", `/v1.0/applications/${objectId}`)).status).toBe(404);
    expect((await call("GET", principal)).status).toBe(404);
    expect((await call("GET", `/v1.0/applications?${filter}`)).body).toMatchObject({ value: [] });
  });

  it("are restored with secrets and app roles, the principal on its own", async () => {
    const { cloud, call, clientId, objectId, principal, principalId, restore, secret } =
      await start();
    const token = () => requestToken(cloud, { clientId, secret }, scope);
    expect((await token()).status).toBe(400);
    expect(await restore(principalId)).toMatchObject(refusal(400, "NoBackingApplicationObject"));
    expect(await restore(objectId)).toMatchObject({
      status: 200,
      body: { id: objectId, displayName: "orders", deletedDateTime: null },
    });
    expect((await call("GET", principal)).status).toBe(404);
    expect((await restore(principalId)).body).toMatchObject({ id: principalId });
    expect((await token()).status).toBe(200);
    const assignments = await call("GET", `${principal}/appRoleAssignedTo`);
    expect(assignments.body).toMatchObject({ value: [{ resourceId: principalId }] });
    expect((await restore(objectId)).status).toBe(404);
  });

  it("can be restored after a restart of a cloud that keeps its state", async () => {
    const persist = emptyDirectory();
    const { clock, cloud, clientId, objectId, principal, principalId, secret } = await start({
      persist,
    });
    await cloud.close();
    const again = await startCloud({ control: true, now: () => clock.now, persist });
    const call = await signIn(again);
    for (const id of [objectId, principalId]) {
      expect((await call("POST", `${DELETED}/${id}/restore`)).status).toBe(200);
    }
    expect((await requestToken(again, { clientId, secret }, scope)).status).toBe(200);
    const assignments = await call("GET", `${principal}/appRoleAssignedTo`);
    expect(assignments.body).toMatchObject({ value: [{ resourceId: principalId }] });
  });

  it("cannot be restored while another application has their identifier URI", async () => {
    const { call, objectId, restore } = await start();
    const other = { displayName: "other", identifierUris: ["api://orders"] };
    const { body } = await call("POST", "/v1.0/applications", other);
    expect((await restore(objectId)).status).toBe(400);
    await call("DELETE", `/v1.0/applications/${textIn(body, "id")}`);
    expect((await restore(objectId)).status).toBe(200);
  });

  it("are gone after a permanent deletion, and after 30 days", async () => {
    const { call, clock, cloud, objectId, principalId } = await start();
    expect((await call("DELETE", `${DELETED}/${objectId}`)).status).toBe(204);
    expect((await call("GET", `${DELETED}/${objectId}`)).status).toBe(404);
    expect((await call("DELETE", `${DELETED}/${objectId}`)).status).toBe(404);
    expect((await call("GET", `${DELETED}/${principalId}`)).status).toBe(200);
    clock.now += THIRTY_DAYS;
    const callLater = await signIn(cloud);
    expect((await callLater("GET", `${DELETED}/${principalId}`)).status).toBe(404);
  });

  it("do not have managed identities, which go with their resource", async () => {
    const { cloud, call } = await start();
    const tenant = cloud.directory.tenant(cloud.tenantId);
    const identity = tenant?.servicePrincipals.createManagedIdentity({ id: "/a", name: "app" });
    const id = identity?.objectId ?? "";
    expect((await call("GET", `/v1.0/servicePrincipals/${id}`)).status).toBe(200);
    expect(tenant?.deleteServicePrincipal(id)).toBe(true);
    expect((await call("GET", `${DELETED}/${id}`)).status).toBe(404);
  });

  it("can be changed only by a caller that may change applications", async () => {
    const { cloud, objectId } = await start();
    const identity = newIdentity(cloud, "reader");
    const tenant = cloud.directory.tenant(cloud.tenantId);
    const graph = tenant?.servicePrincipals.byClientId(GRAPH);
    const reader = tenant?.servicePrincipals.get(identity.principalId);
    if (graph && reader) tenant?.grant(reader, graph, "Application.Read.All");
    const callAsReader = await signIn(cloud, identity);
    expect((await callAsReader("GET", `${DELETED}/${objectId}`)).status).toBe(200);
    expect((await callAsReader("POST", `${DELETED}/${objectId}/restore`)).status).toBe(403);
    expect((await callAsReader("DELETE", `${DELETED}/${objectId}`)).status).toBe(403);
  });
});
