import { useState } from "react";
import { recoverDeliveries, webhookKey, type WebhookOwner } from "../../data/integrations/webhooks.ts";
import { errorOf, FormDialog } from "../../forms/form-dialog.tsx";
import { useSend } from "../../forms/use-send.ts";
import { countOf } from "../../kit/count-text.ts";
import { Field } from "../../kit/field.tsx";
import { Select } from "../../kit/select.tsx";
import { toast } from "../../kit/notices/toast.ts";

type Props = { owner: WebhookOwner; webhookId: number; onClose: () => void };

/** Deliveries are kept for 14 days. */
const TIMES = [
  { value: "1", label: "Last hour" },
  { value: "24", label: "Last 24 hours" },
  { value: "168", label: "Last 7 days" },
  { value: "336", label: "Last 14 days" },
];

const HOUR_MS = 3_600_000;

/** Sends the failed deliveries of a time again. */
export function RecoverDialog({ owner, webhookId, onClose }: Props) {
  const [hours, setHours] = useState("24");
  const recover = useSend({
    send: () =>
      recoverDeliveries(owner, webhookId, {
        since: new Date(Date.now() - Number(hours) * HOUR_MS).toISOString(),
      }),
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
  return (
    <FormDialog
      title="Recover failed deliveries"
      description="Every delivery of that time that has failed gets a further attempt, even if the webhook is turned off."
      submit="Recover"
      size="sm"
      busy={recover.isPending}
      error={recover.error}
      fields={["since"]}
      onSubmit={() => recover.mutate()}
      onClose={onClose}
    >
      <Field label="Time" error={errorOf(recover.error, "since")}>
        <Select value={hours} onChange={setHours} options={TIMES} />
      </Field>
    </FormDialog>
  );
}
