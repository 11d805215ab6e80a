import { globSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { testNightly } from '../../server/verification/testing/nightly.ts'
import { CHECKS, canonical, runSchemathesis, summary } from './index.ts'
import { lockedVersion } from './install.ts'
import { findPython } from './python.ts'
import { startThings, THINGS_CONTRACT } from './testing/things-server.ts'
import { temporaryFolder } from '../../server/verification/testing/temporary-folder.ts'
import { skipReason } from '../../server/verification/testing/skip-reason.ts'

const folder = temporaryFolder()

/** Where the machine may have this Python: by its name, or among those of pyenv. */
async function pythonOf(version: string): Promise<string | undefined> {
  for (const command of [`python${version}`, ...globSync(join(homedir(), `.pyenv/versions/${version}.*/bin/python`))])
    if ((await findPython(command, process.env))?.version === version) return command
  return undefined
}

testNightly.each(['3.10', '3.11', '3.12', '3.13', '3.14'])(
  'Python %s installs what the lock file names, and finds what the others find',
  async (version) => {
    const python = await pythonOf(version)
    if (python === undefined) return skipReason(`no Python ${version} is installed`, 'the runner on it')
    const server = await startThings({ key: 'key-of-things', fault: 'many' })
    try {
      const result = await runSchemathesis({
        contract: THINGS_CONTRACT,
        server: { baseUrl: server.baseUrl },
        keys: { apiKey: 'key-of-things' },
        profile: canonical(),
        maxExamples: 10,
        python,
        cacheDir: join(folder.path, version),
      })
      expect(result.version).toBe(await lockedVersion(version))
      expect(result.failures, summary(result)).toHaveLength(8)
      // The version for 3.10 has all checks but one.
      expect(Object.keys(result.checks)).toHaveLength(version === '3.10' ? CHECKS.length - 1 : CHECKS.length)
    } finally {
      await server.stop()
    }
  },
  400_000,
)
