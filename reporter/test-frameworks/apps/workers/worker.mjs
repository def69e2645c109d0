import { captureError, fetchErrors } from "@signalbox/reporter";

export default fetchErrors(
  {
    async fetch(request) {
      if (new URL(request.url).pathname !== "/background") throw new TypeError("fetch handler");
      captureError(new TypeError("background work"));
      return new Response("fine");
    },
    async scheduled() {
      throw new TypeError("scheduled handler");
    },
  },
  { init: (env) => ({ url: env.SIGNALBOX_URL, project: env.SIGNALBOX_PROJECT, key: env.SIGNALBOX_KEY }) },
);
