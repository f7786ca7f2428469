import { bindingFromEnvironment, createListener } from "cloud-eventgrid-binding-runtime";
import { connections } from "./events.js";

const present = new Set<string>();

const listener = createListener(bindingFromEnvironment("CHAT", { direction: "input" }), {
  events: connections,
  on: {
    "Microsoft.SignalRService.ClientConnectionConnected": async ({ data }, { log }) => {
      present.add(data.connectionId);
      log.info({ user: data.userId, present: present.size }, "client connected");
    },
    "Microsoft.SignalRService.ClientConnectionDisconnected": async ({ data }, { log }) => {
      present.delete(data.connectionId);
      log.info(
        { user: data.userId, present: present.size, why: data.errorMessage },
        "client disconnected",
      );
    },
  },
  signals: ["SIGTERM", "SIGINT"],
});
await listener.listen();
