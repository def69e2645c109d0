import type { Destination } from "./options.ts";

/** `https://{key}@{host}/{project id}`; a secret after the key, which old DSNs have, is ignored. */
const dsnPattern = /^(https?:\/\/)([^@:/]+)(?::[^@/]*)?@([^@?#]+)\/([^/?#]+)\/?$/;

export interface ProjectTarget {
  url: string;
  headers: Record<string, string>;
}

/**
 * Returns URL and headers for the events of a project: `{url}/api/projects/{project}/error-events`. A path in `url` is
 * kept. If something is missing, returns a message that says so.
 *
 * @param sources where each setting is looked up, in this order; a DSN comes after the settings beside it
 */
export function target(...sources: Destination[]): ProjectTarget | string {
  let url: unknown, project: unknown, key: unknown;
  for (const source of sources) {
    const [, scheme, dsnKey, host, dsnProject] = dsnPattern.exec(source.dsn ?? "") ?? [];
    if (source.dsn && !host) return "the DSN is not https://<key>@<host>/<project>";
    url ||= source.url || (host && scheme + host);
    project ||= source.project || dsnProject;
    key ||= source.key || source.token || dsnKey;
  }
  const missing = Object.entries({ url, project, key }).flatMap(([name, value]) => (value ? [] : name));
  if (missing.length > 0) return `${missing.join(", ")} missing`;
  const address = `${String(url).replace(/\/+$/, "")}/api/projects/${encodeURIComponent(String(project))}/error-events`;
  return { url: address, headers: jsonHeaders(String(key)) };
}

export function jsonHeaders(key?: string): Record<string, string> {
  return { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) };
}
