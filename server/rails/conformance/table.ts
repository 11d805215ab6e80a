import type { Rule } from './rule.ts'
import type { RuleResult, Subject } from './run-rule.ts'

const SIGNS = { kept: '✓', broken: '✗', left_out: '–' } as const
/** Terminals wrap lines that are longer than this. */
const NAME_MAX = 100

/** Renders rules by rails for people: a line for each rule, a letter for each rail, and why rules were skipped. */
export class ConformanceTable {
  readonly #subjects: readonly Subject[]
  readonly #title: (rules: number) => string
  readonly #results = new Map<string, RuleResult['result']>()
  readonly #reasons = new Map<string, number>()

  /** @param title what precedes the table */
  constructor(
    subjects: readonly Subject[],
    title = (rules: number) => `Rails, held against ${rules} rules (npm run test:rail):`,
  ) {
    this.#subjects = subjects
    this.#title = title
  }

  add({ name }: Rule, subject: Subject, result: RuleResult): void {
    this.#results.set(`${subject.name} ${name}`, result.result)
    if (result.result !== 'left_out') return
    const reason = `${subject.name}: ${result.reason}`
    this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1)
  }

  lines(rules: readonly Rule[]): readonly string[] {
    const letters = this.#subjects.map((_subject, index) => String.fromCharCode(65 + index))
    const counts = this.#subjects.map((subject) => {
      const kept = rules.filter(({ name }) => this.#results.get(`${subject.name} ${name}`) === 'kept').length
      return `${kept} of ${rules.length}`
    })
    return [
      this.#title(rules.length),
      '',
      ...this.#subjects.map(({ name }, index) => `  ${letters[index]}  ${name} (${counts[index]})`),
      '',
      `${''.padEnd(NAME_MAX)}  ${letters.join(' ')}`,
      ...rules.map(({ name }) => {
        const signs = this.#subjects.map((subject) => {
          const result = this.#results.get(`${subject.name} ${name}`)
          return result ? SIGNS[result] : ' '
        })
        return `${name.padEnd(NAME_MAX)}  ${signs.join(' ')}`
      }),
      '',
      '–  left out, because it has no meaning there:',
      ...[...this.#reasons].map(([reason, count]) => `   ${reason} (${count === 1 ? 'one rule' : `${count} rules`})`),
    ]
  }
}
