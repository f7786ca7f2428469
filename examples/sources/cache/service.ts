import { bindingFromEnvironment, createListener } from "cloud-eventgrid-binding-runtime";
import { maintenance } from "./events.js";

const listener = createListener(bindingFromEnvironment("CACHE", { direction: "input" }), {
  events: maintenance,
  on: {
    "Microsoft.Cache.*": async ({ data }, { log }) => {
      log.info({ operation: data }, "cache maintained");
    },
  },
  signals: ["SIGTERM", "SIGINT"],
});
await listener.listen();
