/** The fields of bindings: a table for each kind, and the lists that derive from it. */
export type { FieldTable, Vocabulary } from "./field.js";
export * from "./lists.js";
export { namespaceTopicFields, pullFields } from "./namespace-tables.js";
export { type BindingField, bindingFields } from "./table.js";
