import type { z } from "zod";
import { clientDocument } from "../../../../shared/oauth-clients.ts";
import { invalid } from "../../../answers/errors.ts";
import type { AllowedHosts } from "../../../config/allowed-hosts.ts";
import { problemOfUrl } from "../../webhooks/address/problem-of-url.ts";
import { sendRequest } from "../../webhooks/send/send-request.ts";

export type Client = {
  id: string;
  name: string;
  redirectUris: readonly string[];
  /** The host of its metadata document; null for a client that registered itself. */
  publishedBy: string | null;
};

const MAX_BYTES = 10_240;
const MAX_MS = 5_000;

/**
 * Reads a client's metadata document at the address that is its id. The address may be hostile: the rules of webhooks apply. 422 on
 * `client_id`, which does not say why an address cannot be reached.
 */
export async function readClientDocument(address: string, allowed: AllowedHosts): Promise<Client> {
  const problem = problemOfAddress(address, allowed);
  if (problem !== undefined) throw invalid({ client_id: [problem] });
  const { client_id, client_name, redirect_uris } = parseDocument(await readText(address, allowed));
  // Otherwise a document could speak for another client.
  if (client_id !== address)
    throw invalid({ client_id: ["must be the same in its metadata document as the document's address"] });
  const { host } = new URL(address);
  return { id: address, name: client_name ?? host, redirectUris: redirect_uris, publishedBy: host };
}

/** An id is compared as text, so an address must be written in one way only. */
function problemOfAddress(address: string, allowed: AllowedHosts): string | undefined {
  const problem = problemOfUrl(address, allowed);
  if (problem !== undefined) return problem;
  const { href, pathname, hash } = new URL(address);
  if (hash !== "" || address.endsWith("#")) return "must not have a fragment";
  if (pathname === "/") return "must have a path";
  return href === address ? undefined : `must be written as ${href}`;
}

async function readText(url: string, allowed: AllowedHosts): Promise<string> {
  const options = { allowed, headersMs: MAX_MS, bodyMs: MAX_MS, maxBodyBytes: MAX_BYTES + 1 };
  const request = { url, headers: { accept: "application/json" } };
  const outcome = await sendRequest(request, options, AbortSignal.timeout(MAX_MS)).catch(() => undefined);
  if (outcome?.status_code !== 200)
    throw invalid({ client_id: ["must be the address of a metadata document, which could not be read"] });
  const text = outcome.response_body ?? "";
  if (Buffer.byteLength(text) > MAX_BYTES)
    throw invalid({ client_id: ["has a metadata document of more than 10 KB"] });
  return text;
}

function parseDocument(text: string): z.output<typeof clientDocument> {
  const result = clientDocument.safeParse(parseJson(text));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join(".") ?? "";
  throw invalid({
    client_id: [`has an invalid metadata document: ${field === "" ? "it" : field} ${issue?.message}`],
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
