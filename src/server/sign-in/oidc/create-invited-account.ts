import { sql } from "kysely";
import { foldCase } from "../../../shared/fold-case.ts";
import { releaseAddress } from "../../account/profile/release-address.ts";
import { cutCodePoints, hasWebAddress } from "../../../shared/text.ts";
import type { Tx } from "../../db/connect.ts";
import { sameText } from "../../db/same-text.ts";
import { joinWorkspace } from "../../people/invitations/join-workspace.ts";
import { isOpenInvitation } from "../../people/invitations/read-invitations.ts";
import { lockWorkspace } from "../../people/workspaces/lock-workspace.ts";
import type { Claims } from "./claims.ts";
import { SignInError } from "./sign-in-error.ts";

/**
 * Accepts the newest open invitation to the address with a new account without a password; returns the account's id. An
 * account that has not verified the address loses it. Throws SignInError if there is no invitation.
 */
export async function createInvitedAccount(tx: Tx, claims: Claims & { email: string }): Promise<number> {
  const newest = tx
    .selectFrom("invitations as i")
    .select(["i.id", "i.workspace_id", "i.email", "i.is_admin", "i.invited_by"])
    .where(sameText("i.email", claims.email))
    .where(isOpenInvitation)
    .orderBy("i.id", "desc")
    .limit(1);
  const found = await newest.executeTakeFirst();
  // The workspace first, in the same order as when a role or the workspace is deleted, to avoid deadlocks.
  if (found) await lockWorkspace(tx, found.workspace_id);
  const invitation = found && (await newest.where("i.id", "=", found.id).forUpdate().executeTakeFirst());
  if (!invitation)
    throw new SignInError("unknown_identity", "no account has the identity and its address was not invited");
  await releaseAddress(tx, claims.email);
  const { first_name, last_name } = namesOf(claims);
  const { rows } = await sql<{ id: number }>`
    insert into users (username, email, first_name, last_name)
    select name, ${invitation.email}, ${first_name}, ${last_name}
    from (
      select ${usernameOf(claims)} || case when n = 1 then '' else n::text end as name, n
      from generate_series(1, 1000) n
    ) as candidates
    where not exists (select from users where fold_case(username) = name)
    order by n limit 1
    on conflict do nothing
    returning id`.execute(tx);
  const [user] = rows;
  // The username or the address was taken by a concurrent request.
  if (!user) throw new SignInError("failed", "the account could not be created");
  await joinWorkspace(tx, invitation, user.id);
  return user.id;
}

/** Lowercase, and short enough that a number can be appended. */
function usernameOf({ preferred_username, email }: Claims & { email: string }): string {
  const plain = (preferred_username ?? email).replace(/@.*$/, "").normalize("NFKD").replaceAll(/\p{M}/gu, "");
  const base = foldCase(plain)
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .slice(0, 36)
    .replaceAll(/^[._-]+|[._-]+$/g, "");
  return base === "" ? "user" : base;
}

/** Accounts need both names. If the provider sends only one, the user can correct the other in the profile. */
function namesOf(claims: Claims & { email: string }) {
  const words = (claims.name ?? "").trim().split(/\s+/);
  const first_name = claims.given_name ?? (words[0] || usernameOf(claims));
  const last_name = claims.family_name ?? (words.slice(1).join(" ") || "-");
  const nameOf = (text: string) =>
    cutCodePoints(hasWebAddress(text) ? text.replaceAll(/[.:/]+/g, " ") : text, 100);
  return { first_name: nameOf(first_name), last_name: nameOf(last_name) };
}
