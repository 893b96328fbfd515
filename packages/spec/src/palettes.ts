import * as z from "zod";
import { access } from "./access.js";
import { extensionRead, operation, type OperationTable } from "./operation.js";

const palette = z
  .object({
    id: z.string().meta({ description: "Id of the palette, to be sent as `palette_id`.", example: "2" }),
    name: z.string().meta({ description: "Name of the palette.", example: "Okabe-Ito" }),
    colors: z.array(z.string().regex(/^#[0-9a-f]{6}$/)).meta({
      description: "Its 8 to 20 colours: `color_id` of an event counts them from 1.",
      example: ["#000000", "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7"],
    }),
  })
  .meta({ id: "Palette", description: "A palette: the colours that the events of a calendar can have." });

export const paletteOperations = {
  palettesList: operation({
    ...extensionRead,
    tag: "Calendars",
    section: "time-zones-and-palettes",
    access: access.anyone,
    path: "/api/kalends/v1/palettes/list/",
    summary: "List palettes",
    returns: "All palettes.",
    description: "Returns the palettes that a calendar can have, with their colours.",
    params: z.object({}),
    payload: z.object({ palettes: z.array(palette).meta({ description: "All palettes, by their ids." }) }),
    errors: [],
  }),
} satisfies OperationTable;
