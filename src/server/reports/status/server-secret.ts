import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";
import type { Db } from "../../db/connect.ts";

/** The installation's secret for addresses of pages that need no account. */
export type ServerSecret = Buffer;

export async function readServerSecret(db: Db): Promise<ServerSecret> {
  const { secret } = await db.selectFrom("server_secrets").select("secret").executeTakeFirstOrThrow();
  return secret;
}

/** JSON keeps parts apart, whatever characters they contain. */
const keyOf = (secret: ServerSecret, ...parts: (string | number)[]) =>
  createHmac("sha256", secret).update(JSON.stringify(parts)).digest();

/**
 * The row that a token stands for. The time of its creation is part of the token, because after a backup is restored, the ids of
 * newer rows are used again. The generation allows a row to have another token.
 */
export type SealedRow = { id: number; generation: number; created_at: string };

export type OpenedRow = Omit<SealedRow, "created_at"> & { created_ms: number };

/** A single block of random-looking bits, so no mode of operation is needed. */
const CIPHER = "aes-256-ecb";

/** A token of 128 bits for a row, as base64url. Nobody without the secret can guess one, or see the id. */
export function sealRow(
  secret: ServerSecret,
  purpose: string,
  { id, generation, created_at }: SealedRow,
): string {
  const block = Buffer.alloc(16);
  block.writeUIntBE(id, 0, 6);
  block.writeUInt32BE(generation, 6);
  block.writeUIntBE(Date.parse(created_at), 10, 6);
  const cipher = createCipheriv(CIPHER, keyOf(secret, purpose), null).setAutoPadding(false);
  return cipher.update(block).toString("base64url");
}

/** Undefined if it cannot be a token. Otherwise, the caller compares all fields with the row of this id. */
export function openRow(secret: ServerSecret, purpose: string, token: string): OpenedRow | undefined {
  return openRows(secret, purpose, [token])[0];
}

/** Like `openRow` for each token. Deriving the key takes several times as long as opening a token. */
export function openRows(secret: ServerSecret, purpose: string, tokens: string[]): (OpenedRow | undefined)[] {
  const decipher = createDecipheriv(CIPHER, keyOf(secret, purpose), null).setAutoPadding(false);
  return tokens.map((token) => {
    const sealed = Buffer.from(token, "base64url");
    // A different spelling of the same bytes is not the token.
    if (sealed.length !== 16 || sealed.toString("base64url") !== token) return undefined;
    const block = decipher.update(sealed);
    return {
      id: block.readUIntBE(0, 6),
      generation: block.readUInt32BE(6),
      created_ms: block.readUIntBE(10, 6),
    };
  });
}

/** Whether a token that was opened stands for this row. */
export const isSealOf = ({ id, generation, created_ms }: OpenedRow, row: SealedRow) =>
  id === row.id && generation === row.generation && created_ms === Date.parse(row.created_at);
