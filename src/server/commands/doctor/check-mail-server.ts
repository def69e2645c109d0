import { createTransport } from "nodemailer";
import { failureOf } from "../../mail/send-failure.ts";
import type { MailSettings } from "../../config/smtp-url.ts";
import { fail, ok, type Finding } from "./finding.ts";

const TIMEOUT_MS = 10_000;

/** Connects and signs in, but sends nothing. */
export async function checkMailServer(mail: MailSettings | undefined): Promise<Finding> {
  const what = "mail";
  if (!mail) return ok(what, "SMTP_URL is not set: emails are kept for administrators to read");
  const { smtp } = mail;
  const transport = createTransport({
    ...smtp,
    auth: smtp.auth && { ...smtp.auth },
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  try {
    await transport.verify();
    return ok(what, `${smtp.host} responds${smtp.auth ? " and accepts the password" : ""}`);
  } catch (error) {
    const { message } = failureOf(error, [smtp.auth?.pass ?? ""]);
    return fail(
      what,
      `${smtp.host} does not work: ${message}`,
      "Check SMTP_URL, and whether this machine can reach the port.",
    );
  } finally {
    transport.close();
  }
}
