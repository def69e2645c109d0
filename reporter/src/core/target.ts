/**
 * Returns URL and headers for the events of a project: `{url}/api/projects/{project}/error-events`. A path in `url` is
 * kept. If an argument is missing or invalid, returns a message that says so.
 */
export function target(
  url: string | undefined,
  project: number | string | undefined,
  token: string | undefined,
): { url: string; headers: Record<string, string> } | string {
  const missing = Object.entries({ url, project, token }).flatMap(([name, value]) => (value ? [] : name));
  if (missing.length > 0) return `${missing.join(", ")} missing`;
  if (!/^https?:\/\/[^/?#]/.test(url!) || /[?#]/.test(url!)) return "url is not an HTTP URL";
  // With a line break in the header, the request would throw an error that contains the token.
  if (!/^[\x21-\x7e]+$/.test(token!)) return "token contains invalid characters";
  const address = `${url!.replace(/\/+$/, "")}/api/projects/${encodeURIComponent(project!)}/error-events`;
  try {
    return { url: new URL(address).href, headers: jsonHeaders(token) };
  } catch {
    return "url is not an HTTP URL";
  }
}

export function jsonHeaders(token?: string): Record<string, string> {
  return { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
}
