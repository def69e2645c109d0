import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";
import type { FastifyRequest } from "fastify";

/** `ip` is the address as reported by the proxies. */
type Client = Pick<FastifyRequest, "ip" | "socket">;

/** The key for rate limits of requests without a credential. An IPv6 customer has a whole /64, so it counts as one client. */
export function clientAddress(client: Client): string {
  const ip = clientIp(client);
  if (!ip.includes(":") || ip.startsWith("::ffff:")) return ip;
  const [head = "", tail = ""] = ip.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const groups = [
    ...left,
    ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0"),
    ...right,
  ];
  return `${groups.slice(0, 4).join(":")}::/64`;
}

/**
 * The client's IP address as reported by the proxies, without the port that some of them add. If it is not an IP address,
 * the address of the connection.
 */
export function clientIp({ ip, socket }: Client): string {
  const [, v6, v4] = /^\[([^\]]+)\](?::\d+)?$|^([^:]+):\d+$/.exec(ip) ?? [];
  const bare = v6 ?? v4 ?? ip;
  return isIP(bare) === 0 ? (socket.remoteAddress ?? "") : bare;
}

/**
 * Returns a function that is `clientAddress` for requests that do not reach Fastify: it goes back through the forwarded
 * addresses as long as they are trusted proxies.
 */
export function clientAddressReader(trustProxy: readonly string[]): (request: IncomingMessage) => string {
  const proxies = new BlockList();
  for (const entry of trustProxy) {
    const [address = "", bits] = entry.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (ip: string) => isIP(ip) !== 0 && proxies.check(ip, isIPv6(ip) ? "ipv6" : "ipv4");
  return ({ socket, headers }) => {
    let ip = socket.remoteAddress ?? "";
    if (trustProxy.length > 0)
      for (const next of forwardedAddresses(headers["x-forwarded-for"]).toReversed()) {
        if (!isTrusted(ip)) break;
        ip = next;
      }
    return clientAddress({ ip, socket });
  };
}

const forwardedAddresses = (header: string | string[] = ""): string[] =>
  String(header)
    .split(",")
    .map((address) => address.trim())
    .filter((address) => address !== "");
