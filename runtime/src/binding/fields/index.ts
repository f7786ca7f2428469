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
  serviceFields,
} from "./lists.js";
export { type BindingField, bindingFields } from "./table.js";
