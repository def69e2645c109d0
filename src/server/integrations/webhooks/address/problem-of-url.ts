import { isIP } from "node:net";
import type { AllowedHosts } from "../../../config/allowed-hosts.ts";
import { isGlobalAddress } from "./global-address.ts";

export const MAX_URL_LENGTH = 2_048;

/**
 * What is wrong with the address of a webhook, or undefined. An address written as a number is checked here; the addresses of a
 * name are checked at each attempt, because they can change.
 */
export function problemOfUrl(value: string, allowed: AllowedHosts): string | undefined {
  if (value.length > MAX_URL_LENGTH) return `must be at most ${MAX_URL_LENGTH} characters`;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isAllowed = url !== undefined && isAllowedHost(url, allowed);
  if (url?.protocol !== "https:" && !(url?.protocol === "http:" && isAllowed))
    return "must be an https:// address";
  if (url.username !== "" || url.password !== "") return "must not contain a user or password";
  const address = addressInUrl(url);
  if (address !== undefined && !isAllowed && !isGlobalAddress(address))
    return "must not be an address of a private or special network";
  return undefined;
}

/** Whether the setting WEBHOOK_ALLOW lists the host of this http or https address. */
export function isAllowedHost({ protocol, hostname, port }: URL, allowed: AllowedHosts): boolean {
  const actualPort = port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
  return allowed.some(
    (host) => host.hostname === hostname && (host.port === undefined || host.port === actualPort),
  );
}

/** The IP address, if the host is one. URLs contain its canonical form, however it was written. */
export function addressInUrl({ hostname }: URL): string | undefined {
  const address = hostname.replace(/^\[|\]$/g, "");
  return isIP(address) === 0 ? undefined : address;
}
