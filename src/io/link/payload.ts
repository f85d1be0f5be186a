import * as z from 'zod/mini';

/** What stands in a link, as JSON with short keys. Exactly one of `e`, `m`, `y`. */
export const payloadSchema = z
  .strictObject({
    /** Id of a built-in example, unchanged. */
    e: z.optional(z.string().check(z.maxLength(100))),
    /** Objects with their modelled fields only. */
    m: z.optional(z.array(z.record(z.string(), z.unknown())).check(z.maxLength(2_000))),
    /** The full text as typed. */
    y: z.optional(z.string()),
    /** Overrides: [path, value]. */
    o: z.optional(z.array(z.tuple([z.string().check(z.maxLength(800)), z.number()])).check(z.maxLength(5_000))),
    /** Playhead, whole µs. */
    p: z.optional(z.int()),
    /** Zoom window, whole µs. */
    w: z.optional(z.tuple([z.int(), z.int()]).check(z.refine(([from, to]) => to > from))),
    /** Language. */
    l: z.optional(z.enum(['en', 'zh'])),
  })
  .check(z.refine(({ e, m, y }) => [e, m, y].filter((source) => source !== undefined).length === 1));
export type Payload = z.output<typeof payloadSchema>;
