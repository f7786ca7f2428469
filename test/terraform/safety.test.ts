import { describe, expect, it } from "vitest";
import { signIn } from "../stand-ins/src/cloud/account.js";
import { terraformEnvironment } from "../stand-ins/src/terraform/environment.js";

const environment = {
  ARM_TENANT_ID: "t",
  ARM_CLIENT_ID: "c",
  ARM_CLIENT_SECRET: "s3cret",
  ARM_SUBSCRIPTION_ID: "s",
};

describe("a stand-in", () => {
  it.each(["management.azure.com", "localhost.example.com:443", "10.0.0.1:8443"])(
    "refuses a cloud that is not on this machine: %s",
    async (host) => {
      const real = { ...environment, ARM_METADATA_HOSTNAME: host };
      await expect(signIn({}, real, new AbortController().signal)).rejects.toThrow(
        `a stand-in acts on a local Azure only, and ${host} is not on this machine`,
      );
    },
  );
});

describe("the environment of Terraform in tests", () => {
  it("contains no credentials and no settings of the user", () => {
    const own = { PATH: "/bin", ARM_CLIENT_ID: "real", TF_LOG: "trace", SSL_CERT_FILE: "/x" };
    const variables = terraformEnvironment({ ARM_CLIENT_ID: "local" }, own);
    expect(variables).toMatchObject({ ARM_CLIENT_ID: "local", PATH: "/bin" });
    expect(variables).not.toHaveProperty("TF_LOG");
    expect(variables).not.toHaveProperty("SSL_CERT_FILE");
  });
});
