import { Readable } from "node:stream";
import { spec } from "node:test/reporters";
import type { TestEvent } from "node:test/reporters";

/**
 * Reports as `spec` does, without counting the tests that stand for a file (see `test/run.ts`). One whose module could not
 * be loaded is counted, because it stands for the tests that did not run.
 */
export default async function* reportFiles(events: AsyncIterable<TestEvent>) {
  yield* Readable.from(withoutFiles(events)).compose(new spec());
}

async function* withoutFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  const files = { pass: 0, fail: 0 };
  for await (const event of events) {
    if (event.type === "test:pass" && event.data.nesting === 0) files.pass++;
    if (event.type === "test:fail" && event.data.nesting === 0 && isOfSubtests(event.data.details.error))
      files.fail++;
    if (event.type === "test:diagnostic" && event.data.nesting === 0) {
      const [name = "", number = ""] = event.data.message.split(" ");
      const left = { tests: files.pass + files.fail, ...files }[name];
      if (left !== undefined) event.data.message = `${name} ${Number(number) - left}`;
    }
    yield event;
  }
}

const isOfSubtests = (error: unknown) => (error as { failureType?: string }).failureType === "subtestsFailed";
