import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { WebhookFormat } from "../../../shared/webhooks.ts";
import { createWebhook, webhookKey } from "../../data/integrations/webhooks.ts";
import { isChanged } from "../../forms/changes-of.ts";
import { Panel } from "../../forms/panel.tsx";
import { SettingsForm } from "../../forms/settings-form.tsx";
import { useSend } from "../../forms/use-send.ts";
import { Button } from "../../kit/button.tsx";
import { type Owner, webhookPage } from "../owner.tsx";
import { isChat, WEBHOOK_SERVICES } from "../services.ts";
import { Steps } from "../steps.tsx";
import { SecretOnce } from "./secret-once.tsx";
import { WebhookFields } from "./webhook-fields.tsx";

/** What people want to read in a chat: what is new, what got worse, and what is done. */
const CHAT_EVENTS = [
  "error_group.created",
  "error_group.regressed",
  "error_group.spiking",
  "issue.created",
  "issue.closed",
  "report.created",
  "release.deployed",
];

/** The steps at the service, and the form that creates the webhook. */
export function NewWebhook({ owner, format }: { owner: Owner; format: WebhookFormat }) {
  const service = WEBHOOK_SERVICES[format];
  const [start] = useState({ url: "", events: isChat(format) ? CHAT_EVENTS : ["*"] });
  const [fields, setFields] = useState(start);
  const navigate = useNavigate();
  const openPage = (id: number) => void navigate(webhookPage(owner, id));
  const create = useSend({
    send: () => createWebhook(owner, { ...fields, url: fields.url.trim(), format }),
    stale: [webhookKey("webhook", owner)],
    onDone: ({ id }) => {
      // Requests to chats are not signed.
      if (isChat(format)) openPage(id);
    },
  });
  return (
    <>
      <Panel title="Set-up" lead={service.text} padded>
        <Steps>
          {service.steps.map((step) => (
            <span key={step}>{step}</span>
          ))}
        </Steps>
      </Panel>
      <Panel title="Address and events" padded>
        <SettingsForm
          dirty={isChanged(start, fields) && create.isIdle}
          error={create.error}
          onSubmit={() => {
            if (!create.isPending) create.mutate();
          }}
        >
          <WebhookFields
            format={format}
            value={fields}
            error={create.error}
            onChange={(changes) => {
              // The error is about what was sent.
              if (create.isError) create.reset();
              setFields({ ...fields, ...changes });
            }}
          />
          <div>
            <Button type="submit" variant="primary" busy={create.isPending} shortcut="mod+Enter">
              Connect {service.label}
            </Button>
          </div>
        </SettingsForm>
      </Panel>
      {create.data && !isChat(format) && (
        <SecretOnce secret={create.data.secret} onClose={() => openPage(create.data.id)} />
      )}
    </>
  );
}
