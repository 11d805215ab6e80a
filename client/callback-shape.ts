import type { PayoutBatchHandshake } from '../generated/schema.d.ts'
import type { BatchEvent, CallbackEvent } from './contract-types.ts'
import { WebhookVerificationError } from './verification-error.ts'

type Payload<Type> = Extract<CallbackEvent['payload'], { transaction_type: Type }>
type TypeName<Value> = Value extends string
  ? 'string'
  : Value extends number
    ? 'number'
    : Value extends boolean
      ? 'boolean'
      : never
/** Every required field with the name of its type: this does not compile when the contract adds or changes a field. */
type Fields<Data> = { readonly [Key in keyof Data as undefined extends Data[Key] ? never : Key]-?: TypeName<Data[Key]> }

const common = {
  id: 'number',
  merchant_reference: 'string',
  internal_reference: 'string',
  request_currency: 'string',
  request_amount: 'number',
  transaction_amount: 'number',
  transaction_currency: 'string',
  transaction_account: 'string',
  provider_code: 'string',
  transaction_type: 'string',
  transaction_status: 'string',
  status_message: 'string',
} as const

const charged = { ...common, transaction_charge: 'number', charge_customer: 'boolean' } as const

const fields = {
  COLLECTION: { ...charged, total_credit: 'number' } satisfies Fields<Payload<'COLLECTION'>>,
  PAYOUT: { ...charged, total_debit: 'number', customer_name: 'string' } satisfies Fields<Payload<'PAYOUT'>>,
  REFUND: {
    ...common,
    collection_merchant_reference: 'string',
    collection_internal_reference: 'string',
    refund_method: 'string',
    charge_refunded: 'number',
    total_debit: 'number',
    reason: 'string',
  } satisfies Fields<Payload<'REFUND'>>,
} as const satisfies Record<CallbackEvent['payload']['transaction_type'], unknown>

type Status<Event, Type> = Extract<
  CallbackEvent,
  { event: Event; payload: { transaction_type: Type } }
>['payload']['transaction_status']

type TypeOf<Event> = Extract<CallbackEvent, { event: Event }>['payload']['transaction_type']

const statuses = {
  'transaction.completed': { COLLECTION: { COMPLETED: true }, PAYOUT: { COMPLETED: true } },
  'transaction.failed': { COLLECTION: { FAILED: true, CANCELLED: true }, PAYOUT: { FAILED: true } },
  'refund.completed': { REFUND: { COMPLETED: true } },
  'refund.failed': { REFUND: { FAILED: true } },
} as const satisfies {
  readonly [Event in CallbackEvent['event']]: {
    readonly [Type in TypeOf<Event>]: Readonly<Record<Status<Event, Type>, true>>
  }
}

/** Whether a value is the end of a batch of payouts. */
export const isBatchEvent = (value: unknown): value is BatchEvent => isAboutBatch(value, 'payout_batch.completed')

/** Whether a value asks about a batch of payouts. */
export const isBatchHandshake = (value: unknown): value is PayoutBatchHandshake =>
  isAboutBatch(value, 'payout_batch.verification')

const isAboutBatch = (value: unknown, event: string): boolean =>
  isRecord(value) &&
  value['event'] === event &&
  isRecord(value['payload']) &&
  typeof value['payload']['batch_reference'] === 'string' &&
  Array.isArray(value['payload']['totals'])

/**
 * Leaves fields that the contract does not know unchanged: it may grow.
 *
 * @param unknown the reason for an event, or a type of transaction, that this version does not know
 * @throws WebhookVerificationError `malformed` unless the value has the shape of a callback
 */
export function assertCallback(
  value: unknown,
  unknown: 'unknown_event' | 'malformed' = 'unknown_event',
): asserts value is CallbackEvent {
  const fault = faultIn(value)
  if (fault === undefined) return
  throw new WebhookVerificationError(
    isUnknown(value) ? unknown : 'malformed',
    `The body is not a callback of this API version: ${fault}`,
  )
}

/** Whether an event, or its type of transaction, is newer than this version. */
export const isUnknown = (value: unknown): boolean => !!faultIn(value)?.endsWith(' unknown')

function faultIn(value: unknown): string | undefined {
  if (!isRecord(value) || !isRecord(value['payload'])) return 'it is not an object with event and payload'
  const { event, payload } = value
  const { transaction_type: type, transaction_status: status } = payload
  if (!isKey(event, statuses)) return 'its event is unknown'
  if (!isKey(type, fields)) return 'its transaction_type is unknown'
  const ofEvent: Readonly<Record<string, object>> = statuses[event]
  if (!isKey(status, ofEvent[type] ?? {})) return `its transaction_status does not go with ${event} of a ${type}`
  return Object.entries(fields[type])
    .filter(([name, typeName]) => typeof payload[name] !== typeName)
    .map(([name, typeName]) => `payload.${name} is not a ${typeName}`)[0]
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isKey = <Table extends object>(value: unknown, table: Table): value is keyof Table =>
  typeof value === 'string' && Object.hasOwn(table, value)
