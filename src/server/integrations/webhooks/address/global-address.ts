import { BlockList, isIP, isIPv4 } from "node:net";

/** IANA's special-purpose registries: what is not globally reachable, and multicast. Networks in 2000::/3 only for IPv6. */
const SPECIAL = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  SPECIAL.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  // Protocol assignments: Teredo, benchmarking, ORCHID and others.
  ["2001::", 23],
  ["2001:db8::", 32],
  ["3fff::", 20],
] as const)
  SPECIAL.addSubnet(network, prefix, "ipv6");
const GLOBAL_UNICAST = new BlockList();
GLOBAL_UNICAST.addSubnet("2000::", 3, "ipv6");

/** Whether an IPv4 or IPv6 address is global unicast. IPv6 addresses that contain an IPv4 address are judged by that one. */
export function isGlobalAddress(address: string): boolean {
  if (isIPv4(address)) return !SPECIAL.check(address, "ipv4");
  if (isIP(address) !== 6 || address.includes("%")) return false;
  const ipv4 = containedIpv4(groupsOf(address));
  if (ipv4 !== undefined) return !SPECIAL.check(ipv4, "ipv4");
  return GLOBAL_UNICAST.check(address, "ipv6") && !SPECIAL.check(address, "ipv6");
}

/** The eight 16-bit groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // URLs write the last 32 bits as groups, too.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = canonical
    .split("::")
    .map((part) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16))));
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
}

/** The address inside of an IPv4-mapped (::ffff:0:0/96), NAT64 (64:ff9b::/96) or 6to4 address (2002::/16). */
function containedIpv4(groups: number[]): string | undefined {
  const prefix = groups.slice(0, 6).join(":");
  if (prefix === "0:0:0:0:0:65535" || prefix === "100:65435:0:0:0:0") return dotted(groups[6], groups[7]);
  return groups[0] === 0x2002 ? dotted(groups[1], groups[2]) : undefined;
}

const dotted = (high = 0, low = 0) => [high >> 8, high & 255, low >> 8, low & 255].join(".");
