import { setImmediate } from "node:timers/promises";
import { main } from "../../../tools/azure/command.js";

/*
 * `npm run azure` with faults, in a process of its own: Node reads the local authority's certificate
 * at its start. Instead of waiting for Azure, it waits until the local Azure has delivered.
 */

interface Fault {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string;
  readonly times: number;
  readonly retryAfter?: string;
}

const { LOCAL = "", FAULTS = "[]", DIRECTORY = "" } = process.env;
const left = new Map((JSON.parse(FAULTS) as Fault[]).map((fault) => [fault, fault.times]));

const faulty: typeof fetch = async (input, init = {}) => {
  const { pathname } = new URL(String(input));
  for (const [fault, times] of left) {
    const { method, path, status, code, retryAfter } = fault;
    if (times === 0 || init.method !== method || !new RegExp(path).test(pathname)) continue;
    left.set(fault, times - 1);
    const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
    return Response.json({ error: { code, message: "by the test" } }, { status, headers });
  }
  return fetch(input, init);
};

const code = await main(process.argv.slice(2), {
  fetch: faulty,
  directory: DIRECTORY,
  wait: async (milliseconds) => {
    if (milliseconds > 0)
      await fetch(`${LOCAL}/local/drain`, {
        method: "POST",
        headers: { "content-type": "application/json" },
      });
    await setImmediate();
  },
});
process.exit(code);
