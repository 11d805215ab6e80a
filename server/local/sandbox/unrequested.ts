import type { AccountMessageStore } from '../../actions/ports/account-messages.ts'
import type { Clock } from '../../actions/ports/clock.ts'
import type { AccountMessage, Rail } from '../../actions/ports/rail.ts'
import { money, moneyFromWire } from '../../domain/money.ts'
import { Refusal } from '../../domain/refusal.ts'
import { available, type Pool } from '../../storage/pool.ts'
import { SIMULATED, simulatedName } from './simulator.ts'
import { operatorsPhones } from './phone.ts'

/** A provider of the sandbox that customers may pay without being asked. */
export interface PaidProvider {
  readonly code: string
  readonly name: string
  readonly currency: string
  /** Absent: its rail is simulated inside. */
  readonly rail_account: string | null
}

export const paidProviders = (pool: Pool): Promise<readonly PaidProvider[]> =>
  available(
    async () =>
      (await pool.query<PaidProvider>('select code, name, currency, rail_account from providers order by code')).rows,
  )

export interface UnaskedPayment {
  readonly provider: string
  readonly account: string
  readonly amount: string
  readonly reference: string
}

interface UnaskedDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly accountMessages: Pick<AccountMessageStore, 'receive'>
}

/**
 * A customer pays a simulated operator without being asked: it books the payment, and tells of it.
 * @returns its receipt, or why nothing is paid
 */
export async function payUnasked(
  { pool, clock, accountMessages }: UnaskedDeps,
  { provider: code, account, amount: typed, reference }: UnaskedPayment,
): Promise<{ readonly receipt: string } | { readonly fault: string }> {
  const provider = (await paidProviders(pool)).find((one) => one.code === code)
  if (!provider) return { fault: 'There is no such provider' }
  if (provider.rail_account !== null) {
    const phones = await operatorsPhones(pool, provider.rail_account)
    return { fault: phones ? `Its customers pay at their own phones: ${phones}` : 'Its operator is not simulated' }
  }
  const minor = minorOf(typed, provider.currency)
  if (minor === undefined) return { fault: `The amount must be one in ${provider.currency}, above zero` }
  if (!/^\d{5,20}$/.test(account)) return { fault: 'The payer is a number of 5 to 20 digits' }
  if (!/^[\x20-\x7e]{0,20}$/.test(reference)) return { fault: 'The reference has at most 20 letters, digits or signs' }
  const [now, { currency }] = [clock.now(), provider]
  const receipt = await available(async () => {
    const { rows } = await pool.query<{ reference: string }>(
      `insert into sandbox.orders (reference, account, amount_minor, currency, tries, accepted_at, transfers)
       values ('SIM' || upper(substr(md5(gen_random_uuid()::text), 1, 12)), $1, $2, $3, 1, $4, 1) returning reference`,
      [account, minor, currency, now],
    )
    return rows[0]?.reference ?? ''
  })
  const railAccount = simulatedName(code)
  const body = JSON.stringify({ receipt, account, minor: String(minor), currency, reference, paidAt: now })
  await accountMessages.receive({ railAccount, method: 'POST', body, isAcknowledged: true }, now)
  return { receipt }
}

const MINOR_MAX = 10n ** 12n

function minorOf(amount: string, currency: string): bigint | undefined {
  if (!/^\d{1,12}(\.\d{1,3})?$/.test(amount)) return undefined
  try {
    const { amountMinor } = moneyFromWire(amount, currency)
    return amountMinor > 0n && amountMinor <= MINOR_MAX ? amountMinor : undefined
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

type Readers = Required<Pick<Rail, 'readMessage' | 'confirmPayment'>>

/** How the simulated operators tell of such payments and confirm them; `others` are rail accounts. */
export const withUnasked = (pool: Pool, others: Readers): Readers => ({
  readMessage: (name, message) =>
    name.startsWith(SIMULATED) ? paymentIn(message.body) : others.readMessage(name, message),
  confirmPayment: (name, claim) =>
    name.startsWith(SIMULATED)
      ? available(async () => {
          const { rows } = await pool.query<{ amount_minor: bigint; currency: string }>(
            'select amount_minor, currency from sandbox.orders where reference = $1 and transfers > 0',
            [claim.receipt],
          )
          return rows[0] && { ...claim, amount: money(rows[0].amount_minor, rows[0].currency) }
        })
      : others.confirmPayment(name, claim),
})

function paymentIn(body: string): AccountMessage {
  const told = JSON.parse(body) as Readonly<
    Record<'receipt' | 'account' | 'minor' | 'currency' | 'reference' | 'paidAt', string>
  >
  const { receipt, account, minor, currency, reference, paidAt } = told
  const amount = money(BigInt(minor), currency)
  return {
    about: 'payment',
    payment: { receipt, amount, account, ...(reference && { reference }), paidAt: new Date(paidAt) },
    receiptName: 'receipt',
  }
}
