import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

/** A browser's keys for encrypting its messages, in base64url: its public key and a secret. */
export type BrowserKeys = { p256dh: string; auth: string };

const RECORD_SIZE = 4_096;

/** The body of a push message, encrypted for the browser by RFC 8291. `salt` and `privateKey` are random outside of tests. */
export function encryptPayload(
  payload: string,
  { p256dh, auth }: BrowserKeys,
  { salt = randomBytes(16), privateKey }: { salt?: Buffer; privateKey?: Buffer } = {},
): Buffer {
  const own = createECDH("prime256v1");
  if (privateKey) own.setPrivateKey(privateKey);
  else own.generateKeys();
  const ownKey = own.getPublicKey();
  const browserKey = Buffer.from(p256dh, "base64url");
  const shared = own.computeSecret(browserKey);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), browserKey, ownKey]);
  const secret = derive(shared, Buffer.from(auth, "base64url"), info, 32);
  const key = derive(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  // The padding delimiter 2 marks the last record.
  const text = Buffer.concat([Buffer.from(payload), Buffer.from([2])]);
  const sealed = [cipher.update(text), cipher.final(), cipher.getAuthTag()];
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_SIZE);
  return Buffer.concat([salt, size, Buffer.from([ownKey.length]), ownKey, ...sealed]);
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, length));
