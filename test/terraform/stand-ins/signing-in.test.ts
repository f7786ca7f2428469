import { describe, expect, it } from "vitest";
import { credentials, signIn } from "../../stand-ins/src/cloud/account.js";
import { UNKNOWN } from "../../stand-ins/src/values/value.js";

const environment = {
  ARM_TENANT_ID: "t",
  ARM_CLIENT_ID: "c",
  ARM_CLIENT_SECRET: "s3cret",
  ARM_SUBSCRIPTION_ID: "s",
  ARM_METADATA_HOSTNAME: "localhost:1",
};
const polling = { intervalMs: 1, timeoutMs: 1 };

describe("the identity of a provider block", () => {
  it("comes from the environment by default", () => {
    expect(credentials({}, environment, { subscription: true })).toEqual({
      tenantId: "t",
      clientId: "c",
      clientSecret: "s3cret",
      subscriptionId: "s",
      metadataHost: "localhost:1",
    });
  });

  it("comes from the block if it has credentials", () => {
    const config = { client_id: "other", client_secret: "own", subscription_id: "s2" };
    expect(credentials(config, environment, { subscription: true })).toMatchObject({
      tenantId: "t",
      clientId: "other",
      clientSecret: "own",
      subscriptionId: "s2",
    });
  });

  it("is an error that names all missing and unknown values", () => {
    const config = { client_secret: UNKNOWN };
    expect(() => credentials(config, { ARM_TENANT_ID: "t" }, { subscription: true })).toThrow(
      "building account: a stand-in signs in to a local Azure with a client secret; missing: client_id (or ARM_CLIENT_ID), client_secret is not known yet, subscription_id (or ARM_SUBSCRIPTION_ID), metadata_host (or ARM_METADATA_HOSTNAME)",
    );
  });

  it("needs no subscription for Entra", () => {
    const { ARM_SUBSCRIPTION_ID: _, ...rest } = environment;
    expect(credentials({}, rest, { subscription: false })).toMatchObject({ subscriptionId: "" });
  });
});

describe("a cloud address", () => {
  it.each(["management.azure.com", "localhost.example.com:443", "10.0.0.1:8443"])(
    "is refused unless it is on this machine: %s",
    (host) => {
      const real = { ...environment, ARM_METADATA_HOSTNAME: host };
      expect(() => credentials({}, real, { subscription: true })).toThrow(
        `a stand-in acts on a local Azure only, and ${host} (ARM_METADATA_HOSTNAME) is not on this machine`,
      );
    },
  );

  it.each(["localhost:8443", "127.0.0.1:8443", "[::1]:8443"])(
    "is accepted on this machine: %s",
    (host) => {
      const local = { ...environment, ARM_METADATA_HOSTNAME: host };
      expect(credentials({}, local, { subscription: true }).metadataHost).toBe(host);
    },
  );
});

describe("an unreachable cloud", () => {
  it("is named in the error, without secrets", async () => {
    const given = credentials({}, environment, { subscription: true });
    await expect(signIn(given, {}, polling)).rejects.toThrow(
      /^retrieving environments from Azure MetaData service: .*ECONNREFUSED/,
    );
    await expect(signIn(given, {}, polling)).rejects.not.toThrow(/s3cret/);
  });
});
