import type { Tx } from "../../db/connect.ts";
import { shorten } from "../../inform/notify/message-parts.ts";
import { queueMails } from "../../mail/queue-mail.ts";
import { statusToken } from "../status/report-token.ts";
import { readServerSecret } from "../status/server-secret.ts";
import { readUnconfirmed } from "./recipients.ts";
import { subscriptionSecret, unsubscribePath } from "./subscription-links.ts";

/**
 * Queues the email that asks to confirm a subscription. Anyone can make the server send it to any address, so it contains nothing
 * that was written outside the team. Administrators do not see it, because only its reader may confirm.
 */
export async function queueConfirmation(tx: Tx, subscriptionId: number): Promise<void> {
  const recipient = await readUnconfirmed(tx, subscriptionId);
  if (!recipient) return;
  const secret = await readServerSecret(tx);
  const link = subscriptionSecret(secret, recipient.subscription);
  const project = shorten(recipient.project.name);
  await queueMails(tx, [
    {
      workspace_id: null,
      user_id: null,
      to: recipient.email,
      subject: `Confirm your email address for ${project}`,
      lines: [
        recipient.is_author
          ? `Thank you for your report to ${project}. Confirm your address to get an email when the team replies and when there is a result.`
          : `Confirm your address to get updates about a report to ${project} by email.`,
        "Open the report",
        "If you did not ask for this, ignore this email. You will get no updates unless you confirm.",
      ],
      linePaths: [null, `/r/${statusToken(secret, recipient)}`, null],
      button: { label: "Confirm your address", path: `/subscriptions/${link}/confirm` },
      preference: null,
      secret: true,
      subscription: {
        id: recipient.subscription.id,
        asks_to_confirm: true,
        unsubscribe_path: unsubscribePath(link),
        my_reports_path: null,
      },
    },
  ]);
}
