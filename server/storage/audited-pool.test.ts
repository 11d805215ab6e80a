import { expect, expectTypeOf, test } from 'vitest'
import type { updateMerchant } from '../admin/queries/merchants.ts'
import type { createStatements } from '../admin/queries/statements/statements.ts'
import { filesOf, importsIn, read } from '../verification/testing/source-tree.ts'
import type { AuditedPool } from './audited-pool.ts'
import type { Pool } from './pool.ts'
import type { auditedStore } from './store.ts'

const importing = (module: string, name: string): readonly string[] =>
  filesOf('server/**/*.ts')
    .filter((file) => !/\.test\.ts$|\/testing\/|^server\/verification\/|^server\/rails\/conformance\//.test(file))
    .filter((file) => importsIn(file, read(file)).includes(module) && read(file).includes(name))
    .toSorted()

test('only the audit log and the sandbox write what staff change without an entry', () => {
  const unaudited = ['server/admin/queries/audit-log.ts', 'server/local/sandbox/inbox-resend.ts']
  expect(importing('server/storage/audited-pool.ts', 'withoutAudit')).toEqual(unaudited)
  expect(importing('server/storage/store.ts', 'createStore')).toEqual(['server/start/core.ts'])
})

test('what staff change takes no plain pool', () => {
  expectTypeOf<Pool>().not.toExtend<Parameters<typeof updateMerchant>[0]>()
  expectTypeOf<Pool>().not.toExtend<Parameters<typeof createStatements>[0]>()
  expectTypeOf<Pool>().not.toExtend<Parameters<typeof auditedStore>[0]>()
  expectTypeOf<AuditedPool>().toExtend<Pool>()
})
