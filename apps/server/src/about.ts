import { fileURLToPath } from "node:url";
import manifest from "../package.json" with { type: "json" };

export const { version } = manifest;

/** Where its source code is, such as https://github.com/kalends/kalends. */
export const sourceUrl = manifest.repository.url.replace(/^git\+|\.git$/g, "");

/** The file that lists the settings; every release has it. */
export const settingsFile = fileURLToPath(new URL("../.env.example", import.meta.url));
