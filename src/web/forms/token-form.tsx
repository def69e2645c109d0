import type { QueryKey } from "@tanstack/react-query";
import { type ComponentProps, type ReactNode, useState } from "react";
import { Field } from "../kit/field.tsx";
import { RadioGroup } from "../kit/radio-group.tsx";
import { Select } from "../kit/select.tsx";
import { NameField } from "./name-field.tsx";
import { isChanged } from "./changes-of.ts";
import { expiresAt, LIFETIMES } from "./expiry.ts";
import { errorOf, FormDialog } from "./form-dialog.tsx";
import { ShownOnce } from "./shown-once.tsx";
import { useSend } from "./use-send.ts";

type NewToken<A> = { name: string; access: A; expires_at: string | null };

type Props<A extends string> = {
  title: string;
  accesses: ComponentProps<typeof RadioGroup<A>>["options"];
  /** The initial selection. */
  start: { access: A; lifetime: string };
  /** The access field's name in the request. */
  accessField: string;
  send: (token: NewToken<A>) => Promise<{ token: string }>;
  /** Further fields below the access, and their names in the request. */
  renderDetails?: (form: { access: A; error: unknown }) => ReactNode;
  detailFields?: readonly string[];
  stale: readonly QueryKey[];
  /** Shown with the token, after how to store it. */
  warning?: string;
  onClose: () => void;
};

/** Creates a personal or project token, then shows it once. */
export function TokenForm<A extends string>(props: Props<A>) {
  const {
    title,
    accesses,
    accessField,
    send,
    renderDetails,
    detailFields = [],
    stale,
    warning = "",
    onClose,
  } = props;
  const [start] = useState({ name: "", ...props.start });
  const [token, setToken] = useState(start);
  const change = (changes: Partial<typeof start>) => setToken({ ...token, ...changes });
  const { name, access, lifetime } = token;
  const make = useSend({
    send: () => send({ name, access, expires_at: expiresAt(lifetime, Date.now()) }),
    stale,
  });
  if (make.data)
    return (
      <ShownOnce
        title="Copy the token now"
        description={`${name} is ready.`}
        label="Token"
        value={make.data.token}
        copy="Copy token"
        hint={`It is shown only once. Store it where your app reads its secrets. ${warning}`.trim()}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title={title}
      submit="Create token"
      busy={make.isPending}
      dirty={isChanged(start, token)}
      error={make.error}
      fields={["name", accessField, ...detailFields, "expires_at"]}
      onSubmit={() => make.mutate()}
      onClose={onClose}
    >
      <NameField
        value={name}
        onChange={(value) => change({ name: value })}
        error={errorOf(make.error, "name")}
        hint="The app that uses it."
      />
      <RadioGroup
        label="Access"
        options={accesses}
        value={access}
        onChange={(next) => change({ access: next })}
        error={errorOf(make.error, accessField)}
      />
      {renderDetails?.({ access, error: make.error })}
      <Field label="Expiration" error={errorOf(make.error, "expires_at")}>
        <Select
          value={lifetime}
          onChange={(next) => change({ lifetime: next })}
          options={LIFETIMES.map(({ value, label }) => ({ value, label }))}
        />
      </Field>
    </FormDialog>
  );
}
