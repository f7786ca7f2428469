import { DataAzurermClientConfig } from "@cdktf/provider-azurerm/lib/data-azurerm-client-config/index.js";
import { TerraformOutput } from "cdktf";
import {
  CloudEventGridBinding,
  CloudEventGridNamespace,
  CloudEventGridPullBinding,
  CloudEventGridTopic,
  EventGridServicePrincipal,
  WebhookApplication,
} from "cloud-eventgrid-binding";
import type { ShopStack } from "../../../terraform/synthesize.js";
import { type Applying, type Rights, ROLE } from "./applying.js";

/** A row of docs/permissions.md, as a graph that is applied with the row's permissions. */
export interface Row {
  /** The row's first cell. `variant` describes a second case of the same row. */
  readonly name: string;
  readonly variant?: string;
  /** The row's permissions. Each of them is needed. */
  readonly needs: Rights;
  /** The permissions of other rows that the graph also needs. */
  readonly otherNeeds?: Rights;
  /** Options of the cloud. */
  readonly control?: { eventGridRegistered?: boolean; eventGridPrincipal?: boolean };
  /** Whether a destroy keeps the principal that the stack created. */
  readonly keepsPrincipal?: boolean;
  readonly build: (applying: Applying) => (stack: ShopStack) => void;
}

const READS = ["*/read", "subscription"] as const;
const WRITES = ["Microsoft.EventGrid/eventSubscriptions/*", "subscription"] as const;
const TOPICS = ["Microsoft.EventGrid/topics/*", "group"] as const;
const LISTS_PROVIDERS = [
  "Microsoft.Resources/subscriptions/providers/read",
  "subscription",
] as const;
const NAMESPACES = ["Microsoft.EventGrid/namespaces/*", "group"] as const;
const SYSTEM_TOPICS = ["Microsoft.EventGrid/systemTopics/*", "group of the account"] as const;
const assigns = (at: "subscription" | "container" | "topic" | "namespace") =>
  [
    ["Microsoft.Authorization/roleAssignments/write", at],
    ["Microsoft.Authorization/roleAssignments/delete", at],
  ] as const;
const everything = ["eventGrid", "client", "writers", "clientAtScope"] as const;

const topic = (stack: ShopStack, options: object = {}) =>
  new CloudEventGridTopic(stack, "topic", {
    resourceGroupName: "shop",
    location: "westeurope",
    topicName: "orders",
    ...options,
  });

const namespaceTopic = (stack: ShopStack) =>
  new CloudEventGridNamespace(stack, "events", {
    resourceGroupName: "shop",
    location: "westeurope",
    namespaceName: "orders",
  }).addTopic("orders");

const pull = (stack: ShopStack, receiver?: string) =>
  new CloudEventGridPullBinding(stack, "orders", {
    topic: namespaceTopic(stack),
    eventSubscriptionName: "shop",
    ...(receiver && { receiver }),
  });

/** A binding whose writer has the app role already. */
const binding =
  (props: object, roles?: readonly string[]) =>
  (applying: Applying): ((stack: ShopStack) => void) => {
    const application = applying.application(roles);
    if (roles === undefined) applying.assign(applying.pipeline, application);
    return applying.shop.orders(application.clientId, props);
  };

const ownApplication =
  ({ shop }: Applying) =>
  (stack: ShopStack) => {
    const application = new WebhookApplication(stack, "webhook", { displayName: "orders" });
    shop.orders("", { cloudClientId: undefined, application })(stack);
  };

/** A separate application without assignments. */
const named =
  (owned: boolean, roles: readonly string[], options: object = {}) =>
  (applying: Applying) => {
    const { application, servicePrincipal } = applying.application(roles);
    if (owned) {
      application.owners.add(applying.pipeline.servicePrincipal.objectId);
    }
    if ("servicePrincipal" in options) {
      const { cloud } = applying.shop;
      cloud.directory.tenant(cloud.tenantId)?.deleteServicePrincipal(servicePrincipal.objectId);
    }
    return (stack: ShopStack) => {
      WebhookApplication.fromClientId(stack, "webhook", {
        clientId: application.clientId,
        existingAssignments: ["eventGrid", "client"],
        ...options,
      });
    };
  };

