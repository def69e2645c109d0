import { attempt } from "../core/safe.ts";

/**
 * The proxy for a URL by HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, in upper or lower case. This machine itself is
 * never reached through a proxy.
 */
export function proxyFor({ protocol, hostname, port }: URL, env: NodeJS.ProcessEnv): URL | undefined {
  const read = (name: string) => env[name] || env[name.toUpperCase()];
  const address = read(protocol.replace(":", "_proxy")) || read("all_proxy");
  if (!address || /^(localhost|127\..*|\[::1\])$/.test(hostname)) return undefined;
  const isExcluded = (read("no_proxy") ?? "").split(/[\s,]+/).some((entry) => {
    const [, name = "", ofPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
    if (ofPort && ofPort !== (port || (protocol === "https:" ? "443" : "80"))) return false;
    return entry === "*" || (name !== "" && `.${hostname}`.endsWith(`.${name}`));
  });
  return isExcluded
    ? undefined
    : attempt(() => new URL(address.includes("://") ? address : `http://${address}`));
}

/** The headers that a proxy with a name and password in its URL requires. */
export function proxyHeaders({ username, password }: URL): Record<string, string> {
  if (!username) return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` };
}
