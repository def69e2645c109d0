import {
  alertMuteBody,
  alertPreviewAnswer,
  alertPreviewBody,
  alertRuleAnswer,
  alertRuleBody,
  alertRuleChanges,
} from "./alert-rules.ts";
import { AT } from "./example-values.ts";

const rule = {
  name: "Checkout fails",
  when: { kind: "group_events" as const, count: 100, minutes: 10 },
  if: { environment: "production", class_pattern: "Checkout*" },
  then: [
    { to: "inbox" as const, recipients: ["watchers" as const], team_ids: [4] },
    { to: "issue" as const, priority: 0 },
    { to: "assign" as const, owners: true as const },
  ],
};

/** Examples for the API reference. */
export const alertRuleExamples = {
  AlertRule: {
    schema: alertRuleAnswer,
    example: {
      id: 12,
      active: true,
      ...rule,
      every_minutes: 60,
      muted_until: null,
      last_fired_at: AT,
      created_by: 3,
      created_at: AT,
      updated_at: AT,
    },
  },
  AlertRuleBody: { schema: alertRuleBody, example: rule },
  AlertRuleChanges: { schema: alertRuleChanges, example: { active: false } },
  AlertPreviewBody: { schema: alertPreviewBody, example: { when: rule.when, if: rule.if } },
  AlertMute: { schema: alertMuteBody, example: { until: "2099-01-15T08:00:00Z" } },
  AlertPreview: {
    schema: alertPreviewAnswer,
    example: {
      count: 1,
      approximate: true,
      data: [
        {
          at: AT,
          error_group: {
            id: 77,
            exception_class: "CheckoutError",
            message: "The cart is empty",
            environment: "production",
          },
        },
      ],
    },
  },
};
