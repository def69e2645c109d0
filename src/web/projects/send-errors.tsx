import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import type { IngestKey } from "../../shared/ingest-keys.ts";
import { ingestKeysQuery } from "../data/projects/project-settings.ts";
import { Button } from "../kit/button.tsx";
import { CodeBlock } from "../kit/markdown/code-block.tsx";
import { CopyButton } from "../kit/copy-button.tsx";
import { Field } from "../kit/field.tsx";
import { Select } from "../kit/select.tsx";
import { toast } from "../kit/notices/toast.ts";
import { useSend } from "../forms/use-send.ts";
import { type Platform, platforms } from "./platforms.ts";
import { type Protocol, sendTestEvent } from "./send-test-event.ts";
import { ingestDestinationOf } from "../sending/target.ts";
import { SendWithOtel } from "./send-with-otel.tsx";

type Props = {
  project: { id: number; key: string };
  /** The active keys to choose from. Without any, the code has a placeholder. */
  keys: readonly IngestKey[];
  /** The level of the headings of the two ways. */
  heading?: "h2" | "h3";
};

const OTEL = "OpenTelemetry";

/** Code that sends an app's errors, with a Sentry SDK, the reporter or OpenTelemetry, and test events. */
export function SendErrors({ project, keys, heading = "h3" }: Props) {
  const [keyId, setKeyId] = useState("");
  const [name, setName] = useState("JavaScript");
  const key = keys.find(({ id }) => String(id) === keyId) ?? keys[0];
  const target = ingestDestinationOf(project, key);
  const all = platforms(target);
  const isOtel = name === OTEL;
  const platform = all.find((one) => one.name === name) ?? all[0];
  if (platform === undefined) return null;
  return (
    <div className="@container flex flex-col gap-4">
      <div className="flex flex-wrap gap-4">
        <Field label="Platform" className="w-44">
          <Select
            value={isOtel ? OTEL : platform.name}
            onChange={(next) => setName(next)}
            options={[...all.map((one) => one.name), OTEL].map((value) => ({ value, label: value }))}
          />
        </Field>
        {keys.length > 1 && (
          <Field label="Ingest key" className="w-44">
            <Select
              value={String(key?.id)}
              onChange={(next) => setKeyId(next)}
              options={keys.map(({ id, name: label }) => ({ value: String(id), label }))}
            />
          </Field>
        )}
      </div>
      {isOtel ? (
        <SendWithOtel target={target} heading={heading} />
      ) : (
        <Ways {...{ platform, project, ingestKey: key, heading }} />
      )}
    </div>
  );
}

type WaysProps = {
  platform: Platform;
  project: { id: number };
  ingestKey: IngestKey | undefined;
  heading: "h2" | "h3";
};

/** With a Sentry SDK, and with the reporter or without a library. */
function Ways({ platform, project, ingestKey: key, heading }: WaysProps) {
  const isSdk = platform.name !== "curl";
  return (
    <>
      {key && <Dsn dsn={key.dsn} />}
      <div className="grid gap-6 @min-[46rem]:grid-cols-2">
        <Way
          heading={heading}
          title={isSdk ? "Sentry SDK" : "Sentry’s protocol"}
          text={
            isSdk
              ? "Already in your app? Change its DSN, and nothing else."
              : "What Sentry SDKs send, without one."
          }
          code={platform.sentry}
          label={isSdk ? `${platform.name} with a Sentry SDK` : `${platform.name} with Sentry’s protocol`}
          test={key && <SendTestEvent protocol="sentry" projectId={project.id} ingestKey={key} />}
        />
        <Way
          heading={heading}
          title={platform.own.kind === "reporter" ? "Signalbox reporter" : "Without a library"}
          text={
            platform.own.kind === "reporter"
              ? "Small, without dependencies, served by this server."
              : "Any program that can send HTTP can send its errors."
          }
          code={platform.own.code}
          label={`${platform.name} ${platform.own.kind === "reporter" ? "with the reporter" : "without a library"}`}
          test={key && <SendTestEvent protocol="own" projectId={project.id} ingestKey={key} />}
        />
      </div>
    </>
  );
}

function Dsn({ dsn }: { dsn: string }) {
  return (
    <p className="flex min-w-0 items-center gap-2">
      <span className="font-medium">DSN</span>
      <code className="min-w-0 flex-1 truncate text-sm" title={dsn}>
        {dsn}
      </code>
      <CopyButton label="Copy DSN" text={dsn} words />
    </p>
  );
}

type WayProps = {
  heading: "h2" | "h3";
  title: string;
  text: string;
  code: string;
  label: string;
  test: ReactNode;
};

function Way({ heading: Heading, title, text, code, label, test }: WayProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2">
      <div>
        <Heading id={id} className="font-semibold">
          {title}
        </Heading>
        <p className="text-text-2">{text}</p>
      </div>
      <CodeBlock label={label} code={code} wrap />
      {test && <div>{test}</div>}
    </section>
  );
}

type TestProps = { protocol: Protocol; projectId: number; ingestKey: IngestKey };

function SendTestEvent({ protocol, projectId, ingestKey }: TestProps) {
  const client = useQueryClient();
  const test = useSend({
    send: () => sendTestEvent(protocol, projectId, ingestKey),
    stale: [["error_group", projectId]],
    onDone: () => {
      // The server notes the use a second later, without a live update.
      const last_used_at = new Date().toISOString();
      client.setQueryData(ingestKeysQuery(projectId).queryKey, (keys) =>
        keys?.map((key) => (key.id === ingestKey.id ? { ...key, last_used_at } : key)),
      );
      toast({ title: "The test event was accepted", tone: "success" });
    },
    failed: "The test event could not be sent",
  });
  return (
    <Button
      size="sm"
      busy={test.isPending}
      aria-label={protocol === "sentry" ? "Send a test event as a Sentry SDK" : "Send a test event"}
      onClick={() => test.mutate()}
    >
      Send a test event
    </Button>
  );
}
