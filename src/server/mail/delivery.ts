import { createTransport, type SendMailOptions } from "nodemailer";
import type { Db } from "../db/connect.ts";
import { failureOf } from "./send-failure.ts";
import { correctDueTimes, keepMails, markFailed, markSent, takeDueMail, type TakenMail } from "./outbox.ts";
import type { MailFrom, MailSettings, SmtpSettings } from "../config/smtp-url.ts";
import { PREFERENCES_PATH, renderMail } from "./render-mail.ts";

/** Connections to the mail server, each with one email in flight. */
const CONNECTIONS = 2;

/** The most time sending an email may take. Far less than its lease (outbox.ts). */
const SEND_TIMEOUT_MS = 60_000;

/** Sends emails that are due. Any number of processes may do so: each email is taken by one. */
export class MailDelivery {
  readonly #db: Db;
  readonly #settings: MailSettings | undefined;
  readonly #publicUrl: () => string;
  readonly #transport: ReturnType<typeof openTransport> | undefined;

  /** Without `settings` emails are kept, not sent. */
  constructor(db: Db, settings: MailSettings | undefined, publicUrl: () => string) {
    this.#db = db;
    this.#settings = settings;
    this.#publicUrl = publicUrl;
    this.#transport = settings && openTransport(settings.smtp);
  }

  /** Sends until nothing is due, the mail server cannot be reached, or `signal` aborts. */
  async deliver(signal?: AbortSignal): Promise<void> {
    if (!this.#settings) return keepMails(this.#db);
    await correctDueTimes(this.#db);
    const state = { unreachable: false };
    const mustStop = () => state.unreachable || signal?.aborted === true;
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
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

  /** Returns true if the mail server could not be reached. */
  async #send(mail: TakenMail): Promise<boolean> {
    const { smtp, from } = this.#settings as MailSettings;
    try {
      await this.#transport?.sendMail({
        ...message(mail, from, this.#publicUrl()),
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
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
    maxConnections: CONNECTIONS,
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: 30_000,
    // Content must never make nodemailer read a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function message(mail: TakenMail, from: MailFrom, publicUrl: string): SendMailOptions {
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);
  const { text, html } = renderMail(mail, publicUrl);
  return {
    from: { ...from },
    // An object, because nodemailer parses a string: one with commas or angle brackets could name several recipients.
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
