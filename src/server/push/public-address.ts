import { lookup as lookUp, type LookupAddress } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

const INTERNAL = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  INTERNAL.addSubnet(network, prefix, "ipv4");
/** Only global unicast IPv6 addresses are public, except those that contain an IPv4 address. */
const PUBLIC_IPV6 = new BlockList();
PUBLIC_IPV6.addSubnet("2000::", 3, "ipv6");
const TRANSLATED = new BlockList();
TRANSLATED.addSubnet("2002::", 16, "ipv6");
TRANSLATED.addSubnet("2001::", 32, "ipv6");

export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !INTERNAL.check(address, "ipv4");
  return PUBLIC_IPV6.check(address, "ipv6") && !TRANSLATED.check(address, "ipv6");
}

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
    const addresses = error ? [] : found.filter(({ address }) => isPublicAddress(address));
    const [first] = addresses;
    if (error) done(error, "", 0);
    else if (!first) done(new Error(`${hostname} has no public address.`), "", 0);
    else if (options.all) done(null, addresses);
    else done(null, first.address, first.family);
  });
};
