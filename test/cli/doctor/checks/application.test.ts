import { EVENT_GRID_CLIENT_ID } from "cloud-eventgrid-local";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Deployment } from "../deployment.js";

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
  deployment.allowWriter();
  await deployment.subscribe();
});
afterEach(() => deployment[Symbol.asyncDispose]());

/** Shows the objects of Graph that are asked for by a client ID. */
function showObject(clientId: string, object: object): void {
  deployment.canned = ({ searchParams }) =>
    searchParams.get("$filter")?.includes(clientId)
      ? { status: 200, body: { value: [object] } }
      : undefined;
}

const REFUSED = { status: 403, body: { error: { code: "Authorization_RequestDenied" } } };

/** A principal that writes event subscriptions, with a role at the topic. */
function pipeline(role?: string): string[] {
  const { objectId } = deployment.cloud.applications.create({
    displayName: "pipeline",
  }).servicePrincipal;
  if (role) deployment.cloud.control.assignRole(role, objectId, deployment.topic.id);
  return ["--writer", objectId];
}

/** What is wrong, the check that fails, what it says or advises, and how that comes; flags for the doctor. */
const faults: Readonly<Record<string, readonly [string, RegExp, arrange: () => unknown]>> = {
  "an application without a service principal": [
    "service-principal",
    /az ad sp create --id/,
    () => {
      const { objectId } = deployment.application.servicePrincipal;
      deployment.tenant.deleteServicePrincipal(objectId);
    },
  ],
  "a disabled service principal of Event Grid": [
    "event-grid-principal",
    new RegExp(`az ad sp update --id ${EVENT_GRID_CLIENT_ID} --set accountEnabled=true`),
    () => showObject(EVENT_GRID_CLIENT_ID, { id: "1", accountEnabled: false }),
  ],
  "an application that Microsoft has disabled": [
    "service-principal",
    /is disabled unless Microsoft/,
    () =>
      showObject(deployment.application.clientId, {
        id: "1",
        disabledByMicrosoftStatus: "DisabledDueToViolationOfServicesAgreement",
      }),
  ],
  "an app role whose value tokens would carry in other letters": [
    "app-role",
    /has no app role/,
    () => {
      const appRoles = [{ value: "azureEventGridSecureWebhookSubscriber" }];
      showObject(deployment.application.clientId, { id: "1", appRoles });
    },
  ],
  "an app role that Event Grid does not have": [
    "app-role-assignment",
    /'principalId': '[\da-f-]{36}'/,
    () => deployment.removeEventGridsRole(),
  ],
  "a writer without its role at the scope": [
    "writer",
    /--role "EventGrid EventSubscription Contributor"/,
    () => pipeline(),
  ],
  "a writer that is disabled": [
    "writer",
    /gets no tokens/,
    () => {
      const flags = pipeline("Contributor");
      const end = `/servicePrincipals/${flags[1]}`;
      deployment.canned = ({ pathname }) =>
        pathname.endsWith(end) ? { status: 200, body: { accountEnabled: false } } : undefined;
      return flags;
    },
  ],
  "a writer without the app role": [
    "writer",
    /neither the app role/,
    () => pipeline("Contributor"),
  ],
};

describe("cloud-eventgrid doctor on applications", () => {
  it.each(Object.entries(faults))("reports %s", async (_, [check, says, arrange]) => {
    const flags = arrange();
    const args = Array.isArray(flags) ? flags.map(String) : [];
    const { status, message, remedy } = await deployment.finding(check, args);
    expect(status).toBe("failed");
    expect(`${message} ${remedy?.text} ${remedy?.command}`).toMatch(says);
  });

  it("does not take an application that it may not read for one that does not exist", async () => {
    deployment.canned = ({ pathname }) => {
      if (pathname.endsWith("/servicePrincipals")) return { status: 200, body: { value: [] } };
      return pathname.endsWith("/applications") ? REFUSED : undefined;
    };
    const { exitCode, message } = await deployment.finding("application");
    const expected = "the application cannot be read: 403 Authorization_RequestDenied";
    expect([exitCode, message]).toEqual([4, expected]);
  });

  it("does not know whether a writer is in a group that has the app role", async () => {
    const { tenant, application } = deployment;
    const { objectId } = application.servicePrincipal;
    deployment.canned = ({ pathname }) => {
      if (!pathname.endsWith(`/${objectId}/appRoleAssignedTo`)) return undefined;
      const appRoleId = tenant.appRolesOf(application.servicePrincipal)[0]?.id;
      const one = { principalType: "Group", principalId: "platform", appRoleId };
      return { status: 200, body: { value: [one] } };
    };
    const { status, message } = await deployment.finding("writer", pipeline("Contributor"));
    expect(status).toBe("unknown");
    expect(message).toMatch(/only if it is a user in the group platform$/);
  });

  it.each(["owners", "roleDefinitions"])(
    "does not take a writer whose %s it may not read for one without rights",
    async (what) => {
      const writer = pipeline("Contributor");
      deployment.canned = ({ pathname }) => (pathname.includes(`/${what}`) ? REFUSED : undefined);
      expect((await deployment.finding("writer", writer)).status).toBe("unknown");
    },
  );
});
