import { lookup as lookUp, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { isGlobalAddress } from "../integrations/webhooks/address/global-address.ts";

/** Whether a push service may have this address: HTTPS, by name, on the usual port. Its IP is checked when connecting. */
export function isPushEndpoint(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, port, username, password } = new URL(value);
  const isNamed = isIP(hostname.replace(/^\[|\]$/g, "")) === 0 && hostname.includes(".");
  const isLocal = /\.(local|localhost|internal|lan|home\.arpa)\.?$/i.test(hostname);
  return protocol === "https:" && port === "" && username === "" && password === "" && isNamed && !isLocal;
}

/** Resolves names to public addresses only, for the connection itself, so that a name cannot change in between. */
export const lookUpPublic: LookupFunction = (hostname, options, done) => {
  lookUp(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    const addresses = error ? [] : found.filter(({ address }) => isGlobalAddress(address));
    const [first] = addresses;
    if (error) done(error, "", 0);
    else if (!first) done(new Error(`${hostname} has no public address.`), "", 0);
    else if (options.all) done(null, addresses);
    else done(null, first.address, first.family);
  });
};
