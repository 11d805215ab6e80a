import { EXCESS_RIGHTS } from '../../../storage/runtime-rights.ts'
import type { Check } from './check.ts'

/** Checks of the rights where the servers do not own the tables. If they do, there is a warning. */
export const RIGHTS_CHECKS: readonly Check[] = [
  {
    name: 'runtime_rights',
    scope: 'all',
    rule: 'the role of DATABASE_URL may only read and append to the ledger; malipo migrate takes what it or everybody was granted beside that',
    sql: EXCESS_RIGHTS,
  },
]
