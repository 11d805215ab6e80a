import { MALIPO } from './called-as.ts'
import type { TransactionType } from '../../domain/provider.ts'
import { lacksOf, type MissingPart } from '../../start/rail-account-states.ts'
import { directionsOf } from '../../rails/directions.ts'
import type { RailKind, SettingValues } from '../../rails/rail-kind.ts'
import { note } from './output.ts'

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

/** Warns on standard error about what a provider offers and its rail account does not accept. */
export function warnOfLacks(
  provider: string,
  types: readonly TransactionType[],
  { name, kind, settings }: { readonly name: string; readonly kind: RailKind; readonly settings: SettingValues },
): void {
  const lacks = lacksOf(kind, settings, types)
  if (lacks.length === 0) return
  note(
    `${provider} offers more than ${name} supports, and the rest is refused: ${lacks.map(lackText).join('; ')}.\nGive it the rest: ${MALIPO} rail set ${name} --from <file> --reason <text>, or do not offer it: ${MALIPO} provider set ${provider} --type ${lacks[0]?.type} --inactive --reason <text>`,
  )
}
