import type { WebhookFormat } from "../../../shared/webhooks.ts";
import { ApiError } from "../../api/client.ts";
import { errorOf } from "../../forms/form-dialog.tsx";
import { reasonOf } from "../../forms/reason.ts";
import { Field } from "../../kit/field.tsx";
import { FormError } from "../../kit/form-error.tsx";
import { Input } from "../../kit/input.tsx";
import { isChat, WEBHOOK_SERVICES } from "../services.ts";
import { EventFields } from "./event-fields.tsx";

type Fields = { url: string; events: string[] };

type Props = {
  format: WebhookFormat;
  value: Fields;
  onChange: (changes: Partial<Fields>) => void;
  error: unknown;
};

const MAX_URL = 2_048;

/** Where a webhook sends what. */
export function WebhookFields({ format, value, onChange, error }: Props) {
  const { urlLabel, example } = WEBHOOK_SERVICES[format];
  const urlError = errorOf(error, "url");
  const eventsError = errorOfList(error, "events");
  return (
    <>
      <FormError>
        {error !== null && error !== undefined && !urlError && !eventsError && reasonOf(error)}
      </FormError>
      <Field
        label={urlLabel}
        error={urlError}
        hint={isChat(format) ? "Treat it like a password: whoever knows it can post to the chat." : undefined}
      >
        <Input
          type="url"
          value={value.url}
          onChange={(event) => onChange({ url: event.target.value })}
          placeholder={example}
          required
          maxLength={MAX_URL}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <EventFields value={value.events} onChange={(events) => onChange({ events })} error={eventsError} />
    </>
  );
}

/** The error of a list or of one of its items: `events` or `events.2`. */
function errorOfList(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const name = Object.keys(error.errors).find((key) => key === field || key.startsWith(`${field}.`));
  return name && error.messageFor(name);
}
