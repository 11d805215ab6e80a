import type { Merchant } from '../domain/merchant.ts'
import {
  fittingProviders,
  placedNumber,
  type FittingProvider,
  type PlacedNumber,
} from '../domain/provider-of-number.ts'
import type { PaymentOption } from '../domain/provider.ts'
import { Refusal } from '../domain/refusal.ts'
import { askOperator, mobileOptions, type HolderDeps } from './find-account-holder.ts'

/** The provider that a number probably has. */
export interface PredictedProvider extends PlacedNumber {
  /** Absent: none of the merchant's providers, or several, could have it. */
  readonly option?: PaymentOption
  /** `OPERATOR`: it has the account. `PREFIX`: the number has its prefix. `NUMBERING_PLAN`: the country alone says so. */
  readonly source: 'OPERATOR' | 'PREFIX' | 'NUMBERING_PLAN'
}

export interface NumberInQuestion {
  readonly written: string
  readonly country: string | undefined
  /** Only with the secret key: who may ask for account holders. */
  readonly mayAskOperator: boolean
}

/** @throws Refusal `invalid_phone_number`, `invalid_field` */
export async function predictProvider(
  deps: HolderDeps,
  merchant: Merchant,
  { written, country, mayAskOperator }: NumberInQuestion,
): Promise<PredictedProvider> {
  const options = mobileOptions(deps, merchant)
  const placed = placedNumber(
    written,
    country,
    options.map(({ callingCode }) => callingCode),
  )
  const fitting = fittingProviders(options, `+${placed.account}`)
  const asked = mayAskOperator ? await askOperators(deps, merchant, fitting) : { fitting }
  if (asked.option) return { ...placed, option: asked.option, source: 'OPERATOR' }
  const [first, ...others] = asked.fitting
  if (first?.hasPrefix) return { ...placed, option: first.option, source: 'PREFIX' }
  const only = others.length === 0 ? first?.option : undefined
  return { ...placed, ...(only && { option: only }), source: 'NUMBERING_PLAN' }
}

/** A ported number has the prefix of one operator and an account at another. */
const ASKED_MAX = 3

/** @returns the provider that has the account; or those that have not said that they do not */
async function askOperators(
  deps: HolderDeps,
  merchant: Merchant,
  fitting: readonly FittingProvider[],
): Promise<{ readonly option?: PaymentOption; readonly fitting: readonly FittingProvider[] }> {
  const open = new Set(fitting)
  for (const one of fitting.slice(0, ASKED_MAX)) {
    const holder = await askOperator(deps, merchant, one.option, one.account).catch(ignoreRefusal)
    if (holder?.status === 'ACTIVE') return { option: one.option, fitting }
    if (holder?.status === 'NOT_FOUND') open.delete(one)
  }
  return { fitting: open.size === 0 ? fitting : [...open] }
}

/** Then the prefix decides, as without the secret key. */
function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error
}
