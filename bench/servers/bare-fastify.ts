/** Fastify that parses the body and responds, without authentication. */
import fastify from "fastify";
import { listen } from "./serve.js";

const app = fastify({ bodyLimit: 2 ** 21 });
const types = ["application/cloudevents+json", "application/cloudevents-batch+json"];
app.addContentTypeParser(types, { parseAs: "string" }, (_, body, done) => {
  done(null, JSON.parse(String(body)));
});
app.post("/api/events", (_, reply) => {
  reply.code(200).send();
});
await listen(app);
