import { createHttpHeaders } from "@azure/core-rest-pipeline";
import { describe, expect, it } from "vitest";
import {
  Azure,
  droppedSince,
  explained,
  subscriptionsPath,
  total,
} from "../../../cli/src/azure/index.js";
import { defaultCredential } from "../../../cli/src/azure/sign-in.js";
import type { CloudName } from "../../../cli/src/cloud.js";

/** What a service answers; the status is 200 unless it says another one. */
interface Canned {
  readonly status?: number;
  readonly body?: unknown;
}

/** An Azure whose services answer as `answer` says, and the requests and scopes that they get. */
async function azureThat(
  answer: (url: URL) => Canned,
  cloud: CloudName = "public",
  env: Readonly<Record<string, string>> = {},
) {
  const sent: string[] = [];
  const scopes: unknown[] = [];
  const claims = Buffer.from('{"oid":"object","tid":"tenant"}').toString("base64url");
  const azure = await Azure.signIn(cloud, undefined, env, {
    credential: {
      getToken: async (scope) => {
        scopes.push(scope);
        return { token: `head.${claims}.signature`, expiresOnTimestamp: Date.now() + 3_600_000 };
      },
    },
    httpClient: {
      sendRequest: async (request) => {
        sent.push([request.method, request.url, request.body].filter(Boolean).join(" "));
        const { status = 200, body } = answer(new URL(request.url));
        const headers = createHttpHeaders();
        return { request, status, headers, bodyAsText: JSON.stringify(body) };
      },
    },
  });
  return { azure, sent, scopes };
}

describe("Resource Manager and Graph", () => {
  // https://learn.microsoft.com/azure/azure-government/compare-azure-government-global-azure
  // https://learn.microsoft.com/azure/china/resources-developer-guide
  it.each([
    ["public", "https://management.azure.com", "https://graph.microsoft.com"],
    ["usgovernment", "https://management.usgovcloudapi.net", "https://graph.microsoft.us"],
    ["china", "https://management.chinacloudapi.cn", "https://microsoftgraph.chinacloudapi.cn"],
  ] as const)("are those of the cloud %s", async (cloud, arm, graph) => {
    const { azure, sent, scopes } = await azureThat(() => ({}), cloud);
    const caller = await azure.caller();
    await azure.arm("/a", "2020", { filter: "x" });
    await azure.change({ method: "PUT", path: "/a", apiVersion: "2020", body: { b: 1 } });
    await azure.change({ method: "DELETE", path: "/a", apiVersion: "2020" });
    await azure.keys("/a", "2020");
    await azure.graph("/applications", "y");
    await azure.graph("/owners");
    expect(sent).toEqual([
      `GET ${arm}/a?api-version=2020&filter=x`,
      `PUT ${arm}/a?api-version=2020 {"b":1}`,
      `DELETE ${arm}/a?api-version=2020`,
      `POST ${arm}/a/listKeys?api-version=2020`,
      `GET ${graph}/v1.0/applications?%24filter=y`,
      `GET ${graph}/v1.0/owners`,
    ]);
    expect(new Set(scopes.flat())).toEqual(new Set([`${arm}/.default`, `${graph}/.default`]));
    expect(caller).toEqual({ objectId: "object", tenantId: "tenant" });
  });

  it("are those that the metadata of another cloud name", async () => {
    const metadata = {
      resourceManager: "https://arm.local/",
      microsoftGraphResourceId: "https://graph.local//",
      authentication: { loginEndpoint: "https://login.local/" },
    };
    const env = { ARM_METADATA_HOSTNAME: "meta.local" };
    const { azure, sent } = await azureThat(() => ({ body: metadata }), "public", env);
    await azure.arm("/a", "2020");
    expect(azure.graphUrl("/b")).toBe("https://graph.local/v1.0/b");
    expect(sent).toEqual([
      "GET https://meta.local/metadata/endpoints?api-version=2022-09-01",
      "GET https://arm.local/a?api-version=2020",
    ]);
    for (const name of ["resourceManager", "microsoftGraphResourceId"]) {
      const body = { ...metadata, [name]: undefined };
      await expect(azureThat(() => ({ body }), "public", env)).rejects.toThrow(
        /^ARM_METADATA_HOSTNAME: https:\/\/meta\.local\/.* names no endpoints$/,
      );
    }
  });

  it("give lists page by page, and tokens to nobody else", async () => {
    const arm = "https://management.azure.com";
    const pages: Readonly<Record<string, object>> = {
      "/1": { value: [1], nextLink: `${arm}/2` },
      "/2": { value: [2, 3], "@odata.nextLink": "https://graph.microsoft.com/3" },
      "/3": { value: [4], nextLink: "" },
      "/4": { value: [], nextLink: "https://elsewhere.example/5" },
    };
    const { azure } = await azureThat(({ pathname }) => ({ body: pages[pathname] }));
    const { status, items } = await azure.list(azure.arm("/1", "2020"));
    expect([status, items]).toEqual([200, [1, 2, 3, 4]]);
    await expect(azure.list(azure.arm("/4", "2020"))).rejects.toThrow(
      "a list is not complete: its next page is at https://elsewhere.example",
    );
  });
});

