import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface HttpLoad {
  readonly port: number;
  readonly connections: number;
  /** Returns the next complete request, or undefined at the end of the load. */
  readonly next: (connection: number) => Buffer | undefined;
  /** The status that every response must have. */
  readonly status: number;
}

/**
 * Sends requests over raw connections, one at a time on each, and counts the responses.
 *
 * It only writes bytes and looks for the end of a response, because any HTTP client costs more than
 * the measured servers. And it polls for responses every half millisecond instead of waiting for
 * them: the kernel charges the cost of waking a waiting receiver to the sender, which would add up
 * to half of its own cost to a server that is slower than the load.
 */
export async function sendAll(load: HttpLoad): Promise<number> {
  let isOver = false;
  const poll = () => {
    if (isOver) return;
    Atomics.wait(never, 0, 0, 0.5);
    setImmediate(poll);
  };
  poll();
  const counts = await Promise.all(
    Array.from({ length: load.connections }, (_, connection) => sendSome(load, connection)),
  ).finally(() => {
    isOver = true;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

const never = new Int32Array(new SharedArrayBuffer(4));

async function sendSome({ port, status, next }: HttpLoad, connection: number): Promise<number> {
  let count = 0;
  let request = next(connection);
  // A loop over connections, because some servers close the connection after an error.
  while (request !== undefined) {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    await once(socket, "connect");
    await new Promise<void>((resolve, reject) => {
      readAnswers(socket, (answered) => {
        if (answered !== status) {
          reject(new Error(`the server answered ${answered} instead of ${status}`));
          socket.destroy();
          return;
        }
        count += 1;
        request = next(connection);
        if (request === undefined) socket.destroy();
        else if (socket.writable) socket.write(request);
      });
      socket.once("error", reject);
      socket.once("close", () => resolve());
      if (request) socket.write(request);
    });
  }
  return count;
}

/** Calls back with the status of each response when it is complete. */
function readAnswers(socket: Socket, answered: (status: number) => void): void {
  let text = "";
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    text += chunk;
    const head = text.indexOf("\r\n\r\n");
    if (head < 0) return;
    const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head + 2));
    const end = head + 4 + Number(length?.[1] ?? 0);
    if (text.length < end) return;
    const status = Number(text.slice(9, 12));
    text = text.slice(end);
    answered(status);
  });
}
