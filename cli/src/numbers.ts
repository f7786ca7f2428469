/**
 * The first number of a JSON text whose value changes when JavaScript parses and writes it; undefined if
 * there is none.
 */
export function inexactNumber(json: string): string | undefined {
  const withoutStrings = json.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const numbers = withoutStrings.match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g) ?? [];
  return numbers.find((text) => {
    const value = Number(text);
    const digits = text
      .replace(/[eE].*$/, "")
      .replace(/[-.]/g, "")
      .replace(/^0+|0+$/g, "");
    if (!Number.isFinite(value) || (value === 0 && digits !== "")) return true;
    // A double keeps 15 significant digits, and every text that it writes itself.
    return digits.length > 15 && String(value) !== text;
  });
}
