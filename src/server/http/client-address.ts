import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";

/** The key for rate limits of requests without a credential. An IPv6 customer has a whole /64, so it counts as one client. */
export function clientAddress(request: FastifyRequest): string {
  const ip = clientIp(request);
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
export function clientIp({ ip, socket }: FastifyRequest): string {
  const [, v6, v4] = /^\[([^\]]+)\](?::\d+)?$|^([^:]+):\d+$/.exec(ip) ?? [];
  const bare = v6 ?? v4 ?? ip;
  return isIP(bare) === 0 ? (socket.remoteAddress ?? "") : bare;
}
