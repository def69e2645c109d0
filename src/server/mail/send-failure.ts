import type { NodemailerError } from "nodemailer";
import { cutCodePoints } from "../../shared/text.ts";

/** Why an attempt to send an email failed. */
export type Failure = {
  /** The mail server will never accept this email, so it is not retried. */
  permanent: boolean;
  /** The connection or the sign-in failed, so other emails would fail as well. */
  unreachable: boolean;
  /** For administrators: one line, without credentials. */
  message: string;
};

/**
 * Classifies an error of nodemailer. Only a 5xx response to the email itself (its sender, recipient or text) is
 * permanent. A 4xx response, a lost connection and a failed sign-in, which the operator can fix, are temporary.
 */
export function failureOf(error: unknown, secrets: readonly string[]): Failure {
  const { code = "", responseCode, message, response } = error as NodemailerError & Error;
  const isAboutEmail = code === "EENVELOPE" || code === "EMESSAGE";
  const permanent = isAboutEmail && (responseCode === undefined || responseCode >= 500);
  return {
    permanent,
    unreachable: !isAboutEmail,
    message: oneLine(response ?? message ?? String(error), secrets),
  };
}

const MAX_CHARACTERS = 300;

function oneLine(text: string, secrets: readonly string[]): string {
  let line = text;
  for (const secret of secrets) {
    if (secret === "") continue;
    line = line.replaceAll(secret, "…").replaceAll(Buffer.from(secret).toString("base64"), "…");
  }
  // oxlint-disable-next-line no-control-regex -- matching control characters is the purpose
  line = line.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").toWellFormed();
  return cutCodePoints(line.trim(), MAX_CHARACTERS);
}
