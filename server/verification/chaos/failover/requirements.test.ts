import { expect, test } from 'vitest'
import { missingPackages, NEEDED } from './requirements.ts'

test('names what is missing by its Debian packages, each once', async () => {
  expect(await missingPackages(async () => true)).toEqual([])
  expect(await missingPackages(async (path) => !path.endsWith('/patroni'))).toEqual(['patroni'])
  expect(await missingPackages(async () => false)).toEqual([...new Set(Object.values(NEEDED))])
})
