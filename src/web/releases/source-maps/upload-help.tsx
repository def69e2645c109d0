import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Project } from "../../../shared/projects.ts";
import { can, useWorkspaces } from "../../data/projects/projects.ts";
import { CodeBlock } from "../../kit/markdown/code-block.tsx";
import { Tabs } from "../../kit/tabs.tsx";
import { orgOf, uploadCommands } from "./upload-commands.ts";

/** The commands of each client, with the values of the project and the release. */
export function UploadHelp({ project, version }: { project: Project; version: string }) {
  const workspace = useWorkspaces().find(({ id }) => id === project.workspace_id);
  const commands = uploadCommands({
    origin: location.origin,
    org: orgOf(workspace?.name ?? ""),
    projectKey: project.key,
    version,
  });
  const [chosen, setChosen] = useState("cli");
  const command = commands.find(({ value }) => value === chosen);
  return (
    <div className="flex flex-col gap-3">
      <Tabs label="Client" tabs={commands} value={chosen} onChange={setChosen} className="pt-3">
        {command && <CodeBlock label={`Upload with ${command.label}`} code={command.code} wrap />}
      </Tabs>
      <p className="text-text-2">
        <code>{chosen === "curl" ? "SIGNALBOX_TOKEN" : "SENTRY_AUTH_TOKEN"}</code> is a project token with
        Read & write access.{" "}
        {can(project, "project:update") ? (
          <>
            <Link
              to="/projects/$projectKey/settings"
              params={{ projectKey: project.key }}
              search={{ section: "tokens" }}
              className="text-accent-text underline"
            >
              Create one in the settings
            </Link>
            .
          </>
        ) : (
          "Someone who manages the project can create one."
        )}{" "}
        The release must be the one that your app sends with its errors.
      </p>
    </div>
  );
}
