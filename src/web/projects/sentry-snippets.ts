/** The set-up of unmodified Sentry SDKs. Only the DSN differs from their own documentation. */

export const browser = (dsn: string) => `// npm install @sentry/browser
import * as Sentry from "@sentry/browser";

Sentry.init({
  dsn: "${dsn}",
});`;

export const react = (dsn: string) => `// npm install @sentry/react
// Import this file first in your entry file.
import * as Sentry from "@sentry/react";

Sentry.init({
  dsn: "${dsn}",
});`;

export const nextjs = (dsn: string) => `// npm install @sentry/nextjs
// In instrumentation.ts:
import * as Sentry from "@sentry/nextjs";

export const register = () => void Sentry.init({
  dsn: "${dsn}",
});
export const onRequestError = Sentry.captureRequestError;

// In instrumentation-client.ts:
import * as Sentry from "@sentry/nextjs";

Sentry.init({
  dsn: "${dsn}",
});`;

export const vue = (dsn: string) => `// npm install @sentry/vue
import { createApp } from "vue";
import * as Sentry from "@sentry/vue";

const app = createApp(App);
Sentry.init({
  app,
  dsn: "${dsn}",
});
app.mount("#app");`;

export const node = (dsn: string) => `// npm install @sentry/node
// instrument.mjs: node --import ./instrument.mjs app.mjs
import * as Sentry from "@sentry/node";

Sentry.init({
  dsn: "${dsn}",
});`;

export const express = (dsn: string) => `// npm install @sentry/node
// instrument.mjs: node --import ./instrument.mjs app.mjs
import * as Sentry from "@sentry/node";

Sentry.init({
  dsn: "${dsn}",
});

// In app.mjs, after all routes:
Sentry.setupExpressErrorHandler(app);`;

export const python = (dsn: string) => `# pip install sentry-sdk
import sentry_sdk

sentry_sdk.init(
    dsn="${dsn}",
)`;

export const django = (dsn: string) => `# pip install "sentry-sdk[django]"
# In settings.py:
import sentry_sdk

sentry_sdk.init(
    dsn="${dsn}",
)`;

export const flask = (dsn: string) => `# pip install "sentry-sdk[flask]"
import sentry_sdk
from flask import Flask

sentry_sdk.init(
    dsn="${dsn}",
)
app = Flask(__name__)`;

export const go = (dsn: string) => `// go get github.com/getsentry/sentry-go
err := sentry.Init(sentry.ClientOptions{
	Dsn: "${dsn}",
})
if err != nil {
	log.Fatal(err)
}
defer sentry.Flush(2 * time.Second)`;

export const springBoot = (dsn: string) => `# build.gradle:
# implementation "io.sentry:sentry-spring-boot-starter-jakarta:8.+"
# application.properties:
sentry.dsn=${dsn}`;

export const laravel = (dsn: string) => `# composer require sentry/sentry-laravel
# .env:
SENTRY_LARAVEL_DSN=${dsn}

# bootstrap/app.php:
# ->withExceptions(function (Exceptions $exceptions) {
#     \\Sentry\\Laravel\\Integration::handles($exceptions);
# })`;

export const rails = (dsn: string) => `# bundle add sentry-ruby sentry-rails
# config/initializers/sentry.rb:
Sentry.init do |config|
  config.dsn = "${dsn}"
end`;

export const aspNet = (dsn: string) => `// dotnet add package Sentry.AspNetCore
builder.WebHost.UseSentry(options =>
{
    options.Dsn = "${dsn}";
});`;
