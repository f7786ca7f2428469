import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { groupsOf, parameterIn, sameText } from "../../../base/index.js";
import { decoded, type Route, sendJsonText } from "../../../http/index.js";
import { topicSegmentOf } from "../../../network/index.js";
import type { PublishFault, ReceivingFault } from "../../../simulation/index.js";
import {
  type CredentialChecks,
  type CredentialTarget,
  checkCredentials,
} from "../../credentials.js";
import {
  badRequest,
  DataPlaneError,
  notFound,
  refusalOf,
  sendRefusal,
} from "../../data-plane-error.js";
import type { Namespace } from "../namespace.js";
import {
  type DataRequest,
  type OperationServices,
  publish,
  queueOperations,
} from "./operations.js";

export interface DataPlaneHandling extends CredentialChecks, OperationServices {
  /** Whether the principal with this object ID may receive events from the resource. */
  readonly mayReceive: (principalId: string, resourceId: string) => boolean;
  /** The namespace at a path such as `/shop.westeurope-1`. */
  readonly namespaceAt: (path: string) => Namespace | undefined;
  /** A simulated failure of publishing. */
  readonly publishFault: () => PublishFault | undefined;
  /** A simulated failure of a receiver's request. */
  readonly receivingFault: (operation: string, subscription: string) => ReceivingFault | undefined;
}

const PATH = /^(\/[a-z0-9-]+\.[a-z0-9]+-\d+)\/topics\/(.*)$/i;
const OPERATION = /^([^/:]+)(?:\/eventsubscriptions\/([^/:]+))?:([a-z]+)$/i;

const VERSIONS = ["2023-11-01", "2024-06-01"];

/** `POST /{namespace}.{location}-1/topics/…`, or the public host of a namespace through the proxy. */
export function dataRoute(handling: DataPlaneHandling): Route {
  return async (exchange) => {
    const { request, response, url } = exchange;
    const segment = topicSegmentOf(url.hostname);
    const path = decoded(segment ? `/${segment}${url.pathname}` : url.pathname);
    const [namespacePath, rest] = groupsOf(PATH, path);
    if (namespacePath === "") return false;
    try {
      const body = await bodyOf(exchange, namespacePath, rest, handling);
      if (response.destroyed) return true;
      if (body === undefined) response.destroy();
      else
        sendJsonText(exchange, 200, body, rest.toLowerCase().endsWith(":receive") ? {} : JSON_TYPE);
    } catch (error) {
      request.resume();
      if (response.headersSent || response.destroyed) return true;
      sendDataPlaneError(response, refusalOf(error), new Date(handling.now()));
    }
    return true;
  };
}

const JSON_TYPE = { "content-type": "application/json" };

/** Does what a request asks for. Returns the body of the response, `undefined` if a fault loses it. */
async function bodyOf(
  exchange: DataRequest["exchange"],
  namespacePath: string,
  rest: string,
  handling: DataPlaneHandling,
): Promise<string | undefined> {
  const { method, url } = exchange;
  const namespace = handling.namespaceAt(namespacePath);
  if (!namespace) throw notFound("Namespace", namespacePath.slice(1));
  const [topicName, subscription, operation] = groupsOf(OPERATION, rest);
  if (topicName === "") throw notFound("Operation", rest);
  if (method !== "POST") {
    throw new DataPlaneError(405, "MethodNotAllowed", `Every operation is a POST, not ${method}`);
  }
  const target = dataTarget(namespace, topicName, subscription, handling);
  await checkCredentials(exchange, target, handling);
  const topic = namespace.topics.get(topicName);
  if (!topic) throw notFound("Topic", topicName);
  const version = parameterIn(url.searchParams, "api-version");
  if (!VERSIONS.includes(version)) {
    throw badRequest(`The api-version '${version}' is not one of ${VERSIONS.join(", ")}`);
  }
  if (subscription === "" && sameText(operation, "publish")) {
    const fault = handling.publishFault();
    if (fault) throw simulated(fault.status, fault.retryAfterSeconds);
    return publish({ exchange, version }, topic, handling);
  }
  const runQueue = queueOperations[operation.toLowerCase()];
  if (subscription === "" || !runQueue) throw notFound("Operation", operation);
  const queue = topic.subscriptions.get(subscription)?.queue;
  if (!queue || queue.isExpired) throw notFound("Event subscription", subscription);
  const fault = handling.receivingFault(operation, subscription);
  if (fault?.unreachable) return undefined;
  if (fault?.status !== undefined) throw simulated(fault.status, fault.retryAfterSeconds);
  const failTokens = fault?.failTokens ?? false;
  const body = await runQueue({ exchange, version, failTokens }, queue, handling);
  return fault?.loseResponse ? undefined : body;
}

function simulated(status: number, retryAfterSeconds: number | undefined): DataPlaneError {
  const message = "The request was not completed: simulated fault";
  return new DataPlaneError(status, "Fault", message, { retryAfterSeconds });
}

/**
 * Returns the target whose keys and roles admit a request to a namespace.
 *
 * @param topic name of the topic, which may not exist
 * @param subscription name of the event subscription; `undefined` for publishing
 */
function dataTarget(
  namespace: Namespace,
  topic: string,
  subscription: string,
  { maySend, mayReceive }: DataPlaneHandling,
): CredentialTarget {
  const topicId = `${namespace.id}/topics/${topic}`;
  const path = `${namespace.path}/topics/${topic}`.toLowerCase();
  const common = {
    keys: [namespace, namespace.topics.get(topic)].flatMap((owner) =>
      owner ? Object.values(owner.keys()) : [],
    ),
    allowsSharedAccessKey: true,
  };
  const refusals = (action: string, role: string) => ({
    none: "The request has no credentials: a bearer token, a SharedAccessKey or a SharedAccessSignature in Authorization, or aeg-sas-key or aeg-sas-token.",
    key: () => "The key is not one of the namespace or the topic.",
    signature: "The signature is not made with a key of the namespace or the topic.",
    principal: (id: string) =>
      `The principal '${id}' may not ${action} events of ${topicId}. Assign it the role 'EventGrid Data ${role}' at the namespace.`,
  });
  if (subscription === "") {
    return {
      ...common,
      path,
      isAllowed: (id) => maySend(id, topicId),
      refusals: refusals("send", "Sender"),
    };
  }
  return {
    ...common,
    path: `${path}/eventsubscriptions/${subscription}`.toLowerCase(),
    isAllowed: (id) => mayReceive(id, `${topicId}/eventSubscriptions/${subscription}`),
    refusals: refusals("receive", "Receiver"),
  };
}

/** Writes the error as the service was recorded to: its specification promises other names. */
function sendDataPlaneError(response: ServerResponse, error: DataPlaneError, now: Date): void {
  const { status, code, message } = error;
  const timestamp_utc = now.toISOString().replace("Z", "000000+00:00");
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "broker-errorcode": code,
    ...(status === 401 && { "www-authenticate": "Bearer" }),
  };
  const tracking_id = randomUUID().toUpperCase();
  sendRefusal(response, error, headers, { code, message, timestamp_utc, tracking_id });
}
