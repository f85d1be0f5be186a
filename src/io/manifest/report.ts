import type { Complaint, Issue, Path, Range, Severity } from '../issue.ts';
import { pathText } from '../issue.ts';
import type { SourceDocument } from '../yaml/source.ts';

/** A value in a document: `path` leads from the document's root to it. */
export interface Spot {
  readonly doc: SourceDocument;
  readonly path: Path;
}

/** The spot `steps` further in. */
export const within = (spot: Spot, ...steps: Path): Spot => ({ doc: spot.doc, path: [...spot.path, ...steps] });
export const lineOf = (spot: Spot): number => spot.doc.locate(spot.path, 'key').line;
/** The first sign of the text, for what is about the text as a whole. */
export const TEXT_START: Range = { line: 1, column: 1, endLine: 1, endColumn: 2 };

/** Collects issues, so that all are told at once. */
export class Report {
  readonly issues: Issue[] = [];

  add(
    severity: Severity,
    spot: Spot,
    complaint: Complaint,
    more: { at?: 'key' | 'value'; setting?: string | null } = {},
  ): void {
    const range = spot.doc.locate(spot.path, more.at ?? 'value');
    this.issues.push({ severity, ...range, path: pathText(spot.path), setting: more.setting ?? null, ...complaint });
  }

  /** About the text as a whole. */
  addGeneral(severity: Severity, message: string, remedy: string): void {
    this.issues.push({ severity, ...TEXT_START, path: '', setting: null, message, remedy });
  }
}
