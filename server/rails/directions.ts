import type { TransactionType } from '../domain/provider.ts'
import type { RailKind, SettingValues } from './rail-kind.ts'

/** What an installation with these settings can do: what it has the credentials for. */
export const directionsOf = (kind: RailKind, settings: SettingValues): readonly TransactionType[] =>
  kind.types.filter((type) => missingFor(kind, settings, type).length === 0)

/** The settings that an installation would need for payments of this type and does not have. */
export const missingFor = (
  { needs }: Pick<RailKind, 'needs'>,
  settings: SettingValues,
  type: TransactionType,
): readonly string[] => needs?.[type]?.filter((name) => !settings[name]) ?? []
