import { hash } from "node:crypto";
import { text } from "./coerce.ts";

/**
 * The client's own fingerprint: a list of texts, or one text, in which `{{ default }}` stands for the computed one.
 * Undefined if nothing usable was sent, or only `{{ default }}`.
 */
export function ownFingerprint(sent: unknown, computed: Buffer): Buffer | undefined {
  const parts = (Array.isArray(sent) ? sent.slice(0, MAX_PARTS) : [sent])
    .map((part: unknown) => text(part, MAX_PART_LENGTH))
    .filter((part) => part !== null);
  if (parts.every(isDefault)) return undefined;
  const identity = parts.map((part) => (isDefault(part) ? computed.toString("hex") : part));
  return digest(`client ${JSON.stringify(identity)}`);
}

const MAX_PARTS = 50;
const MAX_PART_LENGTH = 1_000;
const isDefault = (part: string) => /^\{\{ ?default ?\}\}$/.test(part);

/** Truncated SHA-512, as for the computed fingerprint. */
export const digest = (identity: string): Buffer => hash("sha512", identity, "buffer").subarray(0, 32);
