import assert from "node:assert/strict";
import { test } from "node:test";
import Fastify from "fastify";
import { clientAddress, clientAddressReader } from "./client-address.ts";

const FORWARDED = [
  undefined,
  "",
  "203.0.113.9",
  "203.0.113.9, 10.0.0.7",
  "10.0.0.7, 203.0.113.9",
  "198.51.100.1, 203.0.113.9,10.1.2.3 , 10.0.0.7",
  "203.0.113.9:1234",
  "2001:db8:1:2:3:4:5:6",
  "[2001:db8:1:2::6]:443, 2001:db8:ffff::1",
  "unknown, 10.0.0.7",
  "::ffff:203.0.113.9",
];

test("the address of a request that does not reach Fastify is the one that routes count", async () => {
  for (const trustProxy of [[], ["127.0.0.1"], ["10.0.0.0/8", "127.0.0.1", "2001:db8:ffff::/48"]]) {
    const read = clientAddressReader(trustProxy);
    const app = Fastify({ trustProxy: trustProxy.length > 0 ? trustProxy : false });
    app.get("/", (request) => ({ route: clientAddress(request), raw: read(request.raw) }));
    for (const remoteAddress of ["127.0.0.1", "10.0.0.1", "192.0.2.1", "2001:db8:ffff::7"])
      for (const forwarded of FORWARDED) {
        const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
        const { route, raw } = (await app.inject({ url: "/", remoteAddress, headers })).json();
        assert.equal(raw, route, `${remoteAddress} behind ${trustProxy.join(", ")}: ${forwarded}`);
      }
    await app.close();
  }
});
