/** What `sentry-cli sourcemaps inject` and the plugins of bundlers put before a file's code. */
const snippet = (debugId: string) =>
  `!function(){try{var e="undefined"!=typeof window?window:"undefined"!=typeof global?global:"undefined"!=typeof globalThis?globalThis:"undefined"!=typeof self?self:{},n=(new e.Error).stack;n&&(e._sentryDebugIds=e._sentryDebugIds||{},e._sentryDebugIds[n]="${debugId}")}catch(e){}}();`;

export const injectDebugId = (code: string, debugId: string): string => `\n${snippet(debugId)}\n${code}`;
