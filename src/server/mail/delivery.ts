import { createTransport, type SendMailOptions } from "nodemailer";
import type { Db } from "../db/connect.ts";
import { failureOf } from "./send-failure.ts";
import { keepMails, markFailed, markSent, takeDueMail, type TakenMail } from "./outbox.ts";
import type { MailFrom, MailSettings, SmtpSettings } from "../config/smtp-url.ts";
import { PREFERENCES_PATH, renderMail } from "./render-mail.ts";

/** Connections to the mail server, and so mails under way. */
const AT_ONCE = 2;

/** Sending a mail may take so long; well within the time it is taken for (outbox.ts). */
const SEND_MS = 60_000;

/** Sends what is due. Any number of processes may: each mail is taken by one. */
export class MailDelivery {
  readonly #db: Db;
  readonly #settings: MailSettings | undefined;
  readonly #publicUrl: () => string;
  readonly #transport: ReturnType<typeof openTransport> | undefined;

  /** Without `settings` mails are kept instead of sent. */
  constructor(db: Db, settings: MailSettings | undefined, publicUrl: () => string) {
    this.#db = db;
    this.#settings = settings;
    this.#publicUrl = publicUrl;
    this.#transport = settings && openTransport(settings.smtp);
  }

  /** Sends until nothing is due, the mail server cannot be reached, or `signal` aborts. */
  async deliver(signal?: AbortSignal): Promise<void> {
    if (!this.#settings) return keepMails(this.#db);
    const state = { unreachable: false };
    const mustStop = () => state.unreachable || signal?.aborted === true;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (!mustStop()) {
          const mail = await takeDueMail(this.#db);
          if (!mail) return;
          if (await this.#send(mail)) state.unreachable = true;
        }
      }),
    );
  }

  close(): void {
    this.#transport?.close();
  }

  /** Answers true when the server could not be reached. */
  async #send(mail: TakenMail): Promise<boolean> {
    const { smtp, from } = this.#settings as MailSettings;
    try {
      await this.#transport?.sendMail({
        ...message(mail, from, this.#publicUrl()),
        signal: AbortSignal.timeout(SEND_MS),
      });
    } catch (error) {
      const failure = failureOf(error, [smtp.auth?.pass ?? ""]);
      await markFailed(this.#db, mail, failure);
      return failure.unreachable;
    }
    await markSent(this.#db, mail);
    return false;
  }
}

function openTransport(smtp: SmtpSettings) {
  return createTransport({
    ...smtp,
    auth: smtp.auth && { ...smtp.auth },
    pool: true,
    maxConnections: AT_ONCE,
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: 30_000,
    // A mail is text: nothing in it may make the sender read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function message(mail: TakenMail, from: MailFrom, publicUrl: string): SendMailOptions {
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);
  const { text, html } = renderMail(mail, publicUrl);
  return {
    from: { ...from },
    // As an object, or a name with a comma or angle brackets in it would be several recipients.
    to: { name: "", address: mail.to },
    subject: mail.subject.replaceAll(/\s+/g, " "),
    text,
    html,
    messageId: `<${mail.message_id}@${domain}>`,
    headers: {
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      ...(mail.preference === null ? {} : { "List-Unsubscribe": `<${publicUrl}${PREFERENCES_PATH}>` }),
    },
  };
}
