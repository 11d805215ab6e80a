import { present, type Size } from '../../harness/part.ts'
import {
  ACKNOWLEDGING,
  garbage,
  hang,
  OK,
  redirectTo,
  REFUSING,
  reset,
  retryAfter,
  status,
  STOPPING,
  type Reply,
} from './replies.ts'
import type { CustomerPlan, Outcome, Scenario } from './scenario.ts'
import { SCHEDULE_ATTEMPTS } from './schedule.ts'

export interface ScenarioOptions {
  readonly seed: number
  readonly size: Size
  /** Whether the clock can be moved: without, only first retries can be waited for. */
  readonly canWait: boolean
  /** Different at every run against the same server: part of the phone numbers. */
  readonly run: number
}

export const SANDBOX_OTP = 123_456
export const WRONG_OTP = 654_321
export const REDIRECT_URL = 'https://shop.example/done?order=7&note=a%20b'

const MINUTE_MS = 60_000
const COMPLETED: Outcome = { status: 'COMPLETED' }
const failed = (message: string): Outcome => ({ status: 'FAILED', message })
const CANCELLED: Outcome = { status: 'CANCELLED' }

type Endings = Readonly<Record<string, readonly Outcome[]>>

/** The documented test numbers that end by themselves within seconds. */
const ENDINGS = {
  '001': [COMPLETED],
  '123': [COMPLETED],
  '871': [COMPLETED],
  '002': [failed('Insufficient balance on the customer account')],
  '456': [failed('Insufficient balance on the customer account')],
  '003': [failed('The request timed out without a transfer')],
  '004': [failed('The customer declined the request')],
  '008': [COMPLETED],
  '009': [COMPLETED],
} satisfies Endings
/** Of payouts: what failed there is the recipient's; 005 asks nobody for anything. */
const PAYOUT_ENDINGS = {
  ...ENDINGS,
  '002': [failed("The recipient's account cannot receive the amount")],
  '456': [failed("The recipient's account cannot receive the amount")],
  '004': [failed('The recipient declined the request')],
  '005': [COMPLETED],
} satisfies Endings
const QUICK = ['001', '002', '003', '004', '123'] as const

