import { createHmac } from "node:crypto";
import { newIdentity, requestToken, textIn } from "../../../support/management-client.js";
import { PUBLISH, RECEIVE } from "../../../support/namespace-client.js";
import type { Area, Row, Source } from "../../row.js";
import { cloudEvent, SINGLE, type Stage } from "../../stage.js";
import { type Opened, page, queue, request, SPECIFICATION } from "./opened.js";

const KEYS = page(
  "authenticate-with-access-keys-shared-access-signatures",
  "Access keys and shared access signatures",
);
const ENTRA = page("authenticate-with-entra-id-namespaces", "Entra ID for namespaces");
const ROLES: Source = {
  page: "https://github.com/Azure/bicep-registry-modules",
  section: "Module of namespaces",
};

interface Credentials {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

/** Statuses of publishing and receiving; 400 means that the credentials of a receiver were accepted. */
async function statusesWith(opened: Opened, { headers, query = "" }: Credentials) {
  const post = async (path: string) => {
    const response = await fetch(`${opened.url(path)}${query}`, {
      method: "POST",
      headers: { "content-type": SINGLE, ...headers },
      body: JSON.stringify(cloudEvent({ data: {} })),
    });
    return response.status;
  };
  // An invalid parameter, so that the request does not wait.
  return [await post(PUBLISH), await post(`${RECEIVE}&maxEvents=0`)];
}

const BOTH = [200, 400];
const PUBLISH_ONLY = [200, 401];
const RECEIVE_ONLY = [401, 400];
const NEITHER = [401, 401];

const words = new Map([
  [BOTH, "publishes and receives"],
  [PUBLISH_ONLY, "publishes only"],
  [RECEIVE_ONLY, "receives only"],
  [NEITHER, "refused"],
]);

const allows = (
  source: Source,
  input: string,
  result: number[],
  credentials: (opened: Opened) => Credentials | Promise<Credentials>,
): Row =>
  queue(source, input)
    .documented(words.get(result) ?? "")
    .gives(result, async (opened) => statusesWith(opened, await credentials(opened)));

/** A signature with the namespace's key, encoded and made as in Microsoft's samples. */
function signed(
  { namespace, topic }: Opened,
  path = "",
  expiry = "1/31/2999 10:00:00 PM",
  key = namespace.accessKey,
): string {
  const resource = encodeURIComponent(`${namespace.endpoint}${path.replace("orders", topic.name)}`);
  const text = `r=${resource}&e=${encodeURIComponent(expiry)}`;
  const hmac = createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64");
  return `${text}&s=${encodeURIComponent(hmac)}`;
}

const signature = (path: string, expiry?: string) => (opened: Opened) => ({
  headers: { authorization: `SharedAccessSignature ${signed(opened, path, expiry)}` },
});

const key = (text: string) => ({ headers: { authorization: `SharedAccessKey ${text}` } });

/** A token of a principal with the role, at the namespace or below it. */
async function bearer(
  stage: Stage,
  scope: string,
  role?: string,
  audience = "https://eventgrid.azure.net",
): Promise<Credentials> {
  const identity = newIdentity(stage.cloud, stage.newName());
  if (role) stage.cloud.control.assignRole(role, identity.principalId, scope);
  const { body } = await requestToken(stage.cloud, identity, `${audience}/.default`);
  return { headers: { authorization: `Bearer ${textIn(body, "access_token")}` } };
}

const role = (name: string, result: number[], id: string) =>
  allows(
    ROLES,
    `A principal with the role \`EventGrid ${name}\`, \`${id}\``,
    result,
    async ({ stage, namespace }) => bearer(stage, namespace.id, await nameOfRole(stage, id)),
  );

async function nameOfRole(stage: Stage, id: string): Promise<string> {
  const provider = `/subscriptions/${stage.cloud.subscriptionId}/providers/Microsoft.Authorization`;
  const { body } = await stage.call("GET", `${provider}/roleDefinitions/${id}`);
  return Object(body).properties.roleName;
}

export const credentials: Area = {
  title: "Namespaces: credentials",
  rows: [
    allows(
      SPECIFICATION,
      "The first key of the namespace, in `Authorization: SharedAccessKey`",
      BOTH,
      ({ namespace }) => key(namespace.keys().key1),
    ),
    allows(SPECIFICATION, "The second key of the namespace", BOTH, ({ namespace }) =>
      key(namespace.keys().key2),
    ),
    allows(KEYS, "The first key of the topic", BOTH, ({ topic }) => key(topic.keys().key1)),
    allows(KEYS, "The second key of the topic", BOTH, ({ topic }) => key(topic.keys().key2)),
    allows(KEYS, "A key in the header `aeg-sas-key`", BOTH, ({ namespace }) => ({
      headers: { "aeg-sas-key": namespace.accessKey },
    })),
    allows(KEYS, "A key in the query parameter `aeg-sas-key`", BOTH, ({ namespace }) => ({
      query: `&aeg-sas-key=${encodeURIComponent(namespace.accessKey)}`,
    })),
    allows(SPECIFICATION, "The key of another topic", NEITHER, ({ namespace }) =>
      key(namespace.topics.create({ name: "other" }).accessKey),
    ),
    allows(SPECIFICATION, "A key that was regenerated", NEITHER, ({ namespace }) => {
      const old = namespace.accessKey;
      namespace.regenerateKey("key1");
      return key(old);
    }),
    allows(SPECIFICATION, "No credentials", NEITHER, () => ({})),
    request(SPECIFICATION, "The status and code of these refusals")
      .open("401 `Unauthorized`")
      .with(key("x"))
      .gives([401, "Unauthorized"], ({ status, code }) => [status, code]),
    allows(KEYS, "A signature for the URL of the namespace", BOTH, signature("")),
    allows(KEYS, "A signature for the URL of the topic", BOTH, signature("/topics/orders")),
    allows(
      KEYS,
      "A signature for the URL of the event subscription",
      RECEIVE_ONLY,
      signature("/topics/orders/eventsubscriptions/queue"),
    ),
    allows(KEYS, "A signature for another topic", NEITHER, signature("/topics/other")),
    allows(KEYS, "A signature in `aeg-sas-token`", BOTH, (opened) => ({
      headers: { "aeg-sas-token": signed(opened) },
    })),
    allows(KEYS, "A signature with an ISO 8601 time", BOTH, signature("", "2999-01-31T22:00:00Z")),
    allows(
      KEYS,
      "A signature whose time has passed",
      NEITHER,
      signature("", "1/31/2020 10:00:00 PM"),
    ),
    {
      ...allows(KEYS, "How a signature is made", BOTH, signature("")),
      documented: "the page's text describes another hash than its samples",
      unknown: "as the samples: HMAC-SHA256 with the decoded key, over the encoded `r=…&e=…`",
    },
    role("Data Sender", PUBLISH_ONLY, "d5a91429-5739-47e2-a06b-3470a27159e7"),
    role("Data Receiver", RECEIVE_ONLY, "78cbd9e7-9798-4e2e-9b5a-547d9ebb31fb"),
    role("Data Contributor", BOTH, "1d8c3fe3-8864-474b-8749-01e3783e8157"),
    role("Contributor", NEITHER, "1e241071-0855-49ea-94dc-649edcd759de"),
    allows(ENTRA, "A principal without a role", NEITHER, ({ stage, namespace }) =>
      bearer(stage, namespace.id),
    ),
    allows(ENTRA, "A token for another audience", NEITHER, ({ stage, namespace }) =>
      bearer(stage, namespace.id, "EventGrid Data Contributor", "https://storage.azure.com"),
    ),
    {
      ...allows(
        {
          page: "https://github.com/Azure/azure-sdk-for-net/issues/40812",
          section: "Issue of the .NET client",
        },
        "`EventGrid Data Contributor`, assigned at the topic only",
        BOTH,
        ({ stage, topic }) => bearer(stage, topic.id, "EventGrid Data Contributor"),
      ),
      documented: "401 was reported; the cause is open",
      unknown: "publishes and receives",
    },
    {
      ...allows(ENTRA, "The data action to receive events", RECEIVE_ONLY, ({ stage, namespace }) =>
        bearer(stage, namespace.id, "EventGrid Data Receiver"),
      ),
      documented: "open",
      unknown: "`Microsoft.EventGrid/events/receive/action`, in Data Receiver and Data Contributor",
    },
  ],
};
