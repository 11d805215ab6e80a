import type { Clock } from '../../actions/ports/clock.ts'
import type { OrderType } from '../../domain/provider.ts'
import { available, inTransaction, type Pool } from '../../storage/pool.ts'
import { DECLINED } from './simulator.ts'

/** What a customer does with a prompt; at a payout, what the recipient's operator does. */
export const PHONE_DECISIONS = ['approve', 'decline'] as const
export type PhoneDecision = (typeof PHONE_DECISIONS)[number]

interface PhoneDeps {
  readonly pool: Pool
  readonly clock: Clock
}

/** An order that a simulated rail has accepted, and neither reported nor is about to report by $2. */
const waits = (reference: string): string => `
  select o.reference from sandbox.orders o where o.reference = ${reference} and o.accepted_at is not null
    and not exists (select from sandbox.reports r
      where r.reference = o.reference and (r.acknowledged_at is not null or r.due_at <= $2))`

/** Which of these payments wait for a phone, by our reference. The operators on the wire have phones of their own. */
export const waitingOnPhone = ({ pool, clock }: PhoneDeps, references: readonly string[]): Promise<Set<string>> =>
  available(async () => {
    const { rows } = await pool.query<{ reference: string }>(waits('any($1::text[])'), [references, clock.now()])
    return new Set(rows.map(({ reference }) => reference))
  })

/** Where the customer's phone is, for an order at an operator that the sandbox runs on the wire. */
export const operatorsPhones = (pool: Pool, railAccount: string): Promise<string | undefined> =>
  available(async () => {
    const { rows } = await pool.query<{ base_url: string }>(
      `select base_url from rail_accounts where name = $1 and name like 'sandbox-%' and environment = 'trial'`,
      [railAccount],
    )
    return rows[0] && `${rows[0].base_url}/phone`
  })

/**
 * Lets the customer of a simulated rail decide now. The rail reports it like every result: the payment ends a moment
 * later, in the way of all others.
 * @returns false when the payment waits for no phone (any more)
 */
export const decideOnPhone = (
  { pool, clock }: PhoneDeps,
  { internalReference, type }: { readonly internalReference: string; readonly type: OrderType },
  decision: PhoneDecision,
): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const values = [internalReference, clock.now()]
    // Locked before its reports are read: of two clicks one decides.
    const { rowCount } = await client.query(
      'select from sandbox.orders where reference = $1 and accepted_at is not null for update',
      [internalReference],
    )
    const isWaiting = rowCount !== 0 && (await client.query(waits('$1::text'), values)).rowCount !== 0
    if (!isWaiting) return false
    // What the test number would have done later: the customer is quicker.
    await client.query('delete from sandbox.reports where reference = $1', [internalReference])
    await client.query('update sandbox.orders set transfers = $2 where reference = $1', [
      internalReference,
      decision === 'approve' ? 1 : 0,
    ])
    const { reason, code } = decision === 'approve' ? { reason: null, code: null } : DECLINED[type]
    await client.query(
      'insert into sandbox.reports (reference, due_at, status, reason, code) values ($1, $2, $3, $4, $5)',
      [...values, decision === 'approve' ? 'COMPLETED' : 'FAILED', reason, code],
    )
    return true
  })
