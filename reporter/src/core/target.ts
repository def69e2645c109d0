/**
 * Where events of a project go: `{url}/api/projects/{project}/error-events`, with the url's own port and path.
 *
 * @returns a sentence when something is missing
 */
export function target(
  url: string | undefined,
  project: number | string | undefined,
  token: string | undefined,
): { url: string; headers: Record<string, string> } | string {
  const missing = Object.entries({ url, project, token }).flatMap(([name, value]) => (value ? [] : name));
  if (missing.length > 0) return `${missing.join(", ")} missing`;
  if (!/^https?:\/\/[^/?#]/.test(url!) || /[?#]/.test(url!)) return "url is not an http address";
  // A line break would end the header, and the request would throw with the token in its message.
  if (!/^[\x21-\x7e]+$/.test(token!)) return "token has characters no token has";
  const address = `${url!.replace(/\/+$/, "")}/api/projects/${encodeURIComponent(project!)}/error-events`;
  try {
    return { url: new URL(address).href, headers: jsonHeaders(token) };
  } catch {
    return "url is not an http address";
  }
}

export function jsonHeaders(token?: string): Record<string, string> {
  return { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
}
