import type { Strings } from './en.ts';
import { headline } from './zh/headline.ts';
import { inspector } from './zh/inspector.ts';
import { list } from './zh/list.ts';
import { page } from './zh/page.ts';
import { scenario } from './zh/scenario.ts';
import { share } from './zh/share.ts';
import { timeline } from './zh/timeline.ts';
import { transport } from './zh/transport.ts';
import { why } from './zh/why.ts';

/** What the page says, in Chinese. Names of the API, fields and letters stay as they are. */
export const zh: Strings = {
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
