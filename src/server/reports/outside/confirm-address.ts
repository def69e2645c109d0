import { createHmac, timingSafeEqual } from "node:crypto";
import type { FeedbackBody } from "../../../shared/feedback.ts";
import { invalid } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";

const SIGNATURE = /^[0-9a-f]{64}$/i;

/** Whether the project's own app has signed the author's address. 422 if the signature is wrong. */
export async function isAddressConfirmed(
  db: Db,
  projectId: number,
  { author_email, author_signature }: Pick<FeedbackBody, "author_email" | "author_signature">,
): Promise<boolean> {
  if (author_signature === undefined) return false;
  const { identity_secret } = await db
    .selectFrom("projects")
    .select("identity_secret")
    .where("id", "=", projectId)
    .executeTakeFirstOrThrow();
  if (author_email !== undefined && identity_secret !== null && SIGNATURE.test(author_signature)) {
    const expected = createHmac("sha256", identity_secret).update(author_email).digest();
    if (timingSafeEqual(Buffer.from(author_signature, "hex"), expected)) return true;
  }
  throw invalid({ author_signature: ["is not the signature of author_email"] });
}
