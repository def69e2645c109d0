import { builtin } from "./builtin.ts";

/**
 * Makes HMAC-SHA256 of a user's id with the application's secret, as 64 lowercase hex characters (section 4.6). The id
 * itself goes nowhere.
 */
export function createUserHash(secret: string): (id: string | number) => string {
  const { createHmac, createSecretKey } = builtin("node:crypto");
  // Made once: a key from a text costs more than the hash.
  const key = createSecretKey(secret, "utf8");
  return (id) => createHmac("sha256", key).update(String(id)).digest("hex");
}
