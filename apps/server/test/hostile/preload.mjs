// Imported by a built server before its own modules: it ends with the test's process, asks the name server of the test, runs its
// background jobs ten times as often, and reaches one host as if it were a public one.
import dns from "node:dns";
import net from "node:net";
import tls from "node:tls";
import { isMainThread } from "node:worker_threads";

if (isMainThread) await import("../ends-with-test.mjs");

const { HOSTILE_NAME_SERVER: nameServer } = process.env;
if (nameServer !== undefined) {
  // As /etc/resolv.conf would say it, which has no ports: every resolver begins with these servers.
  for (const home of [dns, dns.promises]) {
    home.Resolver = class extends home.Resolver {
      constructor(options) {
        super(options);
        this.setServers([nameServer]);
      }
    };
  }
  dns.setServers([nameServer]);
}

/** Jobs have the only intervals that are longer than this, in ms. */
const longIntervalMs = 5_000;
const every = globalThis.setInterval;
globalThis.setInterval = (run, ms, ...args) => every(run, ms > longIntervalMs ? ms / 10 : ms, ...args);

// A public address and a certificate are what no test has: connections to this host go to this machine, without TLS.
const connect = tls.connect;
tls.connect = (...args) => {
  const [{ host, port }] = args;
  return host === "public.hostile.example" ? net.connect(Number(port), "127.0.0.1") : connect(...args);
};
