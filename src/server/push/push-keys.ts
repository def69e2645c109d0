import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import type { Db } from "../db/connect.ts";

export type PushKeys = { public_key: string; private_key: string };

/** The installation's key pair, created on first use. If several processes create one, the first one is kept. */
export async function readPushKeys(db: Db): Promise<PushKeys> {
  const read = () => db.selectFrom("push_keys").select(["public_key", "private_key"]);
  const stored = await read().executeTakeFirst();
  if (stored) return stored;
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  const keys = {
    public_key: point.toString("base64url"),
    private_key: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64url"),
  };
  await db
    .insertInto("push_keys")
    .values(keys)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return read().executeTakeFirstOrThrow();
}

const VALID_SECONDS = 12 * 3_600;

/** The `Authorization` header for a push service, by RFC 8292. `contact` is an address of the people who run this server. */
export function vapidHeader(keys: PushKeys, endpoint: string, contact: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(Date.now() / 1_000) + VALID_SECONDS,
    sub: contact,
  };
  const content = `${part({ typ: "JWT", alg: "ES256" })}.${part(claims)}`;
  const key = createPrivateKey({
    key: Buffer.from(keys.private_key, "base64url"),
    format: "der",
    type: "pkcs8",
  });
  const signature = sign("sha256", Buffer.from(content), { key, dsaEncoding: "ieee-p1363" });
  return `vapid t=${content}.${signature.toString("base64url")}, k=${keys.public_key}`;
}
