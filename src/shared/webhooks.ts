import { z } from "zod";
import { count, moment } from "./answers.ts";
import { AT, LATER } from "./example-values.ts";
import { boolean, id, mustBe, optional, text, timestamp } from "./text.ts";

export const MAX_WEBHOOKS = 20;
const MAX_URL = 2_048;
const MAX_EVENTS = 50;

/** What a webhook can be told, by kind of object. */
export const WEBHOOK_EVENTS = {
  report: ["created", "promoted", "dismissed", "restored", "replied", "done", "deleted"],
  issue: ["created", "updated", "deleted", "moved", "closed", "reopened", "development_changed"],
  comment: ["created"],
  error_group: [
    "created",
    "regressed",
    "resolved",
    "ignored",
    "snoozed",
    "reopened",
    "assigned",
    "merged",
    "split",
    "spiking",
  ],
  release: ["created", "deployed"],
  epic: ["created", "updated", "deleted"],
  sprint: ["created", "updated", "deleted"],
} as const;

type Subscribable = {
  [Kind in keyof typeof WEBHOOK_EVENTS]: `${Kind}.${(typeof WEBHOOK_EVENTS)[Kind][number]}`;
}[keyof typeof WEBHOOK_EVENTS];

/** The last three are sent by alert rules and tests, and cannot be subscribed to. */
export type WebhookEventName = Subscribable | "alert.fired" | "alert.recovered" | "webhook.test";

export const WEBHOOK_EVENT_NAMES = Object.entries(WEBHOOK_EVENTS).flatMap(([kind, verbs]) =>
  verbs.map((verb) => `${kind}.${verb}` as Subscribable),
);

const SUBSCRIPTIONS = new Set<string>([
  "*",
  ...Object.keys(WEBHOOK_EVENTS).map((kind) => `${kind}.*`),
  ...WEBHOOK_EVENT_NAMES,
]);

export const WEBHOOK_FORMATS = ["signalbox", "slack", "discord", "teams", "telegram", "ntfy"] as const;

export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

export const DELIVERY_STATUSES = ["pending", "succeeded", "failed"] as const;

/** Whether the address is allowed is decided where it is used. */
const url = text(MAX_URL).superRefine((value, context) => {
  const address = URL.canParse(value) ? new URL(value) : undefined;
  if (!address || !/^https?:$/.test(address.protocol)) context.addIssue("must be a web address");
  else if (address.username !== "" || address.password !== "")
    context.addIssue("must not contain a user name or a password");
});

const events = z
  .array(
    z.string(mustBe("the name of an event")).refine((value) => SUBSCRIPTIONS.has(value), "is not an event"),
    mustBe("a list of events"),
  )
  .min(1, "must name at least one event")
  .max(MAX_EVENTS, `must have at most ${MAX_EVENTS} events`)
  .overwrite((names) => [...new Set(names)]);

const format = z.enum(WEBHOOK_FORMATS, mustBe(`one of ${WEBHOOK_FORMATS.join(", ")}`));

export const webhookBody = z.object({
  url,
  events,
  format: optional(format),
  active: optional(boolean),
});

export const webhookChanges = z.object({
  /** The masked address of a chat format leaves it as it is. */
  url: optional(url),
  events: optional(events),
  format: optional(format),
  active: optional(boolean),
});

/** Every failed delivery of this time gets a further attempt. */
export const recoverBody = z.object({ since: timestamp, until: optional(timestamp) });

export const webhookAnswer = z.strictObject({
  id,
  /** Masked except for the last four characters if the address of the format is a secret. */
  url: z.string(),
  events: z.array(z.string()),
  format: z.enum(WEBHOOK_FORMATS),
  active: z.boolean(),
  /** Why it was turned off, unless a person did it. */
  disabled_reason: z.enum(["gone", "failing"]).nullable(),
  /** The first failure since the last success. */
  failing_since: moment.nullable(),
  created_by: id.nullable(),
  created_at: moment,
  updated_at: moment,
});

