import type { FastifyReply, FastifyRequest } from "fastify";
import { answerOrigin } from "../../../access/admit-by-key.ts";
import type { Context } from "../../../access/context.ts";
import type { IngestKey } from "../../../access/ingest-key.ts";
import { noteKeyUse } from "../../../access/note-key-use.ts";
import { mayUseKey } from "../../../access/refusal.ts";
import { forbidden } from "../../../answers/errors.ts";

type Exchange = { request: FastifyRequest; reply: FastifyReply };

/**
 * Returns the request's ingest key if it may send to the project; without a project id, to the key's own project. Otherwise
 * always throws the same 403, so that it does not reveal which projects and keys exist.
 */
export async function admitSender(
  { authority, outside }: Pick<Context, "authority" | "outside">,
  { request, reply }: Exchange,
  key: string | undefined,
  projectId?: string,
): Promise<IngestKey> {
  const found = key === undefined ? undefined : await authority.ingestKey(key);
  // The response to a foreign origin says so in a header, so its origin is checked next.
  if (!found || !mayUseKey(found, projectId, undefined)) throw notValid();
  const isOriginAllowed = answerOrigin(request, reply, found);
  request.keyUse = { keyId: found.id, projectId: found.projectId, isOriginAllowed };
  if (!isOriginAllowed) throw notValid();
  noteKeyUse(outside, found.id);
  return found;
}

const notValid = () => forbidden("The DSN is not valid for this project.");
