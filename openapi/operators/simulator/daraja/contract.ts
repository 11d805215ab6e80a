import { readFileSync } from 'node:fs'
import type { components, operations } from '../../../../generated/operators/daraja.d.ts'
import type { Handlers } from '../operator.ts'

/** One handler per call of Daraja's. */
export type DarajaHandlers = Handlers<operations>

type Schemas = components['schemas']
export type StkPushRequest = Schemas['StkPushRequest']
export type StkCallback = Schemas['StkCallback']
export type ResultCallback = Schemas['ResultCallback']
export type PulledTransaction = Schemas['PulledTransaction']

interface CodeRow {
  readonly code: string
  readonly meaning: string
}

/** The parts of Daraja's bundle that the simulator itself reads. */
interface DarajaDocument {
  readonly 'x-error-codes': readonly (CodeRow & { readonly httpStatus: number })[]
  readonly 'x-result-codes': readonly CodeRow[]
  readonly 'x-payout-result-codes': readonly CodeRow[]
  readonly 'x-business-result-codes': readonly CodeRow[]
  readonly 'x-reversal-result-codes': readonly CodeRow[]
}

export const DARAJA_DOCUMENT = JSON.parse(
  readFileSync(new URL('../../../../generated/operators/daraja.json', import.meta.url), 'utf8'),
) as DarajaDocument

/** The HTTP status of every code of the error envelope. */
export const STATUS_BY_CODE: Readonly<Record<string, number>> = Object.fromEntries(
  DARAJA_DOCUMENT['x-error-codes'].map(({ code, httpStatus }) => [code, httpStatus]),
)

/** The meaning of an STK push's result code: `Paid`. */
export const STK_RESULTS = meanings(DARAJA_DOCUMENT['x-result-codes'])

/** The same for a payout. */
export const PAYOUT_RESULTS = meanings(DARAJA_DOCUMENT['x-payout-result-codes'])

/** The same for a payment to a business. */
export const BUSINESS_RESULTS = meanings(DARAJA_DOCUMENT['x-business-result-codes'])

/** The same for a reversal. */
export const REVERSAL_RESULTS = meanings(DARAJA_DOCUMENT['x-reversal-result-codes'])

function meanings(rows: readonly CodeRow[]): Readonly<Record<string, string>> {
  return Object.fromEntries(rows.map(({ code, meaning }) => [code, meaning.replace(/\.$/, '')]))
}
