import { randomBytes, randomInt } from "node:crypto";
import { sql } from "kysely";
import {
  feedbackAnswer,
  formAnswer,
  formBody,
  formFields,
  type FeedbackAnswer,
} from "../../../shared/feedback.ts";
import { isBlank } from "../../../shared/text.ts";
import type { Api, Context } from "../../access/context.ts";
import type { Db } from "../../db/connect.ts";
import { acceptUploads } from "../../files/uploads.ts";
import { tooMany } from "../../answers/errors.ts";
import { publicFormForm } from "../outside/feedback-form.ts";
import { Pretended, receiveFeedback } from "../outside/receive-feedback.ts";
import { isSolved, makeChallenge } from "./challenge.ts";
import { findForm, type PublicForm } from "./find-form.ts";
import { notSolved, requireUnusedChallenge, useChallenge } from "./use-challenge.ts";

const form = "/api/forms/:formKey";
const formKey = ({ params }: { params: unknown }) => (params as { formKey: string }).formKey;

/** The API of a project's public form. Needs a scope of its own, which accepts JSON and multipart. */
export function publicFormRoutes(api: Api, context: Context) {
  acceptUploads(api);

  api.get(
    form,
    {
      config: { needs: "nothing" },
      schema: {
        operationId: "readPublicForm",
        summary: "Read a public form and a challenge for sending it",
        description:
          "Find a `nonce` with which the SHA-256 of `token:nonce` starts with `bits` zero bits, and send both after at least two seconds and at most ten minutes.",
        response: { 200: formAnswer },
      },
    },
    async (request) => {
      const { project, key } = await findForm(request.db, formKey(request));
      const bits = await bitsFor(context, project.id);
      return { project: { name: project.name }, challenge: makeChallenge(key, bits, Date.now()) };
    },
  );

  api.post(
    form,
    {
      config: { needs: "nothing", limit: "feedback" },
      schema: {
        operationId: "sendPublicForm",
        summary: "Send a report with a public form",
        description:
          "Takes the fields of feedback, and the solution of a challenge, which is accepted once. `website` is a trap for programs and must be empty. Send JSON, or multipart to include images.",
        refuses: [403],
        reads: { "application/json": formBody, "multipart/form-data": publicFormForm },
        response: { 201: feedbackAnswer },
      },
    },
    async (request, reply) => {
      const found = await findForm(request.db, formKey(request));
      const { project } = found;
      const sender = `form:${project.id}`;
      const { allowed, retryAfter } = await context.feedbackLimits.takeForSender(sender);
      if (!allowed) throw tooMany(retryAfter);
      const answer = await receiveFeedback(
        context,
        { request, reply },
        {
          project,
          sender,
          json: formBody,
          fields: formFields,
          check: (sent) => requireWork(context, request.db, found, sent),
          before: (tx, { challenge = "" }) => useChallenge(tx, challenge),
        },
      );
      return reply.code(201).send(answer);
    },
  );
}

/** 403 unless the challenge is solved and unused. A program that fills the hidden field is told that it succeeded. */
async function requireWork(context: Context, db: Db, { key }: PublicForm, sent: unknown = {}): Promise<void> {
  // Validation refuses it.
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return;
  const { website, challenge, nonce } = sent as Record<string, unknown>;
  if (website !== undefined && website !== null && !isBlank(website))
    throw new Pretended(await madeUpAnswer(context, db));
  if (typeof challenge !== "string" || typeof nonce !== "string") throw notSolved();
  if (!isSolved(key, { token: challenge, nonce, now: Date.now() })) throw notSolved();
  await requireUnusedChallenge(db, challenge);
}

/** Looks like the response to a report that was stored. */
async function madeUpAnswer({ publicUrl }: Context, db: Db): Promise<FeedbackAnswer> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from reports`.execute(db);
  return {
    id: (rows[0]?.id ?? 0) + randomInt(1, 20),
    status_url: `${publicUrl()}/r/${randomBytes(16).toString("base64url")}`,
  };
}

/** Challenges of a form per minute from which on they ask for more work. */
const BUSY = 30;
const MAX_PER_MINUTE = 1_000_000;

/** 16 bits take a browser less than a second. Each further bit doubles that. */
async function bitsFor({ limiter }: Context, projectId: number): Promise<number> {
  const { limit, remaining } = await limiter.take(`feedback:challenge:${projectId}`, MAX_PER_MINUTE);
  const made = limit - remaining;
  return made <= BUSY ? 16 : made <= 2 * BUSY ? 17 : 18;
}
