import type { TransactionType } from '../domain/provider.ts'
import type { RailKind, SettingValues } from './rail-kind.ts'

/** The transaction types that a rail account with these settings supports: those that it has the credentials for. */
export const directionsOf = (kind: RailKind, settings: SettingValues): readonly TransactionType[] =>
  kind.types.filter((type) => missingFor(kind, settings, type).length === 0)

/** The missing settings that a rail account would need for payments of this type. */
export const missingFor = (
  { needs }: Pick<RailKind, 'needs'>,
  settings: SettingValues,
  type: TransactionType,
): readonly string[] => needs?.[type]?.filter((name) => !settings[name]) ?? []
