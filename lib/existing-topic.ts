import { DataAzurermEventgridTopic } from "@cdktf/provider-azurerm/lib/data-azurerm-eventgrid-topic/index.js";
import { type TerraformProvider, Token } from "cdktf";
import {
  formatScope,
  InvalidScopeError,
  parseScope,
} from "cloud-eventgrid-binding-runtime/binding";
import { Construct } from "constructs";
import { resourceIdSegment } from "./resource-id.js";
import type { GrantPublishOptions, ICloudEventGridTopic } from "./topic.js";
import { grantPublishing } from "./topic-access.js";
import { received } from "./value-rule.js";

/** Props of {@link CloudEventGridTopic.fromTopicId}. */
export interface ExistingTopicProps {
  /** @default the stack's azurerm provider */
  readonly azurerm?: TerraformProvider;
}

/** A topic that exists already. It is looked up, keys included, only where its endpoint or key is used. */
export class ExistingTopic extends Construct implements ICloudEventGridTopic {
  readonly id: string;
  readonly #azurerm: TerraformProvider | undefined;
  #found: DataAzurermEventgridTopic | undefined;

  constructor(scope: Construct, id: string, topicId: string, props: ExistingTopicProps = {}) {
    super(scope, id);
    const problem = topicIdProblem(topicId);
    this.node.addValidation({ validate: () => (problem === undefined ? [] : [problem]) });
    this.id = Token.isUnresolved(topicId) || problem ? topicId : formatScope(parseScope(topicId));
    this.#azurerm = props.azurerm;
  }

  get endpoint(): string {
    return this.#topic.endpoint;
  }

  get accessKey(): string {
    return this.#topic.primaryAccessKey;
  }

  grantPublish(principalId: string, options: GrantPublishOptions = {}): void {
    grantPublishing(this, this.id, principalId, options.principalType, this.#azurerm);
  }

  get #topic(): DataAzurermEventgridTopic {
    this.#found ??= new DataAzurermEventgridTopic(this, "topic", {
      resourceGroupName: resourceIdSegment(this.id, 4),
      name: resourceIdSegment(this.id, 8),
      ...(this.#azurerm && { provider: this.#azurerm }),
    });
    return this.#found;
  }
}

function topicIdProblem(topicId: string): string | undefined {
  const wrong =
    "topicId must be the resource ID of a topic " +
    "(/subscriptions/{id}/resourceGroups/{name}/providers/Microsoft.EventGrid/topics/{name}), " +
    `but is ${received(topicId)}`;
  if (Token.isUnresolved(topicId)) return undefined;
  try {
    return parseScope(topicId).kind === "topic" ? undefined : wrong;
  } catch (error) {
    if (error instanceof InvalidScopeError) return wrong;
    throw error;
  }
}
