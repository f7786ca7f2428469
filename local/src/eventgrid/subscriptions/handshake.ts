import { ServiceError } from "../../base/index.js";
import type { EndpointAnswer, EndpointClient } from "../../network/index.js";

/** The origin that Event Grid of the public cloud names. */
export const ORIGIN = "eventgrid.azure.net";

/** Deliveries per minute that Event Grid asks the webhook to allow. */
const REQUESTED_RATE = 120;

const TIMEOUT_MS = 30_000;

/** A handshake, as `cloud.handshakes()` reports it. */
export interface Handshake {
  /** Name of the event subscription. */
  readonly subscription: string;
  /** Resource ID of the event subscription. */
  readonly subscriptionId: string;
  /** The webhook's URL without its query, which may contain a secret. */
  readonly url: string;
  /** Milliseconds since 1970, on the cloud's clock. */
  readonly at: number;
  /** HTTP status of the response; `undefined` without a response. */
  readonly status: number | undefined;
  /** Whether the webhook allowed deliveries. */
  readonly succeeded: boolean;
  /** Why the handshake failed. */
  readonly reason?: string;
}

/**
 * Asks the webhook for permission to deliver.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/http-webhook.md#4-abuse-protection
 */
export async function shakeHands(
  client: EndpointClient,
  url: string,
): Promise<Pick<Handshake, "status" | "succeeded" | "reason">> {
  try {
    const answer = await client.send({
      method: "OPTIONS",
      url,
      headers: { "WebHook-Request-Origin": ORIGIN, "WebHook-Request-Rate": String(REQUESTED_RATE) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const reason = refusalIn(answer);
    return { status: answer.status, succeeded: !reason, ...(reason ? { reason } : {}) };
  } catch (error) {
    return { status: undefined, succeeded: false, reason: unreachable(error) };
  }
}

/** The error for the writer of the subscription. */
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
    return "The response to the Http OPTIONS request has no WebHook-Allowed-Origin header.";
  }
  const origins = String(allowed)
    .split(",")
    .map((origin) => origin.trim().toLowerCase());
  return origins.includes("*") || origins.includes(ORIGIN)
    ? undefined
    : `The response to the Http OPTIONS request allows the origin '${allowed}' instead of ${ORIGIN}.`;
}

function unreachable(error: unknown): string {
  const detail = error instanceof Error ? error.message || error.name : String(error);
  return `Http OPTIONS request failed with response code Unknown (${detail}).`;
}

/** Leaves out the query, which may contain a secret. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, "");
}
