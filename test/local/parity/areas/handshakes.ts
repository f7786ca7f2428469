import type { DeliverySchema } from "cloud-eventgrid-local";
import type { AnswerTo, ReceivedRequest } from "../../support/webhook.js";
import { type Area, eventGrid, type Row, type Source } from "../row.js";
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
  readonly requests: readonly ReceivedRequest[];
  readonly created: boolean;
}

/** Creates a subscription while the webhook answers so. */
async function handshake(
  stage: Stage,
  deliverySchema: DeliverySchema,
  answer: AnswerTo = stage.webhook.answer,
): Promise<Handshake> {
  const usual = stage.webhook.answer;
  const before = stage.webhook.requests.length;
  stage.webhook.answer = answer;
  try {
    const scope = stage.topicFor("EventGridSchema").id;
    const created = await stage.subscribe(scope, { deliverySchema }).then(
      () => true,
      (error) => statusOf(error) !== 400,
    );
    return { requests: stage.webhook.requests.slice(before), created };
  } finally {
    stage.webhook.answer = usual;
  }
}

function consent(input: string, source: Source, answer: AnswerTo, created: boolean): Row {
  return {
    source,
    input,
    documented: created ? "the subscription is created" : "the handshake fails",
    run: async (stage) => (await handshake(stage, "CloudEventSchemaV1_0", answer)).created,
    result: created,
  };
}

function validation(input: string, answer: AnswerTo, created: boolean): Row {
  return {
    source: DETAILS,
    input,
    documented: created ? "the subscription is created" : "the handshake fails",
    run: async (stage) => (await handshake(stage, "EventGridSchema", answer)).created,
    result: created,
  };
}

const codeIn = ({ body }: ReceivedRequest): string => JSON.parse(body)[0].data.validationCode;

/** Starts the manual validation, and returns the URL and the states before and after `act`. */
async function manually(stage: Stage, act: (url: string) => Promise<unknown>) {
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
    .subscribe(topic.id, { name, deliverySchema: "EventGridSchema" })
    .catch(() => undefined);
  const validationUrl = await url;
  stage.webhook.answer = usual;
  while (state() === "Creating") await new Promise((resolve) => setImmediate(resolve));
  const before = state();
  await act(validationUrl);
  await creation;
  return [before, state()];
}

