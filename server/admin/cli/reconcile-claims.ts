import { claimRecord, listClaims } from '../queries/statements/claims.ts'
import { withDatabase } from './database.ts'
import { printJson, printTable, shortTime } from './output.ts'

/** `reconcile claims`: lists payments that only a message tells of. */
export async function claims(
  railAccount: string | undefined,
  { limit, json }: { readonly limit: number; readonly json?: true },
): Promise<void> {
  const rows = await withDatabase(async ({ pool, clock }) =>
    (await listClaims(pool, { railAccount, limit })).map((claim) => claimRecord(claim, clock.now())),
  )
  if (json) return printJson(rows)
  printTable(
    rows,
    [
      { title: 'RECEIPT', of: ({ receipt }) => receipt },
      { title: 'RAIL ACCOUNT', of: (row) => row.rail_account, cut: true },
      { title: 'AMOUNT', of: ({ amount }) => String(amount), align: 'right' },
      { title: 'CURRENCY', of: ({ currency }) => currency },
      { title: 'PAYER', of: ({ payer }) => payer },
      { title: 'REFERENCE', of: ({ reference }) => reference, cut: true },
      { title: 'PAID', of: (row) => shortTime(row.paid_at) },
      { title: 'TOLD', of: (row) => shortTime(row.claimed_at) },
      { title: 'WAITS FOR', of: (row) => row.waits_for },
    ],
    'Every payment without an order is confirmed.',
  )
}
