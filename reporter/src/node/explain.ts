import type { SendResult } from "../core/transport.ts";

/** The option that is wrong according to this response, in a few words. */
export function explain({ status, location }: SendResult): string {
  if (status < 300) return "a web page responded, not Signalbox";
  if (status < 400) return `it redirects to ${location ?? "another address"}`;
  if (status === 401) return "the key or token is wrong or was revoked";
  if (status === 403) return "the key or token may not send to this project";
  return "there is no such project or no Signalbox";
}
