import { isObject, ServiceError } from "../../base/index.js";

/** The most tags of a resource or a group. */
const MAX_TAGS = 50;
const MAX_NAME = 512;
const MAX_VALUE = 256;

/**
 * Checks the tags of a resource or a group, with Resource Manager's own words.
 *
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources#limitations
 * @throws ServiceError 400
 */
export function checkTags(tags: unknown): void {
  if (tags == null) return;
  if (!isObject(tags) || Object.values(tags).some((each) => Object(each) === each)) {
    throw refusal("InvalidRequestContent", "The tags must be an object of strings.");
  }
  const names = Object.keys(tags);
  // Azure's own tags, such as `hidden-link:/subscriptions/…`, have slashes.
  const wrong = names.filter((name) => /^(?!hidden-).*[<>%&\\?/]|\p{Cc}/iu.test(name));
  if (wrong.length > 0) {
    throw refusal(
      "InvalidTagNameCharacters",
      `The tag names '${wrong.join(",")}' have reserved characters '<,>,%,&,\\,?,/' or control characters.`,
    );
  }
  const long = names.find((name) => name.length > MAX_NAME);
  if (long !== undefined) throw refusal("InvalidTagName", tooLarge("name", long, MAX_NAME));
  const value = Object.values(tags).find((each) => String(each).length > MAX_VALUE);
  if (value !== undefined) {
    throw refusal("InvalidTagValueLength", tooLarge("value", String(value), MAX_VALUE));
  }
  if (names.length <= MAX_TAGS) return;
  throw refusal("InvalidTags", `A resource may have ${MAX_TAGS} tags, not ${names.length}.`);
}

function tooLarge(what: string, text: string, most: number): string {
  return `Tag ${what} too large. Following tag ${what} '${text}' exceeded the maximum length. Maximum allowed length for tag ${what} - '${most}' characters.`;
}

function refusal(code: string, message: string): ServiceError {
  return new ServiceError(400, code, message);
}
