import { EVENT_GRID_CLIENT_ID, SECURE_WEBHOOK_ROLE } from "cloud-eventgrid-local";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Deployment } from "./deployment.js";

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
  deployment.allowWriter();
});
afterEach(() => deployment[Symbol.asyncDispose]());

describe("cloud-eventgrid doctor on applications", () => {
  it("reports an application that does not exist", async () => {
    await deployment.subscribe();
    deployment.tenant.deleteApplication(deployment.application.objectId);
    expect((await deployment.finding("application")).status).toBe("failed");
  });

  it("does not take an application that it may not read for one that does not exist", async () => {
    await deployment.subscribe();
    deployment.canned = ({ pathname }) => {
      if (pathname.endsWith("/servicePrincipals")) return { status: 200, body: { value: [] } };
      return pathname.endsWith("/applications")
        ? { status: 403, body: { error: { code: "Authorization_RequestDenied" } } }
        : undefined;
    };
    const { exitCode, status, message } = await deployment.finding("application");
    expect([exitCode, status, message]).toEqual([
      4,
      "unknown",
      "the application cannot be read: 403 Authorization_RequestDenied",
    ]);
  });

  it.each(["owners", "roleDefinitions"])(
    "does not take a writer whose %s it may not read for one without rights",
    async (what) => {
      await deployment.subscribe();
      const { objectId } = deployment.cloud.applications.create({
        displayName: "pipeline",
      }).servicePrincipal;
      deployment.cloud.control.assignRole("Contributor", objectId, deployment.topic.id);
      deployment.canned = ({ pathname }) =>
        pathname.includes(`/${what}`)
          ? { status: 403, body: { error: { code: "Authorization_RequestDenied" } } }
          : undefined;
      expect((await deployment.finding("writer", ["--writer", objectId])).status).toBe("unknown");
    },
  );

  it("reports an application without a service principal", async () => {
    await deployment.subscribe();
    deployment.tenant.deleteServicePrincipal(deployment.application.servicePrincipal.objectId);
    const { status, remedy } = await deployment.finding("service-principal");
    expect([status, remedy?.command]).toEqual([
      "failed",
      `az ad sp create --id ${deployment.application.clientId}`,
    ]);
  });

  it("reports a missing service principal of Event Grid", async () => {
    await deployment.subscribe();
    deployment.tenant.deleteServicePrincipal(deployment.eventGrid?.objectId ?? "");
    const { status, remedy } = await deployment.finding("event-grid-principal");
    expect(status).toBe("failed");
    expect(remedy?.command).toContain(`az ad sp create --id ${EVENT_GRID_CLIENT_ID}`);
  });

  it("reports an application without the app role", async () => {
    const { clientId } = deployment.cloud.applications.create({ displayName: "bare", roles: [] });
    const { status, message } = await deployment.finding("app-role", [], {
      azureClientId: clientId,
    });
    expect(status).toBe("failed");
    expect(message).toContain('"bare" has no app role');
  });

  it("reports an app role that Event Grid does not have", async () => {
    await deployment.subscribe();
    deployment.removeEventGridsRole();
    const { status, remedy } = await deployment.finding("app-role-assignment");
    expect(status).toBe("failed");
    expect(remedy?.command).toContain(`'principalId': '${deployment.eventGrid?.objectId}'`);
  });

  it("reports a writer without its role at the scope", async () => {
    await deployment.subscribe();
    const writer = deployment.cloud.applications.create({ displayName: "pipeline" });
    const { objectId } = writer.servicePrincipal;
    const { status, remedy } = await deployment.finding("writer", ["--writer", objectId]);
    expect(status).toBe("failed");
    expect(remedy?.command).toContain('--role "EventGrid EventSubscription Contributor"');
  });

  it("reports a writer without the app role", async () => {
    await deployment.subscribe();
    const { objectId } = deployment.cloud.applications.create({
      displayName: "pipeline",
    }).servicePrincipal;
    deployment.cloud.control.assignRole("Contributor", objectId, deployment.topic.id);
    const { status, message } = await deployment.finding("writer", ["--writer", objectId]);
    expect(status).toBe("failed");
    expect(message).toContain("neither the app role");
  });

  it("reports a disabled service principal of Event Grid", async () => {
    await deployment.subscribe();
    const { eventGrid } = deployment;
    deployment.canned = ({ searchParams }) =>
      searchParams.get("$filter")?.includes(EVENT_GRID_CLIENT_ID)
        ? { status: 200, body: { value: [{ id: eventGrid?.objectId, accountEnabled: false }] } }
        : undefined;
    const { status, remedy } = await deployment.finding("event-grid-principal");
    expect(status).toBe("failed");
    expect(remedy?.command).toBe(
      `az ad sp update --id ${EVENT_GRID_CLIENT_ID} --set accountEnabled=true`,
    );
  });

  it("reports an app role for users only, and leaves out the assignment that cannot succeed", async () => {
    await deployment.subscribe();
    deployment.removeEventGridsRole();
    const { servicePrincipal, clientId } = deployment.application;
    const appRoles = [{ id: "1", value: SECURE_WEBHOOK_ROLE, allowedMemberTypes: ["User"] }];
    deployment.canned = ({ searchParams }) =>
      searchParams.get("$filter")?.includes(clientId)
        ? { status: 200, body: { value: [{ id: servicePrincipal.objectId, appRoles }] } }
        : undefined;
    const { status, message, bad } = await deployment.finding("app-role");
    expect(status).toBe("failed");
    expect(message).toContain("is for users only");
    expect(bad.map(({ check }) => check)).not.toContain("app-role-assignment");
  });
});
