import { CloudEventGridError } from "../errors.js";

/** Thrown when a listener cannot listen. */
export class ListenerStartError extends CloudEventGridError {
  readonly code = "ERR_LISTENER_START";
}

/** Why an address cannot be listened on, in words that say what to do. */
export function cannotListen(host: string, port: number, cause: unknown): ListenerStartError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const why = advice[code] ?? (cause instanceof Error ? cause.message : String(cause));
  return new ListenerStartError(`cannot listen on ${host}:${port}: ${why}`, { cause });
}

const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: "another server has it, in this process or another: end that, or take another port",
  EACCES: "this user may not have it: take a port from 1024 on",
  EADDRNOTAVAIL: "this machine does not have that address: check `host`",
  ENOTFOUND: "that name has no address: check `host`",
};
