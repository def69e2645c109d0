import { useState } from "react";
import { Send } from "lucide-react";
import { fetchResponse, messageOf } from "../api/client.ts";
import { Button } from "../kit/button.tsx";
import { CodeBlock } from "../kit/markdown/code-block.tsx";
import { announce } from "../kit/notices/live-region.ts";
import type { Operation } from "./operations.ts";
import { addressOf, bodyType, type Filled, headersOf } from "./requests.ts";

/** Longer responses are cut: the page would take seconds to show them. */
const MAX_CHARACTERS = 200_000;

type Result = { status: string; text: string; isSignedOut: boolean };

/** Sends the request with the session of this browser and shows the response. */
export function TryIt({ operation, filled }: { operation: Operation; filled: Filled }) {
  const [isSending, setSending] = useState(false);
  const [result, setResult] = useState<Result>();
  const address = addressOf(operation, filled);
  const missing = /\{(\w+)\}/.exec(address)?.[1];
  const send = async () => {
    setSending(true);
    const next = await request(operation, filled, address);
    setResult(next);
    setSending(false);
    announce(`Response: ${next.status}`);
  };
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button icon={Send} busy={isSending} disabled={missing !== undefined} onClick={() => void send()}>
          Send request
        </Button>
        <p className="text-text-2">
          {missing !== undefined
            ? `Fill in ${missing} first.`
            : operation.method === "GET"
              ? "Uses your session in this browser."
              : "Uses your session in this browser and changes your real data."}
        </p>
      </div>
      {result && (
        <>
          <CodeBlock label={`Response: ${result.status}`} code={result.text} />
          {result.isSignedOut && (
            <p className="text-text-2">
              <a
                className="rounded-sm text-accent-text underline underline-offset-2"
                href={`/sign-in?return_to=${encodeURIComponent(`${location.pathname}${location.search}`)}`}
              >
                Sign in
              </a>{" "}
              to send requests from here.
            </p>
          )}
        </>
      )}
    </div>
  );
}

async function request(operation: Operation, filled: Filled, address: string): Promise<Result> {
  const type = bodyType(operation);
  const headers = new Headers([["accept", "application/json"], ...headersOf(operation, filled)]);
  const body = type !== undefined && filled.body !== "" ? filled.body : undefined;
  if (body !== undefined && type !== undefined) headers.set("content-type", type);
  try {
    const response = await fetchResponse(address, {
      method: operation.method,
      credentials: "same-origin",
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const status = [response.status, response.statusText].join(" ").trim();
    return { status, text: await textOf(response), isSignedOut: response.status === 401 };
  } catch (error) {
    return { status: "none", text: messageOf(error), isSignedOut: false };
  }
}

async function textOf(response: Response): Promise<string> {
  const type = response.headers.get("content-type") ?? "";
  if (!/json|text/.test(type)) {
    const { size } = await response.blob();
    return size === 0 ? "No body" : `${size} bytes of ${type || "an unknown type"}`;
  }
  const text = await response.text();
  return shorten(/json/.test(type) ? formatted(text) : text);
}

function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

const shorten = (text: string) =>
  text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}\n… cut after 200,000 characters` : text;
