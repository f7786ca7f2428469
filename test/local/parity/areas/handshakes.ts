import type { DeliverySchema } from "cloud-eventgrid-local";
import type { AnswerTo } from "../../support/webhook.js";
import { type Area, delivery, eventGrid, type Row, row, rowsThat, type Source } from "../row.js";
import { GROUP, type Stage, statusOf } from "../stage.js";

const VALIDATION = eventGrid(
  "end-point-validation-event-grid-events-schema",
  "Endpoint validation with Event Grid events",
);
const DETAILS = eventGrid("end-point-validation-event-grid-events-schema", "Validation details");
const REQUEST = eventGrid("end-point-validation-cloud-events-schema", "Validation request");
const ORIGIN = eventGrid("end-point-validation-cloud-events-schema", "WebHook-Request-Origin");
const RESPONSE = eventGrid("end-point-validation-cloud-events-schema", "Validation response");
const ALLOWED = eventGrid("end-point-validation-cloud-events-schema", "WebHook-Allowed-Origin");

interface Handshake {
  readonly schema?: DeliverySchema | undefined;
  readonly answer?: AnswerTo;
}

/** A row about the creation of a subscription while the webhook answers so. */
const handshake = rowsThat(async (stage, { schema, answer }: Handshake = {}) => {
  const usual = stage.webhook.answer;
  const before = stage.webhook.requests.length;
  stage.webhook.answer = answer ?? usual;
  try {
    const scope = stage.topicFor("EventGridSchema").id;
    const eventDeliverySchema = schema ?? "CloudEventSchemaV1_0";
    const created = await stage.subscribe(scope, { eventDeliverySchema }).then(
      () => true,
      (error) => statusOf(error) !== 400,
    );
    return { requests: stage.webhook.requests.slice(before), created };
  } finally {
    stage.webhook.answer = usual;
  }
});

/** Whether the subscription is created. */
const consent = (
  input: string,
  source: Source,
  answer: AnswerTo,
  isCreated: boolean,
  schema?: DeliverySchema,
): Row =>
  handshake(source, input)
    .documented(isCreated ? "the subscription is created" : "the handshake fails")
    .with({ schema, answer })
    .gives(isCreated, ({ created }) => created);

const validation = (input: string, answer: AnswerTo, created: boolean): Row =>
  consent(input, DETAILS, answer, created, "EventGridSchema");

const allowing = (origin: string, rate?: string) => () => ({
  headers: {
    "webhook-allowed-origin": origin,
    ...(rate && { "webhook-allowed-rate": rate }),
  },
});

const confirming =
  (status: number): AnswerTo =>
  ({ body }) => {
    const [{ data }] = JSON.parse(body);
    return { status, body: JSON.stringify({ validationResponse: data.validationCode }) };
  };

/** A row about the states before and after something is done with the URL of the manual validation. */
const manually = rowsThat(
  async (stage, act: (url: string, stage: Stage) => Promise<unknown> = async () => {}) => {
    const usual = stage.webhook.answer;
    const topic = stage.topicFor("EventGridSchema");
    const name = stage.newName();
    const state = () => stage.cloud.eventSubscriptions.get(topic.id, name)?.provisioningState;
    const url = new Promise<string>((resolve) => {
      stage.webhook.answer = ({ body }) => {
        resolve(JSON.parse(body)[0].data.validationUrl);
        return { status: 200 };
      };
    });
    const creation = stage
      .subscribe(topic.id, { name, eventDeliverySchema: "EventGridSchema" })
      .catch(() => undefined);
    const validationUrl = await url;
    stage.webhook.answer = usual;
    while (state() === "Creating") await new Promise((resolve) => setImmediate(resolve));
    const before = state();
    await act(validationUrl, stage);
    await creation;
    return [before, state()];
  },
);

