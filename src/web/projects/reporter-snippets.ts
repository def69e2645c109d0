import type { IngestDestination } from "../sending/target.ts";

/** The set-up of the reporter. The server offers its package and script, so that no registry is needed. */

const install = (url: string) => `// npm install ${url}/reporter/reporter.tgz`;

export const scriptTag = ({ url, key, project }: IngestDestination) => `<!-- Before your other scripts: -->
<script src="${url}/reporter/reporter.js" crossorigin
  data-project="${project.key}"
  data-key="${key}"></script>`;

export const react = ({ url, dsn }: IngestDestination) => `${install(url)}
import { init } from "@signalbox/reporter";
import { reactErrors } from "@signalbox/reporter/react";

init({
  dsn: "${dsn}",
});

// React 19:
createRoot(document.getElementById("root"), reactErrors())
  .render(<App />);`;

export const vue = ({ url, dsn }: IngestDestination) => `${install(url)}
import { createApp } from "vue";
import { init } from "@signalbox/reporter";
import { vueErrors } from "@signalbox/reporter/vue";

init({
  dsn: "${dsn}",
});
createApp(App).use(vueErrors()).mount("#app");`;

export const nextjs = ({ url, dsn }: IngestDestination) => `${install(url)}
// In instrumentation.ts:
import { init } from "@signalbox/reporter";
import { nextErrors } from "@signalbox/reporter/next";

export const register = () => void init({
  dsn: "${dsn}",
});
export const onRequestError = nextErrors();

// In instrumentation-client.ts:
import { init } from "@signalbox/reporter";

init({
  dsn: "${dsn}",
});`;

export const node = ({ url, dsn }: IngestDestination) => `${install(url)}
import { init } from "@signalbox/reporter";

init({
  dsn: "${dsn}",
});`;

export const express = ({ url, dsn }: IngestDestination) => `${install(url)}
import { init } from "@signalbox/reporter";
import { expressErrors } from "@signalbox/reporter/express";

init({
  dsn: "${dsn}",
});

// After all routes, before your own error handlers:
app.use(expressErrors());`;
