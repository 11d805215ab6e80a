import { expect, test } from 'vitest'
import { missingPackages, NEEDED } from './requirements.ts'

test('what is missing is told by the Debian packages that bring it, each once', async () => {
  expect(await missingPackages(async () => true)).toEqual([])
  expect(await missingPackages(async (path) => !path.endsWith('/patroni'))).toEqual(['patroni'])
  expect(await missingPackages(async () => false)).toEqual([...new Set(Object.values(NEEDED))])
})
