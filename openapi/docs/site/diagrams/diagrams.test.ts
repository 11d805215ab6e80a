import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CALLBACK_RETRY_MS } from '../../../../server/domain/callback.ts'
import {
  endPending,
  handToRail,
  LATE_RESULT_WINDOW_MS,
  settle,
  type Transaction,
  type TransactionStatus,
} from '../../../../server/domain/transaction.ts'
import { bundleUrl, parseDocument } from '../../../reading/contract.ts'
import { figureFor } from './figure.ts'
import { scheduleLines } from './schedule.ts'

/** Every diagram of the guides: its fence, and its lines. */
const { info, tags = [] } = parseDocument(readFileSync(bundleUrl, 'utf8'))
const fences = [...tags, info ?? {}].flatMap(({ description = '' }) =>
  [...description.matchAll(/^```(diagram .+)\n([^]*?)^```$/gm)].map(([, fence = '', text = '']) => ({ fence, text })),
)
const linesOf = (kind: string): string[] =>
  fences
    .find(({ fence }) => fence.startsWith(`diagram ${kind} `))
    ?.text.trim()
    .split('\n') ?? []

const STATUSES: readonly TransactionStatus[] = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED']
const NOW = new Date('2026-11-20T10:00:00Z')
const failure = { reason: 'No' }
/** The transitions that the domain allows from a state. */
function followers(status: TransactionStatus): TransactionStatus[] {
  const transaction = { status, type: 'COLLECTION', allowFinalStatusChange: true, finalAt: NOW } as Transaction
  const settled = ([{ status: 'COMPLETED' }, { status: 'FAILED', ...failure }] as const).map((outcome) =>
    settle(transaction, outcome, NOW),
  )
  const isPending = status === 'PENDING'
  const after = [
    ...settled.flatMap((settlement) => (settlement.effect === 'settled' ? [settlement.transaction] : [])),
    ...(isPending ? [handToRail(transaction, undefined)] : []),
    ...(isPending ? (['FAILED', 'CANCELLED'] as const).map((end) => endPending(transaction, end, failure, NOW)) : []),
  ]
  return after.map(({ status: next }) => next)
}

test('the drawn states and transitions are exactly those of the domain', () => {
  const ways = STATUSES.flatMap((from) => followers(from).map((to) => `${from} → ${to}`))
  const drawn = linesOf('states').map((line) => line.slice(0, line.indexOf(':')))
  expect(drawn.toSorted()).toEqual(ways.toSorted())
  expect(linesOf('states').find((line) => line.startsWith('FAILED → COMPLETED'))).toContain(
    `within ${LATE_RESULT_WINDOW_MS / 3_600_000} hours`,
  )
})

test('the drawn delays of a callback are those of the gateway', () => {
  expect(linesOf('schedule')).toEqual(scheduleLines(CALLBACK_RETRY_MS))
  const [fence = ''] = fences.filter((each) => each.fence.includes(' schedule ')).map((each) => each.fence)
  const svg = figureFor(fence, linesOf('schedule').join('\n')) ?? ''
  expect(svg.match(/<circle /g)).toHaveLength(CALLBACK_RETRY_MS.length + 1)
})

test('every diagram has a title, a description, and an equivalent list beside it', () => {
  const kinds = fences.map(({ fence }) => /^diagram (\w+)/.exec(fence)?.[1] ?? '')
  expect(Object.groupBy(kinds, (kind) => kind)).toMatchObject({
    states: { length: 1 },
    sequence: { length: 4 },
    schedule: { length: 1 },
  })
  for (const { fence, text } of fences) {
    const figure = figureFor(fence, text) ?? ''
    const [, title, about] = /aria-labelledby="(\S+) (\S+)"/.exec(figure) ?? []
    expect(figure).toContain(`role="img"`)
    expect(figure).toMatch(new RegExp(`<title id="${title}">.+?</title><desc id="${about}">.{40,}?</desc>`))
    expect(figure.match(/<li>/g)).toHaveLength(text.trim().split('\n').length)
    expect(figure).not.toMatch(/<script|style=|NaN|undefined/)
  }
})

test('the paths that a diagram names are in the contract', () => {
  const { paths = {} } = parseDocument(readFileSync(bundleUrl, 'utf8'))
  const named = fences.flatMap(({ text }) => [...text.matchAll(/POST (\/\S+)/g)].map(([, path = '']) => path))
  expect(named.length).toBeGreaterThan(2)
  expect(named.filter((path) => !(path in paths))).toEqual([])
})

test.each([
  ['diagram states X', 'PENDING → COMPLETED: at once', 'no place is drawn'],
  ['diagram pie X', 'a: b', 'no diagram of the kind pie'],
  ['diagram sequence X', 'nothing', 'after a colon'],
])('%s with "%s" is refused: %s', (fence, text, why) => expect(() => figureFor(fence, text)).toThrow(why))

test('ignores a fence that is not a diagram', () => expect(figureFor('ts', 'const a = 1')).toBeUndefined())
