import { startCloud } from "../../support/cloud.js";

export const SINGLE = "application/cloudevents+json";
export const BATCH = "application/cloudevents-batch+json; charset=utf-8";

/** A cloud with the topic `orders`, and a function that publishes to it with its key. */
export async function startTopic() {
  const cloud = await startCloud();
  const topic = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
  const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(topic.endpoint, {
      method: "POST",
      headers: { "aeg-sas-key": topic.accessKey, "content-type": SINGLE, ...headers },
      body,
    });
  return { cloud, topic, post };
}

/** The error in the body of a response, with its status. */
export async function errorOf(response: Response) {
  const { error } = (await response.json()) as {
    error: { code: string; message: string; details: unknown };
  };
  return { status: response.status, ...error };
}
