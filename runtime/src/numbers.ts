/** The number that a text of digits is; undefined for other texts, and where JavaScript would round. */
export function wholeNumberIn(text: string | undefined): number | undefined {
  if (text === undefined || text === "" || /\D/.test(text)) return undefined;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : undefined;
}
