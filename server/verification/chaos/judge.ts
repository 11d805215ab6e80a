import { OPERATORS_BOOK } from '../testing/operators-book.ts'
import type { Booking } from './staff.ts'
import type { ChaosEnvironment } from './faults/fault.ts'
import { patiently } from './patience.ts'
import { railBookChecks, type Check } from './rail-book.ts'
import { tally, type StoredTransaction } from './tally.ts'

const EXPIRED_PAGES: Check = {
  // Its customer typed the OTP within two minutes.
  broken: 'payment pages that expired long before their time',
  sql: `select merchant_reference, created_at, final_at from transactions
        where status_message = 'Payment page expired'`,
}

interface FinalTransaction extends StoredTransaction {
  readonly type: string
  /** Final states reached according to its history, in order. */
  readonly settled: readonly string[]
  readonly moved: boolean
}

/** All sides of the story, and which processes have exited. */
interface JudgeInput extends Pick<ChaosEnvironment, 'pool' | 'load' | 'merchant' | 'staff'> {
  readonly fleet: Pick<ChaosEnvironment['fleet'], 'broken'>
}

/** All findings, in words; empty when nothing was lost, doubled, withheld or left hanging. */
export async function judge({ pool, load, merchant, staff, fleet }: JudgeInput): Promise<string[]> {
  const faults: string[] = []
  faults.push(
    ...grouped('a reply that no merchant should get, or none', load.complaints),
    ...grouped('a process that exited unexpectedly', fleet.broken),
  )
  const ended = await endedTransactions(pool)
  faults.push(...acknowledgedFaults(load.acknowledged, ended), ...reportedFaults(ended, merchant.received))
  faults.push(
    ...grouped(
      'a payout that left without the yes of the merchant',
      ended
        .filter(
          ({ type, moved, merchant_reference }) =>
            type === 'PAYOUT' && moved && !merchant.confirmed.has(merchant_reference),
        )
        .map(({ merchant_reference }) => merchant_reference),
    ),
  )
  for (const check of [...railBookChecks, EXPIRED_PAGES]) faults.push(...(await run(pool, check)))
  faults.push(...(await bookingFaults(pool, staff.bookings)))
  return [...faults, ...(await doctorFaults(staff))]
}

async function run(pool: ChaosEnvironment['pool'], { broken, sql }: Check): Promise<string[]> {
  const { rows } = await patiently(() => pool.query(sql))
  return rows.length === 0 ? [] : [`${broken}: ${rows.length}, for example ${JSON.stringify(rows[0])}`]
}

/** A line for all findings of a kind; none when there are none. */
export const grouped = (what: string, found: readonly string[]): string[] =>
  found.length === 0 ? [] : [`${what}: ${found.length}, for example ${found[0]}`]

const endedTransactions = async (pool: ChaosEnvironment['pool']): Promise<readonly FinalTransaction[]> =>
  (
    await patiently(() =>
      pool.query<FinalTransaction>(
        `select t.merchant_reference, t.type, t.status, coalesce(o.transfers, 0) > 0 as moved,
     array(select split_part(e.detail, ':', 1) from transaction_events e
       where e.transaction_id = t.id and e.kind = 'settled' order by e.id) as settled
   from transactions t left join ${OPERATORS_BOOK} o on o.reference = t.internal_reference`,
      ),
    )
  ).rows

function acknowledgedFaults(acknowledged: ReadonlySet<string>, ended: readonly FinalTransaction[]): string[] {
  const { lost, doubled } = tally({ acknowledged, received: [], stored: ended })
  const hanging = ended.filter(
    ({ merchant_reference, status }) =>
      acknowledged.has(merchant_reference) && !['COMPLETED', 'FAILED'].includes(status),
  )
  return [
    ...grouped('lost: acknowledged, and there is no transaction', lost),
    ...grouped('doubled: one acknowledgement, several transactions', doubled),
    ...grouped(
      'hanging: acknowledged, and without a final state',
      hanging.map(({ merchant_reference, type, status }) => `${merchant_reference} (${type}, ${status})`),
    ),
  ]
}

/** Each final state is reported under one webhook-id, and nothing else is. */
function reportedFaults(
  ended: readonly FinalTransaction[],
  reported: ChaosEnvironment['merchant']['received'],
): string[] {
  const found = { unreported: [] as string[], wrong: [] as string[], doubled: [] as string[] }
  for (const { merchant_reference, status, settled } of ended) {
    if (!['COMPLETED', 'FAILED', 'CANCELLED'].includes(status)) continue
    // Until it is completed late, a FAILED transaction counts as FAILED, whatever its history says.
    const reached = new Set([...settled.filter((each) => each === 'FAILED'), status])
    const received = reported.get(merchant_reference) ?? new Map<string, ReadonlySet<string>>()
    for (const each of reached) if (!received.has(each)) found.unreported.push(`${merchant_reference} (${each})`)
    for (const [each, ids] of received) {
      if (!reached.has(each)) found.wrong.push(`${merchant_reference} (reported ${each}, is ${status})`)
      if (ids.size > 1) found.doubled.push(`${merchant_reference} (${each})`)
    }
  }
  return [
    ...grouped('not reported: a final state whose callback never arrived', found.unreported),
    ...grouped('reported wrongly: a state that it never reached', found.wrong),
    ...grouped('reported twice, under several webhook-ids', found.doubled),
  ]
}

/** Whatever the command line reported as booked is booked, and nothing is booked twice. */
async function bookingFaults(pool: ChaosEnvironment['pool'], bookings: readonly Booking[]): Promise<string[]> {
  const { rows } = await patiently(() =>
    pool.query<{ note: string; times: number }>('select note, count(*)::int as times from transfer_notes group by 1'),
  )
  const times = new Map(rows.map((row) => [row.note, row.times]))
  const wrong = bookings.filter(({ note, done }) => (times.get(note) ?? 0) > 1 || (done && !times.has(note)))
  return grouped(
    'bookings by staff that were lost or doubled',
    wrong.map(({ note }) => note),
  )
}

/**
 * Findings of `malipo doctor`. A doctor that could not look says nothing about the books: the database was away at that
 * moment, and the doctor is run again.
 */
export async function doctorFaults({ malipo }: Pick<ChaosEnvironment['staff'], 'malipo'>): Promise<string[]> {
  const found = async (): Promise<string[]> => {
    const { code, out, err } = await malipo('doctor', '--full')
    if (code === 0) return []
    const ended = `doctor ended with ${code}: ${err.trim()}`
    if (!out.startsWith('{')) throw new Error(ended)
    const { checks } = JSON.parse(out) as {
      checks: readonly { name: string; ok: boolean; found: number; examples: readonly string[] }[]
    }
    const said = checks
      .filter(({ ok }) => !ok)
      .map(({ name, found, examples }) => `doctor, ${name}: ${found}, for example ${examples[0]}`)
    return said.length > 0 ? said : [ended]
  }
  return patiently(found).catch((error: Error) => [error.message])
}
