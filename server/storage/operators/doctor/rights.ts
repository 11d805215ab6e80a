import { EXCESS_RIGHTS } from '../../runtime-rights.ts'
import type { Check } from './check.ts'

/** Where the servers are not the owner of the tables themselves, of which a warning tells. */
export const RIGHTS_CHECKS: readonly Check[] = [
  {
    name: 'runtime_rights',
    scope: 'all',
    rule: 'the role of DATABASE_URL may only read and append to the ledger; malipo migrate takes what it or everybody was granted beside that',
    sql: EXCESS_RIGHTS,
  },
]
