import type { DeviceTelemetry } from "cloud-eventgrid-binding-runtime/events";
import { RejectEvent } from "cloud-eventgrid-binding-runtime/listener";
import { z } from "zod";

const reading = z.object({ temperature: z.number() });

/**
 * What a device has measured. A body is JSON only if the device says so; otherwise it is base64,
 * and it depends on the device what is in it: here, the same JSON.
 */
export function readingOf({ body }: DeviceTelemetry): z.infer<typeof reading> {
  const { success, data } = reading.safeParse(typeof body === "string" ? decoded(body) : body);
  if (!success) throw new RejectEvent("the message holds no temperature");
  return data;
}

function decoded(base64: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64, "base64").toString("utf8"));
  } catch {
    return undefined;
  }
}
