import { expect, expectTypeOf, test } from 'vitest'
import type { settling } from '../admin/cli/settling.ts'
import type { updateMerchant } from '../admin/queries/merchants.ts'
import type { createStatements } from '../admin/queries/statements/statements.ts'
import { filesOf, importsIn, read } from '../verification/testing/source-tree.ts'
import type { AuditedPool } from './audited-pool.ts'
import type { Pool } from './pool.ts'

test('only the audit log and the sandbox write what staff change without an entry', () => {
  const importing = filesOf('server/**/*.ts')
    .filter((file) => !/\.test\.ts$|\/testing\/|^server\/verification\/|^server\/rails\/conformance\//.test(file))
    .filter((file) => importsIn(file, read(file)).includes('server/storage/audited-pool.ts'))
    .filter((file) => read(file).includes('withoutAudit'))
  expect(importing.toSorted()).toEqual(['server/admin/queries/audit-log.ts', 'server/local/sandbox/inbox-resend.ts'])
})

test('what staff change takes no plain pool', () => {
  expectTypeOf<Pool>().not.toExtend<Parameters<typeof updateMerchant>[0]>()
  expectTypeOf<Pool>().not.toExtend<Parameters<typeof createStatements>[0]>()
  expectTypeOf<Pool>().not.toExtend<Parameters<typeof settling>[0]['pool']>()
  expectTypeOf<AuditedPool>().toExtend<Pool>()
})
