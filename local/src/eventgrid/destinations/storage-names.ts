/** Names of queues and blob containers. */
const NAME = /^(?=.{3,63}$)[a-z0-9]+(-[a-z0-9]+)*$/;

const ACCOUNT = /\/providers\/Microsoft\.Storage\/storageAccounts\/[a-z0-9]{3,24}$/i;

/**
 * Everything that the service would refuse in a queue or container. The names become paths of files.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata
 */
export function* storageProblems(
  kind: "queue" | "container",
  name: string,
  storageAccountId: string | undefined,
): Generator<string> {
  if (!NAME.test(name)) {
    yield `The ${kind} name '${name}' is invalid: it must have 3 to 63 lower-case letters, digits or single hyphens.`;
  }
  if (storageAccountId !== undefined && !ACCOUNT.test(storageAccountId)) {
    yield `The resource ID '${storageAccountId}' is invalid: a ${kind} needs a storage account, whose name has 3 to 24 lower-case letters and digits.`;
  }
}
