import {
  attachedTo,
  isWithin,
  propertiesIn,
  serviceError,
  textAt,
  textOrEmpty,
} from "../../base/index.js";
import type { Resource, ResourceType } from "./resource-type.js";
import { type Resources, requireScope } from "./resources.js";

const LOCK_TYPE = "Microsoft.Authorization/locks";
const LEVELS = ["NotSpecified", "CanNotDelete", "ReadOnly"];

const MAX_NOTES = 512;

/**
 * Management locks, at any scope.
 *
 * @see https://learn.microsoft.com/azure/templates/microsoft.authorization/locks#managementlockproperties
 */
export const locksAt = (resources: Resources): ResourceType => ({
  type: LOCK_TYPE,
  scope: "any",
  isTracked: false,
  checkParent: (id, action) => {
    if (action === "write") requireScope(resources, attachedTo(id));
  },
  onWrite: (lock) => {
    const level = levelOf(lock);
    const notes = textAt(propertiesIn(lock.body), "notes");
    if (!LEVELS.includes(level)) {
      throw refusal(
        `The lock level '${level}' is invalid. Write one of ${LEVELS.slice(1).join(", ")}.`,
      );
    }
    if (notes === undefined || notes.length <= MAX_NOTES) return lock;
    throw refusal(`The notes must have at most ${MAX_NOTES} characters, not ${notes.length}.`);
  },
  show: ({ id, name, type, body: { properties } }) => ({ id, name, type, properties }),
});

const refusal = (problem: string) => serviceError.InvalidRequestContent(problem);

const levelOf = ({ body }: Resource) => textOrEmpty(propertiesIn(body), "level");

/**
 * Locks apply to a scope and all below it. One of a child keeps its parents from being deleted.
 *
 * @param action such as `write`, `delete` or `listKeys/action`
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/lock-resources
 * @throws ServiceError 409 `ScopeLocked`
 */
export function requireUnlocked(
  resources: Resources,
  { id, type }: { readonly id: string; readonly type: Pick<ResourceType, "type"> },
  action: string,
): void {
  if (action === "read" || type.type === LOCK_TYPE) return;
  const locked = resources.store.list().flatMap((each) => {
    if (each.type !== LOCK_TYPE) return [];
    const scope = attachedTo(each.id);
    const applies =
      levelOf(each) === "ReadOnly" || (levelOf(each) === "CanNotDelete" && action === "delete");
    const isAbove = isWithin(id, scope) || (action === "delete" && isWithin(scope, id));
    return applies && isAbove ? [scope] : [];
  });
  if (locked.length === 0) return;
  throw serviceError.ScopeLocked(
    `The scope '${id}' cannot perform ${action.split("/")[0]} operation because following scope(s) are locked: '${locked.join(",")}'. Please remove the lock and try again.`,
  );
}
