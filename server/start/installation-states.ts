import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min'
import type { CircuitStateName } from '../actions/ports/operator-exchanges.ts'
import type { Environment } from '../domain/installation.ts'
import type { PaymentOption, TransactionType } from '../domain/provider.ts'
import { directionsOf, missingFor } from '../rails/directions.ts'
import type { RailKind, SettingValues } from '../rails/rail-kind.ts'
import type { LiveReferenceData } from '../storage/reference-data.ts'
import type { LiveInstallations } from './installations.ts'

/** A connection to an operator as its owner wants to see it. */
export interface InstallationState {
  readonly name: string
  /** What people call its kind; the kind's own name where this version does not know it. */
  readonly operator: string
  /** In English, by the numbers of its providers; absent: none leads there, or they are of several countries. */
  readonly country?: string
  readonly currency: string
  readonly environment: Environment
  /** What it has credentials for. Empty where it cannot be connected. */
  readonly directions: readonly TransactionType[]
  /** What its providers offer and it has no credentials for: such payments are refused. */
  readonly lacks: readonly Lack[]
  /** Codes of those that lead there. */
  readonly providers: readonly string[]
  /** Why it cannot be connected; absent: it is. Nothing has gone out for that yet. */
  readonly fault?: string
  /** Whether this process keeps its calls from it. */
  readonly circuit: CircuitStateName
  /** Since when the operator has not answered, as any process has found. */
  readonly downSince?: Date
  /** It may be at a private address, by its owner's setting. */
  readonly isPrivate: boolean
}

/** Settings that payments of a type would need. */
export interface Lack {
  readonly type: TransactionType
  readonly missing: readonly string[]
}

/** @param types of the payments that somebody offers through an installation with these settings */
export const lacksOf = (kind: RailKind, settings: SettingValues, types: readonly TransactionType[]): readonly Lack[] =>
  kind.types
    .filter((type) => types.includes(type))
    .map((type) => ({ type, missing: missingFor(kind, settings, type) }))
    .filter(({ missing }) => missing.length > 0)

/** All installations as they are now, in the order of their names. Connects those that nobody has needed yet. */
export function installationStates(
  kinds: readonly RailKind[],
  reference: Pick<LiveReferenceData, 'installations' | 'options'>,
  connections: Pick<LiveInstallations, 'connection' | 'faultOf'>,
): readonly InstallationState[] {
  return [...reference.installations().values()]
    .map((installation): InstallationState => {
      const { name, rail, currency, environment, settings, downSince } = installation
      const kind = kinds.find((known) => known.name === rail)
      const options = (['COLLECTION', 'PAYOUT'] as const)
        .flatMap((type) => reference.options(currency, type))
        .filter((option) => option.installation === name)
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

/** Some calling codes are those of several countries: better none than a wrong one. */
function countryOf(options: readonly PaymentOption[]): string | undefined {
  const codes = new Set(options.map(({ callingCode }) => callingCode))
  const countries = getCountries().filter((country) => codes.has(getCountryCallingCode(country)))
  const [only, ...others] = countries
  return only !== undefined && others.length === 0 ? NAMES.of(only) : undefined
}
