import { EVENT_GRID_CLIENT_ID } from "cloud-eventgrid-local";
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

  it("reports an application without a service principal", async () => {
    await deployment.subscribe();
    deployment.tenant.deleteServicePrincipal(deployment.application.servicePrincipal.objectId);
    const { status, remedy } = await deployment.finding("service-principal");
    expect([status, remedy]).toEqual([
      "failed",
      `az ad sp create --id ${deployment.application.clientId}`,
    ]);
  });

  it("reports a missing service principal of Event Grid", async () => {
    await deployment.subscribe();
    deployment.tenant.deleteServicePrincipal(deployment.eventGrid?.objectId ?? "");
    const { status, remedy } = await deployment.finding("event-grid-principal");
    expect(status).toBe("failed");
    expect(remedy).toContain(`az ad sp create --id ${EVENT_GRID_CLIENT_ID}`);
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
    expect(remedy).toContain(`"principalId":"${deployment.eventGrid?.objectId}"`);
  });

  it("reports a writer without its role at the scope", async () => {
    await deployment.subscribe();
    const writer = deployment.cloud.applications.create({ displayName: "pipeline" });
    const { objectId } = writer.servicePrincipal;
    const { status, remedy } = await deployment.finding("writer", ["--writer", objectId]);
    expect(status).toBe("failed");
    expect(remedy).toContain('--role "EventGrid EventSubscription Contributor"');
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
});
