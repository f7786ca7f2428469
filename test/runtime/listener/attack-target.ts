import { createListener, type Listener } from "cloud-eventgrid-binding-runtime";
import { afterAll, beforeAll, expect } from "vitest";
import { TestIssuer } from "../../support/issuer.js";
import { exchange, type RawResponse } from "../../support/raw-http.js";
import { anEvent, bindingFor } from "./service.js";

/**
 * The target of the attack suites: a listener, and its issuer. No hostile request may reach the
 * handler, get an unexpected error, or get a response with internal details.
 */
export interface Target {
  readonly issuer: TestIssuer;
  readonly port: number;
}

export const PATH = "/api/events";
const handled: unknown[] = [];
let current: (Target & { readonly listener: Listener }) | undefined;

/** One listener for all attacks of a file. It must work normally after each of them. */
export function attacked(): () => Target {
  beforeAll(async () => {
    const issuer = await TestIssuer.start();
    const listener = createListener(bindingFor(issuer), {
      on: { "*": (event) => void handled.push(event) },
      logger: false,
      port: 0,
      host: "127.0.0.1",
      drainLagMs: 0,
    });
    const { port } = await listener.listen();
    current = { issuer, port, listener };
  });
  afterAll(async () => {
    await current?.listener.close();
    await current?.issuer.stop();
  });
  return target;
}

function target(): Target {
  if (current === undefined) throw new Error("there is nothing to attack yet");
  return current;
}

export function post(
  body: string | Uint8Array,
  {
    authorization = [] as string[],
    headers = [] as string[],
    type = "application/cloudevents+json",
  } = {},
): (string | Uint8Array)[] {
  const lines = [
    `POST ${PATH} HTTP/1.1`,
    "Host: orders.example.com",
    ...(type === "" ? [] : [`Content-Type: ${type}`]),
    ...authorization.map((value) => `Authorization: ${value}`),
    ...headers,
    ...(headers.some((line) => /^(content-length|transfer-encoding):/i.test(line))
      ? []
      : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return [`${lines.join("\r\n")}\r\n\r\n`, body];
}

/** The events that the handler has received since the last request. */
export const takeHandled = (): unknown[] => handled.splice(0);

export const event = () => JSON.stringify(anEvent());
export const withToken = (token: string) => post(event(), { authorization: [`Bearer ${token}`] });

export async function expectHarmless(
  response: RawResponse,
  status: number | number[],
): Promise<void> {
  expect([status].flat()).toContain(response.status);
  expect(handled).toEqual([]);
  expect(response.body).not.toMatch(/at |\.ts|\.js|node:|stack|undefined|Error:/);
  const { issuer, port } = target();
  const good = await exchange(port, withToken(await issuer.token()));
  expect(good.status).toBe(200);
  expect(handled).toHaveLength(1);
  handled.length = 0;
}
