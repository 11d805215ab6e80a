import { setTimeout as sleep } from 'node:timers/promises'
import { exchange, type Outgoing, type Reply } from '../exchange.ts'
import { UsageError } from '../usage.ts'
import type { Effects } from './effects.ts'
import { judge, type Observation, type Outcome } from './judge.ts'
import type { Lab, Order, Row } from './row.ts'

/** Which rows are played, and how. */
export interface Plan {
  readonly rows: readonly Row[]
  /** One per group: where its messages go. */
  readonly labOf: (row: Row) => Lab
  readonly newOrder: (row: Row) => Order
  readonly effects: Effects | undefined
  /** Whether a payout under `newOrder`'s reference is known without being announced. */
  readonly knowsPayouts: boolean
  readonly timeoutMs: number
  readonly deadlineMs: number
}

const SLOW_MS = 3_000
/** Slow senders are there before the others come. */
const SLOW_LEAD_MS = 300
/** Receivers may answer first and work afterwards. */
const EFFECTS_WAIT_MS = 3_000
/** What is done twice may come a moment after what is done once. */
const EFFECTS_REST_MS = 400

/** Plays all rows, one after the other. @throws UsageError when nothing answers at all */
export async function runRows(plan: Plan): Promise<readonly Outcome[]> {
  const startedAt = performance.now()
  await plan.effects?.counts()
  const observations: (Observation | Outcome)[] = []
  for (const row of plan.rows) {
    const late = performance.now() - startedAt > plan.deadlineMs
    observations.push(late ? { row, verdict: 'left_out', did: 'the time was up' } : await play(row, plan))
  }
  const evidence = {
    counts:
      plan.effects &&
      (await settledCounts(
        plan.effects,
        observations.filter((one): one is Observation => 'replies' in one && one.row.fulfilled === 1 && one.isKnown),
      )),
    takesGoodEvents: observations.some(
      (one) =>
        'replies' in one &&
        one.row.id === 'good' &&
        judge(one, { counts: undefined, takesGoodEvents: true }).verdict === 'ok',
    ),
  }
  return observations.map((one) => ('replies' in one ? judge(one, evidence) : one))
}

async function play(row: Row, plan: Plan): Promise<Observation | Outcome> {
  const order = plan.newOrder(row)
  const isKnown = ((await plan.effects?.announce(order)) ?? false) || (row.group === 'handshake' && plan.knowsPayouts)
  if (row.needsKnownReference && !isKnown)
    return {
      row,
      verdict: 'left_out',
      did: `no payout is known here: ${row.group === 'handshake' ? 'give --known-reference, or ' : ''}let POST to --effects-url make one`,
    }
  const messages = row.messages(plan.labOf(row), order)
  const slow = messages.filter((message) => message.slow).map((message) => exchange(message, SLOW_MS))
  if (slow.length > 0) await sleep(SLOW_LEAD_MS)
  const replies = await sendAll(
    messages.filter((message) => !message.slow),
    row,
    plan.timeoutMs,
  )
  const absent = replies.find(({ kind }) => kind === 'absent')
  if (absent && 'why' in absent) throw new UsageError(`${plan.labOf(row).url.href}: ${absent.why}`)
  return { row, order, isKnown, replies, repliesToSlow: await Promise.all(slow) }
}

async function sendAll(messages: readonly Outgoing[], { together }: Row, timeoutMs: number): Promise<Reply[]> {
  if (together) return Promise.all(messages.map((message) => exchange(message, timeoutMs)))
  const replies: Reply[] = []
  for (const message of messages) replies.push(await exchange(message, timeoutMs))
  return replies
}

/** The counts when everything that is to come has come, or the time is up. */
async function settledCounts(effects: Effects, expected: readonly Observation[]): Promise<ReadonlyMap<string, number>> {
  const until = performance.now() + EFFECTS_WAIT_MS
  while (performance.now() < until) {
    const counts = await effects.counts()
    if (expected.every(({ order }) => counts.has(order.merchantReference))) break
    await sleep(200)
  }
  await sleep(EFFECTS_REST_MS)
  return effects.counts()
}
