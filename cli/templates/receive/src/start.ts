import { CloudEventGridError } from "cloud-eventgrid-binding-runtime/events";
import { createService } from "./service.js";

try {
  const service = createService();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => service.stop());
  await service.start();
} catch (error) {
  // Such as variables that are missing or invalid, or a port that is in use.
  if (!(error instanceof CloudEventGridError || isSystemError(error))) throw error;
  console.error(error.message);
  process.exit(1);
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
