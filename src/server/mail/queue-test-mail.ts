import type { Db } from "../db/connect.ts";
import { queueMails } from "./queue-mail.ts";

/** Queues an email to an administrator who wants to test delivery. Its state is in the list of emails. */
export async function queueTestMail(db: Db, workspaceId: number, userId: number): Promise<void> {
  await db.transaction().execute((tx) =>
    queueMails(tx, [
      {
        workspace_id: workspaceId,
        user_id: userId,
        subject: "Test email from Signalbox",
        lines: ["You requested this email to test delivery. It has arrived, so Signalbox can send emails."],
        button: { label: "Open Signalbox", path: "/" },
        preference: null,
      },
    ]),
  );
}
