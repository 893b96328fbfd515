// Sends one request on many connections again and again, as a process of its own, until its parent disconnects. With a `last` byte, all
// connections first send the rest, and then that byte at once. Reports how often each status was answered.
import { connect } from "node:net";

process.once("message", ({ port, connections, text, last, isRead }) => {
  const bytes = Buffer.from(text, "latin1");
  const statuses = {};
  const state = { isOver: false, unsent: connections };
  const waiting = [];

  function sent(socket) {
    state.unsent--;
    if (socket !== undefined) waiting.push(socket);
    if (state.unsent <= 0) for (const each of waiting.splice(0)) each.end(last);
  }

  function open() {
    if (state.isOver) return;
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    let isSent = false;
    socket.on("error", () => undefined);
    if (isRead) socket.on("data", (chunk) => (answer ||= chunk.toString("latin1", 0, 20)));
    else socket.pause();
    socket.write(bytes, (error) => {
      isSent = true;
      if (last !== undefined) sent(error ? undefined : socket);
    });
    socket.once("close", () => {
      const status = answer.slice(9, 12) || "none";
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (last !== undefined && !isSent) sent(undefined);
      setTimeout(open, 5);
    });
  }

  for (let n = 0; n < connections; n++) open();
  process.once("message", () => {
    state.isOver = true;
    process.send(statuses, () => process.exit());
  });
});
process.once("disconnect", () => process.exit());
