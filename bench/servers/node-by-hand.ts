/** A webhook written by hand with `node:http` and fast-jwt, which remembers verified tokens. */
import { createServer } from "node:http";
import { createVerifier, type DecodedJwt, TokenError } from "fast-jwt";
import { createRemoteJWKSet, exportSPKI } from "jose";
import { CLIENT, TENANT } from "../harness/issuer.js";
import { count, options, serve } from "./serve.js";

const { authorityHost } = options<{ authorityHost: string }>();
const keys = createRemoteJWKSet(new URL(`${authorityHost}/${TENANT}/keys`));
const verify = createVerifier({
  key: async ({ header }: DecodedJwt) =>
    exportSPKI(await keys({ ...header, alg: String(header.alg) })),
  cache: true,
  algorithms: ["RS256"],
  allowedIss: `${authorityHost}/${TENANT}/`,
  allowedAud: CLIENT,
});

serve(
  createServer(async (request, response) => {
    const respond = (status: number) => {
      response.writeHead(status, { "content-length": 0 }).end();
    };
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    try {
      const { roles } = await verify(token);
      if (!roles?.includes("AzureEventGridSecureWebhookSubscriber")) return respond(401);
    } catch (error) {
      if (error instanceof TokenError) return respond(401);
      throw error;
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.once("end", () => {
      const received = JSON.parse(Buffer.concat(chunks).toString());
      for (const event of Array.isArray(received) ? received : [received]) count(event.type);
      respond(200);
    });
  }),
);
