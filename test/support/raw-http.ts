import { connect } from "node:net";

export interface RawResponse {
  /** 0 when the connection ended without a response. */
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/**
 * Sends bytes unchanged, well-formed or not, and waits for the first response.
 *
 * @param end whether to close the sending side after the last chunk, as a client that gives up
 */
export async function exchange(
  port: number,
  chunks: readonly (string | Uint8Array)[],
  { end = false } = {},
): Promise<RawResponse> {
  const socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  let received = "";
  const answered = new Promise<RawResponse>((resolve) => {
    const finish = () => resolve(parse(received));
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (isComplete(received)) finish();
    });
    socket.on("error", finish);
    socket.on("close", finish);
  });
  for (const chunk of chunks) socket.write(chunk);
  if (end) socket.end();
  const response = await answered;
  socket.destroy();
  return response;
}

function parse(text: string): RawResponse {
  const [head = "", body = ""] = text.split("\r\n\r\n", 2);
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body };
}

function isComplete(text: string): boolean {
  const at = text.indexOf("\r\n\r\n");
  if (at < 0) return false;
  const length = Number(
    /\r\ncontent-length: (\d+)/i.exec(text.slice(0, at + 2))?.[1] ?? Number.NaN,
  );
  return text.length >= at + 4 + length;
}
