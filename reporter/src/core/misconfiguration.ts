import type { Answer } from "./transport.ts";

/**
 * Whether this response shows that the reporter's options are wrong. Such a response says nothing about the event, which
 * can be sent once the options or the server are corrected.
 */
export function isMisconfigured({ status, contentType }: Answer): boolean {
  if (status < 300) return status > 0 && Boolean(contentType?.startsWith("text/html"));
  return status < 400 || (status > 400 && status < 406);
}
