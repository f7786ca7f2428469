import { ConfigurationError } from "cloud-eventgrid-binding-runtime/contract";
import { PublishError } from "cloud-eventgrid-binding-runtime/publisher";
import { CommandError } from "../terminal/index.js";
import type { readEvent } from "./event.js";
import type { TopicToPublish } from "./read-topic.js";

/**
 * Publishes one event.
 *
 * @returns its id
 * @throws {CommandError} when the topic does not accept it
 */
export async function publishEvent(
  topic: TopicToPublish,
  event: Awaited<ReturnType<typeof readEvent>>,
): Promise<string> {
  try {
    const publisher = await topic.open();
    try {
      const [id = ""] = await publisher.create(event);
      return id;
    } finally {
      await publisher.close();
    }
  } catch (error) {
    const isExpected = error instanceof PublishError || error instanceof ConfigurationError;
    throw isExpected ? new CommandError(error.message) : error;
  }
}
