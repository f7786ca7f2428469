import type { FastifyReply } from "fastify";

/** Calls back once when a request is over: its answer is out, or its connection is gone. */
export function whenOver({ raw, request }: FastifyReply, act: () => void): void {
  // An answer that waits behind another one of its connection (pipelining) has no socket yet, and
  // Node does not tell it when the connection ends.
  const connection = raw.socket === null ? request.raw.socket : undefined;
  let isOver = false;
  const over = () => {
    if (isOver) return;
    isOver = true;
    connection?.off("close", over);
    act();
  };
  // Not `once`, which costs more than all of this.
  raw.on("close", over);
  connection?.setMaxListeners(0).on("close", over);
}
