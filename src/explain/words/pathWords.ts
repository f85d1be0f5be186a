/** What paths and the why card say, in one language. Loaded with them, not with the page. */
import type { Edit } from '../applyEdit.ts';
import type { PathPart } from '../hops.ts';
import type { LostRequest } from '../lostRequests.ts';
import type { TriedEdit, Wait } from '../shorten.ts';
import type { Link, Why } from '../why.ts';

export interface PathWords {
  /** `wait for probe`, `kept as fall-back`. */
  readonly hop: (hop: PathPart) => string;
  /** Of a part that is not over when the run ends: `still waiting for: PATCH`. */
  readonly unfinished: (hop: PathPart) => string;
  /** Of a part that was not over when the Pod left: `left while waiting for: PATCH`. */
  readonly leftBefore: (hop: PathPart) => string;
  /** One sentence: what the request met and why it was sent there. `pod`: the Pod's name. */
  readonly lost: (request: LostRequest, pod: string) => string;
  /** `Why is web-0 not a backend of web at 11.340 s?` */
  readonly question: (why: Why) => string;
  /** The answer as sentences: what is missing, and when it comes true. */
  readonly answer: (why: Why) => string;
  /** What a link is about: `Ready in the API`. */
  readonly link: (link: Link) => string;
  /** What it says in its own terms; '' for nothing. */
  readonly value: (link: Link) => string;
  /** `comes at 11.340 s`; '' for a link that holds. */
  readonly comes: (link: Link) => string;
  /** Heads the list of changes that were tried. */
  readonly shorten: (wait: Wait) => string;
  /** `readinessProbe.periodSeconds of app 10 s → 2 s`. */
  readonly edit: (edit: Edit) => string;
  /** `−6.000 s, a backend at 5.900 s`. */
  readonly gain: (tried: TriedEdit, wait: Wait) => string;
  /** What one pays for it: `30 probes a minute, was 6`. */
  readonly cost: (edit: Edit) => string;
}
