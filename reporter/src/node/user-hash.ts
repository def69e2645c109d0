import { builtin } from "./builtin.ts";

/**
 * Returns a function that computes the HMAC-SHA256 of a user's id with the application's secret, as 64 lowercase hex
 * characters.
 */
export function createUserHash(secret: string): (id: string | number) => string {
  const { createHmac, createSecretKey } = builtin("node:crypto");
  // Created once: converting the secret to a key costs more than the hash.
  const key = createSecretKey(secret, "utf8");
  return (id) => createHmac("sha256", key).update(String(id)).digest("hex");
}
