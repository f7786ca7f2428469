import type { FastifyReply } from "fastify";

/** Calls back once when a request is over: its answer is out, or its connection is gone. */
export function whenOver({ raw, request }: FastifyReply, act: () => void): void {
  if (raw.socket !== null) {
    raw.once("close", act);
    return;
  }
  // An answer that waits behind another one of its connection (pipelining) has no socket yet, and
  // Node does not tell it when the connection ends.
  const { socket } = request.raw;
  const over = () => {
    raw.off("close", over);
    socket.off("close", over);
    act();
  };
  raw.on("close", over);
  socket.setMaxListeners(0).on("close", over);
}
