import type { Logger } from "pino";
import type { Db } from "../../db/connect.ts";
import { queuePasswordResets } from "../../account/password/forgot-password.ts";
import { repeat, type Repeated } from "./repeat.ts";
import { MailDelivery } from "../../mail/delivery.ts";
import { queueErrorGroupDigests } from "../../inform/notify/error-group-digest.ts";
import type { MailSettings } from "../../config/smtp-url.ts";

/** A look at three short indexes; somebody mentioned should not wait for the mail. */
const PAUSE_MS = 1_000;

export type SendMailsOptions = {
  db: Db;
  /** undefined: mails are kept. */
  settings: MailSettings | undefined;
  publicUrl: () => string;
  log: Logger;
  pauseMs?: number;
};

/** Sends mails as they fall due, and queues digests of new error groups and links to new passwords, until stopped. */
export function sendMails({ db, settings, publicUrl, log, pauseMs = PAUSE_MS }: SendMailsOptions): Repeated {
  const delivery = new MailDelivery(db, settings, publicUrl);
  const digests = repeat("error-group-digests", pauseMs, log, () => queueErrorGroupDigests(db));
  const resets = repeat("password-resets", pauseMs, log, () => queuePasswordResets(db));
  const sending = repeat("mails", pauseMs, log, (isStopping) => delivery.deliver(isStopping));
  return {
    stop: async () => {
      await Promise.all([digests.stop(), resets.stop(), sending.stop()]);
      delivery.close();
    },
  };
}
