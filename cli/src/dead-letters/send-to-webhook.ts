import { eventsUrl } from "cloud-eventgrid-binding-runtime/internal";
import { optionalPeer } from "../optional-peer.js";
import { type Terminal, UsageError } from "../terminal/index.js";
import { cloudEventOf, type DeadLetter } from "./dead-letter.js";
import type { ReplayFailure, Sender, SendOutcome } from "./replay.js";

/** How to reach the webhook. */
export interface WebhookFlags {
  /** Its URL. */
  readonly webhook?: string;
  /** Client ID of its application, which the token is for. */
  readonly webhookApplication?: string;
  /** Environment variable with a token, instead of a sign-in. */
  readonly tokenEnv?: string;
}

/** The longest that Event Grid waits for an answer, too. */
const TIMEOUT_MS = 30_000;

/** The webhook that the options name. @throws {UsageError} when they are incomplete */
export function readWebhook(flags: WebhookFlags, { env }: Terminal) {
  const { webhook = "", webhookApplication, tokenEnv } = flags;
  const url = URL.canParse(webhook) ? eventsUrl(webhook) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      "--webhook must be the webhook's URL, such as https://orders.example.com/api/events",
    );
  }
  if ((webhookApplication === undefined) === (tokenEnv === undefined)) {
    throw new UsageError(
      "--webhook needs --webhook-application <client id> or --token-env <variable>",
    );
  }
  const given = tokenEnv === undefined ? undefined : env[tokenEnv];
  if (tokenEnv !== undefined && !given) throw new UsageError(`${tokenEnv} is not set`);
  return {
    endpoint: `${url.origin}${url.pathname}`,
    open: async (): Promise<Sender> => {
      if (given !== undefined) return webhookSender(url, () => Promise.resolve(given));
      const { DefaultAzureCredential } = await optionalPeer(
        "@azure/identity",
        () => import("@azure/identity"),
      );
      const credential = new DefaultAzureCredential();
      const scope = `${webhookApplication}/.default`;
      return webhookSender(url, async () => (await credential.getToken(scope)).token);
    },
  };
}

/** Delivers the events of dead letters to a webhook, one by one as Event Grid does. */
function webhookSender(url: URL, token: () => Promise<string>): Sender {
  async function deliver(
    letter: DeadLetter,
  ): Promise<{ failure?: ReplayFailure; stopped?: string }> {
    const event = cloudEventOf(letter) ?? letter.event;
    let status: number;
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/cloudevents+json; charset=utf-8",
          authorization: `Bearer ${await token()}`,
          "aeg-event-type": "Notification",
          "aeg-subscription-name": letter.subscription,
        },
        body: JSON.stringify(event),
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      status = response.status;
    } catch (error) {
      const { message, cause } = error as Error;
      const stopped = `the webhook cannot be reached: ${cause instanceof Error ? cause.message : message}`;
      return { failure: { letter, reason: stopped }, stopped };
    }
    if (status >= 200 && status <= 204) return {};
    const reason = `the webhook answered ${status}`;
    const failure = { letter, reason };
    if (status !== 401 && status !== 403) return { failure };
    return {
      failure,
      stopped: `${reason}: does the listener accept your application (authentication.callers), and has it the app role?`,
    };
  }

  return {
    async send(letters): Promise<SendOutcome> {
      const accepted: DeadLetter[] = [];
      const failures: ReplayFailure[] = [];
      for (const letter of letters) {
        const { failure, stopped } = await deliver(letter);
        if (failure === undefined) accepted.push(letter);
        else failures.push(failure);
        if (stopped !== undefined) return { accepted, failures, stopped };
      }
      return { accepted, failures };
    },
    close: () => Promise.resolve(),
  };
}
