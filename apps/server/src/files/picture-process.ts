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

const previewSize = { width: 1_200, height: 630 } as const;
const margin = 75;

/** Shapes, as width by height, that fill the preview without losing what stands at an edge. */
const fills = (shape: number): boolean => shape > 1.5 && shape < 2.3;

/** Makes the picture of link previews, in which all of a poster, a banner or a logo is seen. */
async function preview(picture: Sharp, shape: number): Promise<string> {
  const { isOpaque } = await picture.stats();
  if (!isOpaque) return jpeg(await onPlain(picture));
  return jpeg(
    fills(shape) ? picture.clone().resize({ ...previewSize, fit: "cover" }) : await onItself(picture),
  );
}

async function jpeg(picture: Sharp): Promise<string> {
  return (await picture.flatten({ background: "#ffffff" }).jpeg({ quality: 82 }).toBuffer()).toString(
    "base64",
  );
}

/** Lays a picture, as large as it fits, on a blurred one of itself. */
async function onItself(picture: Sharp): Promise<Sharp> {
  const whole = await picture
    .clone()
    .resize({ ...previewSize, fit: "inside" })
    .png()
    .toBuffer();
  const behind = picture.clone().resize({ ...previewSize, fit: "cover" });
  return sharp(await behind.blur(30).modulate({ brightness: 0.8 }).png().toBuffer()).composite([
    { input: whole },
  ]);
}

/** Lays a logo on white, or on black where it is light itself. */
async function onPlain(picture: Sharp): Promise<Sharp> {
  const [width, height] = [previewSize.width - 2 * margin, previewSize.height - 2 * margin];
  const logo = await picture.clone().resize({ width, height, fit: "inside" }).png().toBuffer();
  const background = (await isLight(picture)) ? "#1d1d1f" : "#ffffff";
  return sharp({ create: { ...previewSize, channels: 3, background } }).composite([{ input: logo }]);
}

/** Reports whether what is seen of a picture would be lost on white. */
async function isLight(picture: Sharp): Promise<boolean> {
  const pixels = await picture.clone().resize(48, 48, { fit: "fill" }).ensureAlpha().raw().toBuffer();
  let [light, seen] = [0, 0];
  for (let at = 0; at < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(at, at + 4);
    light += (0.21 * red + 0.72 * green + 0.07 * blue) * alpha;
    seen += alpha;
  }
  return light > 200 * seen;
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
      "1200.jpg": await preview(picture, width / height),
    },
  };
}

/** Buffers have no text of their own, so the picture comes as base64. */
const input = Buffer.from(await text(process.stdin), "base64");
const result = await processed(input).catch((error: unknown): RefusedPicture => ({ refused: String(error) }));
process.stdout.write(JSON.stringify(result));
