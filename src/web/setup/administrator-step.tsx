import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/client.ts";
import { setUp } from "../data/account/sign-in.ts";
import { projectsQuery } from "../data/projects/projects.ts";
import { formText } from "../session/form-text.ts";
import { NewPersonForm } from "../session/new-person-form.tsx";
import { profileQuery, setupQuery } from "../data/account/session.ts";
import { Field } from "../kit/field.tsx";
import { Input } from "../kit/input.tsx";

/** Creates the first user and their workspace, and signs them in. */
export function AdministratorStep({ token, onDone }: { token: string | undefined; onDone: () => void }) {
  const client = useQueryClient();
  const settingUp = useMutation({
    mutationFn: (body: Parameters<typeof setUp>[0]) => setUp(body),
    onSuccess: (profile) => {
      client.setQueryData(setupQuery.queryKey, { required: false });
      client.setQueryData(profileQuery.queryKey, profile);
      client.setQueryData(projectsQuery.queryKey, []);
      onDone();
    },
  });
  const refused = settingUp.error instanceof ApiError ? settingUp.error : undefined;
  return (
    <NewPersonForm
      error={settingUp.error}
      busy={settingUp.isPending}
      submit="Continue"
      onSubmit={(person, form) =>
        settingUp.mutate({
          ...person,
          email: formText(form, "email"),
          workspace_name: formText(form, "workspace_name"),
          setup_token: formText(form, "setup_token"),
        })
      }
    >
      <Field
        label="Setup token"
        hint="The server printed it at startup."
        error={refused?.messageFor("setup_token")}
      >
        <Input
          name="setup_token"
          defaultValue={token ?? ""}
          autoComplete="off"
          spellCheck={false}
          required
          autoFocus={token === undefined}
        />
      </Field>
      <Field label="Workspace" hint="Your company or team." error={refused?.messageFor("workspace_name")}>
        <Input
          name="workspace_name"
          autoComplete="organization"
          required
          maxLength={100}
          autoFocus={token !== undefined}
        />
      </Field>
      <Field label="Email" error={refused?.messageFor("email")}>
        <Input name="email" type="email" autoComplete="username" required />
      </Field>
    </NewPersonForm>
  );
}
