import { uuidRule } from "./rules/index.js";

export const isUuid = (text: string): boolean => uuidRule.test(text);
