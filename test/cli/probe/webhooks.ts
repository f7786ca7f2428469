import { generateKeyPairSync, type KeyObject, randomInt } from "node:crypto";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer } from "node:https";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net";
import { createCertificate } from "../../../local/src/tls/certificate.js";

/** A web server that a test runs on this machine. */
export interface Webhook {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

interface Identity {
  readonly commonName: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const DAY = 86_400_000;

function identity(commonName: string): Identity {
  return { commonName, ...generateKeyPairSync("ec", { namedCurve: "P-256" }) };
}

/** The validity of a certificate, in days from now. */
type Validity = readonly [from: number, to: number];

function certificate(
  subject: Identity,
  issuer: Identity,
  hosts: readonly string[] | undefined,
  [from, to]: Validity = [-1, 30],
): string {
  const notBefore = new Date(Date.now() + from * DAY);
  const notAfter = new Date(Date.now() + to * DAY);
  const { commonName, publicKey } = subject;
  const request = { commonName, publicKey, notBefore, notAfter, ...(hosts && { hosts }) };
  return createCertificate(request, issuer);
}

const authority = identity("authority of these tests");
const server = identity("webhook");

/** Certificate of the authority that the tests trust. */
export const ca = certificate(authority, authority, undefined);

/** A server's certificate and key, signed by the authority of the tests. */
export function trusted(hosts: readonly string[], validity?: Validity) {
  return { cert: certificate(server, authority, hosts, validity), key: pem(server) };
}

/** A server's certificate and key, signed by the server itself. */
export function selfSigned(hosts: readonly string[]) {
  return { cert: certificate(server, server, hosts), key: pem(server) };
}

function pem({ privateKey }: Identity): string {
  return privateKey.export({ format: "pem", type: "pkcs8" }).toString();
}

/** Serves HTTPS with a certificate. */
export function serveHttps(
  handler: RequestListener,
  tls: { cert: string; key: string } = trusted(["localhost"]),
): Promise<Webhook> {
  return listen(createServer(tls, handler));
}

/** Serves plain HTTP. */
export function serveHttp(handler: RequestListener): Promise<Webhook> {
  return listen(createHttpServer(handler));
}

/** Accepts connections and passes each to the test. */
export function serveSockets(take: (socket: Socket) => void): Promise<Webhook> {
  return listen(createTcpServer(take));
}

/** Accepts connections and never responds. */
export function serveSilence(): Promise<Webhook> {
  return serveSockets((socket) => socket.on("error", () => socket.destroy()));
}

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    // Below the ports that systems give out by themselves: another server might get one of those
    // before the test uses it.
    const port = randomInt(20_000, 32_000);
    const server = createTcpServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "localhost", () => resolve(true));
    });
    server.close();
    if (isFree) return port;
  }
}

async function listen(listener: Server): Promise<Webhook> {
  const sockets = new Set<{ destroy(): void }>();
  listener.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => listener.listen(0, "localhost", resolve));
  const { port } = listener.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      listener.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { port, stop };
}
