/** What `readScenario` has to say about a text, at a place. Lines and columns count from 1; the end is exclusive. */
export interface Issue {
  /** An error leaves no scenario; a warning changes what the timeline means; a note only informs. */
  readonly severity: Severity;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** Where in the document, such as `spec.template.spec.containers[0].livenessProbe.periodSeconds`; '' for the document itself. */
  readonly path: string;
  /** Path of the setting that the issue is about (see settings.ts), so that a slider can show it; null when there is none. */
  readonly setting: string | null;
  readonly message: string;
  /** What to do about it, as one sentence; null when nothing needs to be done. */
  readonly remedy: string | null;
}
export type Severity = 'error' | 'warning' | 'note';

/** A piece of the text. Counts as in Issue. */
export type Range = Pick<Issue, 'line' | 'column' | 'endLine' | 'endColumn'>;
/** Keys and indices from a document's root. */
export type Path = readonly (string | number)[];
/** Message and remedy before they have a place. */
export interface Complaint {
  readonly message: string;
  readonly remedy: string | null;
}

/** `spec.containers[0].name` */
export function pathText(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

/** First the errors, then by place. */
export function compareIssues(a: Issue, b: Issue): number {
  const rank = { error: 0, warning: 1, note: 2 } as const;
  return rank[a.severity] - rank[b.severity] || a.line - b.line || a.column - b.column;
}
