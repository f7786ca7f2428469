/** A webhook written by hand with fastify, jose and the SDK's deserializer. */
import { EventGridDeserializer } from "@azure/eventgrid";
import fastify from "fastify";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { CLIENT, TENANT } from "../harness/issuer.js";
import { count, listen, options } from "./serve.js";

const { authorityHost } = options<{ authorityHost: string }>();
const keys = createRemoteJWKSet(new URL(`${authorityHost}/${TENANT}/keys`));
const deserializer = new EventGridDeserializer();
const app = fastify({ bodyLimit: 2 ** 21 });
const types = ["application/cloudevents+json", "application/cloudevents-batch+json"];
app.addContentTypeParser(types, { parseAs: "string" }, (_, body, done) => done(null, body));
app.post<{ Body: string }>("/api/events", async (request, reply) => {
  try {
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    const { payload } = await jwtVerify(token, keys, {
      issuer: `${authorityHost}/${TENANT}/`,
      audience: CLIENT,
      algorithms: ["RS256"],
    });
    const roles: unknown = payload.roles;
    if (!Array.isArray(roles) || !roles.includes("AzureEventGridSecureWebhookSubscriber")) {
      return reply.code(401).send();
    }
  } catch {
    return reply.code(401).send();
  }
  for (const event of await deserializer.deserializeCloudEvents(request.body)) count(event.type);
  return reply.code(200).send();
});
await listen(app);
