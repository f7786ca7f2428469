import { type Finding, unknown } from "../finding.js";
import { ACCOUNT, type Graph, isDestroyed, type Node } from "../graph/index.js";
import { isPatch, oneOf, type PlannedChange, typeOf } from "../terraform/index.js";
import { changedIn } from "./resources.js";

/** The settings of an app that name the account of its host: its own, and those of its environment. */
const SETTINGS = oneOf("storage_** **AzureWebJobsStorage**");

/** An account's name in a setting: alone, in a connection string, or in a URL. */
const NAME = /(?:AccountName=|^https:\/\/|^)([a-z\d]*)(?=[;.]|$)/i;

/**
 * The account without which the host of a function app does not start, and what configures it.
 *
 * @see https://learn.microsoft.com/azure/azure-functions/storage-considerations
 */
export function hostStorageOf({ change, before }: Node, graph: Graph): Node[] {
  const settings = before.filter(({ path }) => SETTINGS.test(path));
  const names = settings.map(({ value }) => NAME.exec(String(value))?.[1]?.toLowerCase());
  const origins = Object.keys(change.before ?? {})
    .filter((name) => SETTINGS.test(name))
    .flatMap((name) => [...change.origins(name)])
    .flatMap((address) => graph.instances(address, change));
  const isNamed = ({ change: other }: Node) => names.includes(String(other.before?.name));
  const accounts = [...graph.nodes.filter(isNamed), ...origins].filter((node) =>
    ACCOUNT.test(typeOf(node.change)),
  );
  return [...new Set(accounts.flatMap((each) => [each, ...graph.childrenOf(each)]))];
}

/** The settings that can close the account to the host. */
const CLOSING = oneOf(
  "(network|public_?network|shared_access_key|allowSharedKey)** default_action",
);

/** What is done to the account, or to what configures it, that can stop the host. */
export function hostStorageFindings(change: PlannedChange): Finding[] {
  const type = typeOf(change);
  if (!ACCOUNT.test(type) && type !== "azurerm_storage_account_network_rules") return [];
  const isGone = ACCOUNT.test(type) && !isPatch(change) && isDestroyed(change);
  const isEnd = isGone || change.action === "delete";
  const names = isEnd ? [] : changedIn(change).filter((name) => CLOSING.test(name));
  const what = isGone ? "is destroyed or replaced" : `changes: ${names.join(", ")}`;
  const message = `the storage account of a function's app ${what}`;
  return isGone || names.length > 0 ? [unknown("destination", message)] : [];
}
