import { sameList } from '../../base/equal.ts';
import { memoizedWeakly } from '../../base/memoized.ts';
import type { Ref } from '../trace/ref.ts';
import type { ProxierContext } from './context.ts';
import { type Frontend, type FrontendInForce, rulesKey, type ServiceRules } from './rules.ts';

/** JSON of the rules; those that several nodes share have one text. Each backend is a piece. */
const textOf = memoizedWeakly(({ service, frontends }: ServiceRules): readonly string[] => [
  `{"service":${JSON.stringify(service)},"frontends":[`,
  ...frontends.flatMap(frontendPieces),
  ']}',
]);

function frontendPieces(one: Frontend, place: number): readonly string[] {
  const { frontend, kind, port, verdict, backends, ...others } = one;
  const head = JSON.stringify({ frontend, kind, port, verdict }).slice(0, -1);
  const tail = JSON.stringify(others).slice(1);
  const [first, ...more] = backends;
  return [
    `${place === 0 ? '' : ','}${head},"backends":[`,
    ...(first === undefined ? [] : [`"${first}"`, ...more.map((backend) => `,"${backend}"`)]),
    tail === '}' ? ']}' : `],${tail}`,
  ];
}

/** The rules of a node for one family, and how they came to be. */
export class RulesInForce {
  private readonly context: ProxierContext;
  private readonly byService = new Map<string, { readonly text: readonly string[]; readonly rules: ServiceRules }>();
  private readonly byFrontend = new Map<string, FrontendInForce>();

  constructor(context: ProxierContext) {
    this.context = context;
  }

  get(frontend: string): FrontendInForce | null {
    return this.byFrontend.get(frontend) ?? null;
  }

  /** Services that have rules. */
  services(): Iterable<string> {
    return this.byService.keys();
  }

  /** A sync put these rules in force. What is as before leaves no trace. */
  apply(all: readonly ServiceRules[], sync: Ref): void {
    const changed = all.flatMap((rules) => {
      const text = textOf(rules);
      const before = this.byService.get(rules.service);
      const isNothing = before === undefined && rules.frontends.length === 0;
      return isNothing || (before && sameList(before.text, text))
        ? []
        : [{ rules, text, before: before?.rules.frontends ?? [] }];
    });
    for (const { before } of changed) for (const { frontend } of before) this.byFrontend.delete(frontend);
    for (const { rules, text } of changed) {
      for (const one of rules.frontends) this.byFrontend.set(one.frontend, { rules: one, ref: sync });
      if (rules.frontends.length > 0) this.byService.set(rules.service, { text, rules });
      else this.byService.delete(rules.service);
      this.write(rules.service, text, sync);
    }
  }

  private write(service: string, text: readonly string[], sync: Ref): void {
    const { cluster, input, family, familyName, subject } = this.context;
    const { trace, kernel } = cluster;
    const payload = { service, family: familyName, rules: -1 };
    const ref = trace.event('rulesChanged', kernel.now, subject, payload, [sync]);
    const object = trace.objectOf(rulesKey(input.name, family, service));
    trace.setVersion(ref, 'rules', trace.object(object, text, kernel.now, ref));
  }
}
