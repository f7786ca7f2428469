import type {
  CommandInput,
  CommandName,
  CommandResult,
  ReplayMessage,
} from "../src/commands/index.js";
import type { PublishTarget } from "../src/dashboard/publishing.js";

/** What `POST /local/replay` takes. */
export interface ReplayRequest {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly speed: number | "max";
  readonly topic?: string;
}

/** What the page does with events that receivers have locked. */
export type Settlement = "acknowledge" | "release" | "reject";

/** An error response, with the server's own message. */
export class RefusedError extends Error {}

/** Runs a command of the cloud. */
export async function call<Name extends CommandName>(
  name: Name,
  ...[input]: Record<string, never> extends CommandInput<Name>
    ? [CommandInput<Name>?]
    : [CommandInput<Name>]
): Promise<CommandResult<Name>> {
  const [method = "", path] = name.split(" ");
  const query = method === "GET" && input ? `?${new URLSearchParams({ ...Object(input) })}` : "";
  const response = await fetch(`/local/${path}${query}`, {
    method,
    ...(method === "POST"
      ? { body: JSON.stringify(input ?? {}), headers: { "content-type": "application/json" } }
      : {}),
  });
  const text = await response.text();
  const json = text === "" ? undefined : JSON.parse(text);
  if (response.ok) return json;
  throw new RefusedError(json?.error?.message ?? `${response.status} ${response.statusText}`);
}

/** Delivers an event once more. @returns what to say when it is done */
export async function resend(input: CommandInput<"POST resend">): Promise<string> {
  const { subscriptions } = await call("POST resend", input);
  if (subscriptions.length === 0) return "No event subscription matches this event.";
  return `Sent again to ${subscriptions.join(", ")}.`;
}

/** Makes the retries of an event, or of all, due now. @returns what to say when it is done */
export async function retry(input: CommandInput<"POST retry">): Promise<string> {
  const { deliveries } = await call("POST retry", input);
  return `Retried ${deliveries} ${deliveries === 1 ? "delivery" : "deliveries"}.`;
}

/** Replays files until their end, or until the signal aborts. */
export async function replay(
  request: ReplayRequest,
  signal: AbortSignal,
  onProgress: (replayed: number) => void,
): Promise<Extract<ReplayMessage, { readonly result: unknown }>["result"]> {
  const response = await fetch("/local/replay", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
    signal,
  });
  if (!response.ok) throw await refusal(response);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (reader) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
    const messages = text.split("\n\n");
    text = messages.pop() ?? "";
    for (const data of messages) {
      const message: ReplayMessage = JSON.parse(data.replace(/^data: /, ""));
      if ("result" in message) return message.result;
      if ("error" in message) throw new RefusedError(message.error.message);
      onProgress(message.replayed);
    }
  }
  throw new RefusedError("The local Azure stopped during the replay.");
}

/** Publishes like any client. */
export async function send(
  target: PublishTarget,
  contentType: string,
  body: string,
): Promise<void> {
  // The page's own origin serves every topic; the endpoint may name another host.
  const { pathname, search } = new URL(target.url);
  const response = await fetch(`${pathname}${search}`, {
    method: "POST",
    headers: { ...target.headers, "content-type": contentType },
    body,
  });
  if (response.ok) return;
  throw await refusal(response);
}

async function refusal(response: Response): Promise<RefusedError> {
  const json = await response.json().catch(() => undefined);
  return new RefusedError(json?.error?.message ?? `${response.status} ${response.statusText}`);
}
