// Loaded into a server under test with --import: profiles the CPU from the first message "profile" to the second, which is
// answered with the profile. So the start of the server, which takes longer than any request, is not in it.
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
  void done.then((answer) => process.send?.(answer));
});
process.channel?.unref();
