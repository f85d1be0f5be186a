import { headline } from './en/headline.ts';
import { inspector } from './en/inspector.ts';
import { list } from './en/list.ts';
import { page } from './en/page.ts';
import { scenario } from './en/scenario.ts';
import { share } from './en/share.ts';
import { timeline } from './en/timeline.ts';
import { transport } from './en/transport.ts';
import { why } from './en/why.ts';

/** What the page says, in English: a file for each area. `Strings` is its shape; other languages have the same. */
export const en = {
  ...page,
  ...scenario,
  ...headline,
  ...timeline,
  ...transport,
  ...inspector,
  ...why,
  ...list,
  ...share,
};
export type Strings = typeof en;
