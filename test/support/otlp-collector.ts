import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A span as a collector receives it over OTLP. */
export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly startNs: bigint;
  readonly endNs: bigint;
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly attributes: readonly Attribute[];
        readonly startTimeUnixNano: string;
        readonly endTimeUnixNano: string;
      }[];
    }[];
  }[];
}

/** A server that exporters post traces to, as JSON. It closes after the test. */
export async function startCollector() {
  const spans: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { resourceSpans }: ExportRequest = JSON.parse(Buffer.concat(chunks).toString());
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = String(valuesOf(resource.attributes)["service.name"]);
      for (const span of scopeSpans.flatMap((each) => each.spans)) {
        const { name, traceId, spanId, parentSpanId = "" } = span;
        const attributes = valuesOf(span.attributes);
        const startNs = BigInt(span.startTimeUnixNano);
        const endNs = BigInt(span.endTimeUnixNano);
        spans.push({ service, name, traceId, spanId, parentSpanId, attributes, startNs, endNs });
      }
    }
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, spans };
}

function valuesOf(attributes: readonly Attribute[]) {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );
}

/** The order of spans that several services start at the same time. */
const OPERATIONS = ["create", "send", "receive", "process", "acknowledge"];

/** A trace as a tree of text, with start and duration of each span. */
export function drawnTrace(spans: readonly ReceivedSpan[]): string {
  const root = spans.find(({ parentSpanId }) => parentSpanId === "");
  if (root === undefined) return "";
  const ms = (ns: bigint) => `${(Number(ns) / 1e6).toFixed(1)} ms`;
  const lines = (span: ReceivedSpan, start: string, below: string): string[] => {
    const { service, name, attributes, startNs, endNs } = span;
    const children = spans
      .filter(({ parentSpanId }) => parentSpanId === span.spanId)
      .toSorted((a, b) => orderOf(a).localeCompare(orderOf(b)));
    const line = [
      service.padEnd(9),
      `${start}${name}`.padEnd(34),
      String(attributes["messaging.destination.name"] ?? "").padEnd(7),
      ms(startNs - root.startNs).padStart(10),
      ms(endNs - startNs).padStart(10),
    ];
    return [
      line.join(" "),
      ...children.flatMap((child, index) => {
        const isLast = index === children.length - 1;
        return lines(
          child,
          `${below}${isLast ? "└─ " : "├─ "}`,
          `${below}${isLast ? "   " : "│  "}`,
        );
      }),
    ];
  };
  const title = `${"service".padEnd(9)} ${"span".padEnd(34)} ${"topic".padEnd(7)} ${"start".padStart(10)} ${"duration".padStart(10)}`;
  return `${[title, ...lines(root, "", "")].join("\n")}\n`;
}

function orderOf({ name, attributes }: ReceivedSpan): string {
  const operation = OPERATIONS.indexOf(name.split(" ")[0] ?? "");
  return `${attributes["messaging.destination.name"]} ${operation}`;
}
