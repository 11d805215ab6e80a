import { beforeEach, describe } from 'vitest'
import { forFile } from './for-file.ts'
import { openMemory } from './store-in-memory.ts'
import { openPostgres } from './store-in-postgres.ts'
import type { StoreUnderTest } from './store-under-test.ts'

/**
 * Runs the same tests on PostgreSQL and on the store that the simulation uses: a change to one of them alone fails
 * here.
 */
export function onBothStores(tests: (under: () => StoreUnderTest, name: 'PostgreSQL' | 'memory') => void): void {
  describe.each([
    ['PostgreSQL', openPostgres],
    ['memory', openMemory],
  ] as const)('%s', async (name, open) => {
    const opened = await forFile(open())
    let under: StoreUnderTest
    beforeEach(async () => {
      under = await opened.fresh()
    })
    tests(() => under, name)
  })
}
