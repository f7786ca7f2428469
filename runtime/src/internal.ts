/**
 * Exports for the construct library and the command line beyond the public API: the fields of a binding, rules, limits and
 * the normal form. They may change with every release: packages of one release depend on each other
 * exactly.
 */

export { environmentOf } from "./binding/environment/index.js";
export {
  type BindingField,
  bindingFields,
  definitionFields,
  namespaceTopicFields,
  pullFields,
} from "./binding/fields/index.js";
export { parseBinding, type ResolvedBinding, resolveBinding } from "./binding/parsing/index.js";
export * from "./binding/rules/index.js";
export * from "./validation/index.js";
