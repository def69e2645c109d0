import { Resolver, lookup } from "node:dns/promises";
import { AttemptFailure } from "./attempt-failure.ts";

export type LookUp = (
  hostname: string,
  options: { isAllowed: boolean; signal: AbortSignal },
) => Promise<string[]>;

/** Per query and server. */
const QUERY_MS = 4_000;

/**
 * All addresses of a name, IPv4 first. Asks the name servers directly: the system's own function occupies one of a few threads for as
 * long as they do not answer, and so would delay all other lookups. Only the system knows the names of local machines, so it is asked
 * for those that an administrator allowed, and for names without a domain.
 */
export const lookUpAddresses: LookUp = async (hostname, { isAllowed, signal }) => {
  if (isAllowed || /^[^.]+\.?$|\.localhost\.?$/i.test(hostname)) return askSystem(hostname);
  const resolver = new Resolver({ timeout: QUERY_MS, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  } finally {
    signal.removeEventListener("abort", cancel);
  }
};

async function askSystem(hostname: string): Promise<string[]> {
  try {
    return (await lookup(hostname, { all: true, order: "ipv4first" })).map(({ address }) => address);
  } catch (error) {
    throw new AttemptFailure("lookup", error);
  }
}
