import { readFileSync } from 'node:fs'
import type { operations } from '../../../../generated/operators/airtel.d.ts'
import type { Handlers } from '../operator.ts'

/** One handler per call of Airtel's. */
export type AirtelHandlers = Handlers<Omit<operations, 'transactionCallback'>>

interface AirtelDocument {
  readonly 'x-countries': readonly {
    readonly country: string
    readonly currency: string
    readonly callingCode: string
  }[]
  readonly 'x-error-codes': readonly { readonly code: string; readonly meaning: string }[]
}

export const AIRTEL_DOCUMENT = JSON.parse(
  readFileSync(new URL('../../../../generated/operators/airtel.json', import.meta.url), 'utf8'),
) as AirtelDocument

export const MEANINGS: Readonly<Record<string, string>> = Object.fromEntries(
  AIRTEL_DOCUMENT['x-error-codes'].map(({ code, meaning }) => [code, meaning]),
)

/** By X-Country. */
export const COUNTRIES: ReadonlyMap<string, { readonly currency: string; readonly callingCode: string }> = new Map(
  AIRTEL_DOCUMENT['x-countries'].map(({ country, ...rest }) => [country, rest]),
)
