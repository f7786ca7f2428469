import { type EventToCreate, PublishError } from "cloud-eventgrid-binding-runtime";

/** The error that a call rejects with. The test fails if the call resolves. */
export async function rejection(call: Promise<unknown>): Promise<PublishError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof PublishError) return error;
    throw error;
  }
  throw new Error("the call did not reject");
}

/** An event that the compiler would reject. */
export function untyped(event: unknown): EventToCreate {
  return event as EventToCreate;
}
