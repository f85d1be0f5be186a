import { yaml } from '@codemirror/lang-yaml';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { basicSetup } from 'codemirror';
import { useEffect, useRef } from 'react';
import type { Issue } from '../../io/issue.ts';
import { useScenario, useStores, useStrings } from '../shared/index.ts';

/** More complaints than that help nobody and make the page slow. */
const MOST_SHOWN = 100;

/** The text of the scenario, with what is wrong marked in place. */
export function YamlEditor() {
  const strings = useStrings();
  const { scenario } = useStores();
  const box = useRef<HTMLDivElement | null>(null);
  const editor = useRef<EditorView | null>(null);
  const text = useScenario((state) => state.history.present.text);
  const issues = useScenario((state) => state.read.issues);

  useEffect(() => {
    if (box.current === null) return;
    const view = new EditorView({
      parent: box.current,
      state: EditorState.create({
        doc: scenario.getState().history.present.text,
        extensions: [
          basicSetup,
          yaml(),
          lintGutter(),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': strings.editorLabel }),
          EditorView.updateListener.of((update) => {
            const typed = update.state.doc.toString();
            if (update.docChanged && typed !== scenario.getState().history.present.text)
              scenario.getState().setText(typed);
          }),
        ],
      }),
    });
    view.scrollDOM.tabIndex = 0; // a region that scrolls must be reachable by keyboard
    editor.current = view;
    return () => view.destroy();
  }, [scenario, strings]);

  useEffect(() => {
    const view = editor.current;
    if (view === null) return;
    if (view.state.doc.toString() !== text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    }
    view.dispatch(
      setDiagnostics(
        view.state,
        issues.slice(0, MOST_SHOWN).map((issue) => diagnosticOf(view.state, issue)),
      ),
    );
  }, [text, issues]);

  return (
    <div className="yaml">
      <div ref={box} className="yaml-editor" />
      <IssueList goTo={(issue) => showIssue(editor.current, issue)} />
    </div>
  );
}

/** Every complaint below the text, with its place; a click goes there. */
function IssueList({ goTo }: { readonly goTo: (issue: Issue) => void }) {
  const strings = useStrings();
  const { issues, used, ignored } = useScenario((state) => state.read);
  return (
    <div className="issues">
      <ul aria-label={strings.issue.error}>
        {issues.slice(0, MOST_SHOWN).map((issue) => (
          <li key={`${issue.line}:${issue.column}:${issue.message}`} className={issue.severity}>
            <button type="button" onClick={() => goTo(issue)}>
              <b>
                {strings.issue[issue.severity]}: {issue.message}
              </b>
              <span>
                {strings.at(issue.line, issue.column)}
                {issue.remedy === null ? '' : `. ${issue.remedy}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {issues.length > MOST_SHOWN && <p className="padded">{strings.moreIssues(issues.length - MOST_SHOWN)}</p>}
      <p className="quiet padded">
        {strings.used(used.length)} · {strings.ignored(ignored.length)}
      </p>
    </div>
  );
}

/** Lines and columns count from 1; places beyond the text end at its end. */
function offsetOf({ doc }: EditorState, line: number, column: number): number {
  if (line > doc.lines) return doc.length;
  const { from, to } = doc.line(Math.max(1, line));
  return Math.min(to, from + Math.max(0, column - 1));
}

function diagnosticOf(state: EditorState, issue: Issue): Diagnostic {
  const from = offsetOf(state, issue.line, issue.column);
  const to = Math.max(from, offsetOf(state, issue.endLine, issue.endColumn));
  const severity = issue.severity === 'note' ? 'info' : issue.severity;
  return { from, to, severity, message: issue.remedy === null ? issue.message : `${issue.message}. ${issue.remedy}` };
}

function showIssue(view: EditorView | null, issue: Issue): void {
  if (view === null) return;
  const anchor = offsetOf(view.state, issue.line, issue.column);
  view.dispatch({ selection: { anchor }, scrollIntoView: true });
  view.focus();
}
