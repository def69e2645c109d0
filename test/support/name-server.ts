import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv4 } from "node:net";

/** The addresses of each answer, in turn; the last one repeats. */
export type Answers = { A?: string[][]; AAAA?: string[][]; isSilent?: boolean };

const TYPES = { 1: "A", 28: "AAAA" } as const;

/** A name server on the usual port of this machine that gives the same answers for all names. */
export async function openNameServer({ isSilent = false, ...answers }: Answers) {
  const counts = { A: 0, AAAA: 0 };
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const type = TYPES[question.readUInt16BE(question.length - 4) as 1 | 28];
    const turn = counts[type]++;
    const addresses = answers[type]?.[Math.min(turn, (answers[type]?.length ?? 1) - 1)] ?? [];
    if (!isSilent) socket.send(answer(query, question, addresses), port, address);
  });
  socket.bind(53, "127.0.0.1");
  await once(socket, "listening");
  return { counts, close: () => socket.close() };
}

function answer(query: Buffer, question: Buffer, addresses: string[]): Buffer {
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  // A response without an error, with recursion.
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  return Buffer.concat([header, question, ...addresses.map(record)]);
}

function record(address: string): Buffer {
  const data = bytesOf(address);
  const head = Buffer.alloc(12);
  // The name of the question, which follows the header.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(data.length === 4 ? 1 : 28, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** IPv6 addresses contain `::` once, and no IPv4 address in decimals. */
function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number));
  const [head = [], tail = []] = address
    .split("::")
    .map((part) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16))));
  const groups = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 255]));
}
