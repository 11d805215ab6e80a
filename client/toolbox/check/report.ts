import type { Painter } from '../paint.ts'
import { wrap } from '../wrap.ts'
import type { Outcome, Verdict } from './judge.ts'
import type { Row } from './row.ts'

const MARKS = { ok: '✓', wrong: '✗', warning: '!', unseen: '?', left_out: '–' } as const satisfies Record<
  Verdict,
  string
>
/** The verdicts, for people. */
export const WORDS = {
  ok: 'right',
  wrong: 'wrong',
  warning: 'warning',
  unseen: 'unseen',
  left_out: 'skipped',
} as const satisfies Record<Verdict, string>
const LABEL_COLUMNS = 20
const GROUPS = {
  callback: 'Callbacks',
  handshake: 'Handshakes',
  redirect: 'Redirects',
  gateway: 'Calls to Malipo',
} as const

/** The report for people, row by row: what a correct receiver does, what this one did, why it matters. */
export class TextReport {
  readonly #paint: Painter
  readonly #columns: number
  readonly #showsSent: boolean
  #group: Row['group'] | undefined

  /**
   * @param columns of the terminal; absent: lines are not wrapped
   * @param showsSent the messages of rows that are not right
   */
  constructor(paint: Painter, columns = Infinity, showsSent = false) {
    this.#paint = paint
    this.#columns = columns
    this.#showsSent = showsSent
  }

  /** The lines of a row, below the heading of its group. */
  judged(outcome: Outcome): readonly string[] {
    const { group } = outcome.row
    const heading =
      group === this.#group ? [] : [...(this.#group === undefined ? [] : ['']), this.#paint.strong(GROUPS[group])]
    this.#group = group
    return [...heading, ...this.#linesOf(outcome)]
  }

  /** A row whose verdict has changed. */
  corrected(outcome: Outcome): readonly string[] {
    return [this.#paint.soft(`Corrected later, a row above:`), ...this.#linesOf(outcome)]
  }

  /** Used when nothing more specific can be said. */
  waiting({ id }: Row, waitMs: number): readonly string[] {
    return [this.#paint.bad(`The receiver died on ${id}. Waiting up to ${waitMs / 1000} s for it to come back.`)]
  }

  /** Below all rows. */
  totals(outcomes: readonly Outcome[]): readonly string[] {
    const deaths = outcomes.filter(({ death }) => death).map(({ row }) => row.id)
    return [
      '',
      ...(deaths.length > 0 ? [this.#paint.bad(`It died on ${deaths.join(', ')}.`)] : []),
      totalsLine(outcomes),
    ]
  }

  #linesOf({ row, verdict, did, sent }: Outcome): readonly string[] {
    const colour = {
      ok: this.#paint.good,
      wrong: this.#paint.bad,
      warning: this.#paint.warn,
      unseen: this.#paint.warn,
      left_out: this.#paint.soft,
    } as const satisfies Record<Verdict, (text: string) => string>
    const reported = (label: string, text: string): string =>
      wrap(`    ${label.padEnd(LABEL_COLUMNS)}${text}`, this.#columns, ' '.repeat(4 + LABEL_COLUMNS))
    return [
      `${colour[verdict](`${MARKS[verdict]} ${row.title}`)} ${this.#paint.soft(row.id)}`,
      ...(this.#showsSent && verdict !== 'ok' ? sent.map((message) => reported('sent', message)) : []),
      reported('a correct receiver', row.correct),
      reported('this one', did),
      this.#paint.soft(reported('why', row.why)),
    ]
  }
}

/** How many outcomes have each verdict. */
export const countsOf = (outcomes: readonly Outcome[]): [Verdict, number][] =>
  (['ok', 'wrong', 'warning', 'unseen', 'left_out'] as const).map((verdict) => [
    verdict,
    outcomes.filter((outcome) => outcome.verdict === verdict).length,
  ])

/** `24 right, 2 wrong, 1 warning`. */
const totalsLine = (outcomes: readonly Outcome[]): string =>
  countsOf(outcomes)
    .filter(([verdict, count]) => count > 0 || verdict === 'ok' || verdict === 'wrong')
    .map(([verdict, count]) => `${count} ${WORDS[verdict]}${verdict === 'warning' && count !== 1 ? 's' : ''}`)
    .join(', ')

/** The report for programs. */
export const jsonReport = (outcomes: readonly Outcome[]): string =>
  JSON.stringify(
    {
      totals: Object.fromEntries(countsOf(outcomes)),
      died: outcomes.flatMap(({ row: { id }, death }) =>
        death ? [{ row: id, back_after_ms: death.backAfterMs ?? null }] : [],
      ),
      rows: outcomes.map(({ row: { id, group, title, correct, why }, verdict, did, sent }) => ({
        id,
        group,
        title,
        verdict,
        sent,
        correct,
        did,
        why,
      })),
    },
    null,
    2,
  )

/** The report for CI servers: wrong rows are failures; rows without a verdict are skipped. */
export function junitReport(outcomes: readonly Outcome[]): string {
  const groups = [...new Set(outcomes.map(({ row }) => row.group))]
  const suites = groups.map((group) => {
    const cases = outcomes.filter(({ row }) => row.group === group)
    const count = (...verdicts: Verdict[]) => cases.filter(({ verdict }) => verdicts.includes(verdict)).length
    return [
      `  <testsuite name="malipo-dev check: ${group}" tests="${cases.length}" failures="${count('wrong')}" skipped="${count('unseen', 'left_out')}">`,
      ...cases.map(testCase),
      '  </testsuite>',
    ].join('\n')
  })
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...suites, '</testsuites>', ''].join('\n')
}

function testCase({ row: { id, group, title, correct, why }, verdict, did }: Outcome): string {
  const open = `    <testcase classname="${group}" name="${xml(`${id}: ${title}`)}">`
  const reported = xml(`A correct receiver ${correct}. This one: ${did}. Why it matters: ${why}`)
  if (verdict === 'wrong') return `${open}<failure message="${xml(did)}">${reported}</failure></testcase>`
  if (verdict === 'unseen' || verdict === 'left_out') return `${open}<skipped message="${xml(did)}"/></testcase>`
  return `${open}${verdict === 'warning' ? `<system-out>${reported}</system-out>` : ''}</testcase>`
}

/** XML 1.0 allows no control characters but these three, not even escaped. */
const xml = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD]/g, '�')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
