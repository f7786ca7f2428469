import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { answering, at, probe } from "./probing.js";
import { serveHttps } from "./webhooks.js";

/** A webhook that repeats the code of a validation event. */
function validating(status = 200) {
  return async (request: IncomingMessage, response: ServerResponse) => {
    const isValidation = request.headers["aeg-event-type"] === "SubscriptionValidation";
    if (request.method !== "POST" || !isValidation) return void response.writeHead(404).end();
    const [event] = (await json(request)) as { data: { validationCode: string } }[];
    const body = { validationResponse: event?.data.validationCode };
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
}

describe("a probe with --schema eventgrid", () => {
  it("exits with 0 when the webhook repeats the code, and warns that it asks for no token", async () => {
    const url = await at(serveHttps(validating()));
    const { exitCode, out } = await probe(url, "--schema", "eventgrid");
    expect(exitCode).toBe(0);
    expect(out).toContain(`${url}: consent\n`);
    expect(out).toContain("Note: The webhook asks for no token: anyone may deliver to it.\n");
  });

  it("exits with 0 when the webhook asks for a token", async () => {
    const url = await at(serveHttps(answering(401, { "www-authenticate": "Bearer" })));
    const { exitCode, out } = await probe(url, "--schema", "eventgrid");
    expect(exitCode).toBe(0);
    expect(out).toContain(`${url}: token-required\n`);
  });

  it("exits with 24 without the code, and with a status that Event Grid refuses", async () => {
    const silent = await at(serveHttps(answering(200)));
    expect((await probe(silent, "--schema", "eventgrid")).exitCode).toBe(24);
    const accepted = await at(serveHttps(validating(202)));
    expect((await probe(accepted, "--schema", "eventgrid")).exitCode).toBe(24);
  });
});
