/** The queue of a namespace that is never empty, at the lowest cost. */
import { createServer } from "node:http";
import { cloudEvent } from "../groups/event.js";
import { serve } from "./serve.js";

const [head = "", tail = ""] = JSON.stringify({ ...cloudEvent(), id: "ID" }).split('"ID"');
let events = 0;

serve(
  createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://queue");
    if (pathname.endsWith(":receive")) {
      request.resume();
      const value: string[] = [];
      for (let left = Number(searchParams.get("maxEvents")); left > 0; left -= 1) {
        events += 1;
        const lockToken = `token-of-about-the-length-that-the-real-service-has-for-them-${events}`;
        value.push(
          `{"brokerProperties":{"lockToken":"${lockToken}","deliveryCount":1},"event":${head}"${events}"${tail}}`,
        );
      }
      answer(`{"value":[${value.join(",")}]}`);
      return;
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const { lockTokens } = JSON.parse(Buffer.concat(chunks).toString());
      answer(JSON.stringify({ failedLockTokens: [], succeededLockTokens: lockTokens }));
    });

    function answer(body: string): void {
      const length = Buffer.byteLength(body);
      response.writeHead(200, { "content-type": "application/json", "content-length": length });
      response.end(body);
    }
  }),
);
