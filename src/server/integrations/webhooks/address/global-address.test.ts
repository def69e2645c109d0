import assert from "node:assert/strict";
import { test } from "node:test";
import { isGlobalAddress } from "./global-address.ts";

for (const address of [
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.8",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.1.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
])
  test(`${address} is not global`, () => assert.equal(isGlobalAddress(address), false));

for (const address of [
  "::",
  "::1",
  "::8.8.8.8",
  "100::1",
  "100:0:0:1::1",
  "64:ff9b:1::808:808",
  "2001::1",
  "2001:2::1",
  "2001:10::1",
  "2001:db8::1",
  "3fff::1",
  "5f00::1",
  "fc00::1",
  "fd12::1",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
  "::ffff:0:8.8.8.8",
])
  test(`${address} is not global`, () => assert.equal(isGlobalAddress(address), false));

for (const address of [
  "::ffff:10.0.0.1",
  "::ffff:7f00:1",
  "64:ff9b::10.0.0.1",
  "64:FF9B::7f00:1",
  "2002:a00:1::",
])
  test(`${address} is not global because it contains an internal address`, () => {
    assert.equal(isGlobalAddress(address), false);
  });

for (const address of ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450:4001::200e"])
  test(`${address} is global`, () => assert.equal(isGlobalAddress(address), true));

for (const address of ["::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1"])
  test(`${address} is global because it contains a global address`, () => {
    assert.equal(isGlobalAddress(address), true);
  });

for (const text of ["", "example.com", "8.8.8", "[::1]"])
  test(`${JSON.stringify(text)} is not global because it is no address`, () => {
    assert.equal(isGlobalAddress(text), false);
  });
