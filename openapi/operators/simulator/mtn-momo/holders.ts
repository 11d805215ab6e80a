import type { Call, Handlers, OperatorReply } from '../operator.ts'
import type { OperatorState } from '../world/world.ts'
import { PRODUCT_OF, type operations } from './contract.ts'
import type { Countries } from './countries.ts'
import { nameOf } from '../holder-names.ts'
import { HOLDER_QUIRK } from '../scenarios/malipo-numbers.ts'
import { refused } from './refusals.ts'
import { testNumber } from './test-numbers.ts'

interface HolderDeps {
  readonly world: OperatorState
  readonly countries: Countries
}

type HolderHandlers = Pick<
  Handlers<operations>,
  | `get${'Collection' | 'Disbursement' | 'Remittance'}${'Balance' | 'HolderName'}`
  | `is${'Collection' | 'Disbursement' | 'Remittance'}HolderActive`
>

/** Balances of the merchant, and the holders of numbers. */
export function holderHandlers(deps: HolderDeps): HolderHandlers {
  const balance = ({ headers, operation }: Call<undefined>): OperatorReply => {
    const currency = deps.countries.currencyOf(headers)
    const product = PRODUCT_OF.get(operation)
    if (currency === undefined || product === undefined) return refused('NOT_ALLOWED_TARGET_ENVIRONMENT')
    const availableBalance = deps.world.accounts.balanceOf(deps.countries.accountOf(product, headers))
    return { status: 200, body: { availableBalance, currency } }
  }
  const active = ({ headers, params, quirk }: Call<undefined>): OperatorReply => {
    const refusal = refusalOf(deps, headers, params)
    if (refusal) return refusal
    const played = quirk(HOLDER_QUIRK)
    if (played === 'none') return refused('RESOURCE_NOT_FOUND')
    const isActive = testNumber('holder', params.accountHolderId ?? '')?.active ?? played !== 'inactive'
    return { status: 200, body: activeBody(isActive, quirk('holder_active')) }
  }
  const name = ({ headers, params, quirk }: Call<undefined>): OperatorReply => {
    const { given_name, family_name, ...others } = holderOf(params.accountHolderId ?? '')
    const names = quirk(HOLDER_QUIRK) === 'nameless' ? {} : { given_name, family_name }
    return refusalOf(deps, headers, params) ?? { status: 200, body: { ...names, ...others } }
  }
  return {
    getCollectionBalance: balance,
    getDisbursementBalance: balance,
    getRemittanceBalance: balance,
    isCollectionHolderActive: active,
    isDisbursementHolderActive: active,
    isRemittanceHolderActive: active,
    getCollectionHolderName: name,
    getDisbursementHolderName: name,
    getRemittanceHolderName: name,
  }
}

function refusalOf(deps: HolderDeps, headers: Call['headers'], params: Call['params']): OperatorReply | undefined {
  if (!deps.countries.currencyOf(headers)) return refused('NOT_ALLOWED_TARGET_ENVIRONMENT')
  const known = testNumber('holder', params.accountHolderId ?? '')
  return known?.refused === undefined ? undefined : refused(known.refused)
}

/** Observed in more forms than the documented one. */
function activeBody(isActive: boolean, form: unknown): unknown {
  if (form === 'bare') return isActive
  if (form === 'text') return String(isActive)
  if (form === 'text_in_object') return { result: String(isActive) }
  return { result: isActive }
}

/** Always the same name for the same number. */
function holderOf(msisdn: string) {
  const { given, family, last, before } = nameOf(msisdn)
  return {
    given_name: given,
    family_name: family,
    birthdate: `19${70 + before}-0${1 + (last % 9)}-1${before}`,
    locale: 'en',
    gender: last % 2 === 0 ? 'FEMALE' : 'MALE',
    status: testNumber('holder', msisdn)?.active === false ? 'INACTIVE' : 'ACTIVE',
  }
}
