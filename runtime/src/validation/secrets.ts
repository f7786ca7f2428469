/**
 * Reports whether a text has a secret in it: a connection string, a header with a credential, or a long random
 * word, as access keys, client secrets, tokens and signatures are. A query of a URL is no reason: those are
 * left out anyway.
 */
export function hasSecret(value: string): boolean {
  const text = value.slice(0, 5_000);
  return (
    (LABELLED.test(text) && !/^https?:[/][/]\S*$/i.test(text)) ||
    (text.match(WORDS) ?? []).some(isRandom)
  );
}

/** A message without the long random words in it. */
export function withoutRandomWords(message: string): string {
  return message.replace(WORDS, (word) => (isRandom(word) ? `(${word.length} characters)` : word));
}

const LABELLED =
  /(key|password|pwd|secret|signature|sig|token)["']?\s*[=:]\s*\S|\b(Bearer|Basic|SharedAccess\w+)\s+\S/i;

/** The shortest secret of Azure has 34 characters. Percent signs are from encoded Base64. */
const WORDS = /[\w+/.~%=-]{32,}/g;

/**
 * Reports whether a text has the form of a secret, or its kind of character changes as in no name: from small
 * to capital letters, or between letters and digits, apart from words of four letters and UUIDs.
 */
function isRandom(text: string): boolean {
  if (MARKED.test(text)) return true;
  // A path: the names of temporary folders end in six random characters, which change five times.
  if (/^[.~]*[/](?![/])[^=+%]*$/.test(text))
    return text.split("/").some((name) => isRandomName(name, 6));
  return isRandomName(text, 3);
}

/** @param least how many changes make a short text random */
function isRandomName(text: string, least: number): boolean {
  if (text.length < 20) return false;
  const named = text.replace(UUIDS, " ").replace(NAMES, " ");
  const changes = [...named.matchAll(/[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g)].length;
  // What stands before a key, such as the path of a resource, does not count.
  return changes >= Math.max(least, named.length / 20) || /^[\da-f]{32,}$/i.test(text);
}

/** Entra marks its secrets, so that scanners find them; keys are 32 or 64 bytes in Base64. */
const MARKED = /[\w.~-]{3}\dQ~[\w.~-]{20}|^[A-Za-z\d+/]{43}=$|^[A-Za-z\d+/]{86}==$/;

/** Resource IDs contain them. */
const UUIDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;
const NAMES = /[A-Z]?[a-z]{4,}/g;
