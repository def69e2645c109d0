import { createTransport } from "nodemailer";
import { failureOf } from "../../mail/send-failure.ts";
import type { MailSettings } from "../../config/smtp-url.ts";
import { fail, ok, type Finding } from "./finding.ts";

const PATIENCE_MS = 10_000;

/** Connects, greets and signs in, and sends nothing. */
export async function checkMailServer(mail: MailSettings | undefined): Promise<Finding> {
  const what = "mail";
  if (!mail) return ok(what, "SMTP_URL is not set: mails are kept for administrators to read");
  const { smtp } = mail;
  const transport = createTransport({
    ...smtp,
    auth: smtp.auth && { ...smtp.auth },
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
  });
  try {
    await transport.verify();
    return ok(what, `${smtp.host} answers${smtp.auth ? " and takes the password" : ""}`);
  } catch (error) {
    const { message } = failureOf(error, [smtp.auth?.pass ?? ""]);
    return fail(
      what,
      `${smtp.host} does not work: ${message}`,
      "Check SMTP_URL, and that the port is open from here.",
    );
  } finally {
    transport.close();
  }
}
