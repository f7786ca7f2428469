import { textIn } from "../../../support/management-client.js";
import { type Area, type Recording, row } from "../../row.js";
import { ended, GROUP } from "../../stage.js";
import {
  cli,
  errorOf,
  idOf,
  net,
  operator,
  PROVIDERS,
  propertiesOf,
  python,
  pythonAssets,
  ROOT,
  resource,
  subscribed,
  subscription,
  TOPICS,
} from "./recordings.js";

const DELETED = net("EventGridTopicEventSubscriptionTests/Delete", 2023, "2023-06-01-preview");

const NO_GROUP = cli("test_create_system_topic", 2025, "2021-10-15-preview");

const NO_SUCH_GROUP = `${ROOT}/resourceGroups/no-such-group`;

const ofDeleted = (kind: string, source: Recording, message: string) =>
  resource(source, `\`GET\` of a ${kind} that was deleted`)
    .documented(`404 \`ResourceNotFound\`, “${message}”`)
    .with({ type: `Microsoft.EventGrid/${kind}s` })
    .gives([404, "ResourceNotFound", message], async ({ call, id }) => {
      await call("DELETE", id);
      const [status, code, text] = errorOf(await call("GET", id));
      return [status, code, text.replace(id.split("/").at(-1), "NAME")];
    });

