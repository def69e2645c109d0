import { createHmac } from "node:crypto";

export type Signed = { id: string; timestamp: number; body: string };

/** The headers of Standard Webhooks, with a signature for each key, separated by spaces. `timestamp` is in seconds. */
export function signatureHeaders(keys: Buffer[], { id, timestamp, body }: Signed): Record<string, string> {
  const signatures = keys.map(
    (key) => `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`,
  );
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
