import { useState } from "react";
import type { Webhook, WebhookFormat } from "../../../shared/webhooks.ts";
import { changeWebhook, webhookKey } from "../../data/integrations/webhooks.ts";
import { changesOf } from "../../forms/changes-of.ts";
import { Panel } from "../../forms/panel.tsx";
import { SaveButton } from "../../forms/save-button.tsx";
import { SettingsForm } from "../../forms/settings-form.tsx";
import { useSend } from "../../forms/use-send.ts";
import { Field } from "../../kit/field.tsx";
import { Select } from "../../kit/select.tsx";
import { Switch } from "../../kit/switch.tsx";
import { toast } from "../../kit/notices/toast.ts";
import type { Owner } from "../owner.tsx";
import { FORMATS, WEBHOOK_SERVICES } from "../services.ts";
import { WebhookFields } from "./webhook-fields.tsx";

type Props = { owner: Owner; webhook: Webhook };

/** Where the webhook sends what, and whether it is active. */
export function WebhookSettings({ owner, webhook }: Props) {
  return (
    <Panel title="Settings" padded>
      <div className="flex flex-col gap-4">
        <ActiveSwitch owner={owner} webhook={webhook} />
        <FieldsForm owner={owner} webhook={webhook} />
      </div>
    </Panel>
  );
}

function ActiveSwitch({ owner, webhook }: Props) {
  const change = useSend<boolean>({
    send: (active) => changeWebhook(owner, webhook.id, { active }),
    stale: [webhookKey("webhook", owner)],
    failed: "The webhook could not be changed",
  });
  return (
    <Switch
      label="Active"
      hint="While it is turned off, events are not recorded for it."
      checked={change.isPending ? change.variables : webhook.active}
      disabled={change.isPending}
      onChange={(active) => change.mutate(active)}
    />
  );
}

type Fields = { url: string; events: string[]; format: WebhookFormat };

function FieldsForm({ owner, webhook }: Props) {
  const { id, url, events, format } = webhook;
  const saved: Fields = { url, events, format };
  const [edited, setEdited] = useState<Partial<Fields>>({});
  const fields = { ...saved, ...edited };
  const changes = changesOf(saved, fields);
  const isChanged = Object.keys(changes).some((name) => !isSame(name as keyof Fields, saved, fields));
  const save = useSend<Partial<Fields>>({
    send: (sent) => changeWebhook(owner, id, sent),
    stale: [webhookKey("webhook", owner)],
    onDone: (_webhook, sent) => {
      // Keep what was edited while the request was in flight.
      setEdited((now) => changesOf(sent, now));
      toast({ title: "Saved", tone: "success" });
    },
  });
  const edit = (next: Partial<Fields>) => {
    // The error is about what was sent.
    if (save.isError) save.reset();
    setEdited({ ...edited, ...next });
  };
  return (
    <SettingsForm
      dirty={isChanged && !save.isPending}
      error={save.error}
      onSubmit={() => {
        if (isChanged && !save.isPending) save.mutate(changes);
      }}
    >
      <Field label="Format" hint={WEBHOOK_SERVICES[fields.format].text}>
        <Select
          value={fields.format}
          onChange={(next) => edit({ format: next as WebhookFormat })}
          options={FORMATS.map((value) => ({ value, label: WEBHOOK_SERVICES[value].label }))}
        />
      </Field>
      <WebhookFields format={fields.format} value={fields} error={save.error} onChange={edit} />
      <SaveButton busy={save.isPending} disabled={!isChanged} />
    </SettingsForm>
  );
}

/** The order of the events does not matter. */
const isSame = (name: keyof Fields, a: Fields, b: Fields): boolean =>
  name === "events"
    ? a.events.length === b.events.length && a.events.every((event) => b.events.includes(event))
    : a[name] === b[name];
