import type { ServerResponse } from "node:http";
import { callbackify } from "node:util";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import { conflict, HttpError, invalid } from "../answers/errors.ts";
import { acceptsIdempotencyKey } from "../answers/operation.ts";
import type { Db, Outside, Tx } from "../db/connect.ts";
import { onBodyRead } from "../http/body-listener.ts";
import { clientAddress } from "../http/client-address.ts";
import { disconnectSignal } from "../http/disconnect-signal.ts";
import type { Caller } from "../access/caller.ts";
import { credentialOf } from "../access/credential.ts";
import { outerRequest } from "../access/inner-request.ts";
import { RequestTransaction } from "./request-transaction.ts";
import { type Answer, type Seal, sealOf } from "./sealed-answer.ts";
import type { TransactionDb } from "./transaction-db.ts";

declare module "fastify" {
  interface FastifyRequest {
    keyed: Keyed | undefined;
    /** What a request reads and changes: the pool, one transaction around the request if it has an Idempotency-Key, or what the outer request uses. */
    readonly db: Db | TransactionDb;
  }
}

/** A request with an Idempotency-Key. The seal is missing until its body has been read. */
type Keyed = { transaction: RequestTransaction; seal: Seal | undefined };

type Exchange = { request: FastifyRequest; reply: FastifyReply };

type Options = { db: Outside; publicUrl: () => string };

const HEADER = "idempotency-key";

/**
 * Repeats the response to a POST with the same Idempotency-Key, credential, URL and body for 24 hours. The request runs
 * in one transaction, which also stores its response: a key is known if and only if its request took effect. Call this
 * before anything else that adds `onSend` hooks: they see the response after it is committed.
 */
export function repeatAnswers(app: FastifyInstance, options: Options): void {
  app.decorateRequest("keyed", undefined);
  app.decorateRequest("db", {
    getter() {
      return this.keyed?.transaction.db ?? outerRequest()?.db ?? options.db;
    },
  });

  app.addHook("preHandler", (request, reply, done) => {
    const key = request.headers[HEADER];
    const { method, routeOptions } = request;
    if (key === undefined || !acceptsIdempotencyKey({ method, config: routeOptions.config })) return done();
    callbackify(() => prepare({ request, reply }, String(key), options))((error: Error | null) =>
      error ? done(error) : done(),
    );
  });

  app.addHook("onSend", (request, reply, payload, done) => {
    const { keyed } = request;
    // Not an async hook: most requests have no key, and a promise for each of them would cost time.
    if (!keyed) return done(null, payload);
    callbackify(() => end(keyed, reply, payload))((error: Error | null) =>
      error ? done(error) : done(null, payload),
    );
  });
}

/** Commits the transaction with the response, or rolls it back if the response must not be repeated. */
async function end({ transaction, seal }: Keyed, reply: FastifyReply, payload: unknown): Promise<void> {
  if (!seal || !isKept(reply.statusCode) || !isText(payload)) await transaction.rollback();
  else await keep(transaction, seal, reply, payload ?? "");
}

/** Milliseconds; no request takes longer. */
const MAX_MS = 120_000;

async function prepare({ request, reply }: Exchange, key: string, { db, publicUrl }: Options) {
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw invalid({ [HEADER]: ["must have 1 to 255 printable ASCII characters"] });
  const caller = (request.caller as Caller | undefined) ?? request.session;
  const sender = caller?.key ?? (request.keyUse && `ing:${request.keyUse.keyId}`);
  const scope = sender ?? `ip:${clientAddress(request)}`;
  const keyed = openTransaction(db, scope, reply.raw);
  const check = async (body: string) => {
    keyed.seal = sealOf({
      // Clients behind one address do not share keys: a body without a credential contains its own secret.
      scope: sender ? scope : `${scope}\n${body}`,
      secret: sender ? credentialOf(request, publicUrl(), false).secret : body,
      key,
      content: `${request.method} ${request.url}\n${body}`,
    });
    await requireUnused(db, keyed.seal);
  };
  request.keyed = keyed;
  if (request.body === undefined) onBodyRead(request.raw, check);
  if (request.body !== undefined || !request.headers["content-type"]?.startsWith("multipart/"))
    await check(JSON.stringify(request.body ?? {}));
}

