/**
 * Turns the commands of a page into tabs. GitHub does not have them, so the pages do not use their syntax.
 *
 * - A block for sh that is followed by one for PowerShell becomes two tabs.
 * - A block that only installs with npm gets a tab for pnpm.
 */
export function withTabs(text) {
  return text
    .replace(
      /^(```sh\n(?:(?!```).*\n)*```)\n+(```powershell\n(?:(?!```).*\n)*```)$/gm,
      (_, sh, powershell) => tabs({ bash: sh, PowerShell: powershell }),
    )
    .replace(
      /^```sh\n((?:npm install (?!--global).*\n(?:(?<=\\\n).*\n)*)+)```$/gm,
      (npm, commands) =>
        tabs({ npm, pnpm: `\`\`\`sh\n${commands.replace(/^npm install/gm, "pnpm add")}\`\`\`` }),
    );
}

function tabs(blocks) {
  const labelled = Object.entries(blocks).map(([label, block]) =>
    block.replace(/^```\w+/, (fence) => `${fence} [${label}]`),
  );
  return `::: code-group\n\n${labelled.join("\n\n")}\n\n:::`;
}