export const errors: Area = {
  title: "Recorded answers: errors",
  rows: [
    subscribed(DELETED, "`GET` of an event subscription that does not exist")
      .documented("404 `ResourceNotFound`, “Event subscription doesn't exist.”")
      .gives([404, "ResourceNotFound", "Event subscription doesn't exist."], async ({ call, id }) =>
        errorOf(await call("GET", `${id}-missing`)),
      ),
    resource(
      net(
        "EventGridDomainResourceTests/DomainEventSubscriptionAndPrivateEndpointNegativeScenarios",
        2025,
        "2025-04-01-preview",
      ),
      "`GET` and `PUT` of a private endpoint's connection that does not exist",
    )
      .documented(
        "404 `ResourceNotFound`, “PrivateEndpointConnection with id NAME does not exist.”; 400",
      )
      .with({ type: "Microsoft.EventGrid/domains" })
      .gives(
        [404, "ResourceNotFound", "PrivateEndpointConnection with id none does not exist.", 400],
        async ({ call, id }) => {
          const connection = `${id}/privateEndpointConnections/none`;
          const { status } = await call("PUT", connection, { properties: {} });
          return [...errorOf(await call("GET", connection)), status];
        },
      ),
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
    row(
      operator("Test_Eventgrid_v1api_CreationAndDeletion", 2026, "2020-06-01"),
      "`GET` and `DELETE` of a domain's topic without its domain",
    )
      .documented("404 `ParentResourceNotFound`, with another message for each")
      .gives(
        [
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
        async (stage) => {
          const domain = await idOf(stage, "Microsoft.EventGrid/domains");
          const answers = [];
          for (const method of ["GET", "DELETE"]) {
            const answer = errorOf(await stage.call(method, `${domain}/topics/orders`));
            const [status, code, message] = answer;
            answers.push([status, code, message.replace(/'[^']*row-\d+'/, "NAME")]);
          }
          return answers;
        },
      ),
    row(
      operator("Test_Eventgrid_v1api_CreationAndDeletion", 2026, "2020-06-01"),
      "`GET` and `DELETE` of an event subscription of a topic that does not exist",
    )
      .documented(
        "404 `ResourceNotFound` for the topic; `ResourceGroupNotFound` if its group does not exist either",
      )
      .gives(
        [
          [404, "ResourceNotFound"],
          [404, "ResourceNotFound"],
          [404, "ResourceGroupNotFound"],
          [404, "ResourceGroupNotFound"],
        ],
        async (stage) => {
          const missing = await idOf(stage, TOPICS);
          const answers = [];
          for (const topic of [missing, missing.replace("/resourceGroups/", "$&no-")]) {
            const path = `${topic}/providers/Microsoft.EventGrid/eventSubscriptions/orders`;
            for (const method of ["GET", "DELETE"]) {
              answers.push(errorOf(await stage.call(method, path)).slice(0, 2));
            }
          }
          return answers;
        },
      ),
    subscribed(
      operator("Test_EventGrid_Topic", 2026, "2020-06-01"),
      "A storage queue whose account does not exist",
    )
      .documented(
        "201, then the operation is `Failed`: `Endpoint validation`, “Destination endpoint not found. … Resource should pre-exist before attempting this operation.”",
      )
      .with({
        properties: {
          destination: {
            endpointType: "StorageQueue",
            properties: {
              resourceId: `${PROVIDERS}/Microsoft.Storage/storageAccounts/missing`,
              queueName: "orders",
            },
          },
        },
      })
      .gives("Failed", ({ last }) => propertiesOf(last).provisioningState),
    ...["PUT", "DELETE"].map((method) =>
      row(NO_GROUP, `\`${method}\` of a resource in a resource group that does not exist`)
        .documented("404 `ResourceGroupNotFound` with the header `x-ms-failure-cause: gateway`")
        .gives(
          [
            404,
            "ResourceGroupNotFound",
            "Resource group 'no-such-group' could not be found.",
            "gateway",
          ],
          async (stage) => {
            const topic = await idOf(stage, "Microsoft.EventGrid/systemTopics");
            const id = `${topic.replace(GROUP, NO_SUCH_GROUP)}/eventSubscriptions/b`;
            const answer = await stage.call(method, id, method === "PUT" ? {} : undefined);
            return [...errorOf(answer), answer.headers["x-ms-failure-cause"]];
          },
        ),
    ),
    subscribed(
      net(
        "EventGridDomainEventSubscriptionTests/DomainEventSubscriptionNegativeScenarios",
        2025,
        "2025-07-15-preview",
      ),
      "A webhook whose URL is not https",
    )
      .documented(
        "400 `InvalidRequest` at once, “The endpoint URL is invalid as it should be specified … and should follow the proper https URL format”",
      )
      .gives([400, "InvalidRequest", true], async ({ call, id }) => {
        const body = subscription({}, { endpointUrl: "http://parity.example.com" });
        const [status, code, message] = errorOf(await call("PUT", id, body));
        return [status, code, /^Invalid event subscription request: The endpoint/.test(message)];
      }),
    subscribed(
      {
        page: "https://github.com/cloud-custodian/cloud-custodian/issues/4669",
        section: "Issue of Cloud Custodian, 2019",
      },
      "An advanced filter with too many values",
    )
      .documented("`InvalidRequest` at once; the limit was 5 then")
      .gives([400, "InvalidRequest"], async ({ call, id }) => {
        const values = Array.from({ length: 26 }, (_, index) => `${index}`);
        const advancedFilters = [{ operatorType: "StringIn", key: "subject", values }];
        const body = subscription({ filter: { advancedFilters } });
        return errorOf(await call("PUT", id, body)).slice(0, 2);
      }),
    row(
      {
        page: "https://github.com/Azure/azure-cli/issues/27768",
        section: "Issue of the Azure CLI, 2024",
      },
      "The error of a failed handshake",
    )
      .documented(
        "`Url validation`; the URL without its query, the method, and the status by name: `Http OPTIONS request failed with response code NotFound`; a page, an ID and a time",
      )
      .differs("neither ID nor time, and Azure’s “troublehooting” is spelt right")
      .gives(
        {
          code: "Url validation",
          message:
            "Webhook validation handshake failed for https://parity.example.com/recorded. Http OPTIONS request failed with response code NotFound. For troubleshooting, visit https://aka.ms/esvalidationcloudevent.",
        },
        async (stage) => {
          const usual = stage.webhook.answer;
          stage.webhook.answer = () => ({ status: 404 });
          const topic = await stage.newTopic();
          const id = `${topic.id}/providers/Microsoft.EventGrid/eventSubscriptions/failing`;
          const operation = await ended(stage, await stage.call("PUT", id, subscription()));
          stage.webhook.answer = usual;
          return Object(operation).error;
        },
      ),
    row(
      {
        page: "https://github.com/hashicorp/go-azure-sdk/issues/1049",
        section: "Issue of the azurerm provider, 2024",
      },
      "The operation while someone has to open the validation URL",
    )
      .documented("`AwaitingManualAction`, which azurerm does not know: it fails after a minute")
      .gives(["AwaitingManualAction", undefined, "Succeeded"], async (stage) => {
        const usual = stage.webhook.answer;
        const url = new Promise<string>((resolve) => {
          stage.webhook.answer = ({ body }) => {
            resolve(JSON.parse(body)[0].data.validationUrl);
            return { status: 200 };
          };
        });
        const topic = await stage.newTopic({ inputSchema: "EventGridSchema" });
        const id = `${topic.id}/providers/Microsoft.EventGrid/eventSubscriptions/manual`;
        const first = await stage.call("PUT", id, subscription());
        const { pathname, search } = new URL(String(first.headers["azure-asyncoperation"]));
        const { body, headers } = await stage.call("GET", `${pathname}${search}`);
        stage.webhook.answer = usual;
        await fetch(await url);
        const operation = await ended(stage, first);
        return [textIn(body, "status"), headers["retry-after"], textIn(operation, "status")];
      }),
    row(
      python("test_exceptions.test_raise_on_auth_error", 2021, "2018-01-01"),
      "A malformed key of a publisher",
    )
      .documented(
        "401 `Unauthorized`, the host in capitals, the reason and a report; `details` says the same; no `WWW-Authenticate`",
      )
      .gives(
        [
          [401, "Unauthorized", "Unauthorized", true],
          null,
          "The request authorization key is not authorized for NAME.WESTEUROPE-1.EVENTGRID.AZURE.NET. This is due to the reason: Invalid length for a Base-64 char array or string. Report REPORT to our forums for assistance or raise a support ticket.",
        ],
        async (stage) => {
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
      ),
    row(
      python("test_exceptions.test_raise_on_large_payload", 2021, "2018-01-01"),
      "A request of more than 1,536,000 bytes",
    )
      .documented(
        "413 `RequestEntityTooLarge`; `PayloadTooLarge` in `details`; no report and no content type",
      )
      .gives(
        [
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
        async (stage) => {
          const topic = await stage.newTopic({ inputSchema: "EventGridSchema" });
          const { status, error, headers } = await stage.publish(topic, "x".repeat(1_536_001));
          return [status, error, headers.get("content-type")];
        },
      ),
    row(
      pythonAssets(
        "test_eg_client_exceptions/test_publish_cloud_event_not_found",
        2023,
        "2023-06-01-preview",
      ),
      "An error of a namespace's data plane",
    )
      .documented(
        "`application/json; charset=utf-8`; the time in nanoseconds with `+00:00`, the tracking ID in capitals",
      )
      .gives(["application/json; charset=utf-8", true, true], async (stage) => {
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
      }),
  ],
};