/** The table "By what is in the stack". */
export const rowsByStack: readonly Row[] = [
  {
    name: "any azurerm provider",
    needs: { azure: [LISTS_PROVIDERS] },
    build: () => (stack) => void new DataAzurermClientConfig(stack, "caller"),
  },
  {
    name: "registration through the provider (the default)",
    needs: { azure: [["Microsoft.EventGrid/register/action", "subscription"]] },
    otherNeeds: { azure: [READS, TOPICS] },
    control: { eventGridRegistered: false },
    build: () => (stack) => void topic(stack),
  },
  {
    name: "event subscription, deployer writes",
    needs: { azure: [WRITES] },
    otherNeeds: { azure: [READS], graph: ["Application.Read.All"] },
    build: binding({ existingAssignments: everything }),
  },
  {
    name: "event subscription, client writes",
    needs: { client: [LISTS_PROVIDERS] },
    otherNeeds: { azure: [READS], graph: ["Application.Read.All"], client: [WRITES] },
    build: (applying) => {
      const application = applying.application();
      applying.assign(application, application);
      return applying.shop.orders(application.clientId, {
        writer: "client",
        cloudClientSecret: "only-for-tests",
        existingAssignments: ["eventGrid", "client", "clientAtScope"],
      });
    },
  },
  {
    name: "role assignment for the application, and for writers that are named",
    needs: { azure: assigns("subscription") },
    otherNeeds: { azure: [READS, WRITES], graph: ["Application.Read.All"] },
    build: (applying) =>
      binding({
        existingAssignments: ["eventGrid", "client", "writers"],
        writerPrincipals: [
          {
            objectId: applying.pipeline.servicePrincipal.objectId,
            principalType: "ServicePrincipal",
          },
        ],
      })(applying),
  },
  {
    name: "deadLetter with an identity",
    needs: { azure: assigns("container") },
    otherNeeds: { azure: [READS, WRITES, TOPICS], graph: ["Application.Read.All"] },
    build: (applying) => {
      const application = applying.application();
      applying.assign(applying.pipeline, application);
      return (stack) => {
        const { id, principalId } = topic(stack, { identity: { type: "SystemAssigned" } });
        applying.shop.orders(application.clientId, {
          scope: id,
          existingAssignments: everything,
          deadLetter: {
            storageAccount: applying.places.container.replace(/\/blobServices.*/, ""),
            container: "dead",
            identity: { type: "SystemAssigned", principalId },
          },
          roleEffectSeconds: 0,
        })(stack);
      };
    },
  },
  {
    name: "CloudEventGridTopic",
    needs: { azure: [TOPICS] },
    otherNeeds: { azure: [READS] },
    build: () => (stack) => void topic(stack),
  },
  {
    name: "CloudEventGridTopic.fromTopicId, endpoint or key used",
    needs: {
      azure: [
        ["Microsoft.EventGrid/topics/read", "topic"],
        ["Microsoft.EventGrid/topics/listKeys/action", "topic"],
      ],
    },
    otherNeeds: { azure: [LISTS_PROVIDERS] },
    build: ({ shop, places }) => {
      shop.cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
      return (stack) => {
        const { endpoint } = CloudEventGridTopic.fromTopicId(stack, "topic", places.topic);
        new TerraformOutput(stack, "endpoint", { value: endpoint });
      };
    },
  },
  {
    name: "grantPublish",
    needs: { azure: assigns("topic") },
    otherNeeds: { azure: [READS] },
    build: ({ shop, places, pipeline }) => {
      shop.cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
      return (stack) => {
        const existing = CloudEventGridTopic.fromTopicId(stack, "topic", places.topic);
        existing.grantPublish(pipeline.servicePrincipal.objectId);
      };
    },
  },
  {
    name: "CloudEventGridNamespace, its topics and CloudEventGridPullBinding",
    needs: { azure: [NAMESPACES] },
    otherNeeds: { azure: [READS] },
    build: () => (stack) => void pull(stack),
  },
  {
    name: "receiver of a pull binding, grantPublish and addSource of a topic in a namespace",
    needs: { azure: assigns("namespace") },
    otherNeeds: { azure: [READS, NAMESPACES] },
    build:
      ({ pipeline }) =>
      (stack) =>
        void pull(stack, pipeline.servicePrincipal.objectId),
  },
  {
    name: "addSource of a topic in a namespace",
    needs: { azure: [SYSTEM_TOPICS] },
    otherNeeds: { azure: [READS, NAMESPACES, ...assigns("namespace")] },
    build:
      ({ places }) =>
      (stack) => {
        const scope = places.container.replace(/\/blobServices.*/, "");
        const source = { scope, location: "westeurope", roleEffectSeconds: 0 };
        namespaceTopic(stack).addSource("uploads", source);
      },
  },
  {
    name: "application by client ID, looked up",
    needs: { graph: ["Application.Read.All"] },
    build: named(false, [ROLE]),
  },
  {
    name: "its app role, where it is missing",
    variant: "as an owner",
    needs: { graph: ["Application.ReadWrite.OwnedBy"] },
    build: named(true, []),
  },
  {
    name: "its app role, where it is missing",
    variant: "as anybody else",
    needs: { graph: ["Application.ReadWrite.All"] },
    otherNeeds: { graph: ["Application.ReadWrite.OwnedBy"] },
    build: named(false, []),
  },
  {
    name: "app role assignments",
    needs: { graph: ["AppRoleAssignment.ReadWrite.All"] },
    otherNeeds: { graph: ["Application.Read.All"] },
    build: named(false, [ROLE], { existingAssignments: ["eventGrid"] }),
  },
  {
    name: 'servicePrincipal: "provision"',
    variant: "as an owner",
    needs: { graph: ["Application.ReadWrite.OwnedBy"] },
    build: named(true, [ROLE], { servicePrincipal: "provision" }),
  },
  {
    name: 'servicePrincipal: "provision"',
    variant: "as anybody else",
    needs: { graph: ["Application.ReadWrite.All"] },
    otherNeeds: { graph: ["Application.ReadWrite.OwnedBy"] },
    build: named(false, [ROLE], { servicePrincipal: "provision" }),
  },
  {
    name: "WebhookApplication",
    needs: { graph: ["Application.ReadWrite.OwnedBy"] },
    otherNeeds: { graph: ["AppRoleAssignment.ReadWrite.All"] },
    build: () => (stack) => {
      new WebhookApplication(stack, "webhook", { displayName: "orders", clientSecret: true });
    },
  },
  {
    name: "EventGridServicePrincipal",
    needs: { graph: ["Application.ReadWrite.All"] },
    otherNeeds: { graph: ["Application.ReadWrite.OwnedBy"] },
    control: { eventGridPrincipal: false },
    keepsPrincipal: true,
    build: () => (stack) => void new EventGridServicePrincipal(stack, "event-grid"),
  },
];

