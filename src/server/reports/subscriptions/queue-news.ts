import type { Tx } from "../../db/connect.ts";
import { queueMails, type NewMail } from "../../mail/queue-mail.ts";
import { statusToken } from "../status/report-token.ts";
import { readServerSecret } from "../status/server-secret.ts";
import { readMyReportsPaths } from "./my-reports-page.ts";
import type { Recipient } from "./recipients.ts";
import { subscriptionSecret, unsubscribePath } from "./subscription-links.ts";

type News = Pick<NewMail, "subject" | "lines" | "excerpt"> & {
  /** The label of the button, which leads to the report's status page. */
  button: string;
};

/** Queues an email to each recipient with a confirmed subscription. All recipients belong to one project. */
export async function queueNews(
  tx: Tx,
  recipients: Recipient[],
  write: (recipient: Recipient, statusToken: string) => News,
): Promise<void> {
  const [first] = recipients;
  if (!first) return;
  const secret = await readServerSecret(tx);
  const emails = recipients.map(({ email }) => email);
  const myReports = await readMyReportsPaths(tx, secret, { projectId: first.project.id, emails });
  await queueMails(
    tx,
    recipients.map((recipient) => {
      const token = String(statusToken(secret, recipient));
      const { button, ...content } = write(recipient, token);
      return {
        ...content,
        workspace_id: recipient.project.workspace_id,
        user_id: null,
        to: recipient.email,
        button: { label: button, path: `/r/${token}` },
        preference: null,
        subscription: {
          id: recipient.subscription.id,
          asks_to_confirm: false,
          unsubscribe_path: unsubscribePath(subscriptionSecret(secret, recipient.subscription)),
          my_reports_path: myReports.get(recipient.email) ?? null,
        },
      };
    }),
  );
}
