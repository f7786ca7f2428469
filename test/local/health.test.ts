import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:tls";
import { LocalCloud } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { startCloud } from "./support/cloud.js";

describe("health checks", () => {
  it("answers /health and /ready without a token", async () => {
    const cloud = await startCloud();
    const health = await fetch(`${cloud.httpOrigin}/health`);
    expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
    const ready = await fetch(`${cloud.httpOrigin}/ready`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: "ready" }]);
  });
});

describe("a cloud that other machines reach", () => {
  it("has its first host name in URLs and all of them in the certificate", async () => {
    const cloud = await startCloud({
      host: "0.0.0.0",
      hostNames: ["eventgrid", "eventgrid.shop.test"],
      control: true,
    });
    const topic = cloud.topics.create({ name: "orders" });
    expect(topic.endpoint).toMatch(/^http:\/\/eventgrid:\d+\/orders/);
    expect(cloud.authorityHost).toMatch(/^http:\/\/eventgrid:\d+$/);
    expect(cloud.control.origin).toMatch(/^https:\/\/eventgrid:\d+$/);
    expect(cloud.dashboardUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=/);
    const socket = connect({
      port: Number(new URL(cloud.control.origin).port),
      ca: readFileSync(cloud.control.certificates.certificateFile),
    });
    await once(socket, "secureConnect");
    expect(socket.getPeerCertificate().subjectaltname?.split(", ")).toEqual(
      expect.arrayContaining(["DNS:localhost", "DNS:eventgrid", "DNS:eventgrid.shop.test"]),
    );
    socket.destroy();
    expect(cloud.proxyEnvironment().NO_PROXY).toBe(
      "localhost,127.0.0.1,eventgrid,eventgrid.shop.test",
    );
  });

  it("needs the token for every command below /local/", async () => {
    const cloud = await startCloud({ host: "0.0.0.0", dashboardToken: "secret" });
    const deliveries = `${cloud.httpOrigin}/local/deliveries`;
    expect((await fetch(deliveries)).status).toBe(401);
    const authorization = "Bearer secret";
    expect((await fetch(deliveries, { headers: { authorization } })).status).toBe(200);
  });

  it("refuses to run without a token", async () => {
    await expect(
      LocalCloud.start({ host: "0.0.0.0", dashboardToken: false }),
    ).rejects.toMatchObject({ code: "ERR_OPTIONS" });
  });

  it("says that the machine lacks the address", async () => {
    await expect(LocalCloud.start({ host: "203.0.113.7" })).rejects.toMatchObject({
      code: "ERR_HOST",
    });
  });
});
