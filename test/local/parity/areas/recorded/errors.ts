import { finished, textIn } from "../../../support/management-client.js";
import type { Area, Recording } from "../../row.js";
import {
  cli,
  errorOf,
  net,
  operator,
  PROVIDERS,
  propertiesOf,
  python,
  pythonAssets,
  ROOT,
  row,
  subscribed,
  subscription,
  TOPICS,
  written,
} from "./recordings.js";

const DELETED = net("EventGridTopicEventSubscriptionTests/Delete", 2023, "2023-06-01-preview");

const NO_GROUP = cli("test_create_system_topic", 2025, "2021-10-15-preview");

const ofDeleted = (kind: string, source: Recording, message: string) =>
  row(`\`GET\` of a ${kind} that was deleted`, {
    source,
    documented: `404 \`ResourceNotFound\`, “${message}”`,
    run: async (stage) => {
      const { id } = await written(stage, `Microsoft.EventGrid/${kind}s`, {});
      await stage.call("DELETE", id);
      const [status, code, text] = errorOf(await stage.call("GET", id));
      return [status, code, text.replace(id.split("/").at(-1), "NAME")];
    },
    result: [404, "ResourceNotFound", message],
  });

export const errors: Area = {
  title: "Recorded answers: errors",
  rows: [
    row("`GET` of an event subscription that does not exist", {
      source: DELETED,
      documented: "404 `ResourceNotFound`, “Event subscription doesn't exist.”",
      run: async (stage) => {
        const { id } = await subscribed(stage, subscription());
        return errorOf(await stage.call("GET", `${id}-missing`));
      },
      result: [404, "ResourceNotFound", "Event subscription doesn't exist."],
    }),
    ofDeleted(
      "topic",
      net("EventGridTopicTests/Delete", 2023, "2023-06-01-preview"),
      "Topic NAME is not found.",
    ),
    ofDeleted(
      "domain",
      operator("Test_EventGrid_Domain", 2026, "2020-06-01"),
      "Domain NAME is not found. Please check the domain name and try again.",
    ),
    row("`GET` and `DELETE` of a domain's topic without its domain", {
      source: operator("Test_Eventgrid_v1api_CreationAndDeletion", 2026, "2020-06-01"),
      documented: "404 `ParentResourceNotFound`, with another message for each",
      run: async (stage) => {
        const { id } = await written(stage, TOPICS, {});
        const topic = `${id.replace("/topics/", "/domains/")}/topics/orders`;
        const answers = [];
        for (const method of ["GET", "DELETE"]) {
          const [status, code, message] = errorOf(await stage.call(method, topic));
          answers.push([
            status,
            code,
            message.replace(/'[^']*domains\/row-\d+'|'row-\d+'/, "NAME"),
          ]);
        }
        return answers;
      },
      result: [
        [
          404,
          "ParentResourceNotFound",
          "Failed to perform 'read' on resource(s) of type 'domains/topics', because the parent resource NAME could not be found.",
        ],
        [
          404,
          "ParentResourceNotFound",
          "Can not perform requested operation on nested resource. Parent resource NAME not found.",
        ],
      ],
    }),
    row("`GET` and `DELETE` of an event subscription of a topic that does not exist", {
      source: operator("Test_Eventgrid_v1api_CreationAndDeletion", 2026, "2020-06-01"),
      documented:
        "404 `ResourceNotFound` for the topic; `ResourceGroupNotFound` if its group does not exist either",
      run: async (stage) => {
        const { id } = await written(stage, TOPICS, {});
        const answers = [];
        for (const topic of [`${id}-missing`, id.replace("/resourceGroups/", "$&no-")]) {
          const path = `${topic}/providers/Microsoft.EventGrid/eventSubscriptions/orders`;
          for (const method of ["GET", "DELETE"]) {
            answers.push(errorOf(await stage.call(method, path)).slice(0, 2));
          }
        }
        return answers;
      },
      result: [
        [404, "ResourceNotFound"],
        [404, "ResourceNotFound"],
        [404, "ResourceGroupNotFound"],
        [404, "ResourceGroupNotFound"],
      ],
    }),
    row("A storage queue whose account does not exist", {
      source: operator("Test_EventGrid_Topic", 2026, "2020-06-01"),
      documented:
        "201, then the operation is `Failed`: `Endpoint validation`, “Destination endpoint not found. … Resource should pre-exist before attempting this operation.”",
      differs: "`Succeeded`: resources of other services need not exist",
      run: async (stage) => {
        const resourceId = `${PROVIDERS}/Microsoft.Storage/storageAccounts/missing`;
        const destination = {
          endpointType: "StorageQueue",
          properties: { resourceId, queueName: "orders" },
        };
        const { last } = await subscribed(stage, { properties: { destination } });
        return propertiesOf(last).provisioningState;
      },
      result: "Succeeded",
    }),
    ...["PUT", "DELETE"].map((method) =>
      row(`\`${method}\` of a resource in a resource group that does not exist`, {
        source: NO_GROUP,
        documented: "404 `ResourceGroupNotFound` with the header `x-ms-failure-cause: gateway`",
        run: async (stage) => {
          await written(stage, TOPICS, {});
          const missing = `${ROOT}/resourceGroups/no-such-group/providers`;
          const id = `${missing}/Microsoft.EventGrid/systemTopics/a/eventSubscriptions/b`;
          const answer = await stage.call(method, id, method === "PUT" ? {} : undefined);
          return [...errorOf(answer), answer.headers["x-ms-failure-cause"]];
        },
        result: [
          404,
          "ResourceGroupNotFound",
          "Resource group 'no-such-group' could not be found.",
          "gateway",
        ],
      }),
    ),
    row("A webhook whose URL is not https", {
      source: net(
        "EventGridDomainEventSubscriptionTests/DomainEventSubscriptionNegativeScenarios",
        2025,
        "2025-07-15-preview",
      ),
      documented:
        "400 `InvalidRequest` at once, “The endpoint URL is invalid as it should be specified … and should follow the proper https URL format”",
      run: async (stage) => {
        const { id } = await subscribed(stage, subscription());
        const body = subscription({}, { endpointUrl: "http://parity.example.com" });
        const [status, code, message] = errorOf(await stage.call("PUT", id, body));
        return [status, code, /^Invalid event subscription request: The endpoint/.test(message)];
      },
      result: [400, "InvalidRequest", true],
    }),
    row("An advanced filter with too many values", {
      source: {
        page: "https://github.com/cloud-custodian/cloud-custodian/issues/4669",
        section: "Issue of Cloud Custodian, 2019",
      },
      documented: "`InvalidRequest` at once; the limit was 5 then",
      run: async (stage) => {
        const { id } = await subscribed(stage, subscription());
        const values = Array.from({ length: 26 }, (_, index) => `${index}`);
        const advancedFilters = [{ operatorType: "StringIn", key: "subject", values }];
        const body = subscription({ filter: { advancedFilters } });
        return errorOf(await stage.call("PUT", id, body)).slice(0, 2);
      },
      result: [400, "InvalidRequest"],
    }),
    row("The error of a failed handshake", {
      source: {
        page: "https://github.com/Azure/azure-cli/issues/27768",
        section: "Issue of the Azure CLI, 2024",
      },
      documented:
        "`Url validation`; the URL without its query, the method, and the status by name: `Http OPTIONS request failed with response code NotFound`; a page, an ID and a time",
      differs: "neither ID nor time, and Azure’s “troublehooting” is spelt right",
      run: async (stage) => {
        const usual = stage.webhook.answer;
        stage.webhook.answer = () => ({ status: 404 });
        const topic = await stage.newTopic();
        const id = `${topic.id}/providers/Microsoft.EventGrid/eventSubscriptions/failing`;
        const first = await stage.call("PUT", id, subscription());
        const ended = await finished((...request) => stage.call(...request), first);
        stage.webhook.answer = usual;
        return Object(ended).error;
      },
      result: {
        code: "Url validation",
        message:
          "Webhook validation handshake failed for https://parity.example.com/recorded. Http OPTIONS request failed with response code NotFound. For troubleshooting, visit https://aka.ms/esvalidationcloudevent.",
      },
    }),
    row("The operation while someone has to open the validation URL", {
      source: {
        page: "https://github.com/hashicorp/go-azure-sdk/issues/1049",
        section: "Issue of the azurerm provider, 2024",
      },
      documented: "`AwaitingManualAction`, which azurerm does not know: it fails after a minute",
      run: async (stage) => {
        const usual = stage.webhook.answer;
        let open = (_: string) => {};
        const url = new Promise<string>((resolve) => {
          open = resolve;
        });
        stage.webhook.answer = ({ body }) => {
          open(JSON.parse(body)[0].data.validationUrl);
          return { status: 200 };
        };
        const topic = await stage.newTopic({ inputSchema: "EventGridSchema" });
        const id = `${topic.id}/providers/Microsoft.EventGrid/eventSubscriptions/manual`;
        const first = await stage.call("PUT", id, subscription());
        const { pathname, search } = new URL(String(first.headers["azure-asyncoperation"]));
        const { body, headers } = await stage.call("GET", `${pathname}${search}`);
        stage.webhook.answer = usual;
        await fetch(await url);
        const ended = await finished((...request) => stage.call(...request), first);
        return [textIn(body, "status"), headers["retry-after"], textIn(ended, "status")];
      },
      result: ["AwaitingManualAction", undefined, "Succeeded"],
    }),
    row("A malformed key of a publisher", {
      source: python("test_exceptions.test_raise_on_auth_error", 2021, "2018-01-01"),
      documented:
        "401 `Unauthorized`, the host in capitals, the reason and a report; `details` says the same; no `WWW-Authenticate`",
      run: async (stage) => {
        const topic = await stage.newTopic({ inputSchema: "EventGridSchema" });
        const headers = { "aeg-sas-key": "short" };
        const { status, error, headers: answered } = await stage.publish(topic, [], { headers });
        const [detail] = [error.details].flat();
        const message = error.message?.replace(topic.name.toUpperCase(), "NAME");
        return [
          [status, error.code, Object(detail).code, Object(detail).message === error.message],
          answered.get("www-authenticate"),
          message?.replace(/'[-\da-f]{36}:\d:.* [AP]M \(UTC\)'/, "REPORT"),
        ];
      },
      result: [
        [401, "Unauthorized", "Unauthorized", true],
        null,
        "The request authorization key is not authorized for NAME.WESTEUROPE-1.EVENTGRID.AZURE.NET. This is due to the reason: Invalid length for a Base-64 char array or string. Report REPORT to our forums for assistance or raise a support ticket.",
      ],
    }),
    row("A request of more than 1,536,000 bytes", {
      source: python("test_exceptions.test_raise_on_large_payload", 2021, "2018-01-01"),
      documented:
        "413 `RequestEntityTooLarge`; `PayloadTooLarge` in `details`; no report and no content type",
      run: async (stage) => {
        const topic = await stage.newTopic({ inputSchema: "EventGridSchema" });
        const { status, error, headers } = await stage.publish(topic, "x".repeat(1_536_001));
        return [status, error, headers.get("content-type")];
      },
      result: [
        413,
        {
          code: "RequestEntityTooLarge",
          message: "The maximum size (1536000) has been exceeded.",
          details: [
            { code: "PayloadTooLarge", message: "The maximum size (1536000) has been exceeded." },
          ],
        },
        null,
      ],
    }),
    row("An error of a namespace's data plane", {
      source: pythonAssets(
        "test_eg_client_exceptions/test_publish_cloud_event_not_found",
        2023,
        "2023-06-01-preview",
      ),
      documented:
        "`application/json; charset=utf-8`; the time in nanoseconds with `+00:00`, the tracking ID in capitals",
      run: async (stage) => {
        const namespace = stage.cloud.namespaces.create({ name: stage.newName() });
        const response = await fetch(
          `${namespace.endpoint}/topics/missing:publish?api-version=2024-06-01`,
          { method: "POST", headers: { authorization: `SharedAccessKey ${namespace.accessKey}` } },
        );
        const { error } = Object(await response.json());
        return [
          response.headers.get("content-type"),
          /\.\d{9}\+00:00$/.test(error.timestamp_utc),
          /^[-\dA-F]{36}$/.test(error.tracking_id),
        ];
      },
      result: ["application/json; charset=utf-8", true, true],
    }),
  ],
};
