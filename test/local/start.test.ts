import { connect } from "node:net";
import { LocalCloud } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { startCloud, startShop } from "./support/cloud.js";

describe("starting", () => {
  it("takes free ports, so that many run side by side", async () => {
    const clouds = await Promise.all(Array.from({ length: 5 }, () => startCloud()));
    expect(new Set(clouds.map(({ httpOrigin }) => httpOrigin)).size).toBe(5);
  });

  it("says when the port is taken", async () => {
    const first = await startCloud();
    const port = Number(new URL(first.httpOrigin).port);
    await expect(LocalCloud.start({ port })).rejects.toMatchObject({
      code: "ERR_PORT_IN_USE",
      message: `Port ${port} of 127.0.0.1 is taken. Is another local Azure running? Port 0 takes a free one.`,
    });
  });

  it.each([
    [65_536, "65536"],
    [-1, "-1"],
    [80.5, "80.5"],
    [Number.NaN, "NaN"],
  ])("says that %d is no port, for HTTP and HTTPS", async (port, shown) => {
    const refusal = {
      name: "LocalCloudError",
      code: "ERR_PORT",
      message: `A port must be a whole number from 0 to 65535, not ${shown}. Port 0 takes a free one.`,
    };
    await expect(LocalCloud.start({ port })).rejects.toMatchObject(refusal);
    await expect(LocalCloud.start({ control: { httpsPort: port } })).rejects.toMatchObject(refusal);
  });

  it("answers 404 in Azure's words where nothing is", async () => {
    const { httpOrigin } = await startCloud();
    const response = await fetch(`${httpOrigin}/nothing`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: "NotFound" } });
  });
});

describe("a request with a host that is none", () => {
  it("is answered all the same", async () => {
    const { httpOrigin, tenantId } = await startCloud();
    const path = `/${tenantId}/.well-known/openid-configuration`;
    const { port } = new URL(httpOrigin);
    const socket = connect(Number(port), "127.0.0.1");
    socket.end(`GET ${path} HTTP/1.1\r\nHost: a b:c\r\nConnection: close\r\n\r\n`);
    let answer = "";
    for await (const chunk of socket) answer += chunk;
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("stopping", () => {
  it("comes with the end of the block that used it", async () => {
    let origin = "";
    {
      await using cloud = await LocalCloud.start();
      origin = cloud.httpOrigin;
      expect((await fetch(`${origin}/${cloud.tenantId}/discovery/keys`)).status).toBe(200);
    }
    await expect(fetch(origin)).rejects.toThrow();
  });

  it("ends retries and connections", async () => {
    const { cloud, webhook, publish } = await startShop({ clock: { scale: 1000 } });
    webhook.answerDeliveries(() => 500);
    await publish();
    await cloud.stop();
    await expect(fetch(cloud.httpOrigin)).rejects.toThrow();
    // Nothing is left to wait for, although the webhook never took the event.
    await cloud.drain();
  });
});
