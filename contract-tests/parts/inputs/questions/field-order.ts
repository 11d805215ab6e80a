import { without, type Fields } from '../../../harness/json.ts'
import type { PaymentKind } from './payment-kinds.ts'

const TAG = 'transaction_method'
const PROVIDER = 'provider_code'

/** Invalid by type, and invalid by value: other programs check one before the other. No field is a list. */
const OF_ANOTHER_TYPE = (): unknown => [1]
const TOO_LONG = (given: unknown): unknown => (typeof given === 'string' ? '·'.repeat(5_000) : [1])

const missing = (body: Fields, names: readonly string[]): Fields => names.reduce<Fields>(without, body)
const wrong = (body: Fields, names: readonly string[], how: (given: unknown) => unknown): Fields => ({
  ...body,
  ...Object.fromEntries(names.map((name) => [name, how(body[name])])),
})

/**
 * Bodies with several faults. Missing fields are reported before wrong ones, both in the order of declaration, and
 * unknown fields last (page "Errors"): the rule "messages" knows which is the first fault of each.
 */
export function bodiesOfSeveralFaults(kind: PaymentKind, body: Fields): ReadonlyMap<string, Fields> {
  const names = new Set(kind.fields.map(({ path: [name = ''] }) => name))
  const fields = [...names].filter((name) => name !== TAG)
  const required = kind.required.filter((name) => name !== TAG)
  const bodies = new Map<string, Fields>()
  for (const [index, name] of required.entries()) {
    const rest = required.slice(index)
    const before = fields.filter((field) => field !== name && !rest.includes(field))
    const rests = missing(body, [name])
    bodies.set(`without ${rest.join(', ')}`, missing(body, rest))
    bodies.set(`without ${name}, all before it of another type`, wrong(rests, before, OF_ANOTHER_TYPE))
    bodies.set(`without ${name}, all before it too long`, wrong(rests, before, TOO_LONG))
  }
  for (const [index, name] of fields.entries()) {
    // Written in reverse order: declaration order counts.
    const faults = { unknown_field: 1, ...wrong(body, fields.slice(index), OF_ANOTHER_TYPE) }
    bodies.set(
      `with a wrong ${fields.slice(index).join(', ')}`,
      Object.fromEntries(Object.entries(faults).toReversed()),
    )
    if (name !== PROVIDER)
      bodies.set(`with a wrong ${name}, at an unknown provider`, {
        ...wrong(body, [name], TOO_LONG),
        [PROVIDER]: 'mtn_xx',
      })
  }
  return bodies
}
