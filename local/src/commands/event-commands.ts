import { anyObject, fields, iso, list, number, optional, required, text } from "../base/index.js";
import { MAX_HISTORY_BYTES } from "../eventgrid/index.js";
import { recordingOf, replayOptionFields } from "../replay/index.js";
import { command, commandOf, numberOrId } from "./command.js";
import { JsonText } from "./output.js";
import { streamReplay } from "./replay-stream.js";
import { resent, retried } from "./texts.js";

/** Commands that send events. */
export const eventCommands = {
  "POST emit": command({
    help: "sends an event of an Azure service",
    inputs: {
      type: required(text, "<type>", "for example Microsoft.Storage.BlobCreated"),
      scope: required(text, "--scope <id>", "resource ID of the source"),
      subject: optional(text, "--subject <subject>", "subject (default: as the service writes it)"),
      id: optional(text, "--id <id>", "id (default: a random UUID)"),
      time: optional(text),
      data: optional(
        anyObject,
        "--data <json>",
        "fields of data that replace the sample's; all data of a type without a sample",
        { kind: "json" },
      ),
    },
    run: async (cloud, { type, ...options }) =>
      new JsonText<{ readonly id: string }>(cloud.eventGrid.acceptance.emit(type, options).json),
    line: {
      words: "emit",
      help: "send [an event of an Azure service](local-azure-events.md#events-of-azure-services), of any [type](events.md#events-of-azure-services)",
      text: ({ id }, { type }) => `Emitted ${type} ${id}`,
    },
  }),
  "POST replay": commandOf(
    fields({ files: list(fields({ name: text, text })), ...replayOptionFields }),
    {
      help: "[replays](local-azure-events.md#replay) the files' texts, at most 64 MiB. The response is a stream of server-sent events, of which the last has the `result`, or an `error`",
      bodyExample:
        '{"files":[{"name","text"}],"speed"?,"topic"?,"subscription"?,"redeliveries"?,"drain"?}',
      maxBytes: MAX_HISTORY_BYTES,
      run: (cloud, { files, ...options }, exchange): Promise<void> =>
        streamReplay(exchange, (signal, onProgress) =>
          cloud.replayFiles(files, { ...options, signal }, onProgress),
        ),
    },
  ),
  "POST resend": command({
    needsToken: true,
    inputs: {
      event: required(numberOrId, "<event>", "number or id of the event"),
      subscription: optional(
        text,
        "--subscription <name>",
        "only to this event subscription, even if its filter does not match",
      ),
    },
    run: ({ eventGrid }, { event, subscription }) => ({
      subscriptions: eventGrid.redelivery.resend(event, subscription),
    }),
    line: {
      words: "resend",
      help: "deliver an event once more, with the same `id`",
      text: ({ subscriptions }) => resent(subscriptions),
    },
  }),
  "POST retry": command({
    needsToken: true,
    inputs: {
      event: optional(numberOrId, "[event]", "number or id of the event (default: all events)"),
      subscription: optional(text, "--subscription <name>", "only of this event subscription"),
    },
    run: ({ eventGrid }, { event, subscription }) => ({
      deliveries: eventGrid.redelivery.retryNow(event, subscription),
    }),
    line: {
      words: "retry",
      help: "make retries due now",
      text: ({ deliveries }) => retried(deliveries),
    },
  }),
  "POST export": command({
    needsToken: true,
    inputs: { events: required(list(number)) },
    run: ({ eventGrid }, { events }) => ({
      name: `events-${iso(eventGrid.clock.now()).slice(0, 10)}.json`,
      text: recordingOf(eventGrid, events),
    }),
  }),
};
