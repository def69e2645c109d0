import type { IngestDestination } from "./target.ts";

/** Sends an error without a library. */
export const errorCommand = ({ url, key, project }: IngestDestination) =>
  `curl -i ${url}/api/projects/${project.key}/error-events \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"environment":"production","exception_class":"PaymentFailed",
       "message":"Card declined","release":"1.0.0",
       "stack_trace":"#0 /srv/shop/src/Checkout.php(12): Checkout->pay()"}'`;

/** Sends an error as Sentry SDKs do. */
export const sentryErrorCommand = (target: IngestDestination) =>
  sendItem(target, "event", '{"exception":{"values":[{"type":"PaymentFailed","value":"Card declined"}]}}');

/** Sends feedback as Sentry SDKs do. It becomes a report. */
export const feedbackCommand = (target: IngestDestination) =>
  sendItem(
    target,
    "feedback",
    '{"contexts":{"feedback":{"message":"The cart forgets its coupon","name":"Ada"}}}',
  );

const sendItem = ({ url, key, project }: IngestDestination, type: string, item: string) =>
  `printf '{}\\n{"type":"${type}"}\\n%s\\n' \\
  '${item}' |
curl -i "${url}/api/${project.id}/envelope/?sentry_key=${key}" \\
  --data-binary @-`;
