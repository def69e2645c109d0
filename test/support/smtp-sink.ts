import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import type { MailSettings } from "../../src/server/config/smtp-url.ts";
import { DEADLINE } from "./eventually.ts";

/** An email as received. */
export type Received = Email & { from_envelope: string; recipients: string[]; raw: string };

/** Returns the reply to an email, such as `451 Try later`; undefined accepts it. */
type Answer = (mail: Received) => string | undefined;

export type SmtpSink = {
  settings: MailSettings;
  /** Accepted emails, in order; `refused` are those that got an error after their content. */
  mails: Received[];
  refused: Received[];
  answer: Answer;
  /** Resolves when this many emails were accepted; fails after a minute. */
  waitForMails(count: number): Promise<void>;
  close(): Promise<void>;
};

/** Starts a mail server. If it has a password, it requires authentication. */
export async function openSmtpSink(options: { password?: string } = {}): Promise<SmtpSink> {
  const waiting: { count: number; found: () => void }[] = [];
  const { password } = options;
  const server = new SMTPServer({
    authOptional: password === undefined,
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth(auth, _session, done) {
      // Some servers repeat the client's input in their reply.
      if (auth.password === password) done(null, { user: auth.username });
      else done(new Error(`wrong credentials ${auth.username} ${auth.password}`));
    },
    onData(stream, session, done) {
      void (async () => {
        const bytes = await buffer(stream);
        const { mailFrom, rcptTo } = session.envelope;
        const mail = {
          ...(await PostalMime.parse(bytes)),
          from_envelope: mailFrom === false ? "" : mailFrom.address,
          recipients: rcptTo.map((recipient) => recipient.address),
          raw: bytes.toString("latin1"),
        };
        const reply = sink.answer(mail);
        if (reply !== undefined) {
          sink.refused.push(mail);
          done(Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) }));
          return;
        }
        sink.mails.push(mail);
        done();
        for (const { count, found } of waiting) if (sink.mails.length >= count) found();
      })();
    },
  });
  // An aborted connection is not an error of the test.
  server.on("error", () => {});
  const listening = server.listen(0, "127.0.0.1");
  if (!listening.listening) await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  const sink: SmtpSink = {
    settings: {
      smtp: {
        host: "127.0.0.1",
        port,
        secure: false,
        requireTLS: false,
        ...(password === undefined ? {} : { auth: { user: "signalbox", pass: password } }),
      },
      from: { name: "Signalbox", address: "signalbox@track.example.com" },
    },
    mails: [],
    refused: [],
    answer: () => undefined,
    waitForMails: (count) =>
      sink.mails.length >= count
        ? Promise.resolve()
        : new Promise((resolve, reject) => {
            const late = setTimeout(() => {
              reject(new Error(`${sink.mails.length} instead of ${count} mails came`));
            }, DEADLINE);
            waiting.push({
              count,
              found: () => {
                clearTimeout(late);
                resolve();
              },
            });
          }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return sink;
}
