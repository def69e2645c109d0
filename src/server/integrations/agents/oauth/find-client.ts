import { sql } from "kysely";
import { invalid } from "../../../answers/errors.ts";
import type { AllowedHosts } from "../../../config/allowed-hosts.ts";
import type { Db } from "../../../db/connect.ts";
import { readClientDocument, type Client } from "./client-document.ts";

/** A client's id is the address of its metadata document, or was made by its registration. 422 on `client_id` if there is none. */
export async function findClient(db: Db, id: string, allowed: AllowedHosts): Promise<Client> {
  return id.includes("://") ? readClientDocument(id, allowed) : findRegistration(db, id);
}

/** After a day, a registration that nobody has used is no longer valid. A job deletes it. */
async function findRegistration(db: Db, id: string): Promise<Client> {
  const row = await db
    .selectFrom("oauth_clients")
    .select(["name", "redirect_uris"])
    .where("id", "=", id)
    .where(sql<boolean>`(used_at is not null or created_at > now() - interval '1 day')`)
    .executeTakeFirst();
  if (!row) throw invalid({ client_id: ["is not registered here"] });
  return { id, name: row.name, redirectUris: row.redirect_uris, publishedBy: null };
}
