import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { describeWith } from "../support/describe-with.js";
import { cloudEvent, startShop } from "./support/cloud.js";

const curl = async (...args: string[]) => (await promisify(execFile)("curl", args)).stdout;

describeWith("curl", "curl", () => {
  it("gets a token, reads the signing keys and publishes an event", async () => {
    const { cloud, webhook, topic } = await startShop();
    const { clientId } = cloud.applications.create({ displayName: "shop", secret: "s3cret" });
    const entra = `${cloud.authorityHost}/${cloud.tenantId}`;

    expect(JSON.parse(await curl(`${entra}/discovery/v2.0/keys`)).keys).toHaveLength(1);
    const fields = {
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: "s3cret",
      scope: "https://eventgrid.azure.net/.default",
    };
    const form = Object.entries(fields).flatMap(([name, value]) => ["-d", `${name}=${value}`]);
    const { access_token } = JSON.parse(await curl(...form, `${entra}/oauth2/v2.0/token`));

    for (const credential of [
      `authorization: Bearer ${access_token}`,
      `aeg-sas-key: ${topic.accessKey}`,
    ]) {
      const type = "content-type: application/cloudevents+json";
      const body = JSON.stringify(cloudEvent());
      const args = ["--fail", "-H", credential, "-H", type, "--data-binary", body];
      expect(await curl(...args, topic.endpoint)).toBe("");
    }
    await cloud.drain();
    expect(webhook.deliveries).toHaveLength(2);
  });
});
