import { RejectEvent, type SystemEventPayloads } from "cloud-eventgrid-binding-runtime";
import { z } from "zod";

type Telemetry = SystemEventPayloads["Microsoft.Devices.DeviceTelemetry"];

const reading = z.object({ temperature: z.number() });

/**
 * Reads a measurement. The body is JSON if the device declares it as such, otherwise base64; the
 * devices of this example send the same JSON in both cases.
 */
export function readingOf({ body }: Telemetry): z.infer<typeof reading> {
  const { success, data } = reading.safeParse(typeof body === "string" ? decoded(body) : body);
  if (!success) throw new RejectEvent("the message has no temperature");
  return data;
}

function decoded(base64: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64, "base64").toString("utf8"));
  } catch {
    return undefined;
  }
}
