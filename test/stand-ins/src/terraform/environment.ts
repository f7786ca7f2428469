import { existsSync } from "node:fs";

/** Variables that could make Terraform and its providers use a real account. */
const leading = /^(TF_|ARM_|AZURE_|SSL_CERT_)/;

/**
 * The environment in which Terraform runs: this process's, without variables that could make it use
 * a real account or the user's own settings, and with the `given` ones.
 */
export function terraformEnvironment(
  given: Readonly<Record<string, string>>,
  own: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const inherited = Object.entries(own).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !leading.test(entry[0]),
  );
  return {
    ...Object.fromEntries(inherited),
    CHECKPOINT_DISABLE: "1",
    TF_IN_AUTOMATION: "1",
    TF_INPUT: "0",
    ...given,
  };
}

/**
 * The user's own settings for the download of real providers: mirrors, caches, certificate
 * authorities. A configuration file that does not exist is left out, because Terraform would reject
 * it.
 */
export function personalConfiguration(
  own: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const settings = ["TF_PLUGIN_CACHE_DIR", "SSL_CERT_FILE", "SSL_CERT_DIR"].flatMap((name) => {
    const value = own[name] ?? "";
    return value === "" ? [] : [[name, value]];
  });
  const { TF_CLI_CONFIG_FILE: file = "" } = own;
  return {
    ...Object.fromEntries(settings),
    ...(file !== "" && existsSync(file) && { TF_CLI_CONFIG_FILE: file }),
  };
}
