import type { Mail, MailState } from "../../shared/mails.ts";
import { PanelRow, TwoLines } from "../forms/panel.tsx";
import { Badge, type Tone } from "../kit/badge.tsx";
import { CopyButton } from "../kit/copy-button.tsx";
import { Time } from "../kit/dates/time.tsx";

export const MAIL_STATE_WORDS: Record<MailState, string> = {
  queued: "Waiting",
  sent: "Sent",
  failed: "Failed",
  kept: "Kept",
};

const TONES: Record<MailState, Tone> = {
  queued: "neutral",
  sent: "resolved",
  failed: "danger",
  kept: "warn",
};

/** A mail with its state, and its link to share. */
export function MailRow({ mail }: { mail: Mail }) {
  const { subject, to, state, attempts, last_error, link, created_at, sent_at } = mail;
  return (
    <PanelRow
      end={
        <>
          <Time at={sent_at ?? created_at} className="text-text-3 text-sm" />
          <Badge tone={TONES[state]}>{MAIL_STATE_WORDS[state]}</Badge>
          {link !== null && <CopyButton text={link} label={`Copy the link of “${subject}” to ${to}`} />}
        </>
      }
    >
      <TwoLines
        title={subject}
        text={
          <>
            <span title={to}>To {to}</span>
            {last_error !== null && (
              <span className="text-danger block whitespace-normal">
                {attempts === 1 ? "1 attempt" : `${attempts} attempts`}: {last_error}
              </span>
            )}
          </>
        }
      />
    </PanelRow>
  );
}
