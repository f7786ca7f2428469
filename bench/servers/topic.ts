/** A topic that accepts everything at the lowest cost. */
import { createServer } from "node:http";
import { serve } from "./serve.js";

serve(
  createServer((request, response) => {
    request.resume();
    request.once("end", () => {
      response.writeHead(200, { "content-length": 0, "x-ms-request-id": "1" });
      response.end();
    });
  }),
);
