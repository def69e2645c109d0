import type { SendResult } from "./transport.ts";

/**
 * Whether this response shows that the reporter's options are wrong. Such a response says nothing about the event, which
 * can be sent once the options or the server are corrected.
 */
export function isMisconfigured({ status, contentType }: SendResult): boolean {
  return status < 300 ? contentType?.startsWith("text/html") === true : status < 406 && status !== 400;
}
