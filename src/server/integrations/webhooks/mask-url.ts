import type { WebhookFormat } from "../../../shared/webhooks.ts";

/** The address as reads show it: that of a chat is a secret, so only its host and its last four characters remain. */
export function maskUrl(url: string, format: WebhookFormat): string {
  if (format === "signalbox") return url;
  const { origin, href } = new URL(url);
  const secret = href.slice(origin.length);
  return secret.length > 8 ? `${origin}/…${secret.slice(-4)}` : `${origin}/…`;
}
