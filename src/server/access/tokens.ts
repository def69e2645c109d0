import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 43; // 32 random bytes in base 62
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^sbx_(pat|prj|oat|ort)_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** Personal and project tokens, and the access and refresh tokens of connected apps. */
export type TokenKind = "pat" | "prj" | "oat" | "ort";

/** A new token, which is shown only once, and the values to store. */
export type NewToken = { token: string; token_hash: Buffer; last_four: string };

export function makeToken(kind: TokenKind): NewToken {
  const secret = `sbx_${kind}_${base62(BigInt(`0x${randomBytes(32).toString("hex")}`), SECRET_LENGTH)}`;
  const token = secret + checksum(secret);
  return { token, token_hash: sha256(token), last_four: token.slice(-4) };
}

/** The kind of a well-formed token. The checksum detects mistyped tokens without a query. */
export function tokenKind(token: string): TokenKind | undefined {
  const match = SHAPE.exec(token);
  if (!match) return undefined;
  const secret = token.slice(0, -CHECKSUM_LENGTH);
  return token.endsWith(checksum(secret)) ? (match[1] as TokenKind) : undefined;
}

export function sha256(value: string): Buffer {
  return hash("sha256", value, "buffer");
}

/** 256 random bits for a cookie or a link, as base64url. */
export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

function checksum(secret: string): string {
  return base62(BigInt(crc32(secret)), CHECKSUM_LENGTH);
}

function base62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = ALPHABET[Number(rest % 62n)] + text;
  return text;
}