/** The table "By use case". */
export const rowsByGraph: readonly Row[] = [
  {
    name: "publishes to an own topic with a key",
    needs: { azure: [TOPICS] },
    otherNeeds: { azure: [READS] },
    build: () => (stack) => {
      const { endpoint: topicEndpoint, accessKey } = topic(stack, { localAuthEnabled: true });
      new CloudEventGridBinding(stack, "orders", { topicEndpoint, accessKey });
    },
  },
  {
    name: "publishes with Entra",
    needs: { azure: [TOPICS, ...assigns("topic")] },
    otherNeeds: { azure: [READS] },
    build:
      ({ pipeline }) =>
      (stack) => {
        const made = topic(stack);
        made.grantPublish(pipeline.servicePrincipal.objectId);
        const { endpoint: topicEndpoint } = made;
        new CloudEventGridBinding(stack, "orders", { topicEndpoint, publishWith: "entra" });
      },
  },
  {
    name: "receives, application looked up, deployer writes",
    needs: {
      azure: [WRITES, ...assigns("subscription")],
      graph: ["Application.ReadWrite.All", "AppRoleAssignment.ReadWrite.All"],
    },
    otherNeeds: { azure: [READS], graph: ["Application.Read.All"] },
    build: binding({}, []),
  },
  {
    name: "receives, everything assigned before (existingAssignments with all that apply)",
    needs: { azure: [WRITES], graph: ["Application.Read.All"] },
    otherNeeds: { azure: [READS] },
    build: binding({ existingAssignments: everything }),
  },
  {
    name: "receives, everything provisioned",
    needs: {
      azure: [WRITES, ...assigns("subscription")],
      graph: ["Application.ReadWrite.OwnedBy", "AppRoleAssignment.ReadWrite.All"],
    },
    otherNeeds: { azure: [READS] },
    build: ownApplication,
  },
  {
    name: "receives, client writes",
    needs: {
      azure: assigns("subscription"),
      graph: ["Application.ReadWrite.All", "AppRoleAssignment.ReadWrite.All"],
      client: [["*/read", "subscription"]],
    },
    otherNeeds: { azure: [READS], graph: ["Application.Read.All"] },
    build: (applying) =>
      applying.shop.orders(applying.application([]).clientId, {
        writer: "client",
        cloudClientSecret: "only-for-tests",
        roleEffectSeconds: 0,
      }),
  },
];
