import { bindingFromEnvironment, createListener } from "cloud-eventgrid-binding-runtime";
import { waiting } from "./events.js";

const listener = createListener(bindingFromEnvironment("QUEUE", { direction: "input" }), {
  events: waiting,
  on: {
    "Microsoft.ServiceBus.ActiveMessagesAvailableWithNoListeners": async ({ data }, { log }) => {
      log.info({ topic: data.topicName, requestUri: data.requestUri }, "messages are waiting");
    },
    "Microsoft.ServiceBus.DeadletterMessagesAvailableWithNoListeners": async (
      { data },
      { log },
    ) => {
      log.warn(
        { topic: data.topicName, requestUri: data.requestUri },
        "messages were dead-lettered",
      );
    },
  },
  signals: ["SIGTERM", "SIGINT"],
});
await listener.listen();
