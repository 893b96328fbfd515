// Loaded into a server under test with --import: profiles the CPU from the first message "profile" to the second, which is
// answered with the profile. So the start of the server, which takes longer than any request, is not in it.
import { Session } from "node:inspector/promises";

let session;
process.on("message", async (message) => {
  if (message !== "profile") return;
  if (session === undefined) {
    session = new Session();
    session.connect();
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: 500 }); // microseconds
    await session.post("Profiler.start");
    process.send?.("started");
    return;
  }
  const { profile } = await session.post("Profiler.stop");
  process.send?.(JSON.stringify(profile));
});
process.channel?.unref();
