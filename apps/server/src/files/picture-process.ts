import { text } from "node:stream/consumers";
import sharp, { type Metadata, type Sharp } from "sharp";
import { mostPicturePixels, type ProcessedPicture, type RefusedPicture, tooMuchMemory } from "./pictures.js";

// A program of its own: it reads one picture from its standard input, writes what is served of it as JSON, and ends. What was sent may be
// made to crash a decoder or to take its memory; then this process ends, and its upload alone fails (docs/decisions/0024-pictures.md).

sharp.cache(false);
sharp.concurrency(1);
// No other loader sees the bytes, whatever they claim to be.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Heif", "Nsgif"].map((name) => `VipsForeignLoad${name}Buffer`),
});

/** The height of a picture that is very tall is limited, since WebP has 16,383 pixels at most. */
const inside = (width: number) =>
  ({ width, height: 2 * width, fit: "inside", withoutEnlargement: true }) as const;

async function webp(picture: Sharp, width: number): Promise<string> {
  return (await picture.clone().resize(inside(width)).webp({ quality: 80 }).toBuffer()).toString("base64");
}

/** A wide picture fills the preview; of a poster, which stands upright, all is to be seen. */
async function preview(picture: Sharp, isWide: boolean): Promise<string> {
  const fit = isWide ? "cover" : "contain";
  const jpeg = picture
    .clone()
    .flatten({ background: "#ffffff" })
    .resize({ width: 1_200, height: 630, fit, background: "#ffffff" })
    .jpeg({ quality: 82 });
  return (await jpeg.toBuffer()).toString("base64");
}

/** What a decoder holds at once, as far as it grows with the picture: by measurements, a process of 450 MB decodes as much. */
const mostDecodedBytes = 210_000_000;

/** Formats that are decoded line by line need little; an AVIF needs several planes of all of it. */
function decodedBytes({ format, width, height, channels, depth, isProgressive }: Metadata): number {
  const deep = depth === "uchar" ? 1 : 2;
  const isWhole = format === "heif" || (format === "png" && isProgressive);
  return isWhole ? width * height * deep * (format === "heif" ? 10 : channels) : 0;
}

async function processed(bytes: Buffer): Promise<ProcessedPicture | RefusedPicture> {
  const source = sharp(bytes, { limitInputPixels: mostPicturePixels, failOn: "error" });
  const metadata = await source.metadata();
  if (decodedBytes(metadata) > mostDecodedBytes) return { refused: tooMuchMemory };
  const { autoOrient: upright } = metadata;
  // It is decoded once, turned upright and made small; the rest is made of that. Metadata is not copied unless one asks for it.
  const { data, info } = await source
    .autoOrient()
    .toColourspace("srgb")
    .resize(inside(1_280))
    .toFormat("raw")
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const picture = sharp(data, { raw: { width, height, channels } });
  return {
    width: upright.width,
    height: upright.height,
    files: {
      "320.webp": await webp(picture, 320),
      "640.webp": await webp(picture, 640),
      "1280.webp": await webp(picture, 1_280),
      "1200.jpg": await preview(picture, width > 1.2 * height),
    },
  };
}

/** Buffers have no text of their own, so the picture comes as base64. */
const input = Buffer.from(await text(process.stdin), "base64");
const result = await processed(input).catch((error: unknown): RefusedPicture => ({ refused: String(error) }));
process.stdout.write(JSON.stringify(result));
