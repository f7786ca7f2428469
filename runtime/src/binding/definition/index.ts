/** The definition of a binding: which fields a direction has, what is valid, and its normal form. */
export * from "./fields.js";
export { type ResolvedBinding, resolveBinding } from "./resolve.js";
export {
  isBindingProps,
  type ValidationOptions,
  validateBinding,
  validateFields,
} from "./validate.js";