/** Nothing that the transaction refers to may refer to the request, whose body would stay in memory with it. */
function openTransaction(db: Outside, credential: string, response: ServerResponse): Keyed {
  const taker = { project: "", credential, signal: disconnectSignal(response) };
  const keyed: Keyed = {
    seal: undefined,
    transaction: new RequestTransaction(db, taker, async (tx) => {
      if (keyed.seal) await claim(tx, keyed.seal);
    }),
  };
  // If a client disconnects and the handler returns nothing, Fastify sends no response and calls no `onSend` hook. A transaction
  // that has not begun by then never begins.
  response.once("close", () => keyed.transaction.rollbackAfter(MAX_MS));
  return keyed;
}

/** Throws the stored response if there is one; 422 if it belongs to another request. */
async function requireUnused(db: Db, seal: Seal): Promise<void> {
  const { rows } = await sql<{ request_hash: Buffer; answer: Buffer | null }>`
    select request_hash, answer from idempotency_keys
    where key_hash = ${seal.key_hash} and created_at > clock_timestamp() - interval '24 hours'`.execute(db);
  const [row] = rows;
  if (!row?.answer) return;
  if (!row.request_hash.equals(seal.request_hash))
    throw invalid({ [HEADER]: ["was already used for another request"] });
  throw new StoredAnswer(seal.open(row.answer));
}

/** Waits for a concurrent request with the key; 409 if that takes longer than a lock may. */
async function claim(tx: Tx, seal: Seal): Promise<void> {
  const { numAffectedRows } = await sql`
    insert into idempotency_keys as k (key_hash, request_hash) values (${seal.key_hash}, ${seal.request_hash})
    on conflict (key_hash) do update
      set request_hash = excluded.request_hash, answer = null, created_at = excluded.created_at
      where k.created_at <= clock_timestamp() - interval '24 hours'`
    .execute(tx)
    .catch((error: { code?: string }) => {
      throw error.code === LOCK_TIMEOUT ? inProgress() : error;
    });
  if (numAffectedRows === 1n) return;
  await requireUnused(tx, seal);
  throw inProgress();
}

const LOCK_TIMEOUT = "55P03";
const inProgress = () =>
  conflict("A request with this Idempotency-Key is in progress. Try again in a moment.");

async function keep(transaction: RequestTransaction, seal: Seal, reply: FastifyReply, body: string) {
  const headers: Answer["headers"] = {};
  for (const name of ["content-type", "set-cookie", "location", "link"]) {
    const value = reply.getHeader(name);
    if (value !== undefined) headers[name] = Array.isArray(value) ? value : String(value);
  }
  const answer = seal.seal({ status: reply.statusCode, headers, body });
  try {
    await transaction.commit((tx) =>
      sql`update idempotency_keys set answer = ${answer} where key_hash = ${seal.key_hash}`.execute(tx),
    );
  } catch (error) {
    // The transaction was rolled back, so the session in the cookie does not exist.
    reply.removeHeader("set-cookie");
    throw error;
  }
}

/** Keeps responses to requests that took effect or would fail again. Timeouts, limits and server errors can be retried. */
const isKept = (status: number) => status < 500 && status !== 408 && status !== 409 && status !== 429;

const isText = (payload: unknown): payload is string | undefined | null =>
  payload === undefined || payload === null || typeof payload === "string";

/** Thrown to send a stored response instead of handling the request. */
class StoredAnswer extends HttpError {
  constructor({ status, headers, body }: Answer) {
    super(status, "", {}, { ...headers, "idempotent-replayed": "true" });
    this.body = body === "" ? undefined : body;
  }
}
