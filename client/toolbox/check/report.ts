import type { Painter } from '../paint.ts'
import type { Outcome, Verdict } from './judge.ts'

const MARKS = { ok: '✓', wrong: '✗', warning: '!', unseen: '?', left_out: '–' } as const satisfies Record<
  Verdict,
  string
>
const WORDS = {
  ok: 'right',
  wrong: 'wrong',
  warning: 'warnings',
  unseen: 'not to be seen',
  left_out: 'left out',
} as const satisfies Record<Verdict, string>
const GROUPS = { callback: 'Callbacks', handshake: 'Handshakes', redirect: 'Redirects' } as const

/** The report for people: what a correct receiver does, what this one did, why it matters. */
export function textReport(outcomes: readonly Outcome[], paint: Painter): string {
  const colour = {
    ok: paint.good,
    wrong: paint.bad,
    warning: paint.warn,
    unseen: paint.warn,
    left_out: paint.soft,
  } as const satisfies Record<Verdict, (text: string) => string>
  const lines = Object.entries(GROUPS).flatMap(([group, heading]) => {
    const rows = outcomes.filter(({ row }) => row.group === group)
    if (rows.length === 0) return []
    return [
      '',
      paint.strong(heading),
      ...rows.flatMap(({ row, verdict, did }) => [
        `${colour[verdict](`${MARKS[verdict]} ${row.title}`)} ${paint.soft(row.id)}`,
        `    a correct receiver  ${row.correct}`,
        `    this one            ${did}`,
        paint.soft(`    why                 ${row.why}`),
      ]),
    ]
  })
  return [...lines, '', totalsLine(outcomes)].join('\n').trimStart()
}

const countsOf = (outcomes: readonly Outcome[]): [Verdict, number][] =>
  (['ok', 'wrong', 'warning', 'unseen', 'left_out'] as const).map((verdict) => [
    verdict,
    outcomes.filter((outcome) => outcome.verdict === verdict).length,
  ])

/** `24 right, 2 wrong, 1 warnings`. */
export const totalsLine = (outcomes: readonly Outcome[]): string =>
  countsOf(outcomes)
    .filter(([verdict, count]) => count > 0 || verdict === 'ok' || verdict === 'wrong')
    .map(([verdict, count]) => `${count} ${WORDS[verdict]}`)
    .join(', ')

/** The report for programs. */
export const jsonReport = (outcomes: readonly Outcome[]): string =>
  JSON.stringify(
    {
      totals: Object.fromEntries(countsOf(outcomes)),
      rows: outcomes.map(({ row: { id, group, title, correct, why }, verdict, did }) => ({
        id,
        group,
        title,
        verdict,
        correct,
        did,
        why,
      })),
    },
    null,
    2,
  )

/** The report for CI servers: wrong rows are failures; what was not judged is skipped. */
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
  const told = xml(`A correct receiver ${correct}. This one: ${did}. Why it matters: ${why}`)
  if (verdict === 'wrong') return `${open}<failure message="${xml(did)}">${told}</failure></testcase>`
  if (verdict === 'unseen' || verdict === 'left_out') return `${open}<skipped message="${xml(did)}"/></testcase>`
  return `${open}${verdict === 'warning' ? `<system-out>${told}</system-out>` : ''}</testcase>`
}

/** XML 1.0 allows no control characters but these three, not even escaped. */
const xml = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD]/g, '�')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
