import { bankCollection, bankPayout, mobileCollection, mobilePayout } from '../../harness/bodies.ts'
import type { Fields } from '../../harness/json.ts'
import type { LimitsDriver, ExpectedReply } from '../limits/act.ts'
import type { Post, ApiReply } from '../limits/requests.ts'
import type { LimitsFixture } from '../limits/scene.ts'

export const REDIRECT_URL = 'https://shop.example/done'

/** Whole requests of each kind, each about a payment of its own. */
export const KINDS = {
  'a collection': (act: LimitsDriver) =>
    mobileCollection({ merchant_reference: act.reference(), msisdn: act.phone(), amount: 1000 }),
  'a bank collection': (act: LimitsDriver) =>
    bankCollection({ merchant_reference: act.reference(), amount: 5000, redirect_url: REDIRECT_URL }),
  'a payout': (act: LimitsDriver) =>
    mobilePayout({ merchant_reference: act.reference(), account_number: act.phone(), amount: 1000 }),
  'a bank payout': (act: LimitsDriver) =>
    bankPayout({ merchant_reference: act.reference(), account_number: `05${act.phone().slice(-8)}`, amount: 1000 }),
} as const
export type Kind = keyof typeof KINDS
export const KIND_NAMES = Object.keys(KINDS) as Kind[]
export const operationOf = (kind: Kind): Post => (kind.endsWith('collection') ? 'initializeCollection' : 'sendFunds')

export const TAKEN: ExpectedReply = { status: 202 }

/** One request with some fields changed, and what it must be answered. @param rule the same for the same wrong thing */
export async function holdBody(
  scene: LimitsFixture,
  kind: Kind,
  change: Fields | ((body: Fields) => unknown),
  rule: string,
  { expected = TAKEN, source }: { readonly expected?: ExpectedReply; readonly source: string },
): Promise<{
  readonly act: LimitsDriver
  readonly reply: ApiReply
  readonly body: unknown
  readonly isRight: boolean
}> {
  const act = scene.act(`${kind}: ${rule}`)
  const whole = KINDS[kind](act)
  const body = typeof change === 'function' ? change(whole) : { ...whole, ...change }
  const operation = operationOf(kind)
  const reply = await act.post(operation, body)
  return { act, reply, body, isRight: act.expect(operation, reply, expected, rule, source) }
}
