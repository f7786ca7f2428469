import { expect, test } from "vitest";
import { Directory } from "../../../local/src/directory/index.js";

const tenantId = "11111111-1111-4111-8111-111111111111";

test("a secret is expired after its end date", () => {
  let now = Date.parse("2026-01-01T00:00:00Z");
  const tenant = new Directory({ now: () => now }).createTenant({ tenantId });
  const application = tenant.applications.create({ displayName: "app" });
  const { secretText } = application.passwords.add({ endDateTime: "2026-02-01T00:00:00Z" });
  expect(tenant.checkSecret(application.clientId, secretText)).toBe("valid");

  now = Date.parse("2026-02-01T00:00:00Z");

  expect(tenant.checkSecret(application.clientId, secretText)).toBe("expired");
});

test("only the first characters of a secret are listed", () => {
  const tenant = new Directory().createTenant({ tenantId });
  const application = tenant.applications.create({ displayName: "app", secret: "abcdefgh" });

  expect(application.passwords.list()).toMatchObject([{ hint: "abc" }]);
  expect(JSON.stringify(application.passwords.list())).not.toContain("abcdefgh");
});

test("a secret that was added twice is valid until the later end", () => {
  const tenant = new Directory({ now: () => 1_000 }).createTenant({ tenantId });
  const application = tenant.applications.create({ displayName: "app" });
  for (const end of [2_000, 1_000]) {
    const endDateTime = new Date(end).toISOString();
    application.passwords.add({ secret: "twice", endDateTime });
  }
  expect(tenant.checkSecret(application.clientId, "twice")).toBe("valid");
});
