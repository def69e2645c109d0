import type { z } from "zod";

/** A host that webhooks may reach over http and on private addresses; without `port`, on any port. */
export type AllowedHost = Readonly<{ hostname: string; port: number | undefined }>;

export type AllowedHosts = readonly AllowedHost[];

/** For a zod `transform`: `host` or `host:port`, separated by commas. Host names are written as URLs write them. */
export function allowedHosts(value: string, context: z.RefinementCtx): AllowedHosts {
  return value.split(",").flatMap((entry) => {
    const host = readHost(entry.trim());
    if (host) return [host];
    context.addIssue({
      code: "custom",
      message: `must list hosts such as hooks.example.com or 10.0.0.5:8080, not ${JSON.stringify(entry)}`,
    });
    return [];
  });
}

function readHost(entry: string): AllowedHost | undefined {
  const [, host = "", port] = /^([^\s/?#@\\:]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?$/i.exec(entry) ?? [];
  if (!URL.canParse(`http://${host}`) || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535)
    return undefined;
  return {
    hostname: new URL(`http://${host}`).hostname,
    port: port === undefined ? undefined : Number(port),
  };
}
