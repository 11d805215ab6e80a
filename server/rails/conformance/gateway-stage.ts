import { withoutAudit } from '../../storage/audited-pool.ts'
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { divided } from '../settings.ts'
import { ACCOUNT_ADDRESS, newTokenKey, orderToken, type TokenKey } from '../../domain/callback-tokens.ts'
import { amountToWire } from '../../domain/money.ts'
import { present } from '../../domain/present.ts'
import { addRailAccount, type NewRailAccount } from '../../admin/queries/rail-accounts.ts'
import { leadProvider } from '../../admin/queries/providers.ts'
import type { Pool } from '../../storage/pool.ts'
import { claimBalancePoll, saveQuestion } from '../../storage/rail-balances.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { DEMO_KEYS, MASTER_KEY } from '../../verification/testing/gateway.ts'
import type { GatewayTest } from '../../verification/testing/gateway-test.ts'
import { collect, payOut, postJson, send, uniqueReference, verify } from '../../verification/testing/requests.ts'
import { operatorCallbackPath } from '../../http/operator-callbacks.ts'
import type { RailKind } from '../rail-kind.ts'
import type { BookedOrder, Counterpart, Lie, Verdict } from './counterpart.ts'
import { startHostileOperator, type HostileOperator, type Mood, type ForgedCallback } from './hostile-operator.ts'
import type { Closable } from './rail-stage.ts'
import { nextAccount, secretsOf, UNBOUNDED } from './wire-stage.ts'

/** A payment created through the merchant API. */
export interface Payment {
  readonly reference: string
  readonly account: string
}

/** The whole gateway with one rail account, and its operator. */
export interface GatewayStage {
  readonly counterpart: Counterpart
  readonly operator: HostileOperator
  readonly secrets: readonly string[]
  readonly clock: GatewayTest['clock']
  /** Creates a payment and submits it to the operator, which behaves by the given moods. */
  pay(...moods: readonly Mood[]): Promise<Payment>
  /** Creates a payment with other request fields, at an honest operator. */
  payWith(fields: object): Promise<Payment>
  runDue(): Promise<void>
  /** Runs the due jobs, advances the clock by `ms`, and runs the jobs that are due then. */
  after(ms: number): Promise<void>
  order(payment: Payment): BookedOrder
  /** The operator sends a callback about a payment, true or false, and the gateway processes it. */
  report(payment: Payment, verdict: Verdict, lie?: Lie): Promise<void>
  /**
   * Delivers a message to the gateway.
   * @returns the status of the gateway's reply
   */
  deliver(sent: ForgedCallback): Promise<number>
  recordOf(payment: Payment): Promise<Readonly<Record<string, unknown>>>
  statusOf(payment: Payment): Promise<unknown>
  /** How often the ledger has booked the payment. */
  bookings(payment: Payment): Promise<number>
  /** The callbacks that the merchant receives about it. */
  reportedToMerchant(payment: Payment): Promise<readonly string[]>
  /** The merchant gives all of a payment back. @returns the reference of the refund */
  giveBack(payment: Payment): Promise<string>
  /** A refund, how often it is booked, and what it still holds. */
  refund(reference: string): Promise<{ readonly status: string; readonly bookings: number; readonly heldMinor: bigint }>
  /** An address of the rail account itself. */
  accountUrl(tail: string): string
  /** The amounts on suspense for this receipt, one for each booking. */
  suspended(receipt: string): Promise<readonly bigint[]>
  /** How many messages to its own addresses are not read to their end. */
  waitingMessages(): Promise<number>
  /** The gateway has asked for balances, and this is the operator's id of the question. */
  askedBalances(question: string): Promise<void>
  /** The operator's balance that was last compared with ours. */
  comparedBalance(): Promise<bigint | undefined>
  /** The operator's ids of it, and ours. */
  namesOf(payment: Payment): Promise<Readonly<Record<string, string>>>
  /** Everything that the database stores of the messages about it, and its history. */
  keptOf(payment: Payment): Promise<string>
  /** Whether staff see that only a result or a manual decision can end it. */
  isOutcomeUnknown(payment: Payment): Promise<boolean>
}

/** The actual kind of a rail account's rail: tests substitute faulty ones. */
const KIND_SETTING = 'kit_kind'

/** The rail kinds of a gateway in which `openGatewayStage` creates rail accounts, including faulty ones. */
export function switchedKinds(kinds: readonly RailKind[]): {
  readonly railKinds: readonly RailKind[]
  /** @returns the setting that selects it for a rail account */
  install(kind: RailKind): Readonly<Record<string, string>>
} {
  const installed: RailKind[] = []
  return {
    railKinds: kinds.map((kind) => ({
      ...kind,
      connect: ({ [KIND_SETTING]: which, ...settings }, world) =>
        present(installed[Number(which)], 'a kind of rail').connect(settings, world),
    })),
    install: (kind) => ({ [KIND_SETTING]: String(installed.push(kind) - 1) }),
  }
}

