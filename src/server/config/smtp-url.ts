import { isIP } from "node:net";
import { z } from "zod";

/** The mail server. */
export type SmtpSettings = Readonly<{
  host: string;
  port: number;
  /** TLS from the first byte. Otherwise STARTTLS is used if the server offers it. */
  secure: boolean;
  /** Send nothing without TLS, because the password would cross the network in clear text. */
  requireTLS: boolean;
  auth?: Readonly<{ user: string; pass: string }>;
}>;

const EXAMPLE = "must be an address such as smtps://user:password@mail.example.com";

/** For a zod `transform`: `smtp://` or `smtps://`, with or without a port and credentials. */
export function smtpUrl(value: string, context: z.RefinementCtx): SmtpSettings {
  const refuse = (message: string) => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !["smtp:", "smtps:"].includes(url.protocol) || url.hostname === "") return refuse(EXAMPLE);
  if (!["", "/"].includes(url.pathname) || url.search !== "" || url.hash !== "")
    return refuse("must end with the host or the port");
  const user = decoded(url.username);
  const pass = decoded(url.password);
  if (user === undefined || pass === undefined)
    return refuse("has a user or password whose special characters are not written as %XX");
  if ((user === "") !== (pass === "")) return refuse("must have both a user and a password, or neither");
  const secure = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? (secure ? 465 : 587) : Number(url.port);
  const requireTLS = !secure && user !== "" && !isLoopback(host);
  return { host, port, secure, requireTLS, ...(user === "" ? {} : { auth: { user, pass } }) };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const isLoopback = (host: string) =>
  host === "localhost" || (isIP(host) === 4 && host.startsWith("127.")) || host === "::1";

export type MailFrom = Readonly<{ name: string; address: string }>;

export type MailSettings = Readonly<{ smtp: SmtpSettings; from: MailFrom }>;

/** For a zod `transform`: `track@example.com`, or with a name `Signalbox <track@example.com>`. */
export function mailFrom(value: string, context: z.RefinementCtx): MailFrom {
  const [, name = "", inBrackets, plain] = /^(?:([^<>"\r\n]*)<([^<>]+)>|([^<>]+))$/.exec(value.trim()) ?? [];
  const address = (inBrackets ?? plain ?? "").trim();
  if (!/^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/.test(address)) {
    context.addIssue({
      code: "custom",
      message: "must be an address such as Signalbox <signalbox@example.com>",
    });
    return z.NEVER;
  }
  return { name: name.trim(), address };
}
