import type { SendMailOptions } from "nodemailer";
import type { Db } from "../db/connect.ts";
import { retryInOutage } from "../db/retry-in-outage.ts";
import { failureOf } from "./send-failure.ts";
import { correctDueTimes, keepMails, markFailed, markSent, takeDueMail, type TakenMail } from "./outbox.ts";
import type { MailFrom, MailSettings, SmtpSettings } from "../config/smtp-url.ts";
import { PREFERENCES_PATH, renderMail } from "./render-mail.ts";

/** Connections to the mail server, each with one email in flight. */
const CONNECTIONS = 2;

/** Limits for a mail server that does not answer. */
type SendTimes = {
  /** The maximum time for sending an email, far shorter than its lease (outbox.ts). */
  sendMs: number;
  /** The maximum time for an email in flight once the server is stopping. */
  stopMs: number;
  /**
   * How long to keep trying, during a database outage, to record that an email was sent. Together with `sendMs` it is
   * shorter than the lease.
   */
  recordMs: number;
};

const SEND_TIMES: SendTimes = { sendMs: 60_000, stopMs: 5_000, recordMs: 110_000 };

/** Sends emails that are due. Any number of processes may do so: each email is taken by one. */
export class MailDelivery {
  readonly #db: Db;
  readonly #settings: MailSettings | undefined;
  readonly #publicUrl: () => string;
  #transport: ReturnType<typeof openTransport> | undefined;
  readonly #times: SendTimes;

  /** Without `settings` emails are kept, not sent. */
  constructor(
    db: Db,
    settings: MailSettings | undefined,
    publicUrl: () => string,
    times: SendTimes = SEND_TIMES,
  ) {
    this.#times = times;
    this.#db = db;
    this.#settings = settings;
    this.#publicUrl = publicUrl;
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
          if (await this.#send(mail, signal)) state.unreachable = true;
        }
      }),
    );
  }

  close(): void {
    void this.#transport?.then((transport) => transport.close());
  }

  /** Returns true if the mail server could not be reached. */
  async #send(mail: TakenMail, stopping?: AbortSignal): Promise<boolean> {
    const { smtp, from } = this.#settings as MailSettings;
    const given = new AbortController();
    const giveUpIn = (ms: number) => setTimeout(() => given.abort(), ms).unref();
    const timer = giveUpIn(this.#times.sendMs);
    const onStop = () => void giveUpIn(this.#times.stopMs);
    stopping?.addEventListener("abort", onStop);
    if (stopping?.aborted) onStop();
    try {
      const transport = await (this.#transport ??= openTransport(smtp));
      await transport.sendMail({
        ...(await message(mail, from, this.#publicUrl())),
        signal: given.signal,
      });
    } catch (error) {
      const failure = failureOf(given.signal.aborted ? noAnswer() : error, [smtp.auth?.pass ?? ""]);
      await markFailed(this.#db, mail, failure);
      return failure.unreachable;
    } finally {
      clearTimeout(timer);
      stopping?.removeEventListener("abort", onStop);
    }
    // Keep trying: otherwise the email would be sent again after its lease.
    await retryInOutage(() => markSent(this.#db, mail), this.#times.recordMs, stopping);
    return false;
  }
}

const noAnswer = () => new Error("The mail server did not answer in time.");

/** Loads nodemailer, which a process does not need before its first email. */
async function openTransport(smtp: SmtpSettings) {
  const { createTransport } = await import("nodemailer");
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

async function message(mail: TakenMail, from: MailFrom, publicUrl: string): Promise<SendMailOptions> {
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);
  const { text, html } = await renderMail(mail, publicUrl);
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
      ...unsubscribeHeaders(mail, publicUrl),
    },
  };
}

function unsubscribeHeaders({ preference, unsubscribePath }: TakenMail, publicUrl: string) {
  // RFC 8058: mail programs unsubscribe with one POST to this address.
  if (unsubscribePath !== null)
    return {
      "List-Unsubscribe": `<${publicUrl}/api${unsubscribePath}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    };
  return preference === null ? {} : { "List-Unsubscribe": `<${publicUrl}${PREFERENCES_PATH}>` };
}
