import { readContract, type Contract } from '../../../openapi/reading/contract.ts'
import { present } from '../../harness/part.ts'
import type { LimitsDriver } from '../limits/act.ts'
import { getRequest } from '../limits/requests.ts'
import type { LimitsFixture } from '../limits/scene.ts'
import { KIND_NAMES, KINDS, operationOf, type Kind } from './asked.ts'
import { inTurns } from './texts.ts'

const SOURCE =
  'docs, page "Errors": missing fields come before wrong ones, both in the order of declaration, and fields that do not exist come last'
/** Wrong by its type, and wrong by what it says: other programs look at one before the other. No field is a list. */
const WRONG: readonly ((given: unknown) => unknown)[] = [
  () => [1],
  (given) => (typeof given === 'string' ? '·'.repeat(5_000) : [1]),
]
const METHOD = 'transaction_method'
const PROVIDER = 'provider_code'

/** Of several faults in the fields the first is told. */
export async function fieldOrder(scene: LimitsFixture): Promise<void> {
  const contract = readContract(scene.target.contract)
  await inTurns(KIND_NAMES, (kind) => ofBody(scene, contract, kind))
  await ofQuery(scene)
  const act = scene.act('an authorization without fields')
  const said = await act.post('authorizeCollection', {})
  const first = { status: 400, message: 'internal_reference is required' }
  act.expect('authorizeCollection', said, first, 'order of missing fields', SOURCE)
}

async function ofBody(scene: LimitsFixture, contract: Contract, kind: Kind): Promise<void> {
  const operation = operationOf(kind)
  const { fields, required } = fieldsOf(contract, kind)
  const request = async (
    act: LimitsDriver,
    change: (body: Record<string, unknown>) => Record<string, unknown>,
    message: string | RegExp,
    rule: string,
  ): Promise<void> => {
    const reply = await act.post(operation, change({ ...KINDS[kind](act) }))
    act.expect(operation, reply, { status: 400, message }, rule, SOURCE)
  }
  const missing = (body: Record<string, unknown>, names: readonly string[]) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
  const wrong = (body: Record<string, unknown>, names: readonly string[], how = WRONG[0]) => ({
    ...body,
    ...Object.fromEntries(names.map((name) => [name, how?.(body[name])])),
  })
  for (const [index, name] of required.entries()) {
    const rest = required.slice(index)
    const act = scene.act(`${kind} without ${rest.join(', ')}`)
    await request(act, (body) => missing(body, rest), `${name} is required`, 'order of missing fields')
    // What is wrong before it is told after it.
    const before = fields.filter((field) => field !== name && !rest.includes(field))
    for (const how of WRONG) {
      const mixed = scene.act(`${kind} without ${name}, all before it wrong`)
      const change = (body: Record<string, unknown>) => wrong(missing(body, [name]), before, how)
      await request(mixed, change, `${name} is required`, 'missing before wrong')
    }
  }
  for (const [index, name] of fields.entries()) {
    const act = scene.act(`${kind} with a wrong ${fields.slice(index).join(', ')}`)
    const begins = new RegExp(`^${name} must `)
    // Written from the end to the beginning: what counts is the declaration.
    const backwards = (body: Record<string, unknown>) =>
      Object.fromEntries(Object.entries({ unknown_field: 1, ...wrong(body, fields.slice(index)) }).toReversed())
    await request(act, backwards, begins, 'order of wrong fields, unknown ones last')
    if (name === PROVIDER) continue
    const nobody = scene.act(`${kind} with a wrong ${name}, at a provider that nobody is`)
    const change = (body: Record<string, unknown>) => ({ ...wrong(body, [name], WRONG[1]), [PROVIDER]: 'mtn_xx' })
    await request(nobody, change, begins, 'wrong fields before an unknown provider')
  }
}

/** Names in the order of declaration; the discriminator is told first of all and left alone. */
function fieldsOf(contract: Contract, kind: Kind) {
  const { body } = present(
    contract.operations.find(({ id }) => id === operationOf(kind)),
    `operation of ${kind}`,
  )
  const { oneOf = [] } = contract.flat(present(body, `body of ${kind}`).schema)
  const branch = present(
    oneOf.map((each) => contract.flat(each)).find(({ properties = {} }) => isOf(contract, properties[METHOD], kind)),
    `schema of ${kind}`,
  )
  const but = (names: readonly string[]) => names.filter((name) => name !== METHOD)
  return { fields: but(Object.keys(branch.properties ?? {})), required: but(branch.required ?? []) }
}

const isOf = (contract: Contract, method: Parameters<Contract['flat']>[0] | undefined, kind: Kind): boolean =>
  method !== undefined && contract.flat(method).enum?.[0] === (kind.includes('bank') ? 'BANK' : 'MOBILE_MONEY')

async function ofQuery(scene: LimitsFixture): Promise<void> {
  const rows = [
    ['', 'currency is required'],
    ['?currency=&transaction_type=', 'currency is required'],
    ['?currency=UGX', 'transaction_type is required'],
    ['?transaction_type=nothing', 'currency is required'],
    ['?currency=ugx', 'transaction_type is required'],
    ['?transaction_type=nothing&currency=ugx', 'currency must be a 3-letter ISO 4217 code'],
    ['?transaction_type=nothing&currency=UGX', 'transaction_type must be one of COLLECTION, PAYOUT'],
  ] as const
  await inTurns(rows, async ([query, message]) => {
    const act = scene.act(`providers${query}`)
    const reply = await act.send(getRequest(scene.target, `/data/payment-providers${query}`))
    act.expect('listPaymentProviders', reply, { status: 400, message }, 'order of query parameters', SOURCE)
  })
}
