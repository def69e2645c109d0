import type { NodemailerError } from "nodemailer";
import { cutCodePoints } from "../../shared/text.ts";

/** How an attempt to send a mail went wrong. */
export type Failure = {
  /** The server will never take this mail: trying again is of no use. */
  permanent: boolean;
  /** It was the connection or the sign-in, so the next mail would fail in the same way. */
  unreachable: boolean;
  /** For administrators: one line, without credentials. */
  message: string;
};

/**
 * Reads a sender's error. Only a 5xx answer to this very mail (its sender, recipient or text) is final; 4xx, a lost
 * connection and a refused sign-in, which the operator can put right, are not.
 */
export function failureOf(error: unknown, secrets: readonly string[]): Failure {
  const { code = "", responseCode, message, response } = error as NodemailerError & Error;
  const ofThisMail = code === "EENVELOPE" || code === "EMESSAGE";
  const permanent = ofThisMail && (responseCode === undefined || responseCode >= 500);
  return {
    permanent,
    unreachable: !ofThisMail,
    message: oneLine(response ?? message ?? String(error), secrets),
  };
}

const MOST_CHARACTERS = 300;

function oneLine(text: string, secrets: readonly string[]): string {
  let line = text;
  for (const secret of secrets) {
    if (secret === "") continue;
    line = line.replaceAll(secret, "…").replaceAll(Buffer.from(secret).toString("base64"), "…");
  }
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  line = line.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").toWellFormed();
  return cutCodePoints(line.trim(), MOST_CHARACTERS);
}
