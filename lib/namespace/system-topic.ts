import { Fn, TerraformStack, Token } from "cdktf";
import { type Problem, problem } from "cloud-eventgrid-binding-runtime/internal";
import { Construct, type IConstruct } from "constructs";
import { kindInId } from "../subscription/index.js";
import {
  AzapiResource,
  EVENT_GRID_API_VERSION,
  functionArgument,
  identityInAnyCase,
  OncePerStack,
  resourceIdSegment,
  scopeNamedBy,
  shortHash,
  tagged,
  trimmedId,
} from "../terraform/index.js";
import { defaultName, report } from "../validation/index.js";
import type { NamespaceOfTopics } from "./namespace-props.js";

/** Where a system topic is created. */
interface Place {
  readonly scope: string;
  readonly location?: string;
  readonly resourceGroupName?: string;
}

/** A system topic needs a region and a resource group. */
export function placeProblems({ location, resourceGroupName, scope }: Place): Problem[] {
  const problems: Problem[] = [];
  if (location === undefined) {
    const message = "is required to create the system topic of the resource: pass its region";
    problems.push(problem("location", { required: message }));
  }
  if (resourceGroupName === undefined && scopeNamedBy(scope)?.kind === "subscription") {
    const message = "is required for the system topic of a subscription: name a resource group";
    problems.push(problem("resourceGroupName", { required: message }));
  }
  return problems;
}

/** A system topic of the stack, by the resource whose events it has. */
interface MadeSystemTopic {
  readonly resource: AzapiResource;
  readonly place: Readonly<Record<"location" | "resourceGroupName", string>>;
  /** Path of the source that came first. */
  readonly path: string;
}

const systemTopics = new OncePerStack<MadeSystemTopic>("system topic");

/** Paths of the sources whose diagnostics are those of a system topic. */
const logged = new OncePerStack<string>("diagnostics of a system topic");

/** The first sources of resources in the stacks of an app, by its root. */
const firstSources = new WeakMap<IConstruct, Map<string, IConstruct>>();

/**
 * Azure has one system topic for each resource, which the sources of a stack share. Its address and name
 * depend on the resource only: otherwise removing the source that came first would replace it.
 */
export function systemTopicOf(
  construct: Construct,
  source: string,
  namespace: NamespaceOfTopics,
  { location = "", resourceGroupName }: Place,
): AzapiResource {
  const group = resourceGroupName ?? resourceIdSegment(source, 4);
  const place = {
    location: identityInAnyCase(construct, location).replaceAll(" ", ""),
    resourceGroupName: identityInAnyCase(construct, group),
  };
  const key = identityInAnyCase(construct, source);
  const made = systemTopics.get(construct, key, (home) => ({
    resource: createSystemTopic(
      new Construct(home, `source-${shortHash(key)}`),
      source,
      namespace,
      location,
      group,
    ),
    place,
    path: construct.node.path,
  }));
  const problems = [
    ...(Token.isUnresolved(source) ? [] : otherStackProblems(construct, key)),
    ...(["location", "resourceGroupName"] as const)
      .filter((field) => made.place[field] !== place[field])
      .map((field) => {
        const message =
          `differs from that of ${made.path}, another source of the same resource: use the same value, ` +
          "because Azure has one system topic for each resource";
        return problem(field, { "same-system-topic": message });
      }),
  ];
  report(construct, () => problems);
  return made.resource;
}

/** Reports whether no other source has diagnostics of a system topic, which would be those of this one. */
export function isFirstToLog(construct: Construct, systemTopicId: string): boolean {
  const { path } = construct.node;
  const first = logged.get(
    construct,
    identityInAnyCase(construct, trimmedId(systemTopicId)),
    () => path,
  );
  const message = `of the system topic are those of ${first} already: remove one of the two`;
  if (first !== path) report(construct, () => [problem("diagnostics", { unique: message })]);
  return first === path;
}

/** A resource of another stack's source; of tokens it is not known whether they are the same. */
function otherStackProblems(construct: IConstruct, resource: string): Problem[] {
  const { root } = construct.node;
  const ofApp = firstSources.get(root) ?? new Map<string, IConstruct>();
  firstSources.set(root, ofApp);
  const first = ofApp.get(resource) ?? construct;
  ofApp.set(resource, first);
  const stack = TerraformStack.of(first);
  if (stack === TerraformStack.of(construct)) return [];
  const message =
    `is the resource of ${first.node.path} in the stack ${stack.node.id}, too, and Azure has one ` +
    "system topic for each resource: pass the id and principalId of that source's systemTopic as systemTopic";
  return [problem("scope", { "same-system-topic": message })];
}

function createSystemTopic(
  construct: Construct,
  source: string,
  { azapi, tags }: NamespaceOfTopics,
  location: string,
  group: string,
): AzapiResource {
  const subscriptionId = resourceIdSegment(source, 2);
  return new AzapiResource(construct, "system-topic", {
    type: `Microsoft.EventGrid/systemTopics@${EVENT_GRID_API_VERSION}`,
    name: defaultName(construct, "systemTopic"),
    parentId: `/subscriptions/${subscriptionId}/resourceGroups/${group}`,
    location,
    ...tagged(tags),
    identity: { type: "SystemAssigned" },
    provider: azapi,
    ignoreCasing: true,
    body: { properties: { source, topicType: topicTypeOf(source) } },
    // Azure does not move a system topic to another resource.
    replacedWith: ["properties.source"],
  });
}

/** The topic type of a resource: `Microsoft.Storage.storageAccounts`, in any case. */
function topicTypeOf(source: string): string {
  if (!Token.isUnresolved(source)) {
    const kind = kindInId(source);
    if (kind !== "") return kind.replace("/", ".");
    return /\/resourceGroups\//i.test(source) ? RESOURCE_GROUPS : SUBSCRIPTIONS;
  }
  const id = functionArgument(source);
  const kind = Fn.element(Fn.regex("/providers/([^/]+/[^/]+)/", id), 0);
  const type = Fn.replace(Token.asString(kind), "/", ".");
  const group = Fn.conditional(
    Fn.can(Fn.regex("/resourceGroups/", id)),
    RESOURCE_GROUPS,
    SUBSCRIPTIONS,
  );
  return Token.asString(Fn.try([type, group]));
}

const RESOURCE_GROUPS = "Microsoft.Resources.ResourceGroups";
const SUBSCRIPTIONS = "Microsoft.Resources.Subscriptions";
