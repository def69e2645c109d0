import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Profile } from "../../shared/people.ts";
import { api, ApiError } from "../api/client.ts";
import { projectsQuery } from "../data/projects.ts";
import { formText } from "../session/form-text.ts";
import { NewPersonForm } from "../session/new-person-form.tsx";
import { profileQuery, setupQuery } from "../data/session.ts";
import { Field } from "../kit/field.tsx";
import { Input } from "../kit/input.tsx";

/** Creates the first user and their workspace, and signs them in. */
export function AdministratorStep({ token, onDone }: { token: string | undefined; onDone: () => void }) {
  const client = useQueryClient();
  const setUp = useMutation({
    mutationFn: (body: Record<string, string>) => api.post<Profile>("/api/setup", body),
    onSuccess: (profile) => {
      client.setQueryData(setupQuery.queryKey, { required: false });
      client.setQueryData(profileQuery.queryKey, profile);
      client.setQueryData(projectsQuery.queryKey, []);
      onDone();
    },
  });
  const refused = setUp.error instanceof ApiError ? setUp.error : undefined;
  return (
    <NewPersonForm
      error={setUp.error}
      busy={setUp.isPending}
      submit="Continue"
      onSubmit={(person, form) =>
        setUp.mutate({
          ...person,
          email: formText(form, "email"),
          workspace_name: formText(form, "workspace_name"),
          setup_token: formText(form, "setup_token"),
        })
      }
    >
      <Field label="Setup token" hint="The server printed it at startup." error={refused?.of("setup_token")}>
        <Input
          name="setup_token"
          defaultValue={token ?? ""}
          autoComplete="off"
          spellCheck={false}
          required
          autoFocus={token === undefined}
        />
      </Field>
      <Field label="Workspace" hint="Your company or team." error={refused?.of("workspace_name")}>
        <Input
          name="workspace_name"
          autoComplete="organization"
          required
          maxLength={100}
          autoFocus={token !== undefined}
        />
      </Field>
      <Field label="Email" error={refused?.of("email")}>
        <Input name="email" type="email" autoComplete="username" required />
      </Field>
    </NewPersonForm>
  );
}
