import type { Answer } from "./transport.ts";

/**
 * Says in a line what is wrong with the reporter's options, if this response shows that something is. Such a response
 * says nothing about the event, which can be sent once the options or the server are corrected.
 */
export function misconfiguration({ status, contentType, location }: Answer): string | undefined {
  if (status >= 300 && status < 400) return `it redirects to ${location ?? "another address"}`;
  if (status === 401) return "the key or token is wrong or was revoked";
  if (status === 403) return "the key or token may not send to this project";
  if (status === 404 || status === 405) return "there is no such project or no Signalbox";
  if (status < 300 && contentType?.startsWith("text/html")) return "a web page responded, not Signalbox";
  return undefined;
}
