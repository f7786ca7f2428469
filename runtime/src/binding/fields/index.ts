/** The fields of a binding: one table, and the lists that derive from it. */
export type { FieldTable, Vocabulary } from "./field.js";
export {
  definitionFields,
  directionOfFields,
  hasInput,
  hasOutput,
  isOfDirection,
  isRequired,
  type NamedField,
} from "./lists.js";
export { serviceFields, serviceProblems } from "./service.js";
export { type BindingField, bindingFields } from "./table.js";
