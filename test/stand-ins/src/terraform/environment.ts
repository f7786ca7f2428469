import { existsSync } from "node:fs";

/** Variables by which Terraform and its providers could be led to somebody's real account. */
const leading = /^(TF_|ARM_|AZURE_|SSL_CERT_)/;

/**
 * The environment in which Terraform runs: this process's, without anything that could lead it to a
 * real account or a person's own settings, and with what is `given`.
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
 * The person's own settings for where real providers are downloaded: mirrors, caches, certificate
 * authorities. A file that is named but missing is not passed on: Terraform would complain.
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
