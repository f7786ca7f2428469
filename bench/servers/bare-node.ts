/** A minimal server: parses the body and responds, without authentication. */
import { createServer } from "node:http";
import { serve } from "./serve.js";

serve(
  createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.once("end", () => {
      JSON.parse(Buffer.concat(chunks).toString());
      response.writeHead(200, { "content-length": 0 });
      response.end();
    });
  }),
);
