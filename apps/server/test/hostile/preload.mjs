// Imported by a built server before its own modules: it ends with the test's process, and asks the name server of the test.
import dns from "node:dns";
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
