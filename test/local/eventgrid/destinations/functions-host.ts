import { createServer, type IncomingHttpHeaders } from "node:http";
import { listen } from "../../support/listen.js";

export interface Invocation {
  readonly name: string;
  readonly event: Record<string, unknown>;
  readonly headers: IncomingHttpHeaders;
}

/**
 * A server that takes events as the Event Grid extension of the Functions host does, according to its
 * published sources (azure-sdk-for-net, Microsoft.Azure.WebJobs.Extensions.EventGrid: its extension
 * configuration and its HTTP request processor). The Functions host itself is not used by any test.
 *
 * @param run what the function does with an event; an error fails the delivery
 */
export async function startFunctionsHost(
  functionName: string,
  run: (event: Record<string, unknown>) => void = () => {},
) {
  const invocations: Invocation[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const url = new URL(request.url ?? "/", "http://host");
    const name = url.searchParams.get("functionName");
    const answer = (status: number, text = "", headers = {}) =>
      response.writeHead(status, headers).end(text);
    if (url.pathname !== "/runtime/webhooks/EventGrid") return answer(404);
    if (name !== functionName) return answer(404, `cannot find function: '${name}'`);
    if (request.method === "OPTIONS") {
      return answer(200, "", { "Webhook-Allowed-Origin": "eventgrid.azure.net" });
    }
    const { headers } = request;
    switch (headers["aeg-event-type"]) {
      case "SubscriptionValidation":
        return answer(
          200,
          JSON.stringify({ validationResponse: JSON.parse(body)[0].data.validationCode }),
          { "content-type": "text/plain; charset=utf-8" },
        );
      case "Notification": {
        try {
          for (const event of [JSON.parse(body)].flat()) {
            invocations.push({ name, event, headers });
            run(event);
          }
          return answer(202);
        } catch (error) {
          return answer(500, String(error));
        }
      }
      default:
        return answer(400);
    }
  });
  return { url: `http://${await listen(server)}`, invocations };
}