/** Every outcome once, and every reply of a merchant once (nightly: many times), to payments that the seed chooses. */
export function scenarios({ seed, size, canWait, run }: ScenarioOptions): readonly Scenario[] {
  const random = generator(seed)
  const pick = <Item>(items: readonly Item[]): Item =>
    present(items[Math.floor(random() * items.length)], 'item to pick')
  let counter = run * 1_000
  const number = (ending: string): string =>
    `2567${pick(['7', '8', '6'])}${String(counter++ % 10_000).padStart(4, '0')}${ending}`
  const amount = (): number => 500 + Math.floor(random() * 4_500)
  const usual = { handshakes: [OK], callbacks: [OK], finalAfterMs: 0 }

  function collection(
    name: string,
    ending: string,
    outcomes: readonly Outcome[],
    more: Partial<Scenario> = {},
    fields: Scenario['body'] = {},
  ): Scenario {
    const msisdn = number(ending)
    const body = {
      transaction_method: 'MOBILE_MONEY',
      provider_code: 'mtn_ug',
      msisdn,
      currency: 'UGX',
      amount: amount(),
      description: 'Two coffees please',
      charge_customer: random() < 0.5,
      ...fields,
    }
    return {
      ...usual,
      name: `collection ${name}`,
      operation: 'initializeCollection',
      body,
      account: msisdn,
      outcomes,
      ...more,
    }
  }
  const hosted = (
    name: string,
    ending: string,
    outcomes: readonly Outcome[],
    customer: CustomerPlan,
    more: Partial<Scenario> = {},
  ) =>
    collection(
      `on the page ${name}`,
      ending,
      outcomes,
      { customer, ...more },
      { mobile_money_hpp: true, redirect_url: REDIRECT_URL },
    )
  function bankCollection(
    name: string,
    ending: string,
    outcomes: readonly Outcome[],
    customer: CustomerPlan,
  ): Scenario {
    const body = {
      transaction_method: 'BANK',
      provider_code: 'bank_ng',
      currency: 'NGN',
      amount: 1_000 + amount(),
      description: 'School fees of March',
      redirect_url: REDIRECT_URL,
      customer_name: 'Amina Nakato',
    }
    return {
      ...usual,
      name: `bank collection ${name}`,
      operation: 'initializeCollection',
      body,
      account: `01${String(counter++ % 100_000).padStart(5, '0')}${ending}`,
      customer,
      outcomes,
    }
  }
  function payout(
    name: string,
    ending: string,
    outcomes: readonly Outcome[],
    more: Partial<Scenario> = {},
    fields: Scenario['body'] = {},
  ): Scenario {
    const account = number(ending)
    const body = {
      transaction_method: 'MOBILE_MONEY',
      provider_code: 'mtn_ug',
      account_number: account,
      currency: 'UGX',
      amount: amount(),
      customer_name: 'Amina Nakato',
      description: 'Refund of an order',
      ...fields,
    }
    return { ...usual, name: `payout ${name}`, operation: 'sendFunds', body, account, outcomes, ...more }
  }
  function bankPayout(ending: string, outcomes: readonly Outcome[]): Scenario {
    const account = `02${String(counter++ % 100_000).padStart(5, '0')}${ending}`
    return payout(
      `to a bank ${ending}`,
      ending,
      outcomes,
      { account },
      {
        transaction_method: 'BANK',
        provider_code: 'bank_ng',
        account_number: account,
        currency: 'NGN',
        amount: 1_000 + amount(),
        extra_params: { bank_code: 'access_bank_ng' },
      },
    )
  }
  const answered = (callbacks: readonly Reply[]): Scenario => {
    const ending = pick(QUICK)
    const [make, endings] = random() < 0.6 ? ([collection, ENDINGS] as const) : ([payout, PAYOUT_ENDINGS] as const)
    return make(
      `${ending}, callbacks answered ${callbacks.map(({ name }) => name).join(', then ')}`,
      ending,
      endings[ending],
      { callbacks },
    )
  }

  const outcomes = [
    ...Object.entries(ENDINGS).map(([ending, expected]) => collection(ending, ending, expected)),
    ...Object.entries(PAYOUT_ENDINGS).map(([ending, expected]) => payout(ending, ending, expected)),
    collection('005, authorized', '005', [COMPLETED], { customer: 'authorizes' }),
    collection('006', '006', []),
    collection('007', '007', [failed('The request timed out without a transfer'), COMPLETED]),
    collection(
      '007 that may not change',
      '007',
      [failed('The request timed out without a transfer')],
      {},
      { allow_final_status_change: false },
    ),
    bankPayout('001', [COMPLETED]),
    bankPayout('002', PAYOUT_ENDINGS['002']),
    hosted('001', '001', [COMPLETED], 'pays'),
    hosted('004', '004', ENDINGS['004'], 'pays'),
    hosted('005', '005', [COMPLETED], 'pays'),
    hosted('cancelled', '001', [CANCELLED], 'cancels'),
    hosted('005, wrong passwords', '005', [{ status: 'FAILED' }], 'guesses passwords'),
    bankCollection('001', '001', [COMPLETED], 'pays'),
    bankCollection('002', '002', ENDINGS['002'], 'pays'),
    bankCollection('cancelled', '001', [CANCELLED], 'cancels'),
    ...(canWait
      ? [
          collection('010', '010', [COMPLETED], { finalAfterMs: MINUTE_MS }),
          hosted('expired', '001', [failed('Payment page expired')], 'never comes', { finalAfterMs: 30 * MINUTE_MS }),
        ]
      : []),
  ]

  const rejecting = [400, 404, 410, 422].map((code) =>
    payout(
      `with a handshake answered ${code}`,
      '001',
      [failed(`Payout rejected by the merchant's verification URL (HTTP ${code})`)],
      { handshakes: [status(code)] },
    ),
  )
  const confirming = [status(201), status(204)]
  const again = [redirectTo(301), status(408), status(425), status(429), status(500), status(503), reset, garbage, hang]
  const handshakes = [
    ...rejecting,
    ...confirming.map((reply) =>
      payout(`with a handshake answered ${reply.name}`, '001', [COMPLETED], { handshakes: [reply] }),
    ),
    ...again.map((reply) =>
      payout(`with a handshake answered ${reply.name}, then 200`, '001', [COMPLETED], { handshakes: [reply, OK] }),
    ),
    ...(canWait
      ? [
          payout(
            'with a handshake never answered well',
            '001',
            [failed("The merchant's verification URL did not answer (HTTP 503)")],
            { handshakes: [status(500), reset, redirectTo(302), status(503)] },
          ),
          payout(
            'with a handshake never answered at the end',
            '001',
            [failed("The merchant's verification URL did not answer")],
            { handshakes: [status(500), status(429), status(503), reset] },
          ),
          payout('with a handshake answered at the last try', '001', [COMPLETED], {
            handshakes: [status(500), garbage, status(502), OK],
          }),
        ]
      : []),
  ]

  /** How often a reply comes to its turn, before the merchant acknowledges. */
  const more = (): readonly Reply[] =>
    canWait ? Array.from({ length: Math.floor(random() * 3) }, () => pick(REFUSING)) : []
  const rounds = size === 'nightly' ? 40 : 1
  const replies = Array.from({ length: rounds }, () => [
    ...ACKNOWLEDGING.map((reply) => answered([reply])),
    ...ACKNOWLEDGING.slice(0, 2).map((reply) => answered([pick(REFUSING), reply])),
    ...STOPPING.map((reply) => answered([...more(), reply])),
    ...REFUSING.map((reply) => answered([reply, ...more(), OK])),
    ...(canWait
      ? [
          answered([retryAfter(503, 3_600), OK]),
          answered(
            Array.from({ length: SCHEDULE_ATTEMPTS }, () =>
              pick(REFUSING.filter((reply) => !('headers' in reply && 'retry-after' in (reply.headers ?? {})))),
            ),
          ),
        ]
      : []),
  ]).flat()
  // Whatever the seed chose above: of each kind, one that a 410 stops.
  const stopped = [
    collection('001, stopped by HTTP 410', '001', [COMPLETED], { callbacks: [status(410)] }),
    payout('001, stopped by HTTP 410', '001', [COMPLETED], { callbacks: [status(410)] }),
  ]
  // It takes 15 seconds, whatever the clock shows.
  const patient = size === 'nightly' && canWait ? [answered([hang, OK])] : []
  return [...outcomes, ...handshakes, ...replies, ...stopped, ...patient]
}

/** mulberry32: the same numbers for the same seed, from 0 to 1. */
export function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