let railAccounts = 0

export async function openGatewayStage(
  { gateway, clock, after }: Pick<GatewayTest, 'gateway' | 'clock' | 'after'>,
  counterpart: Counterpart,
  kind: RailKind,
  kindSetting: Readonly<Record<string, string>>,
): Promise<Closable<GatewayStage>> {
  const { providerCode } = counterpart
  const operator = await startHostileOperator(counterpart, clock)
  const given = { ...UNBOUNDED, ...counterpart.settings, ...kindSetting }
  const installed = { baseUrl: operator.url, ...divided(kind, given) }
  const installedAs = await install(gateway.pool, counterpart, kind, installed, clock.now())
  await gateway.refresh()
  const ofAccount = atRailAccount({ gateway, clock }, counterpart, installedAs)
  const [tail] = kind.accountTails ?? []
  if (tail !== undefined) operator.accountUrl = ofAccount.accountUrl(tail)

  async function accept(fields: object): Promise<Payment> {
    const payment = await accepted(gateway.url, counterpart, fields)
    await gateway.runDue()
    return payment
  }
  const deliver = async ({ url, received }: ForgedCallback): Promise<number> => {
    const path = new URL(url).pathname
    const headers = { 'content-type': 'application/json' }
    return (await send(gateway.url, received.method, path, { headers, body: received.body })).status
  }
  const order = ({ account }: Payment) => present(operator.orders(account)[0], 'the order at the operator')
  const recordOf = async ({ reference }: Payment) => (await verify(gateway.url, reference)).body.data

  return {
    counterpart,
    operator,
    secrets: secretsOf(kind, given),
    clock,
    pay(...moods) {
      if (moods.length > 0) operator.nextOrders(...moods)
      return accept({})
    },
    payWith: accept,
    runDue: () => gateway.runDue(),
    after,
    order,
    deliver,
    async report(payment, verdict, lie) {
      expect(await deliver(operator.callback(order(payment), verdict, lie))).toBe(200)
      await gateway.runDue()
    },
    recordOf,
    ...refundsAt(gateway),
    statusOf: async (payment) => (await recordOf(payment))['transaction_status'],
    ...keptIn(gateway.pool),
    ...ofAccount,
    async close() {
      await forgetOpen(gateway.pool)
      await leadProvider(withoutAudit(gateway.pool), providerCode, undefined)
      await gateway.refresh()
      await operator.close()
    },
  }
}

/** Otherwise payments that one rule leaves open would be queried during the next ones. */
const forgetOpen = (pool: Pool) =>
  pool.query(`delete from jobs where kind in ('submitToRail', 'pollRail', 'resolveUnknownOutcome', 'readRailCallback')`)

/** Refunds as their merchant orders them. */
const refundsAt = ({
  url,
  pool,
  runDue,
}: Pick<GatewayTest['gateway'], 'url' | 'pool' | 'runDue'>): Pick<GatewayStage, 'giveBack' | 'refund'> => ({
  async giveBack({ reference }) {
    const body = { merchant_reference: uniqueReference(), collection_reference: reference, reason: 'returned' }
    const reply = await postJson(url, '/collections/refund', body, DEMO_KEYS)
    expect([reply.status, reply.body.message]).toEqual([202, expect.any(String)])
    await runDue()
    return body.merchant_reference
  },
  async refund(reference) {
    const { rows } = await pool.query<Awaited<ReturnType<GatewayStage['refund']>>>(
      `select t.status, (select count(*)::int from transfers r where r.transaction_id = t.id and r.kind = 'refund') as bookings,
         (select coalesce(sum(e.amount_minor), 0)::bigint from transfers r join entries e on e.transfer_id = r.id
            join accounts a on a.id = e.account_id
          where r.transaction_id = t.id and a.kind = 'collection_held') as "heldMinor"
       from transactions t where t.type = 'REFUND' and t.merchant_reference in ($1, $2)`,
      [reference, `refund:${reference}`],
    )
    return present(rows[0], 'the refund')
  },
})

interface InstalledAs {
  readonly name: string
  readonly callbackKey: TokenKey
}

