import type { IncomingHttpHeaders } from "node:http";
import type { Log } from "../observability/index.js";

/** One request and its response: the least that the listener needs of a server. */
export interface Exchange {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they arrived. */
  readonly rawHeaders: readonly string[];
  /** Size of the body as the headers announce it; `undefined` for a chunked one. */
  readonly announcedLength: number | undefined;
  /** Whether the whole body has arrived. */
  readonly isComplete: boolean;
  /** Whether the caller has disconnected. */
  readonly isGone: boolean;
  readonly log: Log;
  /** Set by servers that tell verified callers from anonymous ones. */
  verified?(): void;
  /**
   * Reads the body.
   *
   * @throws {BodyTakenError} when something else has read it
   */
  readBody(reader: BodyReader): void;
  /** Responds. Changes nothing when a response has been sent. */
  respond(status: number, headers: ResponseHeaders, body?: string): void;
  /** Closes the connection after the response that follows, if it carries no other requests. */
  closeConnection(): void;
  /** Stops the rest of the body after the response that follows; closes the connection if need be. */
  stopBody(): void;
  /**
   * Calls back once, when the response has been sent or the caller has disconnected, also if that was
   * before the call.
   */
  whenClosed(closed: () => void): void;
}

/** Takes a body as it arrives. */
export interface BodyReader {
  readonly chunk: (data: unknown) => void;
  readonly end: () => void;
  readonly fail: (error: Error) => void;
}

export type ResponseHeaders = Readonly<Record<string, string>>;

/** Why a body cannot be read any more. Without it, the listener would wait for the body forever. */
export class BodyTakenError extends Error {}
