import { useState } from "react";
import { api } from "../api/client.ts";
import { expiresAt, LIFETIMES } from "../projects/settings/expiry.ts";
import { errorOf, FormDialog } from "../projects/settings/form-dialog.tsx";
import { ShownOnce } from "../projects/settings/shown-once.tsx";
import { useSend } from "../projects/settings/use-send.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { RadioGroup } from "../ui/radio-group.tsx";
import { Select } from "../ui/select.tsx";
import { tokensQuery } from "./queries.ts";

const SCOPES = [
  { value: "read", label: "Read", hint: "Reads what you can read, and changes nothing." },
  { value: "write", label: "Read & write", hint: "Also makes, changes and deletes what you may." },
] as const;

/** Makes a token, then shows it: once. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [scope, setScope] = useState<"read" | "write">("read");
  const [lifetime, setLifetime] = useState("90");
  const make = useSend({
    send: () => {
      const expires_at = expiresAt(lifetime, Date.now());
      return api.post<{ token: string }>("/api/profile/tokens", {
        name,
        write: scope === "write",
        ...(expires_at === null ? {} : { expires_at }),
      });
    },
    stale: [tokensQuery.queryKey],
  });
  if (make.data)
    return (
      <Dialog
        open
        title="Copy the token now"
        description={`${name} is ready.`}
        onClose={onClose}
        footer={
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <ShownOnce
          label="Token"
          value={make.data.token}
          copy="Copy token"
          hint="It is shown only now. Keep it where the program reads its secrets."
        />
      </Dialog>
    );
  return (
    <FormDialog
      title="New personal token"
      submit="Make token"
      busy={make.isPending}
      dirty={name !== ""}
      error={make.error}
      fields={["name", "write", "expires_at"]}
      onSubmit={() => make.mutate()}
      onClose={onClose}
    >
      <Field label="Name" hint="The program that uses it." error={errorOf(make.error, "name")}>
        <Input
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
          maxLength={100}
          autoComplete="off"
        />
      </Field>
      <RadioGroup
        label="Access"
        options={SCOPES}
        value={scope}
        onChange={setScope}
        error={errorOf(make.error, "write")}
      />
      <Field label="Lives for" error={errorOf(make.error, "expires_at")}>
        <Select
          value={lifetime}
          onChange={(event) => setLifetime(event.target.value)}
          options={LIFETIMES.map(({ value, label }) => ({ value, label }))}
        />
      </Field>
    </FormDialog>
  );
}
