import { z } from "zod";
import { moment } from "./answers.ts";
import { AT, reportText } from "./example-values.ts";
import { reporterAddress } from "./feedback.ts";
import { REPORT_STATES } from "./report-status.ts";

/** Schemas for news of a report by email, for people outside the team. */

export const subscriptionBody = z.object({ email: reporterAddress });

/** The same for every address, so that nobody learns which addresses are subscribed. */
export const subscriptionAnswer = z.strictObject({});

const ownReport = z.strictObject({
  title: z.string(),
  created_at: moment,
  state: z.enum(REPORT_STATES),
  /** The report's status page. */
  url: z.string(),
});

/** The reports of a confirmed address in a project, newest first. */
export const myReportsAnswer = z.strictObject({
  project: z.strictObject({ name: z.string() }),
  data: z.array(ownReport),
});

export type MyReports = z.infer<typeof myReportsAnswer>;

/** Examples for the API reference. */
export const subscriptionExamples = {
  SubscriptionBody: { schema: subscriptionBody, example: { email: "kim@example.com" } },
  Subscription: { schema: subscriptionAnswer, example: {} },
  MyReports: {
    schema: myReportsAnswer,
    example: {
      project: { name: "Web shop" },
      data: [
        {
          title: reportText.title,
          created_at: AT,
          state: "in_progress" as const,
          url: "https://signalbox.example.com/r/Zk3vR0w2bLr8mJx1cQ9tUA",
        },
      ],
    },
  },
};
