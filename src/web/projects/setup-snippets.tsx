import { useState } from "react";
import { CodeBlock } from "../kit/code-block.tsx";
import { Tabs } from "../kit/tabs.tsx";
import { snippets } from "./snippets.ts";

/** Code to paste into an app. Without a token it contains a placeholder. */
export function SetupSnippets({ projectKey, token }: { projectKey: string; token?: string | undefined }) {
  const [chosen, setChosen] = useState("curl");
  const all = snippets({ url: location.origin, project: projectKey, token: token ?? "YOUR_PROJECT_TOKEN" });
  const snippet = all.find(({ name }) => name === chosen) ?? all[0];
  return (
    <Tabs
      label="Language"
      tabs={all.map(({ name }) => ({ value: name, label: name }))}
      value={snippet?.name ?? chosen}
      onChange={setChosen}
      className="pt-3"
    >
      {snippet && <CodeBlock label={snippet.name} code={snippet.code} />}
    </Tabs>
  );
}
