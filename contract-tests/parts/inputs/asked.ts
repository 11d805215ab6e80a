import { bankCollection, bankPayout, mobileCollection, mobilePayout } from '../../harness/bodies.ts'
import type { Fields } from '../../harness/json.ts'
import type { Act, Expected } from '../limits/act.ts'
import type { Post, Said } from '../limits/requests.ts'
import type { Scene } from '../limits/scene.ts'

export const REDIRECT_URL = 'https://shop.example/done'

/** Whole requests of each kind, each about a payment of its own. */
export const KINDS = {
  'a collection': (act: Act) =>
    mobileCollection({ merchant_reference: act.reference(), msisdn: act.phone(), amount: 1000 }),
  'a bank collection': (act: Act) =>
    bankCollection({ merchant_reference: act.reference(), amount: 5000, redirect_url: REDIRECT_URL }),
  'a payout': (act: Act) =>
    mobilePayout({ merchant_reference: act.reference(), account_number: act.phone(), amount: 1000 }),
  'a bank payout': (act: Act) =>
    bankPayout({ merchant_reference: act.reference(), account_number: `05${act.phone().slice(-8)}`, amount: 1000 }),
} as const
export type Kind = keyof typeof KINDS
export const KIND_NAMES = Object.keys(KINDS) as Kind[]
export const operationOf = (kind: Kind): Post => (kind.endsWith('collection') ? 'initializeCollection' : 'sendFunds')

export const TAKEN: Expected = { status: 202 }

/** One request with some fields changed, and what it must be answered. @param rule the same for the same wrong thing */
export async function holdBody(
  scene: Scene,
  kind: Kind,
  change: Fields | ((body: Fields) => unknown),
  rule: string,
  { expected = TAKEN, source }: { readonly expected?: Expected; readonly source: string },
): Promise<{ readonly act: Act; readonly reply: Said; readonly body: unknown; readonly isRight: boolean }> {
  const act = scene.act(`${kind}: ${rule}`)
  const whole = KINDS[kind](act)
  const body = typeof change === 'function' ? change(whole) : { ...whole, ...change }
  const operation = operationOf(kind)
  const reply = await act.post(operation, body)
  return { act, reply, body, isRight: act.expect(operation, reply, expected, rule, source) }
}
