import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import {
  answerHealth,
  cannotListen,
  environmentProxy,
  withRemedy,
} from "../../runtime/src/network.js";

const failed = (message: string, code?: string) => Object.assign(new Error(message), { code });

it.each([
  [failed("no", "EADDRINUSE"), /^the port is in use: stop the other server or /],
  [failed("no", "EACCES"), /^this user may not bind the port: choose one from 1024 on$/],
  [failed("no", "EADDRNOTAVAIL"), /^this machine does not have that address: check `host`$/],
  [failed("no", "ENOTFOUND"), /^the host name has no address: check `host`$/],
  [failed("no", "EOTHER"), /^no$/],
  ["closed", /^closed$/],
])("an address that cannot be listened on is named with the reason: %s", (cause, reason) => {
  const [, why] = cannotListen("::1", 80, cause).split("cannot listen on ::1:80: ");
  expect(why).toMatch(reason);
});

it.each([
  ["ERR_SSL_WRONG_VERSION_NUMBER", /^the server does not speak TLS: check the protocol and /],
  ["ERR_SSL_PACKET_LENGTH_TOO_LONG", /^the server does not speak TLS: check the protocol and /],
  ["ECONNREFUSED", /^no: no server listens there, so start it or correct host and port$/],
  ["SELF_SIGNED_CERT_IN_CHAIN", /^no: name its certificate authority in NODE_EXTRA_CA_CERTS$/],
  ["CERT_HAS_EXPIRED", /^no$/],
])("a connection that failed with %s has its remedy", (code, message) => {
  expect(withRemedy("no", code)).toMatch(message);
});

it.each([
  ["GET", "/healthz", 200, "ok"],
  ["GET", "/healthz?from=probe", 200, "ok"],
  ["GET", "/readyz", 503, "unavailable"],
  ["HEAD", "/readyz", 503, undefined],
  ["HEAD", "/healthz", 200, undefined],
  ["POST", "/healthz", 404, undefined],
  ["GET", "/", 404, undefined],
])("%s %s of a service that lives and is not ready is %i", async (method, path, status, said) => {
  const server = createServer((request, response) => {
    const health = { isReady: () => false, isStuck: () => false };
    if (!answerHealth(request, response, health)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
  const text = await answer.text();
  expect([answer.status, text && JSON.parse(text).status]).toEqual([status, said ?? ""]);
  const json = status === 404 ? null : "application/json; charset=utf-8";
  expect(answer.headers.get("content-type")).toBe(json);
});

it("the proxy for https comes before that for http, and lower case before upper case", () => {
  const env: Record<string, string> = {};
  const found = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"].map((name, index) => {
    env[name] = `proxy-${index}`;
    return environmentProxy(env)?.href;
  });
  expect(found).toEqual([0, 1, 2, 3].map((index) => `http://proxy-${index}/`));
  expect(environmentProxy({ HTTPS_PROXY: " " })).toBeUndefined();
});

it.each([
  ["", " https://p:8443/ ", "https://p:8443/"],
  ["user:hush@p:1", "", "http://user:hush@p:1/"],
])(
  "a proxy may lack its scheme, as for curl, and an empty variable counts as none",
  (HTTPS_PROXY, HTTP_PROXY, href) => {
    expect(environmentProxy({ HTTPS_PROXY, HTTP_PROXY })?.href).toBe(href);
  },
);
