/** A webhook written by hand with express, jsonwebtoken, jwks-rsa and the cloudevents SDK. */

import { createServer } from "node:http";
import { type CloudEventV1, HTTP } from "cloudevents";
import express from "express";
import jwt, { type GetPublicKeyOrSecret } from "jsonwebtoken";
import jwksClient from "jwks-rsa";
import { CLIENT, TENANT } from "../harness/issuer.js";
import { count, options, serve } from "./serve.js";

const { authorityHost } = options<{ authorityHost: string }>();
const client = jwksClient({ jwksUri: `${authorityHost}/${TENANT}/keys`, cache: true });
const findKey: GetPublicKeyOrSecret = (header, done) => {
  client.getSigningKey(header.kid).then(
    (key) => done(null, key.getPublicKey()),
    (error) => done(error),
  );
};
const types = ["application/cloudevents+json", "application/cloudevents-batch+json"];
const app = express();
app.disable("x-powered-by");
app.post(
  "/api/events",
  (request, response, next) => {
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    const rules = {
      issuer: `${authorityHost}/${TENANT}/`,
      audience: CLIENT,
      algorithms: ["RS256" as const],
    };
    jwt.verify(token, findKey, rules, (error, claims) => {
      const roles: unknown = typeof claims === "object" ? claims.roles : undefined;
      const isAllowed =
        Array.isArray(roles) && roles.includes("AzureEventGridSecureWebhookSubscriber");
      if (error || !isAllowed) response.sendStatus(401);
      else next();
    });
  },
  express.text({ type: types, limit: "2mb" }),
  (request, response) => {
    const received = HTTP.toEvent({ headers: request.headers, body: request.body });
    const events: CloudEventV1<unknown>[] = Array.isArray(received) ? received : [received];
    for (const event of events) count(event.type);
    response.sendStatus(200);
  },
);
serve(createServer(app));
