import { readContract, type Contract } from '../../../openapi/reading/contract.ts'
import { present } from '../../harness/part.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'
import { getRequest } from '../../driver/requests.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { KIND_NAMES, KINDS, operationOf, type Kind } from './input-requests.ts'
import { inTurns } from './texts.ts'

const SOURCE =
  'docs, page "Errors": missing fields come before wrong ones, both in the order of declaration, and fields that do not exist come last'
/** Invalid by type, and invalid by value: other programs check one before the other. No field is a list. */
const WRONG: readonly ((given: unknown) => unknown)[] = [
  () => [1],
  (given) => (typeof given === 'string' ? '·'.repeat(5_000) : [1]),
]
const METHOD = 'transaction_method'
const PROVIDER = 'provider_code'

/** Of several invalid fields the first one is reported. */
export async function fieldOrder(fixture: DriverFixture): Promise<void> {
  const contract = readContract(fixture.target.contract)
  await inTurns(KIND_NAMES, (kind) => ofBody(fixture, contract, kind))
  await ofQuery(fixture)
  const driver = fixture.driver('an authorization without fields')
  const said = await driver.post('authorizeCollection', {})
  const first = { status: 400, message: 'internal_reference is required' }
  driver.expect('authorizeCollection', said, first, 'order of missing fields', SOURCE)
}

async function ofBody(fixture: DriverFixture, contract: Contract, kind: Kind): Promise<void> {
  const operation = operationOf(kind)
  const { fields, required } = fieldsOf(contract, kind)
  const request = async (
    driver: PaymentDriver,
    change: (body: Record<string, unknown>) => Record<string, unknown>,
    message: string | RegExp,
    rule: string,
  ): Promise<void> => {
    const reply = await driver.post(operation, change({ ...KINDS[kind](driver) }))
    driver.expect(operation, reply, { status: 400, message }, rule, SOURCE)
  }
  const missing = (body: Record<string, unknown>, names: readonly string[]) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
  const wrong = (body: Record<string, unknown>, names: readonly string[], how = WRONG[0]) => ({
    ...body,
    ...Object.fromEntries(names.map((name) => [name, how?.(body[name])])),
  })
  for (const [index, name] of required.entries()) {
    const rest = required.slice(index)
    const driver = fixture.driver(`${kind} without ${rest.join(', ')}`)
    await request(driver, (body) => missing(body, rest), `${name} is required`, 'order of missing fields')
    // An invalid field before it is reported later.
    const before = fields.filter((field) => field !== name && !rest.includes(field))
    for (const how of WRONG) {
      const mixed = fixture.driver(`${kind} without ${name}, all before it wrong`)
      const change = (body: Record<string, unknown>) => wrong(missing(body, [name]), before, how)
      await request(mixed, change, `${name} is required`, 'missing before wrong')
    }
  }
  for (const [index, name] of fields.entries()) {
    const driver = fixture.driver(`${kind} with a wrong ${fields.slice(index).join(', ')}`)
    const begins = new RegExp(`^${name} must `)
    // Written in reverse order: declaration order counts.
    const backwards = (body: Record<string, unknown>) =>
      Object.fromEntries(Object.entries({ unknown_field: 1, ...wrong(body, fields.slice(index)) }).toReversed())
    await request(driver, backwards, begins, 'order of wrong fields, unknown ones last')
    if (name === PROVIDER) continue
    const nobody = fixture.driver(`${kind} with a wrong ${name}, at an unknown provider`)
    const change = (body: Record<string, unknown>) => ({ ...wrong(body, [name], WRONG[1]), [PROVIDER]: 'mtn_xx' })
    await request(nobody, change, begins, 'wrong fields before an unknown provider')
  }
}

/** Names in declaration order; the discriminator is reported first of all and stays unchanged. */
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

async function ofQuery(fixture: DriverFixture): Promise<void> {
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
    const driver = fixture.driver(`providers${query}`)
    const reply = await driver.send(getRequest(fixture.target, `/data/payment-providers${query}`))
    driver.expect('listPaymentProviders', reply, { status: 400, message }, 'order of query parameters', SOURCE)
  })
}
