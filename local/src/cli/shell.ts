import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes one variable in the syntax of a shell, and the command that sets all of them there. */
interface Shell {
  readonly assignment: (name: string, value: string) => string;
  readonly removal: (name: string) => string;
  /** A command that fails: to evaluate nothing would succeed. */
  readonly failure: string;
  /** Runs `env` with these options, and sets what it prints. */
  readonly evaluation: (env: string) => string;
}

const SHELLS = {
  sh: {
    assignment: (name, value) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`,
    removal: (name) => `unset ${name}`,
    failure: "false",
    evaluation: (env) => `eval "$(${env})"`,
  },
  fish: {
    assignment: (name, value) => `set -gx ${name} '${value.replace(/[\\']/g, "\\$&")}'`,
    removal: (name) => `set -e ${name}`,
    failure: "false",
    evaluation: (env) => `${env} | source`,
  },
  powershell: {
    assignment: (name, value) => `$env:${name} = '${value.replaceAll("'", "''")}'`,
    removal: (name) => `Remove-Item Env:${name}`,
    failure: "throw 'cloud-eventgrid-local env failed'",
    evaluation: (env) => `${env} | Out-String | Invoke-Expression`,
  },
  cmd: {
    assignment: (name, value) => `set "${name}=${value}"`,
    removal: (name) => `set "${name}="`,
    failure: "cmd /c exit 1",
    evaluation: (env) => `for /f "delims=" %i in ('${env}') do @%i`,
  },
} as const satisfies Readonly<Record<string, Shell>>;

export type ShellName = keyof typeof SHELLS;

export const shellNames = Object.keys(SHELLS) as readonly ShellName[];

/** Lines that set an environment, without the variables that are `undefined`. */
export function environmentLines(
  environment: Readonly<Record<string, string | undefined>>,
  shell: ShellName = "sh",
): string {
  return Object.entries(environment)
    .map(([name, value]) => {
      const { assignment, removal } = SHELLS[shell];
      return `${value === undefined ? removal(name) : assignment(name, value)}\n`;
    })
    .join("");
}

/** The line that makes a shell fail where it was to set an environment. */
export function failureLine(shell: ShellName): string {
  return `${SHELLS[shell].failure}\n`;
}

/** The command that sets the environment of the running local Azure in a shell. */
export function environmentCommand(shell: ShellName): string {
  const option = shell === "sh" ? "" : ` --shell ${shell}`;
  return SHELLS[shell].evaluation(`npx --no -- cloud-eventgrid-local env${option}`);
}

/** Variables that name one file with all certificate authorities to trust. */
const AUTHORITIES = ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"];

/**
 * Keeps the authorities that a shell trusts already, for example that of a company's proxy: writes
 * them and the local Azure's into one file.
 *
 * @param environment that of the running local Azure
 * @param shell the environment that it replaces
 * @param directory where to write the files
 */
export function withAuthoritiesOf(
  shell: Readonly<Record<string, string | undefined>>,
  environment: Readonly<Record<string, string>>,
  directory: string,
): Record<string, string> {
  const authority = contentOf(environment.NODE_EXTRA_CA_CERTS)?.trim() ?? "";
  const entries = Object.entries(environment).map(([name, file]) => {
    const present = AUTHORITIES.includes(name) ? shell[name] : undefined;
    const trusted = contentOf(present);
    if (present === undefined || trusted === undefined) return [name, file];
    if (trusted.includes(authority)) return [name, present];
    const combined = join(directory, `${name.toLowerCase()}.pem`);
    writeFileSync(combined, `${trusted.trimEnd()}\n${contentOf(file) ?? ""}`);
    return [name, combined];
  });
  return Object.fromEntries(entries);
}

/** `undefined` for a file that cannot be read, which programs ignore as well. */
function contentOf(file: string | undefined): string | undefined {
  try {
    return file ? readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
