import type { ServiceNamespaceTopic, ServicePullBinding } from "../binding/index.js";
import { cloudEnvironments, type PublishWith } from "../binding/index.js";
import type { SecretHeaders } from "./credentials.js";

/** A topic, or the queue of an event subscription: what requests to it need. */
export interface Service {
  /** With its path; it has no query. */
  readonly endpoint: URL;
  readonly apiVersion: string;
  readonly accessKey: string | undefined;
  /** Entra scope of a token for it. */
  readonly scope: string;
  readonly secretHeaders: SecretHeaders;
  /** What to check after a response with a status; Azure's own messages only point to its forums. */
  readonly advice: Readonly<Record<number, string | undefined>>;
}

/** What a part of a namespace's topic differs in from others. */
interface NamespacePart {
  readonly authenticatesWith: PublishWith;
  /** Follows the topic's URL. */
  readonly path: string;
  /** The role that an identity needs, and where. */
  readonly role: string;
  /** The fields of the binding that name it. */
  readonly fields: string;
}

/** A part of a namespace's topic as a service. */
export function namespaceService(
  binding: ServiceNamespaceTopic | ServicePullBinding,
  { authenticatesWith, path, role, fields }: NamespacePart,
): Service {
  const base = binding.namespaceEndpoint.replace(/\/+$/, "");
  const byKey = authenticatesWith === "accessKey";
  const needsRole = `Check that the identity has the role ${role}`;
  return {
    endpoint: new URL(`${base}/topics/${binding.topicName}${path}`),
    apiVersion: "2024-06-01",
    accessKey: binding.accessKey,
    scope: cloudEnvironments[binding.cloudEnvironment].publishScope,
    secretHeaders: {
      accessKey: { name: "authorization", prefix: "SharedAccessKey " },
      sasToken: { name: "authorization", prefix: "SharedAccessSignature " },
    },
    advice: {
      401: byKey
        ? "Check that the access key or SAS token belongs to this namespace or topic and is valid."
        : `${needsRole}, and that the credential's tenant is the namespace's.`,
      403: byKey
        ? "Check the network rules of the namespace."
        : `${needsRole}, and the network rules of the namespace.`,
      404: `Check ${fields}.`,
    },
  };
}
