import { maskedName } from '../domain/masking/holder-name.ts'
import { optionKey, type Merchant } from '../domain/merchant.ts'
import { phoneNumberFor } from '../domain/phone.ts'
import type { PaymentOption } from '../domain/provider.ts'
import { Refusal } from '../domain/refusal.ts'
import { findOption } from './accept-transaction.ts'
import {
  HOLDER_QUERIES_KEPT_MS,
  type AccountHolder,
  type AccountHolderQueries,
  type HolderClaim,
} from './ports/account-holders.ts'
import type { Clock } from './ports/clock.ts'
import type { HolderKnowledge, Rail } from './ports/rail.ts'
import type { ReferenceData } from './ports/reference-data.ts'

export interface HolderDeps {
  readonly reference: ReferenceData
  readonly clock: Clock
  readonly rail: Pick<Rail, 'holderQuery'>
  readonly holders: AccountHolderQueries
  readonly holderQueriesMax: number
}

/** Who has an account at a provider. */
export interface FoundHolder {
  readonly option: PaymentOption
  readonly account: string
  /** Absent: the operator does not answer such queries. */
  readonly holder?: AccountHolder
}

/**
 * Whether the account exists, whether it is active, and its holder's masked name.
 * @throws Refusal `invalid_provider`, `invalid_phone_number`; those of `askOperator`
 */
export async function findAccountHolder(
  deps: HolderDeps,
  merchant: Merchant,
  { providerCode, written }: { readonly providerCode: string; readonly written: string },
): Promise<FoundHolder> {
  const option =
    mobileOptions(deps, merchant).find((one) => one.providerCode === providerCode) ??
    findOption(deps.reference, merchant, { providerCode, type: 'COLLECTION', method: 'MOBILE_MONEY' })
  const account = phoneNumberFor(option, written)
  const holder = await askOperator(deps, merchant, option, account)
  return { option, account, ...(holder && { holder }) }
}

/** The merchant's usable providers of mobile money, each once. */
export function mobileOptions(
  { reference }: Pick<HolderDeps, 'reference'>,
  merchant: Merchant,
): readonly PaymentOption[] {
  const usable = (['COLLECTION', 'PAYOUT'] as const).flatMap((type) =>
    [...merchant.enabledOptions].flatMap((key) => {
      const option = reference.option(key.slice(0, key.lastIndexOf(':')), type)
      return option && key === optionKey(option.providerCode, type) ? option : []
    }),
  )
  const byCode = new Map(
    usable
      .filter(({ method, isActive, hasRail }) => method === 'MOBILE_MONEY' && isActive && hasRail)
      .map((option) => [option.providerCode, option]),
  )
  return [...byCode.values()]
}

/**
 * Queries the operator, unless this merchant has its answer already.
 * @returns undefined when the operator does not answer such queries
 * @throws Refusal `too_many_requests`, `operator_unavailable`
 */
export async function askOperator(
  { rail, holders, clock, holderQueriesMax }: HolderDeps,
  merchant: Merchant,
  { providerCode, providerName }: PaymentOption,
  account: string,
): Promise<AccountHolder | undefined> {
  const query = rail.holderQuery?.(providerCode)
  if (!query) return undefined
  const now = clock.now()
  const claim = await holders.claim({ merchant, providerCode, account, perDayMax: holderQueriesMax }, now)
  if (claim.claim === 'known') return claim.holder
  if (claim.claim === 'too_many') throw tooMany(claim, now, holderQueriesMax)
  const holder = holderFrom(await query(account), now)
  if (!holder)
    throw new Refusal(
      'operator_unavailable',
      `${providerName} (${providerCode}) does not answer now: try again in ${AGAIN_SECONDS} seconds`,
      AGAIN_SECONDS,
    )
  await holders.keep(claim.id, holder)
  return holder
}

const AGAIN_SECONDS = 30

function holderFrom(known: HolderKnowledge, checkedAt: Date): AccountHolder | undefined {
  if (known.knows === 'unreachable') return undefined
  if (known.knows !== 'active') return { status: known.knows === 'inactive' ? 'INACTIVE' : 'NOT_FOUND', checkedAt }
  const name = known.name === undefined ? undefined : maskedName(known.name)
  return { status: 'ACTIVE', ...(name !== undefined && { maskedName: name }), checkedAt }
}

function tooMany({ of, until }: Extract<HolderClaim, { claim: 'too_many' }>, now: Date, max: number): Refusal {
  const seconds = Math.max(Math.ceil((until.getTime() - now.getTime()) / 1000), 1)
  const hours = HOLDER_QUERIES_KEPT_MS / 3_600_000
  const what =
    of === 'merchant'
      ? `More than ${max} account holders in ${hours} hours`
      : 'Too many queries about this account number'
  return new Refusal('too_many_requests', `${what}: try again in ${seconds} second${seconds === 1 ? '' : 's'}`, seconds)
}
