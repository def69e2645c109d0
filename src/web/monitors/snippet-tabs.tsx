import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Monitor } from "../../shared/monitors.ts";
import type { Project } from "../../shared/projects.ts";
import { can } from "../data/projects/projects.ts";
import { CopyField } from "../forms/copy-field.tsx";
import { CodeBlock } from "../kit/markdown/code-block.tsx";
import { Tabs } from "../kit/tabs.tsx";
import { snippetsOf } from "./snippets.ts";

type Props = { project: Project; monitor: Monitor };

/** How a job checks in: the ping URL, for those who may see it, and a snippet for each tool. */
export function Snippets({ project, monitor }: Props) {
  const snippets = snippetsOf(monitor);
  const [name, setName] = useState(snippets[0]?.name ?? "");
  const snippet = snippets.find((one) => one.name === name);
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {monitor.ping_url === null ? (
        <p className="text-text-2">People who may update errors see the ping URL.</p>
      ) : (
        <CopyField
          label="Ping URL"
          value={monitor.ping_url}
          copy="Copy ping URL"
          hint="Anyone who knows it can check in."
        />
      )}
      <Tabs
        label="Tools"
        tabs={snippets.map((one) => ({ value: one.name, label: one.name }))}
        value={name}
        onChange={setName}
        className="flex flex-col gap-2 pt-3"
      >
        {snippet && (
          <>
            <CodeBlock key={name} label={name} code={snippet.code} wrap />
            {snippet.readsDsn && <DsnNote project={project} />}
          </>
        )}
      </Tabs>
    </div>
  );
}

function DsnNote({ project }: { project: Project }) {
  const isManager = can(project, "project:update");
  return (
    <p className="text-text-2">
      <code>SENTRY_DSN</code> is the DSN of an ingest key.{" "}
      {isManager ? (
        <>
          <Link
            to="/projects/$projectKey/settings"
            params={{ projectKey: project.key }}
            search={{ section: "ingestion" }}
            className="text-accent-text underline"
          >
            The project’s settings
          </Link>{" "}
          list them.
        </>
      ) : (
        "Someone who manages the project has it."
      )}
    </p>
  );
}
