import { randomBytes } from "node:crypto";
import type { Db } from "../../db/connect.ts";

export async function readStatusUrl(_db: Db, publicUrl: string, _id: number): Promise<string | null> {
  return `${publicUrl}/r/${randomBytes(16).toString("base64url")}`;
}
