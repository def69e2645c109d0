import type { Config } from "../../config/config.ts";
import { fail, ok, warn, type Finding } from "./finding.ts";

/** Whether links in emails lead to this server, and connections are encrypted. */
export function checkAddress({
  host,
  port,
  publicUrl,
}: Pick<Config, "host" | "port" | "publicUrl">): Finding {
  const what = "address";
  if (publicUrl === undefined)
    return isLoopback(host)
      ? ok(what, `http://localhost:${port}, only for this machine`)
      : warn(
          what,
          `others can reach ${host}, but links in emails lead to http://localhost:${port}`,
          "Set PUBLIC_URL to the address that people use.",
        );
  const url = new URL(publicUrl);
  if (url.protocol === "https:")
    return isLoopback(url.hostname) && !isLoopback(host)
      ? warn(
          what,
          `${publicUrl} works only on this machine`,
          "Set PUBLIC_URL to the address that people use.",
        )
      : ok(what, publicUrl);
  if (isLoopback(url.hostname))
    return isLoopback(host)
      ? ok(what, publicUrl)
      : warn(
          what,
          `${publicUrl} works only on this machine`,
          "Set PUBLIC_URL to the address that people use.",
        );
  return fail(
    what,
    `${publicUrl} sends passwords and cookies unencrypted`,
    "Set up a reverse proxy with a certificate, and set PUBLIC_URL to its https address.",
  );
}

const isLoopback = (host: string) =>
  host === "localhost" ||
  host.endsWith(".localhost") ||
  host === "::1" ||
  host === "[::1]" ||
  host.startsWith("127.");
