/**
 * The texts of an array's elements, so that every event is delivered exactly as it was written.
 * Parsing and writing would change numbers with many digits.
 *
 * @param array a valid JSON array
 */
export function elementsOf(array: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < array.length; index++) {
    const character = array[index];
    if (character === '"') {
      index = endOfString(array, index);
    } else if (character === "[" || character === "{") {
      depth++;
      if (depth === 1) start = index + 1;
    } else if (character === "]" || character === "}") {
      depth--;
      if (depth === 0) elements.push(array.slice(start, index).trim());
    } else if (character === "," && depth === 1) {
      elements.push(array.slice(start, index).trim());
      start = index + 1;
    }
  }
  return elements.length === 1 && elements[0] === "" ? [] : elements;
}

function endOfString(text: string, quote: number): number {
  let index = quote + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
  return index;
}
