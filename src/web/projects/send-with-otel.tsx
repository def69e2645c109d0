import { useState } from "react";
import { CodeBlock } from "../kit/markdown/code-block.tsx";
import { Field } from "../kit/field.tsx";
import { Select } from "../kit/select.tsx";
import type { IngestDestination } from "../sending/target.ts";
import { otelLanguages } from "./otel-snippets.ts";

/** The variables that send a program's exceptions, and code for programs that do not use OpenTelemetry yet. */
export function SendWithOtel({
  target,
  heading: Heading,
}: {
  target: IngestDestination;
  heading: "h2" | "h3";
}) {
  const [name, setName] = useState("Node.js");
  const all = otelLanguages(target);
  const language = all.find((one) => one.name === name) ?? all[0];
  if (!language) return null;
  return (
    <>
      <Field label="Language" className="w-44">
        <Select
          value={language.name}
          onChange={setName}
          options={all.map((one) => ({ value: one.name, label: one.name }))}
        />
      </Field>
      <div className="grid gap-6 @min-[46rem]:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-2">
          <Heading className="font-semibold">Environment</Heading>
          <p className="text-text-2">
            Already in your app? Set these variables. Exceptions are stored, other logs and spans are not.
          </p>
          <CodeBlock
            label={`Variables for OpenTelemetry in ${language.name}`}
            code={language.variables}
            wrap
          />
        </div>
        <div className="flex min-w-0 flex-col gap-2">
          <Heading className="font-semibold">OpenTelemetry SDK</Heading>
          <p className="text-text-2">The unmodified SDK, with an exporter for OTLP over HTTP.</p>
          <CodeBlock label={`OpenTelemetry in ${language.name}`} code={language.code} wrap />
        </div>
      </div>
    </>
  );
}
