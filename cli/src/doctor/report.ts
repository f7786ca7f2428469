import { aligned } from "../table.js";
import type { Finding } from "./finding.js";

/** The findings as text: one line each, followed by the remedy where one is needed. */
export function doctorReport(name: string, findings: readonly Finding[]): string {
  const table = aligned(findings.map(({ status, check, message }) => [status, check, message]));
  const lines = findings.flatMap(({ remedy }, i) => [
    `  ${table[i]}`,
    ...(remedy === undefined ? [] : [`           → ${remedy}`]),
  ]);
  return `${name}\n${lines.join("\n")}\n\n${verdict(findings)}\n`;
}

function verdict(findings: readonly Finding[]): string {
  const failed = findings.filter(({ status }) => status === "failed").length;
  const unknown = findings.filter(({ status }) => status === "unknown").length;
  if (failed === 0 && unknown === 0) return "Nothing prevents delivery.";
  const parts = [
    ...(failed > 0 ? [`${failed} problem${failed === 1 ? "" : "s"}`] : []),
    ...(unknown > 0 ? [`${unknown} check${unknown === 1 ? "" : "s"} without a result`] : []),
  ];
  return `${parts.join(", ")}.`;
}
