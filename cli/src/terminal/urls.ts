import { groupsOf, withoutRandomWords } from "cloud-eventgrid-binding-runtime/internal";

/** A URL for people: without its user information and its query, which count as secrets. */
export function shownUrl(url: URL | string): string {
  return String(url)
    .replace(/\/\/[^/?#\s]*@/, "//")
    .replace(/\?.*/s, "?…");
}

/**
 * A message with its URLs as {@link shownUrl} shows them, no query outside of one, and no key that was
 * given in a wrong place.
 */
export function withoutSecrets(message: string): string {
  return withoutRandomWords(message)
    .replace(/\b[a-z][a-z\d+.-]*:\/\/\S+/gi, (found) => {
      const [url, end] = groupsOf(/^(.*?)(['"`)\],.:;]*)$/s, found);
      return `${shownUrl(url)}${end}`;
    })
    .replace(/\?[\w%.~-]+=\S+?(?=['"`)]*(\s|$))/g, "?…");
}
