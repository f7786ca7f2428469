import {
  isOfType,
  normalizeScope,
  propertiesIn,
  sameScope,
  sameText,
  scopeKey,
  subscriptionOf,
  textOrEmpty,
} from "../../base/index.js";
import type { Resource, Resources } from "../engine/index.js";
import { topicTypeNamed, topicTypeOf } from "./topic-types.js";

/**
 * Everything that Event Grid refuses in a system topic, in its own words where they were reported.
 *
 * @see https://github.com/hashicorp/terraform-provider-azurerm/pull/11352
 * @see https://github.com/MicrosoftDocs/azure-docs/issues/87683
 */
export function* systemTopicProblems(
  { id, location, body }: Resource,
  { resources }: { readonly resources: Resources },
): Generator<string> {
  const source = textOrEmpty(propertiesIn(body), "source");
  const name = textOrEmpty(propertiesIn(body), "topicType");
  const topicType = topicTypeNamed(name);
  if (!topicType) {
    yield `Unrecognized topic type ${name} in system topic properties`;
    return;
  }
  const subscriptionId = subscriptionOf(id);
  if (!sameText(subscriptionOf(source), subscriptionId)) {
    yield `The source '${source}' is not in the Azure subscription '${subscriptionId}' of the system topic`;
    return;
  }
  if (isOfType(source, "Microsoft.EventGrid/topics", "Microsoft.EventGrid/domains")) {
    yield `The source '${source}' is a custom topic or domain. System topics have the events of Azure services`;
    return;
  }
  const { sourceFormat, isGlobal } = topicType;
  const fits =
    sourceFormat === undefined ||
    (scopeKey(topicTypeOf(source)) === scopeKey(topicTypeOf(sourceFormat)) &&
      normalizeScope(source).split("/").length === sourceFormat.split("/").length);
  if (!fits) {
    yield `The source '${source}' is not one of the topic type ${name}, whose sources are ${sourceFormat}`;
  }
  // The source may be elsewhere. Newer accounts of Azure Maps have a region.
  const expected = isGlobal ? "global" : resources.get(source)?.location;
  const isRegion = location !== "global";
  const isRight =
    (expected === undefined ? isRegion : sameScope(expected, location)) ||
    isOfType(source, "Microsoft.Maps/accounts");
  if (fits && !isRight) {
    yield `System topic's location must match with location of the source resource ${source}`;
  }
}
