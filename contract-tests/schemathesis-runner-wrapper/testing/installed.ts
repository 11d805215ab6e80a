import { beforeEach } from 'vitest'
import { installSchemathesis } from '../install.ts'

/** Schemathesis of this machine; the first test file that needs it installs it. */
export const installed = await installSchemathesis({ env: process.env, log: console.log })

/** Without Schemathesis the tests of a file, or of a group, are skipped; where it is required they fail. */
export const needSchemathesis = (): void =>
  beforeEach((context) => {
    if (!('unavailable' in installed)) return
    if (process.env.REQUIRE_SCHEMATHESIS === '1')
      throw new Error(`Schemathesis is required here: ${installed.unavailable}`)
    context.skip(`without Schemathesis: ${installed.unavailable}`)
  })
