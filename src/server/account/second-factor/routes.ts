import {
  codeBody,
  newSecondFactorAnswer,
  recoveryCodesAnswer,
  type SecondFactor,
  secondFactorAnswer,
  startSecondFactorBody,
} from "../../../shared/sign-in.ts";
import type { Api, Context } from "../../access/context.ts";
import { readAccount, requireCurrentPassword } from "../../access/current-password.ts";
import { sessionOf } from "../../access/admission.ts";
import { noBody } from "../../answers/operation.ts";
import type { Db } from "../../db/connect.ts";
import { confirmSecondFactor, startSecondFactor } from "./set-up-second-factor.ts";
import { removeSecondFactor, renewRecoveryCodes } from "./change-second-factor.ts";

const path = "/api/profile/second-factor";
const config = { needs: "session", limit: "sign_in" } as const;

/** For browser sessions only. Attempts to guess a code have the rate limit of sign-in. */
export function secondFactorRoutes(api: Api, context: Context) {
  setUpRoutes(api, context);
  changeRoutes(api, context);
}

function setUpRoutes(api: Api, { limiter, config: { limits } }: Context) {
  /** The guard counts the session. This counts the account, over all its sessions. */
  const countAttempt = (userId: number) => limiter.require(`second_factor:${userId}`, limits.sign_in);

  api.get(
    path,
    {
      config: { needs: "session" },
      schema: {
        operationId: "readSecondFactor",
        summary: "Read whether a second factor is active",
        response: { 200: secondFactorAnswer },
      },
    },
    (request) => readSecondFactor(request.db, request.caller.user_id),
  );

  api.post(
    path,
    {
      config,
      schema: {
        operationId: "startSecondFactor",
        summary: "Start setting up a second factor",
        body: startSecondFactorBody,
        response: { 200: newSecondFactorAnswer },
      },
    },
    async ({ db, caller, body }) => {
      const account = await readAccount(db, caller.user_id);
      await requireCurrentPassword(
        { db, limiter, limits },
        account,
        sessionOf(caller),
        body.current_password,
      );
      return startSecondFactor(db, account);
    },
  );

  api.post(
    `${path}/confirm`,
    {
      config,
      schema: {
        operationId: "confirmSecondFactor",
        summary: "Finish setting up a second factor",
        description: "Ends all other sessions.",
        body: codeBody,
        response: { 200: recoveryCodesAnswer },
      },
    },
    async ({ db, caller, body }) => {
      await countAttempt(caller.user_id);
      return confirmSecondFactor(db, sessionOf(caller), body.code);
    },
  );
}

function changeRoutes(api: Api, { limiter, config: { limits } }: Context) {
  /** The guard counts the session. This counts the account, over all its sessions. */
  const countAttempt = (userId: number) => limiter.require(`second_factor:${userId}`, limits.sign_in);

  api.post(
    `${path}/recovery-codes`,
    {
      config,
      schema: {
        operationId: "renewRecoveryCodes",
        summary: "Replace the recovery codes",
        refuses: [404],
        body: codeBody,
        response: { 200: recoveryCodesAnswer },
      },
    },
    async ({ db, caller, body }) => {
      await countAttempt(caller.user_id);
      return renewRecoveryCodes(db, caller.user_id, body.code);
    },
  );

  api.delete(
    path,
    {
      config,
      schema: {
        operationId: "removeSecondFactor",
        summary: "Remove the second factor",
        refuses: [404],
        body: codeBody,
        response: { 204: noBody },
      },
    },
    async ({ db, caller, body }, reply) => {
      await countAttempt(caller.user_id);
      await removeSecondFactor(db, caller.user_id, body.code);
      return reply.code(204).send();
    },
  );
}

/** A second factor is active once it has been confirmed. */
async function readSecondFactor(db: Db, userId: number): Promise<SecondFactor> {
  const row = await db
    .selectFrom("second_factors as f")
    .leftJoin("recovery_codes as c", "c.user_id", "f.user_id")
    .select((query) => query.fn.count<number>("c.user_id").as("left"))
    .where("f.user_id", "=", userId)
    .where("f.confirmed_at", "is not", null)
    .groupBy("f.user_id")
    .executeTakeFirst();
  return { active: row !== undefined, recovery_codes_left: row?.left ?? 0 };
}
