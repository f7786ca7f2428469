import { ServiceError } from "../../errors.js";
import type { EndpointAnswer, EndpointClient } from "../delivery/endpoint-client.js";

/** What Event Grid of the public cloud calls itself. */
export const ORIGIN = "eventgrid.azure.net";

/** Deliveries per minute that Event Grid asks the webhook to allow. */
const REQUESTED_RATE = 120;

const PATIENCE_MS = 30_000;

/** One handshake, as `cloud.handshakes()` tells it. */
export interface Handshake {
  /** Name of the event subscription. */
  readonly subscription: string;
  /** The webhook's, without the query, which may hold a secret. */
  readonly url: string;
  /** Milliseconds since 1970, on the cloud's clock. */
  readonly at: number;
  /** HTTP status of the answer; `undefined` when there was none. */
  readonly status: number | undefined;
  /** Whether the webhook consented. */
  readonly succeeded: boolean;
  /** Why it did not. */
  readonly reason?: string;
}

/** Asks the webhook whether it wants deliveries, as the CloudEvents HTTP WebHook document has it. */
export async function shakeHands(
  client: EndpointClient,
  url: string,
): Promise<Pick<Handshake, "status" | "succeeded" | "reason">> {
  try {
    const answer = await client.send({
      method: "OPTIONS",
      url,
      headers: { "WebHook-Request-Origin": ORIGIN, "WebHook-Request-Rate": String(REQUESTED_RATE) },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const reason = refusalIn(answer);
    return { status: answer.status, succeeded: !reason, ...(reason ? { reason } : {}) };
  } catch (error) {
    return { status: undefined, succeeded: false, reason: unreachable(error) };
  }
}

/** The error that whoever writes the subscription gets to see. */
export function handshakeError(url: string, reason: string): ServiceError {
  return new ServiceError(
    400,
    "Url validation",
    `Webhook validation handshake failed for ${withoutQuery(url)}. ${reason} For troubleshooting, visit https://aka.ms/esvalidationcloudevent.`,
  );
}

function refusalIn({ status, headers }: EndpointAnswer): string | undefined {
  if (status < 200 || status > 204 || status === 202) {
    return `Http OPTIONS request failed with response code ${status}.`;
  }
  const allowed = headers["webhook-allowed-origin"];
  if (allowed === undefined) {
    return "The answer to the Http OPTIONS request has no WebHook-Allowed-Origin header.";
  }
  const origins = String(allowed)
    .split(",")
    .map((origin) => origin.trim().toLowerCase());
  return origins.includes("*") || origins.includes(ORIGIN)
    ? undefined
    : `The answer to the Http OPTIONS request allows the origin '${allowed}' and not ${ORIGIN}.`;
}

function unreachable(error: unknown): string {
  const detail = error instanceof Error ? error.message || error.name : String(error);
  return `Http OPTIONS request failed with response code Unknown (${detail}).`;
}

/** The query may hold a secret. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, "");
}
