import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { sha256 } from "../access/tokens.ts";

/** A response that can be sent again. */
export type Answer = { status: number; headers: Record<string, string | string[]>; body: string };

/** The parts that identify a request with an Idempotency-Key. */
export type KeyedRequest = {
  /** The credential's key in limits, or the client's address. */
  scope: string;
  /** Only the client knows it: its token or cookie, or the body if there is no credential. */
  secret: string;
  key: string;
  /** The method, the URL and the body. */
  content: string;
};

export type Seal = {
  key_hash: Buffer;
  request_hash: Buffer;
  seal(answer: Answer): Buffer;
  open(sealed: Buffer): Answer;
};

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts stored responses, which may contain secrets such as a new token. The key is derived from the client's secret and
 * the Idempotency-Key. The database contains only hashes of these.
 */
export function sealOf({ scope, secret, key, content }: KeyedRequest): Seal {
  const key_hash = sha256(`${scope}\n${key}`);
  const derived = Buffer.from(hkdfSync("sha256", `${secret}\n${key}`, key_hash, "signalbox answer", 64));
  const cipherKey = derived.subarray(0, 32);
  return {
    key_hash,
    // An HMAC, because with a plain hash, readers of the database could guess a password in the body.
    request_hash: createHmac("sha256", derived.subarray(32)).update(content).digest(),
    seal: (answer) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", cipherKey, iv);
      const sealed = [cipher.update(JSON.stringify(answer), "utf8"), cipher.final()];
      return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]);
    },
    open: (sealed) => {
      const decipher = createDecipheriv("aes-256-gcm", cipherKey, sealed.subarray(0, IV_BYTES));
      decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const text = [decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
      return JSON.parse(Buffer.concat(text).toString("utf8")) as Answer;
    },
  };
}
