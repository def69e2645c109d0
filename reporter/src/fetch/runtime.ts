import type { NamedVersion } from "../core/event.ts";

interface Scope {
  Deno?: { version: { deno: string } };
  Bun?: { version: string };
  EdgeRuntime?: unknown;
  process?: { versions?: { node?: string } };
  navigator?: { userAgent?: string };
}

export function runtime(): NamedVersion | undefined {
  const { Deno, Bun, EdgeRuntime, process, navigator } = globalThis as Scope;
  if (Deno) return { name: "deno", version: Deno.version.deno };
  if (Bun) return { name: "bun", version: Bun.version };
  if (EdgeRuntime) return { name: "Edge Runtime" };
  if (navigator?.userAgent === "Cloudflare-Workers") return { name: "Cloudflare Workers" };
  return process?.versions?.node ? { name: "node", version: process.versions.node } : undefined;
}
