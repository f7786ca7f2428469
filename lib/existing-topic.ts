import { DataAzurermEventgridTopic } from "@cdktf/provider-azurerm/lib/data-azurerm-eventgrid-topic/index.js";
import { Fn, type Precondition, type TerraformProvider } from "cdktf";
import { formatScope, parseScope } from "cloud-eventgrid-binding-runtime/binding";
import { Construct } from "constructs";
import { preconditionsOf, problemsOf } from "./check.js";
import { givenProps } from "./given-props.js";
import { existingTopicProps } from "./known-props.js";
import { providerProblems } from "./provider-checks.js";
import { resourceIdSegment, scopeNamedBy } from "./resource-id.js";
import { withTextTokens } from "./text-tokens.js";
import type { GrantPublishOptions, ICloudEventGridTopic } from "./topic.js";
import { grantPublishing } from "./topic-access.js";
import type { ValueRule } from "./value-rule.js";

/** Props of {@link CloudEventGridTopic.fromTopicId}. */
export interface ExistingTopicProps {
  /** @default the stack's azurerm provider */
  readonly azurerm?: TerraformProvider;
}

/** A topic that exists already. It is looked up, keys included, only where its endpoint or key is used. */
export class ExistingTopic extends Construct implements ICloudEventGridTopic {
  readonly id: string;
  readonly #azurerm: TerraformProvider | undefined;
  readonly #precondition: Precondition[];
  #found: DataAzurermEventgridTopic | undefined;

  constructor(scope: Construct, id: string, givenId: string, given: ExistingTopicProps = {}) {
    super(scope, id);
    const { props, problems: unreadable } = givenProps(this, given, existingTopicProps);
    const topicId = withTextTokens(givenId);
    const check = { field: "topicId", value: topicId, rule: topicIdRule, required: true };
    const problems = [...unreadable, ...problemsOf(check), ...providerProblems(this, props)];
    this.node.addValidation({ validate: () => problems });
    this.#precondition = preconditionsOf(check);
    this.id = topicIdRule.holds(topicId) ? formatScope(parseScope(topicId)) : String(topicId);
    this.#azurerm = props.azurerm;
  }

  get endpoint(): string {
    return this.#topic.endpoint;
  }

  get accessKey(): string {
    return this.#topic.primaryAccessKey;
  }

  grantPublish(principalId: string, options: GrantPublishOptions = {}): void {
    const topic = { topicId: this.id, azurerm: this.#azurerm, precondition: this.#precondition };
    grantPublishing(this, topic, principalId, options);
  }

  get #topic(): DataAzurermEventgridTopic {
    this.#found ??= new DataAzurermEventgridTopic(this, "topic", {
      resourceGroupName: resourceIdSegment(this.id, 4),
      name: resourceIdSegment(this.id, 8),
      ...(this.#precondition.length > 0 && { lifecycle: { precondition: this.#precondition } }),
      ...(this.#azurerm && { provider: this.#azurerm }),
    });
    return this.#found;
  }
}

const topicIdRule: ValueRule = {
  must:
    "must be the resource ID of a topic " +
    "(/subscriptions/{id}/resourceGroups/{name}/providers/Microsoft.EventGrid/topics/{name})",
  shown: "text",
  holds: (value) => typeof value === "string" && scopeNamedBy(value)?.kind === "topic",
  // What other resources tell has no slashes to take away.
  condition: (later) =>
    Fn.can(
      Fn.regex(
        "^/subscriptions/[^/]+/resourcegroups/[^/]+/providers/microsoft.eventgrid/topics/[^/]+$",
        Fn.lower(later),
      ),
    ),
};
