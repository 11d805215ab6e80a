import type { Contract, Schema } from '../../../../openapi/reading/contract.ts'
import { changed } from '../../../../openapi/reading/changed.ts'
import { present } from '../../../harness/part.ts'
import { fieldsOf, type Fields } from '../../../harness/json.ts'
import type { Direction, Option } from '../../../driver/provider-options.ts'
import type { PostOperation } from '../../../driver/requests.ts'

/** One branch of the body of a payment's operation, as the contract declares it. */
export interface PaymentKind {
  readonly contract: Contract
  /** With its article: `a collection by mobile money`. */
  readonly name: string
  readonly operation: PostOperation
  readonly direction: Direction
  readonly method: string
  /** The whole body, all branches. */
  readonly declared: Schema
  /** This branch. */
  readonly schema: Schema
  readonly required: readonly string[]
  /** Every field that holds a value, in the order of declaration; those of nested objects too. */
  readonly fields: readonly FieldOfBody[]
  /** Holds what the contract says in words only: a payment page needs a `redirect_url`. */
  isPossible(body: unknown): boolean
}

export interface FieldOfBody {
  readonly path: readonly string[]
  readonly schema: Schema
  readonly isRequired: boolean
  /** Any value of the schema is accepted; otherwise it must also be one that the server knows. */
  readonly isFree: boolean
}

export const nameOf = ({ path }: Pick<FieldOfBody, 'path'>): string => path.join('.')

const DIRECTIONS = { initializeCollection: 'COLLECTION', sendFunds: 'PAYOUT' } as const
const NAMES: Readonly<Record<Direction, string>> = { COLLECTION: 'a collection', PAYOUT: 'a payout' }
const TAG = 'transaction_method'
const MOBILE_MONEY = 'MOBILE_MONEY'
/** Values that a provider, a bank or the merchant's own records limit further than the schema. */
const LIMITED: readonly string[] = [TAG, 'provider_code', 'currency', 'amount', 'merchant_reference']
const NUMBERS: readonly string[] = ['msisdn', 'account_number']
const BANK_CODE = 'bank_code'

/** All kinds of payments, by operation and method. */
export function paymentKinds(contract: Contract): readonly PaymentKind[] {
  return Object.entries(DIRECTIONS).flatMap(([id, direction]) => {
    const operation = present(
      contract.operations.find((each) => each.id === id),
      `operation ${id}`,
    )
    const declared = present(operation.body, `body of ${id}`).schema
    return (contract.flat(declared).oneOf ?? []).map((branch): PaymentKind => {
      const schema = contract.flat(branch)
      const method = String(contract.flat(present(schema.properties?.[TAG], TAG)).enum?.[0])
      const isMobile = method === MOBILE_MONEY
      const needsPage = (body: unknown): boolean =>
        direction === 'COLLECTION' && fieldsOf(body)['mobile_money_hpp'] === true
      return {
        contract,
        name: `${NAMES[direction]} by ${isMobile ? 'mobile money' : 'bank'}`,
        operation: id as PostOperation,
        direction,
        method,
        declared,
        schema,
        required: schema.required ?? [],
        fields: fieldsIn(contract, schema, isMobile),
        isPossible: (body) => !isMobile || !needsPage(body) || fieldsOf(body)['redirect_url'] !== undefined,
      }
    })
  })
}

function fieldsIn(
  contract: Contract,
  object: Schema,
  isMobile: boolean,
  above: Pick<FieldOfBody, 'path' | 'isRequired'> = { path: [], isRequired: true },
): FieldOfBody[] {
  return Object.entries(object.properties ?? {}).flatMap(([name, property]) => {
    const schema = contract.flat(property)
    const path = [...above.path, name]
    const isRequired = above.isRequired && object.required?.includes(name) === true
    if (schema.properties) return fieldsIn(contract, schema, isMobile, { path, isRequired })
    const isLimited =
      LIMITED.includes(name) || (isMobile && NUMBERS.includes(name)) || (name === BANK_CODE && isRequired)
    return [{ path, schema, isRequired, isFree: !isLimited }]
  })
}

/** The first valid value of a field: its example. */
export const exampleOf = ({ schema, path }: Pick<FieldOfBody, 'schema' | 'path'>): unknown =>
  present(schema.examples?.[0] ?? schema.enum?.[0], `example of ${path.join('.')}`)

/** All values of an optional field that are worth telling apart: each of a list, both of a boolean, one text. */
export const valuesOf = (field: FieldOfBody): readonly unknown[] =>
  field.schema.enum ?? (field.schema.type === 'boolean' ? [true, false] : [exampleOf(field)])

/** The required fields alone, at one provider; without those that make each payment another one. */
export function plainBody({ fields }: PaymentKind, { code, currency, min, banks }: Option, turn = 0): Fields {
  const known: Fields = {
    provider_code: code,
    currency,
    amount: min,
    ...(banks.length > 0 && { 'extra_params.bank_code': banks[turn % banks.length]?.code }),
  }
  const values = fields
    .filter(
      ({ path: [name = ''], isRequired }) => isRequired && name !== 'merchant_reference' && !NUMBERS.includes(name),
    )
    .map((field): [FieldOfBody, unknown] => [field, known[nameOf(field)] ?? exampleOf(field)])
  return fieldsOf(values.reduce<unknown>((body, [{ path }, value]) => changed(body, path, value), {}))
}