export type Webhook = z.infer<typeof webhookAnswer>;

/** With the secret that signs, which is shown only once. */
export const webhookWithSecretAnswer = z.strictObject({ ...webhookAnswer.shape, secret: z.string() });

export type WebhookWithSecret = z.infer<typeof webhookWithSecretAnswer>;

export const ATTEMPT_ERRORS = [
  "lookup",
  "address_not_allowed",
  "connect",
  "tls",
  "timeout",
  "protocol",
] as const;

export type AttemptError = (typeof ATTEMPT_ERRORS)[number];

export const attemptAnswer = z.strictObject({
  started_at: moment,
  duration_ms: count,
  status_code: z.int().nullable(),
  error: z.enum(ATTEMPT_ERRORS).nullable(),
  /** The first 4,096 bytes. */
  response_body: z.string().nullable(),
});

export const deliveryAnswer = z.strictObject({
  id,
  /** The same for every webhook that gets the event. */
  event_id: z.string(),
  event: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  created_at: moment,
  /** Null if no further attempt is planned. */
  next_attempt_at: moment.nullable(),
  /** As last sent, without headers before the first attempt. */
  request: z.strictObject({ headers: z.record(z.string(), z.string()), body: z.string() }),
  attempts: z.array(attemptAnswer),
});

export type Delivery = z.infer<typeof deliveryAnswer>;

/** What people read in a chat. */
export const chatPreviewAnswer = z.strictObject({
  event: z.string(),
  title: z.string(),
  lines: z.array(z.string()),
  /** Where the title leads. */
  link: z.string(),
});

export type ChatPreview = z.infer<typeof chatPreviewAnswer>;

export const chatPreviewsAnswer = z.strictObject({ data: z.array(chatPreviewAnswer) });

export const recoveredAnswer = z.strictObject({ count });

const webhook: Webhook = {
  id: 4,
  url: "https://hooks.example.com/signalbox",
  events: ["issue.*", "error_group.created"],
  format: "signalbox",
  active: true,
  disabled_reason: null,
  failing_since: null,
  created_by: 3,
  created_at: AT,
  updated_at: AT,
};

/** Examples for the API reference. */
export const webhookExamples = {
  Webhook: { schema: webhookAnswer, example: webhook },
  WebhookWithSecret: {
    schema: webhookWithSecretAnswer,
    example: { ...webhook, secret: "whsec_Hq1bW0yGk2Qm5Tz0v8o3N7cJ4xLr9sUaEdVfYhPiKwM=" },
  },
  WebhookBody: {
    schema: webhookBody,
    example: { url: "https://hooks.example.com/signalbox", events: ["issue.*", "error_group.created"] },
  },
  WebhookChanges: { schema: webhookChanges, example: { active: false } },
  WebhookDelivery: {
    schema: deliveryAnswer,
    example: {
      id: 731,
      event_id: "evt_5f0c6d1e2b7a4c33",
      event: "issue.closed",
      status: "succeeded" as const,
      created_at: AT,
      next_attempt_at: null,
      request: {
        headers: { "content-type": "application/json", "webhook-id": "evt_5f0c6d1e2b7a4c33" },
        body: '{"id":"evt_5f0c6d1e2b7a4c33","type":"issue.closed"}',
      },
      attempts: [{ started_at: LATER, duration_ms: 48, status_code: 204, error: null, response_body: "" }],
    },
  },
  ChatPreviews: {
    schema: chatPreviewsAnswer,
    example: {
      data: [
        {
          event: "error_group.created",
          title: "New error: TypeError in WEB",
          lines: ["coupon is undefined", "Environment: production"],
          link: "https://signalbox.example.com/projects/WEB/errors/9",
        },
      ],
    },
  },
  RecoverBody: { schema: recoverBody, example: { since: AT } },
};
