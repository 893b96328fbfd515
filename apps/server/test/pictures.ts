import { deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import type { Answer, TestAccount, TestServer } from "./harness.js";

// Pictures for tests, made by code: real files, and those that claim to be.

/** Sends a body as a picture. */
export async function sendPicture(
  server: Pick<TestServer, "request">,
  { token }: Pick<TestAccount, "token">,
  body: Uint8Array<ArrayBuffer> | FormData,
  type = "image/jpeg",
): Promise<Answer> {
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(body instanceof FormData ? {} : { "Content-Type": type }),
  };
  return server.request("/api/kalends/v1/pictures/create/", { method: "POST", headers, body });
}

/** The id of a new picture of an account. */
export async function newPicture(
  server: Pick<TestServer, "request">,
  account: Pick<TestAccount, "token">,
  color = "#b8412c",
): Promise<string> {
  const answer = await sendPicture(server, account, await plain(64, 48, color).png().toBuffer(), "image/png");
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.picture.id;
}

/** A picture of one colour. */
export function plain(width: number, height: number, background = "#b8412c"): Sharp {
  return sharp({ create: { width, height, channels: 3, background } });
}

/** A picture that no encoder makes small. */
export function noisy(width: number, height: number): Sharp {
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  return sharp({ create: { width, height, channels: 3, background: "#000000", noise } });
}

/** Of PNG (ISO 3309); Node 20.19 has none of its own. */
function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum % 2 === 0 ? sum >>> 1 : (sum >>> 1) ^ 0xedb88320;
    sum >>>= 0;
  }
  return (sum ^ 0xffffffff) >>> 0;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG that says to have this size: its pixels are a few bytes that are inflated to nothing. */
export function pngBomb(width: number, height: number): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(2_000_000), { level: 9 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** An animated GIF of frames of one pixel on a canvas of this size, or of frames that say to be as large. */
export function gif(frames: number, width = 64, height = 48, isWhole = false): Buffer<ArrayBuffer> {
  const screen = Buffer.alloc(7);
  screen.writeUInt16LE(width, 0);
  screen.writeUInt16LE(height, 2);
  screen[4] = 0x80;
  const colors = Buffer.from([0xb8, 0x41, 0x2c, 0xff, 0xff, 0xff]);
  const control = Buffer.from([0x21, 0xf9, 4, 0, 1, 0, 0, 0]);
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0]);
  if (isWhole) {
    frame.writeUInt16LE(width, 5);
    frame.writeUInt16LE(height, 7);
  }
  const all = Array.from({ length: frames }, () => Buffer.concat([control, frame]));
  return Buffer.concat([Buffer.from("GIF89a"), screen, colors, ...all, Buffer.from([0x3b])]);
}
