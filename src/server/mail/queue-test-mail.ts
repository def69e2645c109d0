import type { Db } from "../db/connect.ts";
import { queueMails } from "./queue-mail.ts";

/** A mail to an administrator, who wants to see that mails arrive. What became of it is in the list of mails. */
export async function queueTestMail(db: Db, workspaceId: number, userId: number): Promise<void> {
  await db.transaction().execute((tx) =>
    queueMails(tx, [
      {
        workspace_id: workspaceId,
        user_id: userId,
        subject: "A test mail from Signalbox",
        lines: ["You asked Signalbox for this mail. That it is here means that mails are sent."],
        button: { label: "Open Signalbox", path: "/" },
        preference: null,
      },
    ]),
  );
}
