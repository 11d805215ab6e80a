import { MALIPO } from './called-as.ts'
import type { TransactionType } from '../domain/provider.ts'
import { lacksOf, type Lack } from '../start/installation-states.ts'
import { directionsOf } from '../rails/directions.ts'
import type { RailKind, SettingValues } from '../rails/rail-kind.ts'
import { note } from './output.ts'

const WORDS: Readonly<Record<TransactionType, string>> = { COLLECTION: 'collections', PAYOUT: 'payouts' }

/** What an installation takes, for people; undefined: nothing. */
export const takenText = (types: readonly TransactionType[]): string | undefined =>
  types.map((type) => WORDS[type]).join(', ') || undefined

/** Which payments are refused, and why. */
export const lackText = ({ type, missing }: Lack): string => `no ${WORDS[type]}, without ${missing.join(', ')}`

/** What an installation takes, and what it would need for the rest. */
export const takenAndLacking = (kind: RailKind, settings: SettingValues): string =>
  [takenText(directionsOf(kind, settings)) ?? 'nothing', ...lacksOf(kind, settings, kind.types).map(lackText)].join(
    '; ',
  )

/** Says on the error output what a provider offers, and what it leads to does not take. */
export function warnOfLacks(
  provider: string,
  types: readonly TransactionType[],
  { name, kind, settings }: { readonly name: string; readonly kind: RailKind; readonly settings: SettingValues },
): void {
  const lacks = lacksOf(kind, settings, types)
  if (lacks.length === 0) return
  note(
    `${provider} offers more than ${name} takes, and that much is refused: ${lacks.map(lackText).join('; ')}.\nGive it the rest: ${MALIPO} rail set ${name} --from <file> --reason <text>, or do not offer it: ${MALIPO} provider set ${provider} --type ${lacks[0]?.type} --inactive --reason <text>`,
  )
}
