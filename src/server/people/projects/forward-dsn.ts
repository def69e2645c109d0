import { maskSentryDsn, readSentryDsn, type SentryDsn } from "../../../shared/sentry-dsn.ts";
import { invalid } from "../../answers/errors.ts";
import type { AllowedHosts } from "../../config/allowed-hosts.ts";
import type { Tx } from "../../db/connect.ts";
import { problemOfUrl } from "../../integrations/webhooks/address/problem-of-url.ts";

/** `allowed` are the hosts of WEBHOOK_ALLOW. */
export type DsnRules = { allowed: AllowedHosts; publicUrl: string };

/** The new value of the setting; undefined if it does not change, as with the masked DSN of an earlier response. 422 for an invalid one. */
export function forwardDsn(
  current: string | null,
  sent: string | null | undefined,
  rules: DsnRules,
): string | null | undefined {
  if (sent === undefined || sent === null) return sent;
  if (current !== null && sent === maskSentryDsn(current)) return undefined;
  const dsn = readSentryDsn(sent);
  const problem = dsn
    ? problemOfDsn(dsn, rules)
    : "must be a DSN such as https://KEY@sentry.example.com/42, without a secret after its key";
  if (problem !== undefined) throw invalid({ forward_dsn: [problem] });
  return sent;
}

function problemOfDsn({ base }: SentryDsn, { allowed, publicUrl }: DsnRules): string | undefined {
  if (hostOf(base) === hostOf(publicUrl)) return "must be the DSN of another server";
  return problemOfUrl(base, allowed);
}

function hostOf(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${hostname.replace(/\.$/, "")}:${port === "" ? (protocol === "https:" ? 443 : 80) : port}`;
}

/** The counts are those of one DSN. */
export async function resetForwarding(tx: Tx, projectId: number, dsn: string | null): Promise<void> {
  await tx.deleteFrom("project_forwarding").where("project_id", "=", projectId).execute();
  if (dsn !== null) await tx.insertInto("project_forwarding").values({ project_id: projectId }).execute();
}
