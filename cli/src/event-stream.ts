export type StreamEvent = { type: string; id: string | undefined; data: string };

/** Yields the events of a response with server-sent events as they arrive. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) yield parseBlock(block);
  }
}

function parseBlock(block: string): StreamEvent {
  const event: StreamEvent = { type: "message", id: undefined, data: "" };
  for (const line of block.split("\n")) {
    const [, field, value = ""] = /^(\w+):\s?(.*)$/.exec(line) ?? [];
    if (field === "event") event.type = value;
    else if (field === "id") event.id = value;
    else if (field === "data") event.data += value;
  }
  return event;
}
