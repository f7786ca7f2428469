import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { EndpointClient, Ingress } from "../../../local/src/network/index.js";
import { listen } from "../support/listen.js";

it("reads a response to its end, keeps 8,192 characters, and says whether there were more", async () => {
  const requests: unknown[] = [];
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    requests.push([method, url, headers.host, headers["x-a"], headers["content-length"]]);
    response.writeHead(202, { "x-b": "2" });
    request.resume().on("end", () => response.end("x".repeat(Number(url?.slice(1)))));
  });
  const target = `http://${await listen(server)}`;
  const ingress = new Ingress({ "https://shop.example": target });
  const client = new EndpointClient(ingress, []);
  onTestFinished(() => client.close());
  const send = async (length: number, body?: Buffer) => {
    const url = `https://shop.example/${length}`;
    const signal = AbortSignal.timeout(10_000);
    const headers = { "x-a": "1" };
    const answer = await client.send({ method: "POST", url, headers, body, signal });
    await answer.completed();
    const { status, headers: answered, body: read } = answer;
    return [status, answered["x-b"], read.text.length, read.truncated];
  };
  expect(await send(8192, Buffer.from("é"))).toEqual([202, "2", 8192, false]);
  expect(await send(8193)).toEqual([202, "2", 8192, true]);
  expect(requests).toEqual([
    ["POST", "/8192", "shop.example", "1", "2"],
    ["POST", "/8193", "shop.example", "1", "0"],
  ]);
});
