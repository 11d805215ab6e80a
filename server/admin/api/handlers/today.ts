import { amountText } from '../../../domain/money.ts'
import { present } from '../../../domain/present.ts'
import { success } from '../../../http/envelope.ts'
import { ownMerchant } from '../../operations/merchant-named.ts'
import { examineOnce } from '../../queries/shared-doctor.ts'
import { COUNTED_MAX, readAttention, readDays, type Day } from '../../queries/today.ts'
import type { AdminData, AdminHandlers } from '../handler.ts'
import { wire } from '../wire.ts'

type Today = AdminData<'showToday'>
type Counts = Day['counts']

const sum = (counts: Counts, of: (count: Counts[number]) => number): number =>
  counts.reduce((total, count) => total + of(count), 0)

const grouped = (counts: Counts, keyOf: (count: Counts[number]) => string): Counts[] =>
  Map.groupBy(counts, keyOf).values().toArray()

/** Payments of one type and currency, of all providers. */
function volumeOf(counts: Counts): Today['volumes'][number] {
  const { type, currency } = present(counts[0], 'a count of the group')
  const minor = counts.reduce((total, { completed_minor }) => total + completed_minor, 0n)
  return {
    transaction_type: type,
    currency,
    completed_amount: amountText(minor, currency),
    completed: sum(counts, ({ completed }) => completed),
    payments: sum(counts, ({ completed, failed, open }) => completed + failed + open),
  }
}

const outcomesOf = (counts: Counts) => ({
  completed: sum(counts, ({ completed }) => completed),
  failed: sum(counts, ({ failed }) => failed),
})

/** What people look at first. */
export const TODAY_HANDLERS = {
  async showToday({ context }) {
    const { pool, clock } = context
    const now = clock.now()
    const merchantId = ownMerchant(context)
    const date = now.toISOString().slice(0, 10)
    const days = await readDays(pool, merchantId, now)
    const today = days.find((day) => day.date === date)?.counts ?? []
    const attention = await readAttention(pool, merchantId, now)
    return success(date, {
      date,
      volumes: grouped(today, ({ type, currency }) => `${type} ${currency}`).map(volumeOf),
      days: days.map((day) => ({
        date: day.date,
        ...outcomesOf(day.counts),
        open: sum(day.counts, ({ open }) => open),
      })),
      providers: grouped(
        days.slice(-2).flatMap(({ counts }) => counts),
        ({ provider_code: code }) => code,
      ).map((counts) => ({
        provider_code: present(counts[0], 'a count of the group').provider_code,
        ...outcomesOf(counts),
      })),
      attention: Object.entries(attention)
        .filter(([, count]) => count > 0)
        .map(([kind, count]) => ({
          kind: kind as Today['attention'][number]['kind'],
          count: Math.min(count, COUNTED_MAX),
          is_more: count > COUNTED_MAX,
        })),
    })
  },
  async runDoctor({ context: { pool, clock } }) {
    const { findings, checkedAt, since, warnings } = await examineOnce(pool, clock.now())
    const clean = findings.every(({ found }) => found === 0)
    return success(
      clean ? 'Clean' : 'Not clean',
      wire<AdminData<'runDoctor'>>({
        clean,
        checked_at: checkedAt,
        since,
        checks: findings,
        warnings: warnings.map(({ text }) => text),
      }),
    )
  },
} satisfies Partial<AdminHandlers>
