import { useState } from "react";
import type { Project } from "../../../shared/projects.ts";
import type { ProjectToken } from "../../../shared/project-tokens.ts";
import { api } from "../../api/client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { Select } from "../../ui/select.tsx";
import { expiresAt, LIFETIMES } from "./expiry.ts";
import { errorOf, FormDialog } from "./form-dialog.tsx";
import { ShownOnce } from "./shown-once.tsx";
import { useSend } from "./use-send.ts";

/** What a token may do. */
export const ACCESSES = [
  { value: "read_write", label: "Read & write", hint: "Sends errors and reports, and reads them." },
  { value: "read", label: "Read", hint: "Reads reports, attachments and error groups." },
] as const;

/** Makes a token, then shows it: once. */
export function NewTokenDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const [name, setName] = useState("");
  const [access, setAccess] = useState<ProjectToken["access"]>("read_write");
  const [lifetime, setLifetime] = useState("never");
  const make = useSend({
    send: () =>
      api.post<{ token: string }>(`/api/projects/${project.id}/tokens`, {
        name,
        access,
        expires_at: expiresAt(lifetime, Date.now()),
      }),
    stale: [["token", project.id]],
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
      title="New token"
      submit="Make token"
      busy={make.isPending}
      dirty={name !== ""}
      error={make.error}
      fields={["name", "access", "expires_at"]}
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
        options={ACCESSES}
        value={access}
        onChange={setAccess}
        error={errorOf(make.error, "access")}
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