/** What is about the rail account itself. */
const atRailAccount = (
  { gateway, clock }: Pick<GatewayTest, 'gateway' | 'clock'>,
  counterpart: Counterpart,
  { name, callbackKey }: InstalledAs,
): Pick<GatewayStage, 'accountUrl' | 'suspended' | 'waitingMessages' | 'askedBalances' | 'comparedBalance'> => ({
  accountUrl(tail) {
    const token = orderToken({ keys: [callbackKey] }, { railAccount: name, orderId: ACCOUNT_ADDRESS }, clock.now())
    return `${gateway.url}${operatorCallbackPath(name, token ?? '', ACCOUNT_ADDRESS, tail)}`
  },
  async suspended(receipt) {
    const { rows } = await gateway.pool.query<{ suspense_minor: bigint }>(
      `select e.suspense_minor from reconciliation_exceptions e join statement_lines l on l.id = e.line_id
       where l.rail_account = $1 and l.reference = $2`,
      [name, receipt],
    )
    return rows.map(({ suspense_minor }) => suspense_minor)
  },
  async waitingMessages() {
    const { rowCount } = await gateway.pool.query(
      'select from account_messages where rail_account = $1 and sealed_body is not null',
      [name],
    )
    return rowCount ?? 0
  },
  async askedBalances(question) {
    await claimBalancePoll(gateway.pool, name, counterpart.currency, clock.now(), {
      everyMs: 1,
      waitedForMs: 1,
    })
    const asked = { ledgerMinor: 0n, openInMinor: 0n, openOutMinor: 0n, handedMinor: 0n }
    await saveQuestion(gateway.pool, name, question, asked, clock.now())
  },
  async comparedBalance() {
    const { rows } = await gateway.pool.query<{ operator_minor: bigint | null }>(
      'select operator_minor from rail_balances where rail_account = $1',
      [name],
    )
    return rows[0]?.operator_minor ?? undefined
  },
})

/** Creates another rail account, and routes its provider to it from now on. */
async function install(
  pool: Pool,
  { providerCode, currency }: Counterpart,
  { name: rail }: RailKind,
  given: Pick<NewRailAccount, 'baseUrl' | 'settings' | 'secrets'>,
  now: Date,
): Promise<InstalledAs> {
  const name = `kit-${(railAccounts += 1)}`
  const random = { bytes: (size: number) => randomBytes(size) }
  const box = createSecretBox(MASTER_KEY, random)
  const callbackKey = newTokenKey(random)
  await addRailAccount(
    withoutAudit(pool),
    box,
    { name, rail, environment: 'trial', currency, callbackKey, ...given },
    now,
  )
  await leadProvider(withoutAudit(pool), providerCode, name)
  return { name, callbackKey }
}

const MOVED: ReadonlySet<string> = new Set(['collection', 'payout', 'payout_late'])

/** Creates a payment through the merchant API; the gateway accepts it. */
async function accepted(gatewayUrl: string, counterpart: Counterpart, fields: object): Promise<Payment> {
  const { type, providerCode, currency, amounts, bankCode } = counterpart
  const amount = amountToWire(present(amounts[0], 'an amount').amountMinor, currency)
  const payment = { reference: uniqueReference(), account: nextAccount(counterpart) }
  const { reference, account } = payment
  const common = { merchant_reference: reference, provider_code: providerCode, currency, amount, ...fields }
  const { status, body } =
    type === 'COLLECTION'
      ? await collect(gatewayUrl, { ...common, msisdn: account })
      : await payOut(gatewayUrl, {
          ...common,
          account_number: account,
          ...(bankCode !== undefined && { transaction_method: 'BANK', extra_params: { bank_code: bankCode } }),
        })
  expect([status, body.message]).toEqual([202, expect.any(String)])
  return payment
}

/** What the gateway's database stores of a payment. */
function keptIn(
  pool: Pool,
): Pick<GatewayStage, 'bookings' | 'reportedToMerchant' | 'namesOf' | 'keptOf' | 'isOutcomeUnknown'> {
  const select = async (columns: string, from: string, { reference }: Payment) => {
    const { rows } = await pool.query<{ text: string }>(
      `select ${columns} as text from transactions t join ${from} where t.merchant_reference = $1`,
      [reference],
    )
    return rows.map(({ text }) => text)
  }
  return {
    async bookings(payment) {
      const moves = await select('r.kind', 'transfers r on r.transaction_id = t.id', payment)
      return moves.filter((kind) => MOVED.has(kind)).length
    },
    reportedToMerchant: (payment) => select('c.event', 'callbacks c on c.transaction_id = t.id', payment),
    async namesOf(payment) {
      const rows = await select(`r.name || ' ' || r.reference`, 'rail_references r on r.transaction_id = t.id', payment)
      return Object.fromEntries(rows.map((row) => row.split(' ') as [string, string]))
    },
    async keptOf(payment) {
      const from = 'rail_references r on r.transaction_id = t.id'
      const said = await select('e::text', `${from} join operator_exchanges e on e.order_id = r.reference`, payment)
      const events = await select('e::text', 'transaction_events e on e.transaction_id = t.id', payment)
      return [...said, ...events].join('\n')
    },
    async isOutcomeUnknown(payment) {
      const kinds = await select('w.kind', 'jobs w on w.subject_id = t.id', payment)
      return kinds.includes('resolveUnknownOutcome')
    },
  }
}
