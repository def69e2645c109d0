import { queuePasswordResets } from "../../account/password/queue-password-resets.ts";
import type { Db } from "../../db/connect.ts";
import { queueErrorGroupDigests } from "../../inform/notify/error-group-digest.ts";
import type { MailDelivery } from "../../mail/delivery.ts";
import type { PollingJob } from "./job.ts";

/** Short, so that emails are sent promptly. Each poll runs three short statements, each on a small index. */
const PAUSE_MS = 1_000;

/** Sends emails that are due, and queues digests of new error groups and password reset links. */
export const mailJobs = (db: Db, delivery: MailDelivery, pauseMs = PAUSE_MS): PollingJob[] => [
  { name: "error-group-digests", pauseMs, work: () => queueErrorGroupDigests(db) },
  { name: "password-resets", pauseMs, work: () => queuePasswordResets(db) },
  { name: "mails", pauseMs, work: (signal) => delivery.deliver(signal) },
];
