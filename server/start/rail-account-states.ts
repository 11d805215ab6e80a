import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min'
import type { CircuitStateName } from '../actions/ports/operator-exchanges.ts'
import type { Environment } from '../domain/rail-account.ts'
import type { PaymentOption, TransactionType } from '../domain/provider.ts'
import { directionsOf, missingFor } from '../rails/directions.ts'
import type { RailKind, SettingValues } from '../rails/rail-kind.ts'
import type { LiveReferenceData } from '../storage/reference-data.ts'
import type { LiveRailAccounts } from './rail-accounts.ts'

/** The state of a rail account, as shown to staff. */
export interface RailAccountState {
  readonly name: string
  /** The display name of its kind; the kind's own name when this version does not know it. */
  readonly operator: string
  /**
   * In English, derived from the calling codes of its providers; absent: it has no providers, or they are in several
   * countries.
   */
  readonly country?: string
  readonly currency: string
  readonly environment: Environment
  /** The payment types that it has credentials for. Empty when it cannot be connected. */
  readonly directions: readonly TransactionType[]
  /** The types that its providers offer without credentials for them: such payments are refused. */
  readonly lacks: readonly MissingPart[]
  /** Codes of the providers that use it. */
  readonly providers: readonly string[]
  /** Why it cannot be connected; absent: it can. No call has been sent to find out. */
  readonly fault?: string
  /** The circuit breaker of this process. */
  readonly circuit: CircuitStateName
  /** Since when the operator has not answered, as found by any process. */
  readonly downSince?: Date
  /** Its settings allow a private address. */
  readonly isPrivate: boolean
}

/** Settings that payments of a type would need. */
export interface MissingPart {
  readonly type: TransactionType
  readonly missing: readonly string[]
}

/** @param types of the payments that are offered through a rail account with these settings */
export const lacksOf = (
  kind: RailKind,
  settings: SettingValues,
  types: readonly TransactionType[],
): readonly MissingPart[] =>
  kind.types
    .filter((type) => types.includes(type))
    .map((type) => ({ type, missing: missingFor(kind, settings, type) }))
    .filter(({ missing }) => missing.length > 0)

/** The current state of all rail accounts, in the order of their names. Connects those that were not needed yet. */
export function railAccountStates(
  kinds: readonly RailKind[],
  reference: Pick<LiveReferenceData, 'railAccounts' | 'options'>,
  connections: Pick<LiveRailAccounts, 'connection' | 'faultOf'>,
): readonly RailAccountState[] {
  return [...reference.railAccounts().values()]
    .map((railAccount): RailAccountState => {
      const { name, rail, currency, environment, settings, downSince } = railAccount
      const kind = kinds.find((known) => known.name === rail)
      const options = (['COLLECTION', 'PAYOUT'] as const)
        .flatMap((type) => reference.options(currency, type))
        .filter((option) => option.railAccount === name)
      const connection = connections.connection(name)
      const fault = connection ? undefined : connections.faultOf(name)
      const country = countryOf(options)
      return {
        name,
        operator: kind?.title ?? rail,
        ...(country !== undefined && { country }),
        currency,
        environment,
        directions: connection && kind ? directionsOf(kind, settings) : [],
        lacks:
          connection && kind
            ? lacksOf(
                kind,
                settings,
                options.filter(({ isActive }) => isActive).map(({ type }) => type),
              )
            : [],
        providers: [...new Set(options.map(({ providerCode }) => providerCode))].sort(),
        ...(fault !== undefined && { fault }),
        circuit: connection?.circuit.state().state ?? 'closed',
        ...(downSince && { downSince }),
        isPrivate: settings['private_network'] === 'yes',
      }
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

const NAMES = new Intl.DisplayNames(['en'], { type: 'region' })

/** Some calling codes belong to several countries: no country is better than a wrong one. */
function countryOf(options: readonly PaymentOption[]): string | undefined {
  const codes = new Set(options.map(({ callingCode }) => callingCode))
  const countries = getCountries().filter((country) => codes.has(getCountryCallingCode(country)))
  const [only, ...others] = countries
  return only !== undefined && others.length === 0 ? NAMES.of(only) : undefined
}
