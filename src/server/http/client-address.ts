import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";

/** Who a request without a credential is counted as. IPv6 hands a customer a /64, so that is one client. */
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
 * The address the proxies tell; some write its port as well, which is another with each connection. That of the
 * connection itself, when what they tell is none.
 */
export function clientIp({ ip, socket }: FastifyRequest): string {
  const [, v6, v4] = /^\[([^\]]+)\](?::\d+)?$|^([^:]+):\d+$/.exec(ip) ?? [];
  const bare = v6 ?? v4 ?? ip;
  return isIP(bare) === 0 ? (socket.remoteAddress ?? "") : bare;
}
