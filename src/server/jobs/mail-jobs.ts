import { queuePasswordResets } from "../account/password/queue-password-resets.ts";
import type { Db } from "../db/connect.ts";
import { queueErrorDigests } from "../inform/notify/error-digest.ts";
import { notifyOfErrors } from "../integrations/alert-rules/notify-of-errors.ts";
import type { MailDelivery } from "../mail/delivery.ts";
import type { PollingJob } from "./job.ts";

/** Short, so that emails are sent promptly. Each poll runs a few short statements, each on a small index. */
const PAUSE_MS = 1_000;

/** Notifies of errors, queues the digests about them and password reset links, and sends emails that are due. */
export const mailJobs = (
  db: Db,
  delivery: MailDelivery,
  { pauseMs = PAUSE_MS, retentionDays }: { pauseMs?: number; retentionDays: number },
): PollingJob[] => [
  {
    name: "error-notices",
    pauseMs,
    condition: "exists (select from new_error_groups) or exists (select from error_group_notices)",
    work: (signal) => notifyOfErrors(db, { signal, retentionDays }),
  },
  {
    name: "error-digests",
    pauseMs,
    condition: "exists (select from error_digests where due_at is not null)",
    work: (signal) => queueErrorDigests(db, signal),
  },
  {
    name: "password-resets",
    pauseMs,
    condition: "exists (select from password_requests)",
    work: () => queuePasswordResets(db),
  },
  {
    name: "mails",
    pauseMs,
    condition: "exists (select from mails where state = 'queued')",
    work: (signal) => delivery.deliver(signal),
  },
];
