import { CommandClient, refusalIn } from "../src/commands/client.js";
import type { CommandInput, CommandResult } from "../src/commands/commands.js";
import { resent, retried } from "../src/commands/texts.js";

/** The data that the page needs once, when it opens. */
export type Overview = CommandResult<"GET overview">;

const client = new CommandClient(async (path, init) => {
  const response = await fetch(path, init);
  if (response.ok) return response;
  throw new Error((await refusalIn(response)).message);
});

export const call = client.call.bind(client);
export const send = client.publish.bind(client);

/** Delivers an event once more. @returns what to say when it is done */
export async function resend(input: CommandInput<"POST resend">): Promise<string> {
  return resent((await call("POST resend", input)).subscriptions);
}

/** Downloads a recording of the events with these numbers. @returns what to say when it is done */
export async function exportEvents(events: number[]): Promise<string> {
  const { name, text } = await call("POST export", { events });
  const url = URL.createObjectURL(new Blob([text]));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by the next turn.
  setTimeout(() => URL.revokeObjectURL(url));
  return `Saved ${name}.`;
}

/** Makes the retries of an event, or of all, due now. @returns what to say when it is done */
export async function retry(input: CommandInput<"POST retry">): Promise<string> {
  return retried((await call("POST retry", input)).deliveries);
}
