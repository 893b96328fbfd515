import { createServer } from "node:net";
import { expect, test } from "vitest";
import { openWire } from "../src/engine/wire.js";

test("connections that the server closes as they are used again are no fault of the server", async () => {
  const server = createServer((socket) => {
    let requests = 0;
    socket.on("error", () => undefined);
    socket.on("data", () => {
      requests += 1;
      if (requests > 1) socket.destroy();
      else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const wire = openWire();
  const origin = new URL(`http://127.0.0.1:${address.port}`);
  const send = () => wire.send({ method: "GET", origin, path: "/", headers: {}, timeoutMs: 60_000 });
  await Promise.all([send(), send(), send()]); // three connections are kept now
  expect((await send()).text).toBe("{}"); // the next kept connection would fail, too
  wire.close();
  await new Promise((resolve) => server.close(resolve));
});
