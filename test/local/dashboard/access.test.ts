import { request } from "node:http";
import type { LocalCloud } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { commands } from "../../../local/src/commands/index.js";
import { startCloud, startShop } from "../support/cloud.js";

/** A request with headers that `fetch` would not send. */
function send(
  cloud: LocalCloud,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; text: string }> {
  return new Promise((resolve, reject) => {
    request(`${cloud.httpOrigin}${path}`, { method, headers }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode, headers: response.headers, text });
    })
      .on("error", reject)
      .end();
  });
}

const html = { accept: "text/html,application/xhtml+xml" };

describe("the dashboard", () => {
  it("moves the token from the URL into a cookie that scripts cannot read", async () => {
    const cloud = await startCloud({ dashboardToken: "secret" });
    const opened = await send(cloud, "/?token=secret", html);
    expect(opened.status).toBe(302);
    expect(opened.headers.location).toBe("/");
    const cookie = String(opened.headers["set-cookie"]);
    expect(cookie).toContain("HttpOnly; SameSite=Lax");
    const page = await send(cloud, "/", { ...html, cookie: cookie.split(";")[0] ?? "" });
    expect(page.status).toBe(200);
    expect(page.text).toContain("/dashboard/app.js");
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
  });

  it("asks a browser for the token", async () => {
    const cloud = await startCloud({ dashboardToken: "secret" });
    const page = await send(cloud, "/?token=wrong", html);
    expect(page.status).toBe(401);
    expect(page.text).toContain("needs its token");
  });

  it("refuses the commands of its own, which show keys and events, without the token", async () => {
    const cloud = await startCloud({ dashboardToken: "secret" });
    const own = Object.entries<{ help?: string }>(commands).filter(([, row]) => !row.help);
    for (const [command] of own) {
      const [method, name] = command.split(" ");
      expect((await send(cloud, `/local/${name}`, {}, method)).status, command).toBe(401);
    }
    const bearer = { authorization: "Bearer secret" };
    expect((await send(cloud, "/local/resources", bearer)).status).toBe(200);
  });

  it("needs no token if the cloud was started without one", async () => {
    const cloud = await startCloud({ dashboardToken: false });
    expect(cloud.dashboardUrl).toBe(`${cloud.httpOrigin}/`);
    expect((await send(cloud, "/local/resources")).status).toBe(200);
  });

  it("refuses a name that a foreign page may have rebound to this machine", async () => {
    const cloud = await startCloud({ dashboardToken: false });
    const { port } = new URL(cloud.httpOrigin);
    const host = (name: string) => send(cloud, "/local/resources", { host: `${name}:${port}` });
    expect((await host("attacker.example.com")).status).toBe(403);
    for (const name of ["localhost", "127.0.0.1", "[::1]", "eventgrid", "app.localhost"]) {
      expect((await host(name)).status, name).toBe(200);
    }
  });

  it("refuses requests that pages of other origins send", async () => {
    const cloud = await startCloud({ dashboardToken: false });
    const foreign = { origin: "https://attacker.example.com" };
    expect((await send(cloud, "/local/deliveries", foreign)).status).toBe(403);
    expect((await send(cloud, "/local/faults", foreign, "DELETE")).status).toBe(403);
    const own = { origin: cloud.httpOrigin };
    expect((await send(cloud, "/local/deliveries", own)).status).toBe(200);
    expect((await send(cloud, "/local/deliveries", own)).headers).not.toHaveProperty(
      "access-control-allow-origin",
    );
  });
});

describe("the live stream", () => {
  it("sends what has happened, then what happens, and resumes after the last row", async () => {
    const { cloud, publish } = await startShop({ clock: "real", dashboardToken: false });
    await publish({ id: "1" });
    await cloud.drain();
    const outcomes = await firstRows(`${cloud.httpOrigin}/local/live`);
    expect(outcomes).toEqual(["handshakeSucceeded", "accepted", "delivered"]);
    expect(await firstRows(`${cloud.httpOrigin}/local/live?after=2`)).toEqual(["delivered"]);
  });
});

async function firstRows(url: string): Promise<string[]> {
  const abort = new AbortController();
  const response = await fetch(url, { signal: abort.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = (await reader?.read()) ?? {};
  abort.abort();
  const { rows }: { rows: { outcome: string }[] } = JSON.parse(
    /^data: (.*)$/m.exec(value)?.[1] ?? "",
  );
  return rows.map(({ outcome }) => outcome);
}