export const handshakes: Area = {
  title: "Handshakes",
  rows: [
    handshake(REQUEST, "A subscription with CloudEvents is created")
      .documented("`OPTIONS` to the exact URL")
      .gives([["OPTIONS", "/row-N"]], ({ requests }) =>
        requests.map(({ method, path }) => [method, path.replace(/\d+/, "N")]),
      ),
    handshake(ORIGIN, "The headers of the `OPTIONS` request")
      .documented("`WebHook-Request-Origin`")
      .gives(
        "eventgrid.azure.net",
        ({ requests }) => requests[0]?.headers["webhook-request-origin"],
      ),
    consent(
      "The response allows the origin",
      ALLOWED,
      allowing("eventgrid.azure.net", "120"),
      true,
    ),
    {
      ...consent(
        "The response allows the origin, without `WebHook-Allowed-Rate`",
        RESPONSE,
        allowing("eventgrid.azure.net"),
        true,
      ),
      documented:
        "must have both headers; the CloudEvents specification asks for the rate only if the request has one",
      unknown: "the subscription is created",
    },
    consent("The response allows `*`", ALLOWED, allowing("*", "*"), true),
    consent(
      "200 without `WebHook-Allowed-Origin`",
      { ...RESPONSE, quote: "the handshake can't rely on status codes" },
      () => ({}),
      false,
    ),
    consent(
      "The response allows a list that contains the origin",
      ALLOWED,
      allowing("eventgrid.azure.net, example.com"),
      false,
    ),
    {
      ...consent(
        "202 with both headers",
        RESPONSE,
        () => ({ status: 202, ...allowing("*", "*")() }),
        false,
      ),
      documented: "nothing; the Event Grid schema's handshake does not accept 202",
      unknown: "the handshake fails",
    },
    consent("The response allows another origin", ALLOWED, allowing("example.com"), false),
    handshake(RESPONSE, "The webhook grants permission later, by `WebHook-Request-Callback`")
      .documented("deliveries begin")
      .differs("the request has no `WebHook-Request-Callback`, so the handshake fails")
      .with({ answer: () => ({}) })
      .gives([undefined, false], ({ requests, created }) => [
        requests[0]?.headers["webhook-request-callback"],
        created,
      ]),
    delivery(ORIGIN, "The header with the origin in a delivery")
      .documented("`Origin`")
      .differs("`WebHook-Request-Origin`, as observed from the real service")
      .gives([undefined, "eventgrid.azure.net"], ({ requests: [request] }) => [
        request?.headers.origin,
        request?.headers["webhook-request-origin"],
      ]),
    handshake(DETAILS, "A subscription with the Event Grid schema is created")
      .documented(
        "`POST` of one validation event in an array, `aeg-event-type: SubscriptionValidation`",
      )
      .with({ schema: "EventGridSchema" })
      .gives(
        [
          ["POST", "SubscriptionValidation", "application/json; charset=utf-8"],
          [["Microsoft.EventGrid.SubscriptionValidationEvent", "1"]],
          ["validationCode", "validationUrl"],
        ],
        ({ requests: [request, ...others] }) => {
          const events: { eventType: string; metadataVersion: string; data: object }[] = JSON.parse(
            request?.body ?? "",
          );
          return [
            [
              request?.method,
              ...["aeg-event-type", "content-type"].map((name) => request?.headers[name]),
            ],
            events.map(({ eventType, metadataVersion }) => [eventType, metadataVersion]),
            ...events.map(({ data }) => Object.keys(data)),
            ...others,
          ];
        },
      ),
    row(DETAILS, "The subscription is updated")
      .documented("another validation event")
      .gives(2, async (stage) => {
        const { id } = stage.topicFor("EventGridSchema");
        const name = stage.newName();
        const before = stage.webhook.requests.length;
        await stage.subscribe(id, { name });
        const endpointUrl = `https://parity.example.com/${name}`;
        await stage.cloud.eventSubscriptions.put({ name, scope: id, endpointUrl });
        return stage.webhook.requests.length - before;
      }),
    validation("The response has the validation code", confirming(200), true),
    validation("202 with the validation code", confirming(202), false),
    validation("403 to the validation event", () => ({ status: 403 }), false),
    manually(VALIDATION, "200 without the code, then `GET` of the validation URL")
      .documented("`AwaitingManualAction`, then the handshake is successful")
      .with((url) => fetch(url))
      .gives(["AwaitingManualAction", "Succeeded"]),
    manually(VALIDATION, "The validation URL after 9 minutes")
      .documented("valid")
      .with((url, { cloud }) => cloud.clock.advance({ minutes: 9 }).then(() => fetch(url)))
      .gives(["AwaitingManualAction", "Succeeded"]),
    manually(VALIDATION, "No `GET` of the validation URL for 10 minutes")
      .documented("the state is `Failed`")
      .with((_, { cloud }) => cloud.clock.advance({ minutes: 10 }))
      .gives(["AwaitingManualAction", "Failed"]),
    handshake(DETAILS, "The webhook does not respond to the validation event within 30 seconds")
      .documented("another attempt after 5 seconds")
      .differs("the first attempt decides, so that a failing test does not wait")
      .with({ schema: "EventGridSchema", answer: () => ({ status: 500 }) })
      .gives(1, ({ requests }) => requests.length),
    row(VALIDATION, "A subscription to a function with an Event Grid trigger is created")
      .documented("Azure validates it; how is open")
      .unknown("the handshake of the delivery schema, to the webhook of the Functions host")
      .gives(
        [["/runtime/webhooks/EventGrid?functionName=Ship", "SubscriptionValidation"]],
        async (stage) => {
          stage.cloud.ingress.route("https://parity.azurewebsites.net", stage.webhook.url);
          const resourceId = `${GROUP}/providers/Microsoft.Web/sites/parity/functions/Ship`;
          const before = stage.webhook.requests.length;
          const destination = {
            endpointType: "AzureFunction",
            properties: { resourceId },
          } as const;
          await stage.subscribe(stage.topicFor("EventGridSchema").id, { destination });
          return stage.webhook.requests
            .slice(before)
            .map(({ path, headers }) => [path, headers["aeg-event-type"]]);
        },
      ),
  ],
};
