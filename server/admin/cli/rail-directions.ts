import { MALIPO } from './called-as.ts'
import type { TransactionType } from '../../domain/provider.ts'
import { lacksOf, type MissingPart } from '../../start/rail-account-states.ts'
import { directionsOf } from '../../rails/directions.ts'
import type { RailKind, SettingValues } from '../../rails/rail-kind.ts'
import { toRailAccount } from '../../storage/rail-accounts.ts'
import { optionsOf } from '../queries/option-record.ts'
import type { Context } from './database.ts'
import { note } from './output.ts'
import { railAccountNamed } from '../operations/rail-account-named.ts'
import type { Environment } from '../../domain/rail-account.ts'

const WORDS: Readonly<Record<TransactionType, string>> = { COLLECTION: 'collections', PAYOUT: 'payouts' }

/** What a rail account accepts, for people; undefined for nothing. */
export const takenText = (types: readonly TransactionType[]): string | undefined =>
  types.map((type) => WORDS[type]).join(', ') || undefined

/** Which payments the rail account refuses, and why. */
export const lackText = ({ type, missing }: MissingPart): string => `no ${WORDS[type]}, without ${missing.join(', ')}`

/** What a rail account accepts, and what it would need for the rest. */
export const takenAndLacking = (kind: RailKind, settings: SettingValues): string =>
  [takenText(directionsOf(kind, settings)) ?? 'nothing', ...lacksOf(kind, settings, kind.types).map(lackText)].join(
    '; ',
  )

/** Warns on standard error where a provider offers what its rail account does not accept. */
export async function warnAbout(context: Context, provider: string): Promise<void> {
  const options = await optionsOf(context.pool, provider, undefined)
  const name = options[0]?.rail_account
  if (!name) return
  const { railAccount, kind } = await railAccountNamed(context, name)
  const { settings } = toRailAccount(await context.secretBox(), railAccount)
  const types = options.filter(({ is_active }) => is_active).map(({ transaction_type }) => transaction_type)
  const lacks = lacksOf(kind, settings, types)
  if (lacks.length === 0) return
  note(
    `${provider} offers more than ${name} supports, and the rest is refused: ${lacks.map(lackText).join('; ')}.\nGive it the rest: ${MALIPO} rail set ${name} --from <file> --reason <text>, or do not offer it: ${MALIPO} provider set ${provider} --type ${lacks[0]?.type} --inactive --reason <text>`,
  )
}

// Not "no money": an operator's own sandbox may charge a real phone number.
const MEANING = { production: 'real money', trial: 'tests only' } as const satisfies Record<Environment, string>

/** The operator's environment, and what it means for whoever reads it for the first time. */
export const environmentText = ({ environment }: { readonly environment: Environment }): string =>
  `${environment}: ${MEANING[environment]}`
