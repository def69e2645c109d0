import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { z } from "zod";
import { registrationBody, type Registration } from "../../../../shared/oauth-clients.ts";
import { invalid, tooMany } from "../../../answers/errors.ts";
import type { Db, Tx } from "../../../db/connect.ts";
import { oauthError } from "./oauth-error.ts";

const MAX_PER_HOUR = 10;

/** Registers a public client (RFC 7591). 429 after ten registrations from one address within an hour. */
export async function registerClient(db: Db, address: string, body: unknown): Promise<Registration> {
  const { client_name, redirect_uris } = parseRegistration(body);
  const id = `app_${randomBytes(12).toString("base64url")}`;
  const name = client_name ?? new URL(redirect_uris[0] ?? "").host;
  const issuedAt = await db.transaction().execute(async (tx) => {
    await requireAllowance(tx, address);
    const row = await tx
      .insertInto("oauth_clients")
      .values({ id, name, redirect_uris, address })
      .returning(sql<number>`floor(extract(epoch from created_at))::int`.as("issued_at"))
      .executeTakeFirstOrThrow();
    return row.issued_at;
  });
  return {
    client_id: id,
    client_id_issued_at: issuedAt,
    client_name: name,
    redirect_uris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
}

function parseRegistration(body: unknown): z.output<typeof registrationBody> {
  const result = registrationBody.safeParse(body ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const [field] = issue?.path ?? [];
  if (field === undefined) throw invalid({ body: ["must be a JSON object"] });
  throw oauthError(
    field === "redirect_uris" ? "invalid_redirect_uri" : "invalid_client_metadata",
    `${issue?.path.join(".")} ${issue?.message}.`,
  );
}

/** Unused registrations are kept for a day, so the rows are the count. The lock makes concurrent requests of an address wait. */
async function requireAllowance(tx: Tx, address: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`oauth_clients ${address}`}, 0))`.execute(tx);
  const { rows } = await sql<{ seconds: number }>`
    select greatest(1, ceil(extract(epoch from created_at + interval '1 hour' - clock_timestamp())))::int as seconds
    from oauth_clients where address = ${address} and created_at > clock_timestamp() - interval '1 hour'
    order by created_at desc offset ${MAX_PER_HOUR - 1} limit 1`.execute(tx);
  const [tenth] = rows;
  if (tenth) throw tooMany(tenth.seconds);
}
