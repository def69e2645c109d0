import type { Webhook } from "../../../shared/webhooks.ts";
import type { Tone } from "../../kit/badge.tsx";

/** Whether a manager should look at it: it fails, or the server has turned it off. */
export const needsAttention = ({ active, disabled_reason, failing_since }: Webhook): boolean =>
  disabled_reason !== null || (active && failing_since !== null);

/** The state in a word or two. */
export function stateOf(webhook: Webhook): { label: string; tone: Tone } {
  if (webhook.disabled_reason !== null) return { label: "Turned off after failures", tone: "danger" };
  if (!webhook.active) return { label: "Turned off", tone: "ignored" };
  return webhook.failing_since === null
    ? { label: "Active", tone: "resolved" }
    : { label: "Failing", tone: "danger" };
}

/** Those that need attention first, then in the order in which they were created. */
export const byAttention = (a: Webhook, b: Webhook): number =>
  Number(needsAttention(b)) - Number(needsAttention(a)) || a.id - b.id;

/** The host, and what tells several webhooks of a host apart. A chat format's path is masked. */
export function addressOf({ url }: Pick<Webhook, "url">): string {
  return url.replace(/^https?:\/\//, "");
}
