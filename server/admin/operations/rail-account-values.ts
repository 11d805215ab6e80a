import type { RailKind, SettingValues } from '../../rails/rail-kind.ts'
import type { DisplayValues } from '../queries/audit-log.ts'
import type { RailAccountRow } from '../../storage/rail-accounts.ts'
import { toRailAccount } from '../../storage/rail-accounts.ts'
import type { SecretBox } from '../../storage/secret-box.ts'
import { displayValues } from './display-values.ts'
import { shownSettings } from './rail-account-record.ts'
import { accountOf, maskedAccount } from './statement-account.ts'

/** What was just changed: a value that is shown only in part would not show that it changed. */
interface RailChange {
  readonly settings: SettingValues
  readonly newToken?: boolean | undefined
  readonly endOldTokens?: boolean | undefined
}

/** A rail account's values for the audit entry: without defaults, secrets and account numbers. */
export function railAccountValues(
  kind: RailKind,
  box: SecretBox,
  row: RailAccountRow,
  { settings: changed, newToken, endOldTokens }: RailChange = { settings: {} },
): DisplayValues {
  const { settings } = toRailAccount(box, row)
  const texts = shownSettings(kind, settings)
    .filter(([name]) => settings[name] !== undefined)
    .map(([name, shown]) => {
      const text = name === 'statement_account' ? maskedAccount(accountOf(shown)) : shown
      return [name, changed[name] !== undefined && text !== settings[name] ? `${text} (replaced)` : text] as const
    })
  const addresses = endOldTokens ? 'new, and the former ones ended' : 'new'
  return displayValues({
    kind: kind.name,
    currency: row.currency,
    address: row.base_url,
    ...Object.fromEntries(texts),
    ...((newToken || endOldTokens) && { 'addresses for the operator': addresses }),
  })
}
