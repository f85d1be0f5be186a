import type { Severity } from '../../io/issue.ts';
import { useScenario, useStores, useStrings } from '../shared/index.ts';

const CHIP: Readonly<Record<Severity, string>> = { error: 'fail', warning: 'wait', note: 'out' };

/** How many of a kind there are; a click shows them in the text. */
export function IssueCount({ severity }: { readonly severity: Severity }) {
  const strings = useStrings();
  const { view } = useStores();
  const count = useScenario(({ read }) => read.issues.filter((issue) => issue.severity === severity).length);
  if (count === 0) return null;
  return (
    <button
      type="button"
      className={`chip ${CHIP[severity]}`}
      title={strings.showInText}
      onClick={() => view.setState({ editorOpen: true })}
    >
      {count === 1 ? strings.oneIssue[severity] : `${count} ${strings.issueCount[severity]}`}
    </button>
  );
}