export const handshakes: Area = {
  title: "Handshakes",
  rows: [
    {
      source: REQUEST,
      input: "A subscription with CloudEvents is created",
      documented: "`OPTIONS` to the exact URL",
      run: async (stage) => {
        const { requests } = await handshake(stage, "CloudEventSchemaV1_0");
        return requests.map(({ method, path }) => [method, path.replace(/\d+/, "N")]);
      },
      result: [["OPTIONS", "/row-N"]],
    },
    {
      source: ORIGIN,
      input: "The headers of the `OPTIONS` request",
      documented: "`WebHook-Request-Origin`",
      run: async (stage) => {
        const { requests } = await handshake(stage, "CloudEventSchemaV1_0");
        return requests[0]?.headers["webhook-request-origin"];
      },
      result: "eventgrid.azure.net",
    },
    consent(
      "The response allows the origin",
      ALLOWED,
      () => ({
        headers: {
          "webhook-allowed-origin": "eventgrid.azure.net",
          "webhook-allowed-rate": "120",
        },
      }),
      true,
    ),
    {
      ...consent(
        "The response allows the origin, without `WebHook-Allowed-Rate`",
        RESPONSE,
        () => ({ headers: { "webhook-allowed-origin": "eventgrid.azure.net" } }),
        true,
      ),
      documented:
        "must have both headers; the CloudEvents specification asks for the rate only if the request has one",
      unknown: "the subscription is created",
    },
    consent(
      "The response allows `*`",
      ALLOWED,
      () => ({ headers: { "webhook-allowed-origin": "*", "webhook-allowed-rate": "*" } }),
      true,
    ),
    consent(
      "200 without `WebHook-Allowed-Origin`",
      { ...RESPONSE, quote: "the handshake can't rely on status codes" },
      () => ({}),
      false,
    ),
    consent(
      "The response allows another origin",
      ALLOWED,
      () => ({ headers: { "webhook-allowed-origin": "example.com" } }),
      false,
    ),
    {
      source: RESPONSE,
      input: "The webhook grants permission later, by `WebHook-Request-Callback`",
      documented: "deliveries begin",
      differs: "the request has no `WebHook-Request-Callback`, so the handshake fails",
      run: async (stage) => {
        const { requests } = await handshake(stage, "CloudEventSchemaV1_0", () => ({}));
        return requests[0]?.headers["webhook-request-callback"];
      },
      result: undefined,
    },
    {
      source: ORIGIN,
      input: "The header with the origin in a delivery",
      documented: "`Origin`",
      differs: "`WebHook-Request-Origin`, as observed from the real service",
      run: async (stage) => {
        const { headers } = (await stage.deliver()).requests[0] ?? {};
        return [headers?.origin, headers?.["webhook-request-origin"]];
      },
      result: [undefined, "eventgrid.azure.net"],
    },
    {
      source: DETAILS,
      input: "A subscription with the Event Grid schema is created",
      documented:
        "`POST` of one validation event in an array, `aeg-event-type: SubscriptionValidation`",
      run: async (stage) => {
        const { requests } = await handshake(stage, "EventGridSchema");
        const [request] = requests;
        const events = JSON.parse(request?.body ?? "");
        return [
          requests.length,
          request?.method,
          request?.headers["aeg-event-type"],
          request?.headers["content-type"],
          events.length,
          [events[0].eventType, events[0].metadataVersion],
          Object.keys(events[0].data),
        ];
      },
      result: [
        1,
        "POST",
        "SubscriptionValidation",
        "application/json; charset=utf-8",
        1,
        ["Microsoft.EventGrid.SubscriptionValidationEvent", "1"],
        ["validationCode", "validationUrl"],
      ],
    },
    {
      source: DETAILS,
      input: "The subscription is updated",
      documented: "another validation event",
      run: async (stage) => {
        const { id } = stage.topicFor("EventGridSchema");
        const name = stage.newName();
        const before = stage.webhook.requests.length;
        await stage.subscribe(id, { name });
        const endpointUrl = `https://parity.example.com/${name}`;
        await stage.cloud.eventSubscriptions.put({ name, scope: id, endpointUrl });
        return stage.webhook.requests.length - before;
      },
      result: 2,
    },
    validation(
      "The response has the validation code",
      (request) => ({ body: JSON.stringify({ validationResponse: codeIn(request) }) }),
      true,
    ),
    validation(
      "202 with the validation code",
      (request) => ({
        status: 202,
        body: JSON.stringify({ validationResponse: codeIn(request) }),
      }),
      false,
    ),
    validation("403 to the validation event", () => ({ status: 403 }), false),
    {
      source: VALIDATION,
      input: "200 without the code, then `GET` of the validation URL",
      documented: "`AwaitingManualAction`, then the handshake is successful",
      run: (stage) => manually(stage, fetch),
      result: ["AwaitingManualAction", "Succeeded"],
    },
    {
      source: VALIDATION,
      input: "The validation URL after 9 minutes",
      documented: "valid",
      run: (stage) =>
        manually(stage, async (url) => {
          await stage.cloud.clock.advance({ minutes: 9 });
          await fetch(url);
        }),
      result: ["AwaitingManualAction", "Succeeded"],
    },
    {
      source: VALIDATION,
      input: "No `GET` of the validation URL for 10 minutes",
      documented: "the state is `Failed`",
      run: (stage) => manually(stage, () => stage.cloud.clock.advance({ minutes: 10 })),
      result: ["AwaitingManualAction", "Failed"],
    },
    {
      source: DETAILS,
      input: "The webhook does not respond to the validation event within 30 seconds",
      documented: "another attempt after 5 seconds",
      differs: "the first attempt decides, so that a failing test does not wait",
      run: async (stage) =>
        (await handshake(stage, "EventGridSchema", () => ({ status: 500 }))).requests.length,
      result: 1,
    },
    {
      source: VALIDATION,
      input: "A subscription to a function with an Event Grid trigger is created",
      documented: "Azure validates it; how is open",
      unknown: "the handshake of the delivery schema, to the webhook of the Functions host",
      run: async (stage) => {
        stage.cloud.ingress.route("https://parity.azurewebsites.net", stage.webhook.url);
        const resourceId = `${GROUP}/providers/Microsoft.Web/sites/parity/functions/Ship`;
        const before = stage.webhook.requests.length;
        const destination = { type: "AzureFunction", resourceId } as const;
        await stage.subscribe(stage.topicFor("EventGridSchema").id, { destination });
        return stage.webhook.requests
          .slice(before)
          .map(({ path, headers }) => [path, headers["aeg-event-type"]]);
      },
      result: [["/runtime/webhooks/EventGrid?functionName=Ship", "SubscriptionValidation"]],
    },
  ],
};
