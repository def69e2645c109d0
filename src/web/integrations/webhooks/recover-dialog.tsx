import { use, useState } from "react";
import { recoverDeliveries, webhookKey, type WebhookOwner } from "../../data/integrations/webhooks.ts";
import { errorOf, FormDialog } from "../../forms/form-dialog.tsx";
import { useSend } from "../../forms/use-send.ts";
import { countOf } from "../../kit/count-text.ts";
import { MomentFields } from "../../kit/dates/moment-fields.tsx";
import { TimeZoneContext } from "../../kit/dates/time.tsx";
import { Field } from "../../kit/field.tsx";
import { Select } from "../../kit/select.tsx";
import { toast } from "../../kit/notices/toast.ts";
import { readRange, type RangeText, startRange } from "./recovery-range.ts";

type Props = { owner: WebhookOwner; webhookId: number; onClose: () => void };

const RANGE = "range";

/** Deliveries are kept for 14 days. */
const TIMES = [
  { value: "1", label: "Last hour" },
  { value: "24", label: "Last 24 hours" },
  { value: "168", label: "Last 7 days" },
  { value: "336", label: "Last 14 days" },
  { value: RANGE, label: "Custom range" },
];

const HOUR_MS = 3_600_000;

/** Sends the failed deliveries of a time again. */
export function RecoverDialog({ owner, webhookId, onClose }: Props) {
  const timeZone = use(TimeZoneContext);
  const [hours, setHours] = useState("24");
  const [range, setRange] = useState<RangeText>(() => startRange(Date.now(), timeZone));
  const [errors, setErrors] = useState<Partial<RangeText>>({});
  const recover = useSend<{ since: string; until?: string }, { count: number }>({
    send: (time) => recoverDeliveries(owner, webhookId, time),
    stale: [webhookKey("webhook_delivery", owner)],
    onDone: ({ count }) => {
      toast(
        count === 0
          ? { title: "No delivery failed in that time" }
          : { title: `${countOf(count, "delivery", "deliveries")} will be sent again`, tone: "success" },
      );
      onClose();
    },
  });
  const submit = () => {
    if (hours !== RANGE)
      return recover.mutate({ since: new Date(Date.now() - Number(hours) * HOUR_MS).toISOString() });
    const read = readRange(range, timeZone);
    setErrors("errors" in read ? read.errors : {});
    if ("time" in read) recover.mutate(read.time);
  };
  const fieldsOf = (end: keyof RangeText, labels: { date: string; time: string }) => (
    <MomentFields
      past
      labels={labels}
      value={range[end]}
      onChange={(text) => setRange({ ...range, [end]: text })}
      error={errors[end] ?? errorOf(recover.error, end)}
    />
  );
  return (
    <FormDialog
      title="Recover failed deliveries"
      description="Every delivery of that time that has failed gets a further attempt, even if the webhook is turned off."
      submit="Recover"
      size="sm"
      busy={recover.isPending}
      error={recover.error}
      fields={hours === RANGE ? ["since", "until"] : ["since"]}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Time" error={hours === RANGE ? undefined : errorOf(recover.error, "since")}>
        <Select value={hours} onChange={setHours} options={TIMES} />
      </Field>
      {hours === RANGE && (
        <>
          {fieldsOf("since", { date: "Start date", time: "Start time" })}
          {fieldsOf("until", { date: "End date", time: "End time" })}
        </>
      )}
    </FormDialog>
  );
}
