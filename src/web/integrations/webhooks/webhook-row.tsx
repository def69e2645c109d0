import { Link } from "@tanstack/react-router";
import type { Webhook } from "../../../shared/webhooks.ts";
import { PanelRow } from "../../forms/panel.tsx";
import { Badge } from "../../kit/badge.tsx";
import { Time } from "../../kit/dates/time.tsx";
import { IconSlot } from "../../kit/icon.tsx";
import { type Owner, webhookPage } from "../owner.tsx";
import { WEBHOOK_SERVICES } from "../services.ts";
import { summaryOf } from "./event-names.ts";
import { addressOf, stateOf } from "./webhook-state.ts";

/** A webhook in the list of what is connected. */
export function WebhookRow({ owner, webhook }: { owner: Owner; webhook: Webhook }) {
  const { label, icon } = WEBHOOK_SERVICES[webhook.format];
  const state = stateOf(webhook);
  return (
    <PanelRow end={<Badge tone={state.tone}>{state.label}</Badge>}>
      <span className="text-text-3 shrink-0">
        <IconSlot icon={icon} size={20} />
      </span>
      <div className="min-w-0 flex-1">
        <Link
          {...webhookPage(owner, webhook.id)}
          className="block truncate rounded-sm font-medium hover:underline"
          title={webhook.url}
        >
          {label}: {addressOf(webhook)}
        </Link>
        <p className="text-text-3 text-sm">
          {summaryOf(webhook.events)}
          {webhook.active && webhook.failing_since !== null && (
            <>
              {" "}
              · failing since <Time at={webhook.failing_since} />
            </>
          )}
        </p>
      </div>
    </PanelRow>
  );
}