// https://learn.microsoft.com/azure/event-grid/monitor-push-reference
it("adds up the points of a metric, and does not know one that is not shown", async () => {
  const point = (minute: number, count: unknown) => ({
    timeStamp: `2026-01-31T07:0${minute}:00Z`,
    total: count,
  });
  const dropped = {
    name: { value: "DroppedEventCount" },
    timeseries: [{ data: [point(0, 2), point(1, undefined)] }, { data: [point(2, 3)] }],
  };
  const other = { name: { value: "MatchedEventCount" }, timeseries: [{ data: [point(0, 9)] }] };
  const body = { value: [other, dropped] };
  const { azure, sent } = await azureThat(() => ({ body }));
  expect(await droppedSince(azure, "/a", 0, 60_000)).toBe(5);
  expect(decodeURIComponent(sent[0] ?? "")).toBe(
    "GET https://management.azure.com/a/providers/Microsoft.Insights/metrics?api-version=2023-10-01&metricnames=DroppedEventCount&aggregation=Total&interval=PT15M&timespan=1970-01-01T00:00:00.000Z/1970-01-01T00:01:00.000Z",
  );
  const begin = Date.parse("2026-01-31T07:01:00Z");
  expect(total({ status: 200, body }, "DroppedEventCount", (time) => time >= begin)).toBe(3);
  expect(total({ status: 403, body }, "DroppedEventCount")).toBeUndefined();
  expect(total({ status: 200, body }, "UnmatchedEventCount")).toBeUndefined();
});

it.each([
  ["/topics/a", "/topics/a/providers/Microsoft.EventGrid"],
  ["/domains/a/topics/b", "/domains/a/topics/b/providers/Microsoft.EventGrid"],
  ["/systemTopics/a", "/systemTopics/a"],
  ["/partnerTopics/a", "/partnerTopics/a"],
  ["/namespaces/a/topics/b", "/namespaces/a/topics/b"],
])("finds the event subscriptions of %s below %s", (scope, parent) => {
  const place = "/subscriptions/1/providers/Microsoft.EventGrid";
  expect(subscriptionsPath(place + scope)).toBe(`${place}${parent}/eventSubscriptions`);
});

describe("a sign-in", () => {
  const signIn = (error: Error | null) =>
    explained(
      { getToken: () => (error ? Promise.reject(error) : Promise.resolve(null)) },
      "https://login.example",
    ).getToken(["https://a/.default", "b"]);
  const nobody = "no credentials were found: run az login, or set AZURE_TENANT_ID";
  const notReached = "https://login.example cannot be reached, or does not know the tenant";

  it.each([
    ["Error", "endpoints_resolution_error: x", notReached],
    ["AggregateAuthenticationError", "endpoints_resolution_error: x", notReached],
    ["Error", "network_error: x", notReached],
    // A managed identity that is tried among others.
    ["AggregateAuthenticationError", "network_error: x", nobody],
    ["CredentialUnavailableError", "x", nobody],
    ["AuthenticationError", "AADSTS7000215: wrong secret\nTrace ID", "AADSTS7000215: wrong secret"],
  ])("says after %s %j: %s", async (name, message, reason) => {
    const error = Object.assign(new Error(message), { name });
    await expect(signIn(error)).rejects.toThrow(
      `cannot sign in for https://a/.default b: ${reason}`,
    );
    await expect(signIn(error)).rejects.not.toThrow("Trace ID");
  });

  it("says that no token was issued", async () => {
    await expect(signIn(null)).rejects.toThrow("b: no token was issued");
  });

  it("is that of Terraform's variables, if there are all of them", async () => {
    const env = { ARM_TENANT_ID: "t", ARM_CLIENT_ID: "c", ARM_CLIENT_SECRET: "hush" };
    const host = "https://login.microsoftonline.com";
    const chosen = async (more: object, tenant?: string) =>
      (await defaultCredential(host, tenant, { ...env, ...more })).constructor.name;
    expect(await chosen({})).toBe("ClientSecretCredential");
    expect(await chosen({ ARM_TENANT_ID: undefined }, "t")).toBe("ClientSecretCredential");
    for (const name of Object.keys(env))
      expect(await chosen({ [name]: undefined })).toBe("DefaultAzureCredential");
  });
});
