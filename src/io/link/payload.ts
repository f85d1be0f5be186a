import * as z from 'zod';

/** What stands in a link, as JSON with short keys. Exactly one of `e`, `m`, `y`. */
export const payloadSchema = z
  .strictObject({
    /** Id of a built-in example, unchanged. */
    e: z.string().max(100).optional(),
    /** Objects with their modelled fields only. */
    m: z.array(z.record(z.string(), z.unknown())).max(2_000).optional(),
    /** The full text as typed. */
    y: z.string().optional(),
    /** Overrides: [path, value]. */
    o: z
      .array(z.tuple([z.string().max(800), z.number()]))
      .max(5_000)
      .optional(),
    /** Playhead, whole µs. */
    p: z.int().optional(),
    /** Zoom window, whole µs. */
    w: z
      .tuple([z.int(), z.int()])
      .refine(([from, to]) => to > from)
      .optional(),
    /** Language. */
    l: z.enum(['en', 'zh']).optional(),
  })
  .refine(({ e, m, y }) => [e, m, y].filter((source) => source !== undefined).length === 1);
export type Payload = z.output<typeof payloadSchema>;
