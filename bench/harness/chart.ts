import type { ScenarioResult } from "./measure.js";
import { shown } from "./table.js";

const WIDTH = 910;
const NAMES = 350;
const BAR = 18;
const GAP = 6;
const OURS = "#0b7285";
const OTHERS = "#adb5bd";

/** Draws the first column of each scenario as bars. */
export function chart(title: string, scenarios: readonly ScenarioResult[]): string {
  let y = 44;
  const parts: string[] = [text(16, 26, title, 'font-weight="bold" font-size="16"')];
  for (const { name, columns, contenders } of scenarios) {
    const [column] = columns;
    const values = contenders.map(({ values: of }) => of[column.key]?.value ?? 0);
    const scale = (WIDTH - NAMES - 120) / Math.max(...values, Number.MIN_VALUE);
    y += 18;
    const better = column.better === "more" ? "longer is better" : "shorter is better";
    parts.push(text(16, y, `${name}: ${column.title}, ${better}`, 'font-weight="bold"'));
    y += 10;
    contenders.forEach((contender, index) => {
      const value = values[index] ?? 0;
      const length = Math.max(1, value * scale);
      const middle = y + BAR - 5;
      parts.push(
        text(NAMES - 8, middle, contender.name, 'text-anchor="end"'),
        `<rect x="${NAMES}" y="${y}" width="${length.toFixed(1)}" height="${BAR}" fill="${contender.ours ? OURS : OTHERS}"/>`,
        text(NAMES + length + 6, middle, shown(value)),
      );
      y += BAR + GAP;
    });
    y += 8;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 8}" font-family="sans-serif" font-size="13">`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

function text(x: number, y: number, content: string, attributes = ""): string {
  const escaped = content.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<text x="${x.toFixed(1)}" y="${y}" ${attributes}>${escaped}</text>`;
}
