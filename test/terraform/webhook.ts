import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A webhook on this machine that can be up, down and up again. */
export interface Webhook {
  /** The target of the ingress. */
  readonly origin: string;
  /** Its answer to a handshake: 200 with consent, an error status without consent, or no answer. */
  status: number | "silence";
  /** The paths of the handshakes, the latest last. */
  readonly handshakes: string[];
  stop(): Promise<void>;
}

export async function startWebhook(): Promise<Webhook> {
  const handshakes: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === "OPTIONS") handshakes.push(request.url ?? "");
    if (webhook.status === "silence") return;
    const consent =
      webhook.status === 200
        ? { "webhook-allowed-origin": "*", "webhook-allowed-rate": "*", allow: "POST" }
        : {};
    response.writeHead(webhook.status, consent).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const webhook: Webhook = {
    origin: `http://127.0.0.1:${port}`,
    status: 200,
    handshakes,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return webhook;
}
