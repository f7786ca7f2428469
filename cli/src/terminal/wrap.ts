/**
 * Breaks a text between words, so that each line fits; the lines after the first are indented.
 *
 * @param indent columns before the first line, and spaces before the others
 * @param columns width of the terminal; without it the text stays on one line
 */
export function wrapped(text: string, indent: number, columns = Number.POSITIVE_INFINITY): string {
  const width = Math.max(20, columns - indent);
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join(`\n${" ".repeat(indent)}`);
}
