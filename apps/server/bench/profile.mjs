// Loaded into a server under test with --import: profiles the CPU from the first message "profile" to the second, and replies
// to the second with the profile. So the profile does not contain the startup.
import { Session } from "node:inspector/promises";

let session;

async function start() {
  session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 500 }); // microseconds
  await session.post("Profiler.start");
  return "started";
}

async function stop() {
  const { profile } = await session.post("Profiler.stop");
  return JSON.stringify(profile);
}

process.on("message", (message) => {
  if (message !== "profile") return;
  const done = session === undefined ? start() : stop();
  void done.then((response) => process.send?.(response));
});
process.channel?.unref();
