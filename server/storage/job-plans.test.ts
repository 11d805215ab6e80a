import { expect, test } from 'vitest'
import type { DeliveryRecord, DueCallback } from '../actions/ports/callbacks.ts'
import type { Claim, Job } from '../actions/ports/jobs.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { createCallbackStore } from './callbacks.ts'
import { createLookups } from './lookups.ts'
import type { Pool } from './pool.ts'
import { createJobStore, jobStatements } from './jobs.ts'

// A gateway keeps the plans that it made on its first day, and replans whenever PostgreSQL has analyzed the table.
// Whatever the statistics say at that time, jobs with known subjects must be found by their subject and by no other
// index. Seen in the past: 367,000 rows scanned to lock 500, because an index that begins with the kind seemed to cost
// the same. Not tested here: a table that a vacuum has found empty. It gets a sequential scan, once for each statement,
// until the next analyze a minute later.

const { pool } = await databaseTest()
const NOW = new Date(Date.UTC(2026, 2, 1))

interface PlannedQuery {
  readonly name?: string
  readonly text: string
}

/** Collects the named statements about jobs that these calls send; every query returns no rows. */
async function statementsOf(runQuery: (received: Pool) => Promise<unknown>): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  const query = async (queried: string | PlannedQuery) => {
    if (typeof queried !== 'string' && queried.name !== undefined && /\bjobs w\b/.test(queried.text))
      texts.set(queried.name, queried.text)
    return { rows: [], command: 'COMMIT' }
  }
  await runQuery({ query, connect: async () => ({ query, release: () => undefined }) } as unknown as Pool)
  return texts
}

const ITEM: Job = { id: 1n, kind: 'deliverCallback', subjectId: 1n, attempt: 1, token: '0', failures: 0 }
const CLAIM: Claim = { token: '0', now: NOW, leaseUntil: NOW }
const CALLBACK = { id: 1n, attempts: 0 } as DueCallback
const DELIVERY: DeliveryRecord = {
  item: ITEM,
  callback: CALLBACK,
  attempt: { at: NOW, url: 'https://shop.example/', durationMs: 1 },
  next: { step: 'delivered' },
}

const texts = await statementsOf(async (received) => {
  const queue = createJobStore(received)
  await queue.claim('pollRail', CLAIM, 64)
  await queue.claim('pollRail', CLAIM, 64, { railAccounts: [], providers: [] })
  await queue.claim('readRailCallback', CLAIM, 64, { railAccounts: [], providers: [] })
  await queue.claimFairly('deliverCallback', CLAIM, 64, { of: new Map(), each: 5 })
  await queue.claimFairly('verifyPayout', CLAIM, 64, { of: new Map(), each: 5 })
  await queue.renew([ITEM], NOW, NOW)
  await queue.release([ITEM], NOW)
  await queue.quarantine(ITEM, NOW, 'why')
  const unit = jobStatements(received)
  await unit.holdJobs([ITEM])
  await unit.finishJobs([ITEM])
  await unit.replaceJobs([ITEM], 'pollRail', NOW)
  await unit.rescheduleJobs([{ item: ITEM, dueAt: NOW }])
  await unit.finishPaymentJobs([1n])
  const callbacks = createCallbackStore(received)
  await callbacks.withhold(ITEM, CALLBACK, NOW)
  await callbacks.record(DELIVERY)
  const lookups = createLookups(received)
  await lookups.transactionByMerchantReference(1n, 'ORDER-1')
  await lookups.payment('MLP-1')
})

interface Node {
  readonly 'Relation Name'?: string
  readonly Alias?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Node[]
}

/** How the plan finds the rows with known subjects (`w` in all statements), for each time that it reads them. */
async function waysOf(text: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Node }] }>(
    `explain (generic_plan, format json) ${text}`,
  )
  const ways: string[] = []
  const walk = (node: Node, isOfSubjects: boolean): void => {
    const isHere = isOfSubjects || (node['Relation Name'] === 'jobs' && /^w(_\d+)?$/.test(node.Alias ?? ''))
    const isScan = node['Index Name'] !== undefined || (isHere && !node.Plans && node['Relation Name'] === 'jobs')
    const isWhole = node['Index Name'] !== undefined && node['Index Cond'] === undefined
    if (isHere && isScan) ways.push(isWhole ? 'a whole index' : (node['Index Name'] ?? 'the whole table'))
    // The index of a bitmap heap scan is a node below it; below a modifying node, reads are nodes of their own.
    for (const below of node.Plans ?? []) walk(below, isHere && below['Relation Name'] === undefined && !below.Plans)
  }
  walk(rows[0]!['QUERY PLAN'][0].Plan, false)
  return ways
}

const fill = (kinds: readonly string[], each: number) =>
  pool.query(
    `insert into jobs (kind, subject_id, due_at, destination)
     select kind, n, now() + n * interval '1 second', n % 7 || '/collection' from unnest($1::text[]) kind, generate_series(1, $2::int) n`,
    [kinds, each],
  )

const BELIEFS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['nothing yet', async () => undefined],
  ['that there is none', () => pool.query('vacuum analyze jobs')],
  [
    'that there is one of each kind',
    async () => {
      await fill(['submitToRail', 'pollRail', 'deliverCallback', 'expirePage'], 1)
      await pool.query('vacuum analyze jobs')
    },
  ],
  [
    'that there is little of some kinds',
    async () => {
      await fill(['resolveUnknownOutcome', 'verifyPayout', 'sendOtp'], 50)
      await pool.query('vacuum analyze jobs')
    },
  ],
  [
    'that 20,000 of one kind wait',
    async () => {
      await pool.query('truncate jobs')
      await fill(['deliverCallback'], 20_000)
      await pool.query('vacuum analyze jobs')
    },
  ],
]

test.each(BELIEFS)('while PostgreSQL believes %s, it finds jobs by their subject', async (_belief, comeAbout) => {
  await comeAbout()
  expect([...texts.keys()].toSorted()).toEqual([
    'claim-fairly-deliverCallback',
    'claim-fairly-verifyPayout',
    'claim-jobs',
    'claim-jobs-excluding',
    'claim-messages-excluding',
    'finish-jobs',
    'finish-jobs-of-payments',
    'hold-jobs',
    'lock-deliveries',
    'payment',
    'payment-anywhere',
    'quarantine-job',
    'record-deliveries',
    'release-jobs',
    'renew-leases',
    'replace-jobs',
    'reschedule-jobs',
    'verify',
    'withhold-callbacks',
  ])
  for (const [name, text] of texts) {
    const ways = await waysOf(text)
    expect({ name, ways: new Set(ways) }).toEqual({ name, ways: new Set(['jobs_subject_id_kind_key']) })
  }
})
