import { createHmac, hash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { GitHost } from "../../../shared/git.ts";
import { secretText } from "./connections.ts";

/** The oldest message that is accepted with a signature of Standard Webhooks. */
const MAX_AGE_SECONDS = 300;

type Signed = { host: GitHost; secret: Buffer; headers: IncomingHttpHeaders; body: Buffer };

/** Whether the host signed exactly this body with the connection's secret. */
export function isSigned({ host, secret, headers, body }: Signed): boolean {
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === "string" ? value : undefined;
  };
  const key = secretText(secret);
  if (host === "gitlab") {
    if (header("webhook-signature") !== undefined) return isSignedByStandard(header, secret, body);
    return isEqual(header("x-gitlab-token"), key);
  }
  const expected = createHmac("sha256", key).update(body).digest("hex");
  const ofGitHub = header("x-hub-signature-256")?.replace(/^sha256=/, "");
  if (host === "github") return isEqual(ofGitHub, expected);
  return isEqual(header("x-gitea-signature") ?? header("x-forgejo-signature") ?? ofGitHub, expected);
}

/** Standard Webhooks: the header has one or more signatures of the id, the time and the body. */
function isSignedByStandard(
  header: (name: string) => string | undefined,
  secret: Buffer,
  body: Buffer,
): boolean {
  const [id, time = ""] = [header("webhook-id"), header("webhook-timestamp")];
  if (id === undefined || !/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(Date.now() / 1_000 - Number(time)) > MAX_AGE_SECONDS) return false;
  const expected = createHmac("sha256", secret).update(`${id}.${time}.`).update(body).digest("base64");
  const signatures = (header("webhook-signature") ?? "").split(" ");
  return signatures.some((signature) => isEqual(signature, `v1,${expected}`));
}

/** Compares hashes, which have the same length, so that the time says nothing about the content. */
function isEqual(sent: string | undefined, expected: string): boolean {
  if (sent === undefined) return false;
  return timingSafeEqual(hash("sha256", sent, "buffer"), hash("sha256", expected, "buffer"));
}
