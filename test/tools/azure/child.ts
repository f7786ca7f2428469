import { setImmediate } from "node:timers/promises";
import { main } from "../../../tools/azure/command.js";
import type { Fault } from "./azure-process.js";

/*
 * `npm run azure` with faults, in a process of its own: Node reads the local authority's certificate
 * at its start. Instead of waiting for Azure, it waits until the local Azure has delivered.
 */

const { LOCAL = "", FAULTS = "[]", DIRECTORY = "" } = process.env;
const left = new Map((JSON.parse(FAULTS) as Fault[]).map((fault) => [fault, fault.times]));

const faulty: typeof fetch = async (input, init = {}) => {
  const { pathname } = new URL(String(input));
  for (const [fault, times] of left) {
    const { method, path, status, code } = fault;
    if (times === 0 || init.method !== method || !new RegExp(path).test(pathname)) continue;
    left.set(fault, times - 1);
    return Response.json({ error: { code, message: "by the test" } }, { status });
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
