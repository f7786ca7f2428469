import { finished } from "../../../support/management-client.js";
import { type Area, rowsThat } from "../../row.js";
import { GROUP } from "../../stage.js";
import { manage, managed, NAMESPACE, properties, QUEUE, RECORDINGS } from "./managed.js";
import { LIMITS, MODEL, page } from "./opened.js";

const QUICKSTART = page("publish-events-using-namespace-topics", "Publish to namespace topics");
const MANAGE = page("create-view-manage-namespace-topics", "Topics of namespaces");
const NETWORK = page("configure-firewall-namespaces", "IP firewall of namespaces");

/** The status of writing a namespace with these fields, and with a name. */
const written = rowsThat(
  async (stage, { name, ...body }: { name?: string; [field: string]: unknown } = {}) => {
    const { put } = await manage(stage);
    const id = `${GROUP}/providers/Microsoft.EventGrid/namespaces/${name ?? stage.newName()}`;
    return (await put(id, { ...NAMESPACE, ...body })).status;
  },
);

const ipRules = (length: number) =>
  Array.from({ length }, (_, index) => ({ ipMask: `10.0.0.${index}`, action: "Allow" }));

export const management: Area = {
  title: "Namespaces: Resource Manager",
  rows: [
    written(MODEL, "A name of a namespace with 2 characters")
      .documented("3 to 50")
      .with({ name: "ab" })
      .gives(400),
    written(QUICKSTART, "A name of a namespace that starts with `EventGrid`")
      .documented("refused")
      .with({ name: "EventGrid-shop" })
      .gives(400),
    managed(QUICKSTART, "The name of a namespace in another location")
      .documented("unique in a location only")
      .gives(201, async ({ namespace, call, put }) => {
        const other = namespace.replace("/parity/", "/parity-north/");
        await call("PUT", other.split("/providers")[0] ?? "", { location: "northeurope" });
        return (await put(other, { ...NAMESPACE, location: "northeurope" })).status;
      }),
    managed(QUICKSTART, "The name of a namespace in the same location, in another resource group")
      .documented("refused")
      .gives(409, async ({ namespace, call, put }) => {
        const other = namespace.replace("/parity/", "/parity-two/");
        await call("PUT", other.split("/providers")[0] ?? "", { location: "westeurope" });
        return (await put(other, NAMESPACE)).status;
      }),
    written(LIMITS, "A capacity of 40 throughput units")
      .documented("at most 20 in the model; the limit is 40")
      .unknown("accepted")
      .with({ sku: { name: "Standard", capacity: 40 } })
      .gives(201),
    written(LIMITS, "A capacity of 41 throughput units")
      .documented("refused")
      .with({ sku: { name: "Standard", capacity: 41 } })
      .gives(400),
    written(MODEL, "A SKU other than `Standard`")
      .documented("refused")
      .with({ sku: { name: "Premium" } })
      .gives(400),
    written(NETWORK, "A namespace without public network access, or with IP rules")
      .documented("other clients get 403")
      .differs("stored, and not applied: the clients are on this machine")
      .with({ properties: { publicNetworkAccess: "Disabled", inboundIpRules: ipRules(1) } })
      .gives(201),
    written(LIMITS, "More than 16 IP rules")
      .documented("refused")
      .differs("accepted: rules are not applied")
      .with({ properties: { inboundIpRules: ipRules(17) } })
      .gives(201),
    managed(LIMITS, "More topics or event subscriptions than the quotas allow")
      .documented("refused above 100 topics per throughput unit and 500 subscriptions of a topic")
      .differs("accepted")
      .gives(201, async ({ namespace, stage, put }) => {
        const topics = stage.cloud.namespaces.get(namespace)?.topics;
        for (let number = 0; number < 100; number++) topics?.create({ name: `topic-${number}` });
        return (await put(`${namespace}/topics/one-more`, { properties: {} })).status;
      }),
    managed(RECORDINGS, "`topicsConfiguration.hostname`")
      .documented("`NAMESPACE.REGION-1.eventgrid.azure.net`")
      .differs(
        "that host for clients of the proxy; otherwise with a port and a path, so that `https://` before it makes the endpoint",
      )
      .gives(true, async ({ namespace, stage, call }) => {
        const { hostname } = properties(await call("GET", namespace)).topicsConfiguration;
        const name = namespace.split("/").at(-1);
        return hostname === `${new URL(stage.cloud.control.origin).host}/${name}.westeurope-1`;
      }),
    managed(RECORDINGS, "`PUT` of a namespace")
      .documented("201 with the state `Creating`, `Azure-AsyncOperation` and `Retry-After: 10`")
      .differs("the operation has succeeded at the first poll, so that clients do not wait")
      .gives([201, "Succeeded", true], async ({ namespace, stage, call }) => {
        const id = namespace.replace(/[^/]+$/, stage.newName());
        const answer = await call("PUT", id, NAMESPACE);
        const operation = await finished(call, answer);
        return [answer.status, Object(operation).status, "azure-asyncoperation" in answer.headers];
      }),
    managed(MODEL, "The properties of a topic")
      .documented("`Custom`, `CloudEventSchemaV1_0`")
      .gives(["Custom", "CloudEventSchemaV1_0"], async ({ topic, call }) => {
        const { publisherType, inputSchema } = properties(await call("GET", topic));
        return [publisherType, inputSchema];
      }),
    managed(MODEL, "A topic with `inputSchema: EventGridSchema`")
      .documented("only `CloudEventSchemaV1_0`")
      .gives(400, async ({ topic, put }) => {
        const { status } = await put(topic, { properties: { inputSchema: "EventGridSchema" } });
        return status;
      }),
    managed(MODEL, "`listKeys` and `regenerateKey` of a namespace and of a topic")
      .documented("200 with `key1` and `key2`")
      .gives([true, true], async ({ namespace, topic, call }) => {
        const isReplaced = async (id: string) => {
          const before = await call("POST", `${id}/listKeys`);
          const after = await call("POST", `${id}/regenerateKey`, { keyName: "key1" });
          const [old, now] = [Object(before.body), Object(after.body)];
          return after.status === 200 && old.key1 !== now.key1 && old.key2 === now.key2;
        };
        return [await isReplaced(namespace), await isReplaced(topic)];
      }),
    managed(MANAGE, "A namespace is deleted")
      .documented("202, with everything in it")
      .gives([202, 404, 404], async ({ namespace, topic, subscription, put, call }) => {
        await put(subscription, QUEUE);
        const deleted = await call("DELETE", namespace);
        await finished(call, deleted);
        const left = [await call("GET", topic), await call("GET", subscription)];
        return [deleted, ...left].map(({ status }) => status);
      }),
  ],
};
