import { createHttpHeaders, createPipelineRequest, type Pipeline } from "@azure/core-rest-pipeline";
import { eventsUrl, isLoopback } from "cloud-eventgrid-binding-runtime/internal";
import { httpClient, retryingPipeline, type TransportDependencies } from "../azure/index.js";
import { loadIdentity } from "../optional-peer.js";
import { shownUrl, type Terminal, UsageError } from "../terminal/index.js";
import { cloudEventOf, type DeadLetter } from "./dead-letter.js";
import type { ReplayFailure, Sender, SendOutcome } from "./replay.js";

export interface WebhookFlags {
  readonly webhook?: string;
  /** Client ID of its application, which the token is for. */
  readonly webhookApplication?: string;
  /** Environment variable with a token, instead of a sign-in. */
  readonly tokenEnv?: string;
}

/** Dependencies of the requests that tests replace. */
export type WebhookDependencies = Pick<TransportDependencies, "retryDelayMs">;

/** The webhook that the options name. @throws {UsageError} when they are incomplete */
export function readWebhook(
  flags: WebhookFlags,
  { env }: Terminal,
  dependencies: WebhookDependencies,
) {
  const { webhook = "", webhookApplication, tokenEnv } = flags;
  const url = URL.canParse(webhook) ? eventsUrl(webhook) : undefined;
  const isSecure = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url));
  if (url === undefined || !isSecure) {
    throw new UsageError(
      "--webhook must be the webhook's https URL, such as https://orders.example.com/api/events",
    );
  }
  if ((webhookApplication === undefined) === (tokenEnv === undefined)) {
    throw new UsageError(
      "--webhook needs --webhook-application <client id> or --token-env <variable>",
    );
  }
  const given = tokenEnv === undefined ? undefined : env[tokenEnv];
  if (tokenEnv !== undefined && !given) throw new UsageError(`${tokenEnv} is not set`);
  const pipeline = retryingPipeline(url, env, dependencies);
  return {
    endpoint: shownUrl(url),
    open: async (): Promise<Sender> => {
      if (given !== undefined) return webhookSender(url, pipeline, () => Promise.resolve(given));
      const { DefaultAzureCredential } = await loadIdentity();
      const credential = new DefaultAzureCredential();
      const scope = `${webhookApplication}/.default`;
      return webhookSender(url, pipeline, async () => (await credential.getToken(scope)).token);
    },
  };
}

/** Delivers the events of dead letters to a webhook, one by one as Event Grid does. */
function webhookSender(url: URL, pipeline: Pipeline, token: () => Promise<string>): Sender {
  const client = httpClient();
  async function deliver(
    letter: DeadLetter,
  ): Promise<{ failure?: ReplayFailure; stopped?: string }> {
    const event = cloudEventOf(letter) ?? letter.event;
    let status: number;
    try {
      const request = createPipelineRequest({
        method: "POST",
        url: url.href,
        headers: createHttpHeaders({
          "content-type": "application/cloudevents+json; charset=utf-8",
          authorization: `Bearer ${await token()}`,
          "aeg-event-type": "Notification",
          "aeg-subscription-name": letter.subscription,
        }),
        body: JSON.stringify(event),
        // readWebhook allows plain HTTP on this machine only.
        allowInsecureConnection: true,
      });
      ({ status } = await pipeline.sendRequest(client, request));
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
