import type { Operation } from '../../../openapi/reading/contract.ts'
import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import { fieldsOf, isFields, type Fields } from '../../harness/json.ts'

/** A fault of a reply. */
export interface Fault {
  /** Equal for the same defect, wherever it shows. */
  readonly key: string
  readonly what: string
}

const BALANCES = ['available_balance', 'uncleared_balance', 'reserve_balance'] as const
/** Half of the smallest coin's value in any currency. */
const ROUNDING = 0.0005

/** Faults of a reply that its schema does not show. */
export function faultsBeyondSchemas(
  { keys }: Operation,
  request: WireRequest,
  { status, headers, body }: WireReply,
  reported: unknown,
): Fault[] {
  const repeated =
    status === 401
      ? keys.filter(({ header }) => request.headers[header]?.some((key) => key !== '' && body.includes(key)))
      : []
  const isReplay = headers['idempotency-replayed'] !== undefined && request.headers['idempotency-key'] === undefined
  const what = `a reply ${status} says Idempotency-Replayed, and the request had no Idempotency-Key`
  return [
    ...(isReplay ? [{ key: 'replay of nothing', what }] : []),
    // Unknown and wrong keys get the same reply, and replies may be logged.
    ...repeated.map(({ header }) => ({ key: 'key repeated', what: `a reply 401 repeats the ${header} that was sent` })),
    ...objectsIn(reported).flatMap(sumFaults),
  ]
}

/** A list contains only what was requested: items have the values of the query, where they name them. */
export function listFaults({ path }: WireRequest, { status }: WireReply, reported: unknown): Fault[] {
  if (status !== 200) return []
  const wanted = new URLSearchParams(path.split('?')[1])
  const items = Object.values(fieldsOf(fieldsOf(reported)['data'])).flatMap((list) =>
    Array.isArray(list) ? list.filter(isFields) : [],
  )
  return [...wanted].flatMap(([name, value]) => {
    // An empty parameter counts as absent: nothing was requested.
    if (value === '') return []
    const other = items
      .map((item) => item[name] ?? item[`transaction_${name}`])
      .filter((own) => typeof own === 'string')
      .find((own) => own.toUpperCase() !== value.toUpperCase())
    return other === undefined
      ? []
      : [{ key: `list ${name}`, what: `a list requested for ${name} ${value} has an item with ${other}` }]
  })
}

/** actual_balance is the sum of the others (the contract, schema Wallet). */
function sumFaults(wallet: Fields): Fault[] {
  const { actual_balance: actual } = wallet
  const parts = BALANCES.flatMap((name) => (typeof wallet[name] === 'number' ? [wallet[name]] : []))
  const sum = parts.reduce((one, other) => one + other, 0)
  if (typeof actual !== 'number' || parts.length < BALANCES.length || Math.abs(actual - sum) < ROUNDING) return []
  const what = `a wallet has the actual_balance ${actual}, but ${BALANCES.join(', ')} are ${parts.join(', ')}`
  return [{ key: 'balance sum', what }]
}

function objectsIn(value: unknown): Fields[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn)
  return isFields(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : []
}
